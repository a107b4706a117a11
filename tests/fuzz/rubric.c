/* A rubric: refused it leaves all as it was; accepted it holds only what can be
   graded by, and written it reads back as the same. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "grade/base/rubric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *rubric_text(const struct grade_rubric *rubric)
{
    char *text = NULL;
    size_t length;
    FILE *const file = open_memstream(&text, &length);

    if (file == NULL)
        abort();
    grade_rubric_write(file, fuzz_course(), rubric);
    fclose(file);
    return text;
}

static int is_same_number(double a, double b)
{
    return a >= b && a <= b;
}

static void must_be_same(const struct grade_rubric *a,
                         const struct grade_rubric *b)
{
    fuzz_must(a->labs == b->labs && a->right_by_share == b->right_by_share &&
              a->before_earns == b->before_earns &&
              a->hidden_cases == b->hidden_cases);
    for (int i = 0; i < a->labs; i++) {
        const struct grade_rubric_lab *const one = &a->lab[i], *const other =
                                                                   &b->lab[i];

        fuzz_must(strcmp(one->lab, other->lab) == 0);
        fuzz_must(one->graded == other->graded);
        for (int k = 0; k < GRADE_PARTS; k++)
            fuzz_must(is_same_number(one->points[k], other->points[k]));
        for (int k = 0; k < COURSE_MEASURES; k++) {
            fuzz_must(is_same_number(one->full[k], other->full[k]));
            fuzz_must(is_same_number(one->zero[k], other->zero[k]));
        }
    }
}

static void must_make_sense(const struct grade_rubric *rubric)
{
    const struct course_index *const index = fuzz_course();
    int graded = 0;

    fuzz_must(rubric->hidden_cases >= 0 && rubric->hidden_cases <= 20);
    for (int i = 0; i < rubric->labs; i++) {
        const struct grade_rubric_lab *const lab = &rubric->lab[i];

        graded += lab->graded;
        for (int k = 0; k < GRADE_PARTS; k++)
            fuzz_must(isfinite(lab->points[k]) && lab->points[k] >= 0.0);
        for (int k = 0; k < index->lab[i].measures; k++) {
            fuzz_must(isfinite(lab->full[k]) && isfinite(lab->zero[k]));
            fuzz_must(!is_same_number(lab->full[k], lab->zero[k]));
        }
    }
    fuzz_must(graded > 0);
}

void fuzz_rubric(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    char why[700] = "", *first, *second;
    struct grade_rubric before, rubric, same;

    grade_rubric_default(fuzz_course(), &before);
    rubric = before;
    if (grade_rubric_parse("r", text, fuzz_course(), &rubric, why,
                           sizeof why) != 0) {
        fuzz_message(why, sizeof why);
        must_be_same(&rubric, &before);
        free(text);
        return;
    }
    must_make_sense(&rubric);
    first = rubric_text(&rubric);
    same = before;
    fuzz_must(grade_rubric_parse("s", first, fuzz_course(), &same, why,
                                 sizeof why) == 0);
    must_be_same(&rubric, &same);
    second = rubric_text(&same);
    fuzz_must(strcmp(first, second) == 0);
    free(second);
    free(first);
    free(text);
}

#define _POSIX_C_SOURCE 200809L
#include "../testing.h"
#include "small_class.h"

#include "folder.h"
#include "worst_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "shapes: 1x1x1\ncounting: 4x4x4\n"
    "lab: 03_tiling\ntitle: Two\nentry: kernel lab_launch launch\n"
    "points: 60 20 20\nmeasure: loads full 0.125 zero 2 before 2\n"
    "lab: 04_coalescing\ntitle: Two\nentry: kernel lab_launch launch\n"
    "points: 60 20 20\nmeasure: sectors full 1 zero 4 before 4\n";

struct grade_class class;
struct grade_papers papers;
char why[700];

static char *telling;
static size_t told_length;
static struct course_index the_index;
static struct grade_person person[2];
static char alice[] = "alice", ghost[] = "ghost", full_name[] = "Alice, A.",
            none[] = "", harmful[] = HARMFUL_NAME;

static int add_case(struct grade_result *r, const char *name, int hidden,
                    enum grade_verdict verdict, const char *words)
{
    struct grade_case *const c = grade_result_case(r);

    if (c == NULL)
        return -1;
    snprintf(c->name, sizeof c->name, "%s", name);
    c->hidden = hidden;
    c->verdict = verdict;
    c->text = strdup(words);
    return c->text != NULL ? 0 : -1;
}

static int set(struct grade_result *r, enum grade_verdict verdict, double right,
               double clean, double number, const char *words)
{
    const double of[] = {60.0, 20.0, 20.0}, points[] = {right, clean, number};

    r->verdict = verdict;
    memcpy(r->of, of, sizeof of);
    memcpy(r->points, points, sizeof points);
    r->text = strdup(words);
    r->findings = strdup("");
    r->costs = strdup("");
    return r->text != NULL && r->findings != NULL && r->costs != NULL ? 0 : -1;
}

static int fill_class(void)
{
    struct grade_result *const first = class.row[0].result;
    struct grade_result *const third = class.row[2].result;
    struct grade_measure *m;

    if (set(&first[0], GRADE_PASS, 60.0, 20.0, 20.0, "") != 0 ||
        set(&first[1], GRADE_PASS, 60.0, 20.0, 10.0 / 3.0, "") != 0 ||
        set(&third[0], GRADE_FAIL, 100.0 / 3.0, 0.0, 0.0, "") != 0 ||
        set(&third[1], GRADE_GRADER_ERROR, 0.0, 0.0, 0.0, "no box starts") !=
            0 ||
        add_case(&third[0], "kernel, 37 x 53 x 29", 0, GRADE_FAIL,
                 "C[36][2]: expected 2.5, got 1.5\n\033[2J") != 0 ||
        add_case(&third[0], "hidden 1", 1, GRADE_FAIL,
                 "secret shape 31 x 7 x 3") != 0)
        return -1;
    grade_result_flag(&third[0], "fewer loads than can be");
    free(third[0].findings);
    third[0].findings = strdup("tiling.cu:48: race on As with line 64");
    free(first[1].costs);
    first[1].costs = strdup("line 55: 16 sectors a request, 4 would do");
    m = grade_result_measure(&first[1]);
    if (m == NULL || third[0].findings == NULL || first[1].costs == NULL)
        return -1;
    *m = (struct grade_measure){.column = "sectors",
                                .value = 3.5,
                                .full = 1.0,
                                .zero = 4.0,
                                .points = 10.0 / 3.0,
                                .of = 20.0};
    return 0;
}

static int make_small_class(void **state, const struct grade_roster *roster,
                            const struct grade_intake *intake)
{
    struct grade_rubric rubric;

    if (folder_make(state) != 0 ||
        course_index_parse("INDEX", text, &the_index, why, sizeof why) != 0)
        return -1;
    grade_rubric_default(&the_index, &rubric);
    if (grade_class_make(&class, &the_index, &rubric, roster, intake) != 0)
        return -1;
    class.isolation = GRADE_CONTAINER;
    papers =
        (struct grade_papers){.class = &class,
                              .out = ".",
                              .tell = open_memstream(&telling, &told_length),
                              .why = why,
                              .size = sizeof why};
    return papers.tell != NULL ? 0 : -1;
}

int small_class_begin(void **state)
{
    const struct grade_roster roster = {.person = person, .persons = 2};
    struct grade_parcel parcel[] = {
        {.student = harmful, .name = none},
        {.student = alice, .name = none, .listed = 1}};
    const struct grade_intake intake = {.students = 2, .parcel = parcel};

    person[0] = (struct grade_person){.id = alice, .name = full_name};
    person[1] = (struct grade_person){.id = ghost, .name = none};
    return make_small_class(state, &roster, &intake) != 0 ? -1 : fill_class();
}

static int fill_worst(struct grade_row *row, size_t number)
{
    char said[400];

    snprintf(said, sizeof said, "%s\ntiling.cu:3:7: error: %s\n::error::y\n",
             row->student, row->student);
    if (set(&row->result[0], GRADE_COMPILE, 0.0, 0.0, 0.0, said) != 0)
        return -1;
    return number % 5 == 0
               ? set(&row->result[1], GRADE_GRADER_ERROR, 0.0, 0.0, 0.0,
                     row->student)
               : set(&row->result[1], GRADE_PASS, 60.0, 20.0, 10.0 / 3.0, "");
}

int small_class_begin_worst(void **state)
{
    static char name[WORST_NAMES][256];
    static struct grade_parcel parcel[WORST_NAMES];
    const struct grade_intake intake = {.students = WORST_NAMES,
                                        .parcel = parcel};

    for (size_t i = 0; i < WORST_NAMES; i++) {
        snprintf(name[i], sizeof name[i], "%s", worst_name[i]);
        parcel[i].student = name[i];
        parcel[i].name = none;
    }
    if (make_small_class(state, NULL, &intake) != 0)
        return -1;
    for (size_t i = 0; i < class.rows; i++) {
        if (fill_worst(&class.row[i], i) != 0)
            return -1;
    }
    return 0;
}

int small_class_end(void **state)
{
    (void)state;
    grade_class_free(&class);
    course_index_free(&the_index);
    fclose(papers.tell);
    free(telling);
    return 0;
}

const char *told(void)
{
    static char *last;

    free(last);
    fclose(papers.tell);
    last = telling;
    papers.tell = open_memstream(&telling, &told_length);
    assert_non_null(papers.tell);
    return last;
}

char *small_class_gradescope(size_t row)
{
    char *json;
    size_t length;
    FILE *const file = open_memstream(&json, &length);

    assert_non_null(file);
    grade_gradescope(file, &papers, &class.row[row]);
    assert_int_equal(fclose(file), 0);
    return json;
}

const struct course_index *small_class_index(void)
{
    return &the_index;
}

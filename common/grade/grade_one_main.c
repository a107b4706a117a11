/* grade_one: grades one source for one lab and prints the result. */
#define _GNU_SOURCE
#include "rubric.h"
#include "verdict.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int complain(const char *what)
{
    fprintf(stderr, "grade_one: %s\n", what);
    return 2;
}

static void print(const struct grade_result *r)
{
    printf("%s  %s  %.4g of %.4g points\n", grade_verdict_word[r->verdict],
           r->lab, grade_result_points(r), grade_result_of(r));
    if (r->text[0] != '\0')
        printf("%s\n", r->text);
    for (int i = 0; i < r->case_count; i++) {
        printf("  %-10s %s%s%s\n", grade_verdict_word[r->cases[i].verdict],
               r->cases[i].name, r->cases[i].text[0] ? ": " : "",
               r->cases[i].text);
    }
    for (int i = 0; i < r->measure_count; i++) {
        printf("  %s = %.6g (full %.6g, zero %.6g): %.4g of %.4g\n",
               r->measures[i].column, r->measures[i].value, r->measures[i].full,
               r->measures[i].zero, r->measures[i].points, r->measures[i].of);
    }
    printf("  right %.4g, clean %.4g, number %.4g\n", r->points[GRADE_RIGHT],
           r->points[GRADE_CLEAN], r->points[GRADE_NUMBER]);
    for (int i = 0; i < r->flag_count; i++)
        printf("  FLAG: %s\n", r->flags[i].text);
    printf("%s%s", r->findings, r->costs);
}

/* The whole file, zero bytes and all. NULL after a message. */
static char *read_source(const char *path, size_t *size)
{
    FILE *file = fopen(path, "re");
    const size_t room = (size_t)1 << 26;
    char *bytes = malloc(room);

    if (file != NULL && bytes != NULL) {
        *size = fread(bytes, 1, room, file);
        fclose(file);
        return bytes;
    }
    fprintf(stderr, "grade_one: %s: %s\n", path, strerror(errno));
    free(bytes);
    if (file != NULL)
        fclose(file);
    return NULL;
}

int main(int argc, char **argv)
{
    char why[400], work[] = "/tmp/grade_one_XXXXXX", *source, *todos;
    struct course_index index;
    static struct grade_rubric rubric;
    struct grade_result result;
    size_t size;

    if (argc < 3 || argc > 5) {
        fputs("usage: grade_one LAB FILE.cu [SEED [unsafe]]\n", stderr);
        return 2;
    }
    source = read_source(argv[2], &size);
    todos = course_read_file("labs/TODOS", why, sizeof why);
    if (source == NULL)
        return 2;
    if (todos == NULL ||
        course_index_read("labs/INDEX", &index, why, sizeof why) != 0)
        return complain(why);
    /* A box runs under a user of its own, if root asks. */
    if (mkdtemp(work) == NULL || chmod(work, 0755) != 0)
        return complain(strerror(errno));
    grade_rubric_default(&index, &rubric);

    const struct grade_setting setting = {
        .index = &index,
        .todos = todos,
        .rubric = &rubric,
        .isolation = argc == 5 ? GRADE_UNSAFE : GRADE_BOXED,
        .slot = 100 + getpid() % 3900, /* others may grade at the same time */
        .work = work,
        .seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
        .random_order = 1,
    };
    if (grade_source(&setting, argv[1], source, size, &result) != 0)
        return complain("out of memory");
    print(&result);
    grade_result_free(&result);
    course_index_free(&index);
    rmdir(work);
    free(todos);
    free(source);
    return 0;
}

/*
 * What if the machine kills a part of the grader, as for want of memory? Once,
 * and nobody learns of it; each time, and it is nobody's mistake: no student
 * gets a wrong grade by it. Needs user namespaces, as all boxes do.
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "base/file.h"
#include "grade/judge/verdict.h"
#include "soak/disturb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct course_index course;
static struct grade_rubric rubric;
static struct base_records todos;
static char *source;
static char work[] = "/tmp/test_killed_XXXXXX";

/* Kills what is below this process and called so. */
struct killer {
    const char *name;
    int most; /* times; 0: as often as there is one */
    int killed;
    volatile int ends;
};

static void *kill_on(void *context)
{
    const struct timespec pause = {0, 2000000};
    struct killer *const k = context;
    uint64_t state = 1;

    while (!k->ends && (k->most == 0 || k->killed < k->most)) {
        k->killed += disturb_kill_below(getpid(), k->name, &state);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

/* Grades a right source meanwhile. */
static enum grade_verdict graded(const char *name, int most)
{
    const struct grade_setting setting = {.index = &course,
                                          .todos = &todos,
                                          .rubric = &rubric,
                                          .isolation = GRADE_BOXED,
                                          .slot = 100 + getpid() % 3900,
                                          .work = work,
                                          .seed = 20};
    struct killer killer = {.name = name, .most = most};
    struct grade_result result;
    enum grade_verdict verdict;
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, kill_on, &killer), 0);
    assert_int_equal(
        grade_source(&setting, "03_tiling", source, strlen(source), &result),
        0);
    killer.ends = 1;
    pthread_join(thread, NULL);
    assert_true(killer.killed > 0);
    printf("# %s killed %d times: %s %s\n", name, killer.killed,
           grade_verdict_word[result.verdict], result.text);
    verdict = result.verdict;
    grade_result_free(&result);
    return verdict;
}

static const char *const parts[] = {"clang",      "cc1",      "grade_build.sh",
                                    "bwrap",      "box_init", "program",
                                    "test_killed"};

enum {
    PARTS = sizeof parts / sizeof *parts
};

TEST(a_part_that_is_killed_once_is_started_again)
{
    for (int i = 0; i < PARTS; i++)
        assert_int_equal(graded(parts[i], 1), GRADE_PASS);
}

TEST(a_part_that_is_killed_each_time_is_nobodys_mistake)
{
    for (int i = 0; i < PARTS; i++)
        assert_int_equal(graded(parts[i], 0), GRADE_GRADER_ERROR);
}

FIXTURE(open_course)
{
    static const struct course_shape some = {129, 257, 161};
    char why[400] = "";

    if (grade_box_probe(GRADE_BOXED, why, sizeof why) != 0) {
        printf("# skipped: %s\n", why);
        exit(77);
    }
    source = base_read_file("solutions/03_tiling/tiling.cu", why, sizeof why);
    if (course_todos_read_list("labs/TODOS", &todos, why, sizeof why) != 0 ||
        source == NULL || mkdtemp(work) == NULL || chmod(work, 0755) != 0 ||
        course_index_read("labs/INDEX", &course, why, sizeof why) != 0) {
        fprintf(stderr, "%s\n", why);
        return -1;
    }
    /* One case, long enough for somebody to be killed in it. */
    course.shapes.shape[0] = course.counting = some;
    course.shapes.count = 1;
    grade_rubric_default(&course, &rubric);
    rubric.hidden_cases = 0;
    return 0;
}

FIXTURE(close_course)
{
    char path[300];

    course_index_free(&course);
    free(source);
    base_records_free(&todos);
    /* Nothing was left in it but the last program. */
    snprintf(path, sizeof path, "%s/program", work);
    return unlink(path) != 0 || rmdir(work) != 0;
}

ALL_TESTS(open_course, close_course);

/*
 * Do the grades of a large class come out the same, whatever happens meanwhile?
 *
 * A class of SOAK submissions (60), made from tests/corpus by a fixed recipe,
 * is graded once in peace. Then it is graded again while the grader, its boxes
 * and their keepers are killed at random moments, while the disk is full now
 * and then, and while the time of day jumps; as often as it takes. All that
 * came of it must be the same, byte for byte.
 *
 *   SOAK       students
 *   SOAK_SEED  of what happens when; it is printed
 *   SOAK_CSV   file for the samples of the grader's memory
 */
#define _GNU_SOURCE

#include "../../testing.h"
#include "../../command.h"
#include "../../corpus/case.h"
#include "../class_run.h"
#include "base/clock.h"
#include "disturb.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every verdict that does not hang on time. Most of them are quick, so that a
   thousand can be graded. */
static const char *const recipe[] = {
    "right/reference_01",
    "cheating/inline_assembly",
    "broken/syntax_error",
    "broken/empty_folder",
    "broken/drops_the_last_term",
    "cheating/attribute_pasted",
    "hostile/source_is_a_link",
    "right/reference_03",
    "cheating/own_main",
    "broken/misnamed_file",
    "broken/race_between_blocks",
    "hostile/includes_shadow",
    "cheating/exits_with_0",
    "broken/nul_bytes",
    "cheating/constructor",
    "broken/skeleton_untouched",
    "hostile/memory_by_malloc",
    "cheating/pragma_optimize",
    "cheating/matrices_in_constant_memory",
    "cheating/embeds_a_file",
};

enum {
    RECIPE = sizeof recipe / sizeof *recipe,
    DISK_MIB = 512
};

static struct class_run run;
static uint64_t state;
static int students, has_disk;
static double seconds[2]; /* in peace, and disturbed */
static struct disturb disturb;
static char disk[CLASS_PATH];
static int sessions;

/* --- the class ------------------------------------------------------------ */

static int wanted_students(void)
{
    const char *const wanted = getenv("SOAK");

    return wanted != NULL ? atoi(wanted) : 60;
}

/* A comment at its end makes every student's source another one. */
static void make_own(struct corpus_case *c, int student)
{
    char *own;
    const int length = asprintf(&own, "\n/* student %d */\n", student);

    assert_true(length > 0);
    snprintf(c->student + strlen(c->student),
             sizeof c->student - strlen(c->student), "_%04d", student);
    if (c->source != NULL) {
        char *const longer = realloc(c->source, c->size + (size_t)length + 1);

        assert_non_null(longer);
        memcpy(longer + c->size, own, (size_t)length + 1);
        c->source = longer;
        c->size += (size_t)length;
    }
    free(own);
}

static void lay_class(void)
{
    for (int i = 0; i < students; i++) {
        struct corpus_case *const c = corpus_find(recipe[i % RECIPE]);

        make_own(c, i + 1);
        corpus_lay(c, class_path(&run, "class"), class_path(&run, "store"));
        corpus_free(c, 1);
    }
    assert_int_equal(class_write_roster(&run), students);
}

/* A small disk for the results and for the grader's temporary files, which
   nobody else sees. Returns 1, or 0 if there can be none. */
static int make_disk(void)
{
    char options[40];

    snprintf(disk, sizeof disk, "%s", class_path(&run, "disk"));
    snprintf(options, sizeof options, "size=%dm,mode=0755", DISK_MIB);
    assert_return_code(mkdir(disk, 0755), errno);
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("soak", disk, "tmpfs", 0, options) != 0)
        return 0;
    assert_return_code(mkdir(class_path(&run, "disk/tmp"), 0755), errno);
    assert_return_code(mount(class_path(&run, "disk/tmp"),
                             class_path(&run, "tmp"), NULL, MS_BIND, NULL),
                       errno);
    return 1;
}

/* A course of small matrices and no hidden cases: the more can be graded. */
static void make_course(void)
{
    FILE *const file = fopen(class_path(&run, "rubric"), "w");
    struct command copy;

    assert_non_null(file);
    fputs("hidden: 0\n", file);
    assert_int_equal(fclose(file), 0);
    copy = command_run(
        "mkdir '%s' && cp -r --parents labs/INDEX labs/TODOS build/grade "
        "build/tools/grade build/tools/clock.so common/grade/control.cu '%s' "
        "&& sed -e 's/^shapes: .*/shapes: 1x1x1 17x33x5 37x53x29/' "
        "-e 's/^counting: .*/counting: 37x53x29/' labs/INDEX >'%s/labs/INDEX' "
        "&& chmod -R a+rX '%s'",
        class_path(&run, "course"), class_path(&run, "course"),
        class_path(&run, "course"), class_path(&run, "course"));
    command_ends(&copy, 0);
    command_free(&copy);
    snprintf(run.course, sizeof run.course, "%s", class_path(&run, "course"));
}

static void grade_into(const char *out)
{
    char seed[CLASS_PATH + 20], rubric[CLASS_PATH + 20];
    const char *const options[] = {"--seed-file", seed,        "--export",
                                   "gradescope",  "--missing", "yes",
                                   "--rubric",    rubric,      NULL};

    snprintf(seed, sizeof seed, "%s", class_path(&run, "seed"));
    snprintf(rubric, sizeof rubric, "%s", class_path(&run, "rubric"));
    snprintf(run.out, sizeof run.out, "%s", class_path(&run, out));
    class_grade(&run, options, 0.0);
}

/* Where the samples of the grader's memory go. */
static const char *samples_path(void)
{
    const char *const path = getenv("SOAK_CSV");

    return path != NULL ? path : class_path(&run, "samples");
}

static FILE *open_samples(void)
{
    FILE *const file = fopen(samples_path(), "w");

    assert_non_null(file);
    setvbuf(file, NULL, _IOLBF, 0);
    fputs("seconds,results,grader_kib\n", file);
    return file;
}

static int grade_in_peace(void **unused)
{
    const char *const seed = getenv("SOAK_SEED");
    char results[CLASS_PATH];
    struct disturb none = {.state = 1, .results = results};

    (void)unused;
    students = wanted_students();
    if (seed != NULL) {
        state = strtoull(seed, NULL, 10);
    } else {
        assert_int_equal(getrandom(&state, sizeof state, 0), sizeof state);
    }
    state |= 1;
    printf("# SOAK=%d SOAK_SEED=%llu\n", students, (unsigned long long)state);
    class_make(&run);
    run.timeout = 4.0 * 3600.0;
    run.grace = 20.0; /* the machine may be busy */
    has_disk = make_disk();
    if (!has_disk)
        puts("# skipped: a full disk: only root can have one made");
    lay_class();
    make_course();
    snprintf(results, sizeof results, "%s", class_path(&run, "whole/results"));
    none.samples = open_samples();
    seconds[0] = base_seconds();
    disturb_begin(&none);
    grade_into("whole");
    disturb_end(&none);
    seconds[0] = base_seconds() - seconds[0];
    fclose(none.samples);
    return 0;
}

static int remove_all(void **unused)
{
    (void)unused;
    if (has_disk) {
        umount(class_path(&run, "tmp"));
        umount(class_path(&run, "disk"));
    }
    class_remove(&run);
    return 0;
}

/* --- what must be true ---------------------------------------------------- */

static void in_peace_every_student_gets_a_grade(void **unused)
{
    (void)unused;
    if (run.code != 0) {
        char *const printed = class_read(&run, "printed");

        fputs(printed, stderr);
        free(printed);
    }
    assert_int_equal(run.code, 0);
    assert_int_equal(run.orphans, 0);
    assert_int_equal(run.grades.rows, students);
    assert_int_equal(class_entries(&run, "tmp"), 0);
}

/* It keeps a row of results for each student, and nothing else. */
static void memory_hardly_grows(void **unused)
{
    struct base_csv csv;
    char why[300];
    size_t quarter = 0, last;

    (void)unused;
    if (base_csv_read(samples_path(), &csv, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_true(csv.rows > 0);
    last = csv.rows - 1;
    while (base_csv_number(&csv, quarter, "results") <
           base_csv_number(&csv, last, "results") / 4.0)
        quarter++;
    printf("# the grader's memory: %s KiB with %s results, %s KiB with %s\n",
           base_csv_text(&csv, quarter, "grader_kib"),
           base_csv_text(&csv, quarter, "results"),
           base_csv_text(&csv, last, "grader_kib"),
           base_csv_text(&csv, last, "results"));
    assert_true(base_csv_number(&csv, last, "grader_kib") <
                base_csv_number(&csv, quarter, "grader_kib") + 1024.0 +
                    4.0 * students);
    base_csv_free(&csv);
}

/* Seconds between two of a kind: so that a class meets about `times` of them,
   but no more often than a grader can begin anew, and a few in any case. */
static double mean(double times, double least, double few)
{
    const double often = seconds[0] / times, rare = seconds[0] / few;
    const double bounded = often > least ? often : least;

    return bounded < rare ? bounded : rare;
}

/* Graded, ended by a full disk, for what it could not grade, for a first box
   that was killed twice, or killed. */
static int is_expected(int code)
{
    return code == 0 || code == 2 || code == 3 || code == 78 ||
           code == 128 + SIGKILL;
}

/* One run of the grader, however it ends. */
static void live_through_a_session(void)
{
    setenv("LD_PRELOAD", "build/tools/clock.so", 1);
    disturb_begin(&disturb);
    grade_into("disk/out");
    disturb_end(&disturb);
    unsetenv("LD_PRELOAD");
    sessions++;
    assert_int_equal(run.orphans, 0);
    if (!is_expected(run.code)) {
        char *const printed = class_read(&run, "printed");

        fail_msg("it ended with %d: %s", run.code, printed);
    }
}

static void expect_same_file(const char *what)
{
    struct command diff = command_run(
        "diff -r -I execution_time '%s/%s' '%s/%s'", class_path(&run, "whole"),
        what, class_path(&run, "disk/out"), what);

    command_ends(&diff, 0);
    command_free(&diff);
}

static void killed_starved_and_misled_the_grades_are_the_same(void **unused)
{
    (void)unused;
    disturb = (struct disturb){.kill_grader = mean(students / 45.0, 10.0, 2.0),
                               .kill_below = mean(students / 5.0, 3.0, 4.0),
                               .fill_disk = mean(students / 25.0, 6.0, 2.0),
                               .disk = has_disk ? disk : NULL,
                               .state = state};
    seconds[1] = base_seconds();
    do {
        live_through_a_session();
    } while (run.code != 0 && sessions < 10 + students);
    setenv("LD_PRELOAD", "build/tools/clock.so", 1);
    grade_into("disk/out"); /* at last in peace */
    unsetenv("LD_PRELOAD");
    seconds[1] = base_seconds() - seconds[1];
    printf("# %d students: %.0f s in peace; %.0f s in %d sessions, with the "
           "grader killed %d times, a process below it %d times, the disk "
           "full %d times\n",
           students, seconds[0], seconds[1], sessions, disturb.graders,
           disturb.below, disturb.fills);
    assert_int_equal(run.code, 0);
    assert_true(disturb.graders > 0 && disturb.below > 0);
    assert_true(!has_disk || disturb.fills > 0);
    expect_same_file("grades.csv");
    expect_same_file("feedback");
    expect_same_file("export");
    expect_same_file("results");
    assert_int_equal(class_entries(&run, "tmp"), 0);
    assert_int_equal(class_entries(&run, "disk/out"),
                     class_entries(&run, "whole"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_peace_every_student_gets_a_grade),
        cmocka_unit_test(memory_hardly_grows),
        cmocka_unit_test(killed_starved_and_misled_the_grades_are_the_same),
    };

    return cmocka_run_group_tests(tests, grade_in_peace, remove_all);
}

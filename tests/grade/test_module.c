/*
 * The program that is made of a submission (common/grade/module): does it count
 * what the lab's own program counts, and can nothing that it does change that?
 * Needs boxes; without them all is skipped.
 *
 * With CORPUS=all each solution is counted, at the size of labs/INDEX. Without
 * it two are, at a smaller one.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../testing.h"
#include "../command.h"
#include "base/csv_read.h"
#include "base/file.h"
#include "grade/judge/judging.h"
#include "harness/counters.h"

static struct course_index course;
static struct grade_rubric rubric;
static char work[] = "/tmp/test_module_XXXXXX";
static struct grade_setting setting;
static struct grade_result result;
static struct grade_judging judging;

static char *read_one(const char *pattern)
{
    glob_t files;
    char why[400], *source;

    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    source = base_read_file(files.gl_pathv[0], why, sizeof why);
    assert_non_null(source);
    globfree(&files);
    return source;
}

/* The solution of a lab with a text replaced, in memory of its own. */
static char *edited(const char *lab, const char *from, const char *to)
{
    char pattern[200], *solution, *at, *text;

    snprintf(pattern, sizeof pattern, "solutions/%s/*.cu", lab);
    solution = read_one(pattern);
    at = strstr(solution, from);
    assert_non_null(at);
    assert_true(asprintf(&text, "%.*s%s%s", (int)(at - solution), solution, to,
                         at + strlen(from)) > 0);
    free(solution);
    return text;
}

static void begin_judging(const char *lab)
{
    grade_result_free(&result);
    result = (struct grade_result){0};
    judging = (struct grade_judging){.setting = &setting,
                                     .lab = course_index_find(&course, lab),
                                     .rubric = grade_rubric_find(&rubric, lab),
                                     .result = &result};
    assert_non_null(judging.lab);
    grade_plan_cases(&judging);
}

/* The plan of an entry whose counts decide. */
static const struct grade_plan *counting_plan(const struct course_entry *entry)
{
    for (int i = 0; i < judging.plans; i++) {
        if (judging.plan[i].counting && judging.plan[i].entry == entry)
            return &judging.plan[i];
    }
    return NULL;
}

/* The size whose counts decide, of the first entry. Fails if it is not
   built. */
static void run_counted(const char *source, struct grade_ran *ran)
{
    const struct grade_plan *const plan = counting_plan(&judging.lab->entry[0]);

    assert_non_null(plan);
    if (!grade_build(&judging, source, strlen(source)))
        fail_msg("%s", result.text);
    grade_case_run(&setting, plan, ran);
}

/* --- the same counts ------------------------------------------------------ */

static void expect_same_counts(const struct base_csv *home, size_t row,
                               const struct grade_ran *ran, const char *name)
{
    double counter[LAB_COUNTERS];

    assert_int_equal(ran->verdict, GRADE_PASS);
    lab_counters_derive(&ran->report.count,
                        course_multiply_adds(&course.counting), counter);
    for (int i = 0; i < LAB_COUNTERS; i++) {
        const double there = base_csv_number(home, row, lab_counters[i].name);
        /* Compilers differ in how they begin a loop. */
        const double apart = i == LAB_BACKWARD_JUMPS_PER_FMA ? 1.0 : 1e-12;

        if (isnan(there))
            continue; /* there is no such mean */
        if (!(fabs(counter[i] - there) <= apart * there))
            fail_msg("%s: %s is %.9g, and %.9g at home", name,
                     lab_counters[i].name, counter[i], there);
    }
}

static void compare_lab(const char *lab)
{
    char pattern[200], csv[80], why[400], *source;
    struct base_csv home;

    snprintf(pattern, sizeof pattern, "solutions/%s/*.cu", lab);
    snprintf(csv, sizeof csv, "%s/home.csv", work);
    source = read_one(pattern);
    begin_judging(lab);
    RUN_GIVES(0, NULL,
              "build/cpu/solutions/%s-analyse --quiet --counters --seed 1 --m "
              "%d --n %d --k %d --csv %s",
              lab, course.counting.m, course.counting.n, course.counting.k,
              csv);
    if (base_csv_read(csv, &home, why, sizeof why) != 0)
        fail_msg("%s", why);
    if (!grade_build(&judging, source, strlen(source)))
        fail_msg("%s", result.text);
    for (size_t e = 0, row = 0; e < (size_t)judging.lab->entries; e++) {
        const struct grade_plan *const plan =
            counting_plan(&judging.lab->entry[e]);
        struct grade_ran ran;

        if (plan == NULL)
            continue;
        while (!base_csv_is(&home, row, "variant", plan->entry->variant))
            row++;
        grade_case_run(&setting, plan, &ran);
        expect_same_counts(&home, row, &ran, plan->name);
        grade_report_free(&ran.report);
    }
    unlink(csv);
    base_csv_free(&home);
    free(source);
}

TEST(test_a_solution_counts_as_at_home)
{
    for (int i = 0; i < course.labs; i++) {
        const struct course_lab *const lab = &course.lab[i];

        if (lab->needs.what == NULL && lab->measures > 0 &&
            course_has_launch(lab) &&
            (getenv("CORPUS") != NULL || strncmp(lab->name, "03", 2) == 0 ||
             strncmp(lab->name, "06", 2) == 0))
            compare_lab(lab->name);
    }
}

/* --- no other counts ------------------------------------------------------ */

/* Lab 03's solution does something before its launch, or in its kernel. The
   program counts what the kernel loads, or it ends with a crash. */
static void expect_honest(const char *before, const char *from, const char *to,
                          int may_crash)
{
    char *one = edited("03_tiling", from, to), *two;
    struct grade_ran ran;
    double counter[LAB_COUNTERS];

    assert_true(asprintf(&two, "#include \"lab.h\"\n%s\n%s", before, one) > 0);
    begin_judging("03_tiling");
    run_counted(two, &ran);
    if (ran.verdict <= GRADE_UNCLEAN) {
        lab_counters_derive(&ran.report.count,
                            course_multiply_adds(&course.counting), counter);
        assert_float_equal(counter[LAB_GLOBAL_LOADS_PER_FMA], 0.125, 1e-9);
        assert_int_equal(ran.report.count.kernels, 1);
    } else if (!may_crash) {
        fail_msg("%s: %s", grade_verdict_word[ran.verdict], ran.text);
    }
    grade_report_free(&ran.report);
    free(one);
    free(two);
}

#define LAUNCH "    const dim3 block"

TEST(test_what_an_integer_points_to_is_no_counter)
{
    expect_honest("", LAUNCH,
                  "    for (long long at = 0x555555554000; at < "
                  "0x555555954000; at += 4096)\n"
                  "        *(volatile long long *)at = 0;\n" LAUNCH,
                  1);
}

TEST(test_a_stack_holds_no_return_addresses)
{
    expect_honest(
        "static void spoil(volatile long *a) { for (int i = 1; i < 60; i++) a[i] = 0x401000; }",
        LAUNCH, "    volatile long own[1] = {1}; spoil(own);\n" LAUNCH, 1);
}

/* Neither do threads have memory in common that nobody counts. */
TEST(test_indices_are_not_written)
{
    char *const source =
        edited("03_tiling", "    float sum = 0.0f;",
               "    float sum = 0.0f;\n"
               "    ((volatile unsigned *)&gridDim)[2] = threadIdx.x;\n");
    struct grade_ran ran;

    begin_judging("03_tiling");
    run_counted(source, &ran);
    assert_int_equal(ran.verdict, GRADE_CRASH);
    grade_report_free(&ran.report);
    free(source);
}

TEST(test_formats_write_to_the_labs_own_memory)
{
    expect_honest("#include <stdio.h>", LAUNCH,
                  "    static long n; printf(\"%1$n%n\", (int *)&n, (int "
                  "*)0x10000);\n" LAUNCH,
                  1);
}

TEST(test_integers_are_no_functions)
{
    expect_honest("", LAUNCH,

                  "    ((void (*)(void))0x401000)();\n" LAUNCH, 1);
}

/* The tables of lines and names lie in the module's memory, as its data do. */
TEST(test_tables_are_read_before_the_lab_runs)
{
    expect_honest("static const char *volatile low = (const char *)0x10000;",
                  LAUNCH,
                  "    for (char *at = (char *)low; at < low + 0x8000; at++)\n"
                  "        if (at[0] == 'B' && at[1] == 's' && at[2] == 0)\n"
                  "            at[0] = 'A';\n" LAUNCH,
                  0);
}

/* A function and structures go to the device; and what g++ and nvcc only warn
   of is no mistake: an int in a dim3. */
TEST(test_what_other_compilers_take_is_counted)
{
    expect_honest(
        "", LAUNCH,
        "    int blocks, threads;\n"
        "    const dim3 tiles = {p->n / TILE, p->m / TILE};\n"
        "    LAB_CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads,\n"
        "                                                 matmul_tiling, 64));\n"
        "    size_t limit = 0;\n"
        "    float *own = NULL;\n"
        "    LAB_CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));\n"
        "    LAB_CHECK(cudaMalloc(&own, 64));\n"
        "    LAB_CHECK(cudaFree(own));\n"
        "    if (threads != 1024 || tiles.z != 1 || limit != 1024 ||\n"
        "        own == NULL)\n"
        "        LAB_CHECK(cudaErrorInvalidValue);\n"
        "    LAB_CHECK(cudaMemPrefetchAsync(p->A, 4, 0));\n"
        "    LAB_CHECK(cudaMemAdvise(p->A, 4, cudaMemAdviseSetReadMostly,\n"
        "                            0));\n" LAUNCH,
        0);
}

/* clang tells nobody of what it copies as a whole. */
TEST(test_loads_that_are_not_told_of_are_counted)
{
    static const char loop[] =
        "    for (int i = 0; i < k; i++)\n        sum +=";
    char *const source =
        edited("02_gpu_naive", loop,
               "    for (int i = 0; i + 8 <= k; i += 8) {\n"
               "        struct eight { float x[8]; };\n"
               "        const eight a = *(const eight *)&A[row * k + i];\n"
               "        for (int j = 0; j < 8; j++)\n"
               "            sum += a.x[j] * B[(i + j) * n + col];\n"
               "    }\n"
               "    for (int i = k / 8 * 8; i < k; i++)\n        sum +=");
    double counter[LAB_COUNTERS];
    struct grade_ran ran;

    begin_judging("02_gpu_naive");
    run_counted(source, &ran);
    assert_int_equal(ran.verdict, GRADE_PASS);
    lab_counters_derive(&ran.report.count,
                        course_multiply_adds(&course.counting), counter);
    assert_true(counter[LAB_GLOBAL_LOADS_PER_FMA] > 1.1);
    grade_report_free(&ran.report);
    free(source);
}

/* What g++ takes and clang does not waits for a person: the pointers of a
   module have four bytes. */
TEST(test_what_clang_alone_refuses_is_for_a_person)
{
    char *const source =
        edited("03_tiling", LAUNCH,
               "    static_assert(sizeof(void *) == 8, \"\");\n" LAUNCH);

    begin_judging("03_tiling");
    assert_int_equal(grade_build(&judging, source, strlen(source)), 0);
    assert_int_equal(result.verdict, GRADE_FLAG);
    assert_int_equal(result.flag_count, 1);
    free(source);
}

/* --- the course ----------------------------------------------------------- */

FIXTURE(open_course)
{
    static const struct course_shape small = {64, 96, 128};
    char why[400];

    if (grade_box_probe(GRADE_BOXED, why, sizeof why) != 0) {
        printf("1..1\n# skipped: %s\nnot ok 1 # SKIP\n", why);
        exit(0);
    }
    if (mkdtemp(work) == NULL || chmod(work, 0755) != 0 ||
        course_index_read("labs/INDEX", &course, why, sizeof why) != 0)
        return -1;
    if (getenv("CORPUS") == NULL)
        course.shapes.shape[course.shapes.count - 1] = course.counting = small;
    grade_rubric_default(&course, &rubric);
    setting = (struct grade_setting){.index = &course,
                                     .rubric = &rubric,
                                     .isolation = GRADE_BOXED,
                                     .slot = 100 + getpid() % 3900,
                                     .work = work,
                                     .seed = 20};
    return 0;
}

FIXTURE(close_course)
{
    char path[80];

    grade_result_free(&result);
    course_index_free(&course);
    snprintf(path, sizeof path, "%s/program", work);
    return unlink(path) != 0 || rmdir(work) != 0;
}

ALL_TESTS(open_course, close_course);

/*
 * A source's verdict, from its text to its points, in boxes: what is right gets
 * all points, what is wrong its own verdict, and what cheats nothing. Needs
 * user namespaces; without them all is skipped.
 *
 * With CORPUS=all every solution is graded, as a class would be. Without it one
 * of each kind is, and what costs a second to count is counted at a smaller
 * size.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../command.h"
#include "../corpus/case.h"
#include "../testing.h"
#include "base/file.h"
#include "grade/judge/verdict.h"

static struct course_index course;
static struct grade_rubric rubric;
static struct base_records todos;
static char work[] = "/tmp/test_verdict_XXXXXX";
static struct grade_result result;
static struct course_shape counted; /* as labs/INDEX has it */

/* The size that is counted is one of those that are tested. */
static void count_at(struct course_shape size)
{
    course.shapes.shape[course.shapes.count - 1] = course.counting = size;
}

static void grade_seeded(const char *lab, const char *source, uint64_t seed)
{
    const struct grade_setting setting = {.index = &course,
                                          .todos = &todos,
                                          .rubric = &rubric,
                                          .isolation = GRADE_BOXED,
                                          .slot = 100 + getpid() % 3900,
                                          .work = work,
                                          .seed = seed};

    grade_result_free(&result);
    assert_int_equal(
        grade_source(&setting, lab, source, strlen(source), &result), 0);
}

static void grade_as(const char *lab, const char *source)
{
    grade_seeded(lab, source, 20);
}

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

/* The solution of lab 03 with `from` replaced by `to`, in memory of its own. */
static char *edited(const char *from, const char *to)
{
    char *solution = read_one("solutions/03_tiling/tiling.cu");
    char *at = strstr(solution, from), *text;
    const size_t room = strlen(solution) + strlen(to) + 1;

    assert_non_null(at);
    text = malloc(room);
    assert_non_null(text);
    snprintf(text, room, "%.*s%s%s", (int)(at - solution), solution, to,
             at + strlen(from));
    free(solution);
    return text;
}

static void expect_verdict(enum grade_verdict verdict)
{
    if (result.verdict == verdict)
        return;
    fail_msg("%s, not %s: %s %s", grade_verdict_word[result.verdict],
             grade_verdict_word[verdict], result.text,
             result.case_count > 0 ? result.cases[0].text : "");
}

static void expect_points(double right, double clean, double number)
{
    assert_float_equal(result.points[GRADE_RIGHT], right, 0.01);
    assert_float_equal(result.points[GRADE_CLEAN], clean, 0.01);
    assert_float_equal(result.points[GRADE_NUMBER], number, 0.01);
}

/* Grades lab 03 with something before the kernel and some in lab_launch. */
static void grade_with(const char *before, const char *within)
{
    char *one = edited("#define TILE 16", "#define TILE 16\n@");
    char *at = strchr(one, '@'), *two;
    char *launch = strstr(at, "    const dim3 block");
    const size_t room = strlen(one) + strlen(before) + strlen(within) + 1;

    assert_non_null(launch);
    two = malloc(room);
    assert_non_null(two);
    snprintf(two, room, "%.*s%s%.*s%s\n%s", (int)(at - one), one, before,
             (int)(launch - at - 1), at + 1, within, launch);
    grade_as("03_tiling", two);
    free(two);
    free(one);
}

static void grade_edited(const char *from, const char *to)
{
    char *source = edited(from, to);

    grade_as("03_tiling", source);
    free(source);
}

/* --- right ---------------------------------------------------------------- */

/* A lab of each kind: host and kernel, the banks' table, two kernels. */
static int is_wanted_lab(const char *lab)
{
    return getenv("CORPUS") != NULL || strncmp(lab, "02", 2) == 0 ||
           strncmp(lab, "05", 2) == 0 || strncmp(lab, "06", 2) == 0;
}

TEST(test_each_solution_gets_all_points)
{
    for (int i = 0; i < course.labs; i++) {
        const struct course_lab *lab = &course.lab[i];
        char pattern[200], *source;

        if (lab->needs.what != NULL || !is_wanted_lab(lab->name))
            continue; /* what it needs the CPU device has not: no grade */
        snprintf(pattern, sizeof pattern, "solutions/%s/*.cu", lab->name);
        source = read_one(pattern);
        grade_as(lab->name, source);
        free(source);
        expect_verdict(GRADE_PASS);
        assert_int_equal(result.flag_count, 0);
        assert_string_equal(result.findings, "");
        assert_float_equal(grade_result_points(&result), 100.0, 1e-9);
        assert_int_equal(result.measure_count, lab->measures);
    }
}

TEST(test_the_same_seed_gives_the_same_result)
{
    char *source = edited("t + tx < k ?", "t + tx < k - 1 ?");
    char first[3000] = "";

    for (int round = 0; round < 2; round++) {
        char all[3000] = "";
        size_t used = 0;

        grade_as("03_tiling", source);
        for (size_t i = 0; i < result.case_count && used < 2500; i++)
            used += (size_t)snprintf(all + used, sizeof all - used, "%.250s\n",
                                     result.cases[i].text);
        if (round == 1)
            assert_string_equal(all, first);
        memcpy(first, all, sizeof all);
    }
    free(source);
}

TEST(test_a_lab_may_use_what_c_offers)
{
    grade_with("#include <stdio.h>\n#include <stdlib.h>\n#include <vector>\n"
               "const dim3 some(16, 16);\nstatic int calls;\n",
               "calls++; printf(\"PASS %d\\n\", calls);\n"
               "int *list = (int *)malloc(40); list[9] = 1; free(list);\n"
               "std::vector<int> v(3); v.push_back(list != nullptr);\n"
               "auto f = [](int x) { return x + 1; };\n"
               "int (*volatile g)(int) = f; g(3);\n"
               "cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e);\n"
               "cudaEventDestroy(e);");
    expect_verdict(GRADE_PASS);
    expect_points(60, 20, 20);
}

/* --- wrong ---------------------------------------------------------------- */

TEST(test_a_dropped_term_is_wrong_and_says_where)
{
    grade_edited("t + tx < k ?", "t + tx < k - 1 ?");
    expect_verdict(GRADE_FAIL);
    expect_points(0, 0, 0);
    assert_non_null(strstr(result.cases[4].text, "expected"));
    assert_non_null(strstr(result.cases[4].text, "C[0][0]"));
}

/* What an instructor is told of a hidden case shows the same wrong element when
   it is run again. */
TEST(test_a_hidden_case_can_be_run_again)
{
    char *const source = read_one("build/mutants/03_remainder_of_k_dropped.cu");
    int told = 0;

    grade_as("03_tiling", source);
    free(source);
    for (size_t i = 0; i < result.case_count; i++) {
        const char *const text = result.cases[i].text;
        const char *const first = strstr(text, "The first is C[");
        const char *const again = strstr(text, "Again: make lab-03 ");
        char seed[30], want[30], got[30], shown[120];
        int m, n, k, row, column;

        assert_int_equal(again != NULL, result.cases[i].hidden);
        if (again == NULL || first == NULL)
            continue;
        assert_int_equal(
            sscanf(first, "The first is C[%d][%d]: expected %29[^,], got %29s",
                   &row, &column, want, got),
            4);
        assert_int_equal(
            sscanf(again,
                   "Again: make lab-03 M=%d N=%d K=%d SEED=%29s VERBOSE=1", &m,
                   &n, &k, seed),
            4);
        snprintf(shown, sizeof shown, "%7d %7d  %13s %13s", row, column, want,
                 got);
        RUN_GIVES(1, SAYS(shown),
                  "build/cpu/small/mutants/03_remainder_of_k_dropped --m %d "
                  "--n %d --k %d --seed %s",
                  m, n, k, seed);
        told++;
    }
    assert_true(told > 0);
}

TEST(test_one_nan_is_wrong_in_its_case_alone)
{
    grade_edited("    if (row < m && col < n)",
                 "    if (m == 37 && row == 3 && col == 4)\n"
                 "        sum = NAN;\n    if (row < m && col < n)");
    expect_verdict(GRADE_FAIL);
    expect_points(60.0 * 9 / 10, 0, 0);
    assert_non_null(strstr(result.cases[4].text, "C[3][4]"));
}

TEST(test_a_missing_barrier_is_unclean_or_wrong)
{
    grade_edited("__syncthreads(); /* As and Bs are free", "; /* no barrier");
    assert_true(result.verdict == GRADE_UNCLEAN ||
                result.verdict == GRADE_FAIL);
    expect_points(result.points[GRADE_RIGHT], 0, result.points[GRADE_NUMBER]);
    assert_non_null(strstr(result.findings, "race in shared memory"));
    assert_non_null(strstr(result.findings, "tiling.cu:"));
}

TEST(test_fewer_loads_saved_earn_fewer_points)
{
    /* Tiles of 8: a load saves half as many, 0.25 for each multiply-add. */
    grade_edited("#define TILE 16", "#define TILE 8");
    expect_verdict(GRADE_PASS);
    assert_float_equal(result.measures[0].value, 0.25, 1e-9);
    expect_points(60, 20, 20 * (1 / 0.25 - 1 / 2.0) / (1 / 0.125 - 1 / 2.0));
}

/* It calculates nothing, and comes first. */
TEST(test_a_kernel_that_clears_c_costs_no_overlap)
{
    struct corpus_case *const c = corpus_find("right/clears_c_by_a_kernel");
    double overlap = 0.0;

    grade_as("09_prefetch", c->source);
    for (size_t i = 0; i < result.measure_count; i++) {
        if (strcmp(result.measures[i].column, "fetch_overlap") == 0)
            overlap = result.measures[i].value;
    }
    assert_true(overlap >= 0.75);
    corpus_free(c, 1);
}

TEST(test_the_skeleton_is_unfinished)
{
    char *source = read_one("labs/03_tiling/tiling.cu");

    grade_as("03_tiling", source);
    free(source);
    expect_verdict(GRADE_UNFINISHED);
    expect_points(0, 0, 0);
    assert_non_null(strstr(result.text, "5 TODOs"));
}

TEST(test_a_syntax_error_is_told_with_its_line)
{
    grade_as("03_tiling", "#include \"lab.h\"\nint x = ;\n");
    expect_verdict(GRADE_COMPILE);
    assert_non_null(strstr(result.text, "tiling.cu:2:"));
    assert_int_equal(result.case_count, 0);
    assert_true(result.of[GRADE_RIGHT] + result.of[GRADE_CLEAN] +
                    result.of[GRADE_NUMBER] ==
                100.0);
}

TEST(test_an_unchecked_call_is_wrong_in_lab_02)
{
    char *source = read_one("solutions/02_gpu_naive/gpu_naive.cu");
    char *call = strstr(source, "LAB_CHECK(cudaMalloc(");

    assert_non_null(call);
    memcpy(call, "         (", 10);
    grade_as("02_gpu_naive", source);
    free(source);
    expect_verdict(GRADE_FAIL);
    assert_non_null(
        strstr(result.cases[result.case_count - 1].text, "cudaMalloc"));
}

TEST(test_too_many_threads_are_a_crash)
{
    grade_edited("block = {TILE, TILE, 1}", "block = {TILE, TILE * 8, 1}");
    expect_verdict(GRADE_CRASH);
    assert_non_null(
        strstr(result.cases[0].text, "cudaErrorInvalidConfiguration"));
}

TEST(test_more_memory_than_there_is)
{
    grade_with("#include <stdlib.h>\nstatic char *volatile all;\n",
               "all = (char *)malloc((size_t)2000 << 20);");
    expect_verdict(GRADE_MEMORY);
}

/* --- cheats --------------------------------------------------------------- */

/* What the system would do there is nothing that a lab reaches: a function that
   is nowhere is named with its line, and the others do no harm. */
TEST(test_what_leaves_the_lab_gets_nowhere)
{
    static const struct {
        const char *before, *within, *word;
        enum grade_verdict verdict;
    } tried[] = {
        {"#include <stdlib.h>", "system(\"id\");", ": 'system'",
         GRADE_REJECTED},
        {"extern \"C\" int getpid();", "getpid();", ": 'getpid'",
         GRADE_REJECTED},
        {"#include <stdio.h>", "fopen(\"/etc/passwd\", \"r\");", ": 'fopen'",
         GRADE_REJECTED},
        {"#include <stdlib.h>", "if (getenv(\"HOME\") != NULL) exit(1);", "",
         GRADE_PASS},
        {"extern \"C\" void _Exit(int);", "_Exit(0);", "ends the program",
         GRADE_CRASH},
        {"#include <unistd.h>", "write(4, \"x\", 1);", "", GRADE_PASS},
        {"#include <stdlib.h>\nstatic void f() {}", "atexit(f);", "",
         GRADE_PASS},
        {"static int f() { return 3; } int g = f();", "", "", GRADE_PASS},
        {"struct S { ~S(); volatile int x; }; S::~S() { x = 1; } S s;", "", "",
         GRADE_PASS},
    };

    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        char before[300];

        snprintf(before, sizeof before, "%s\n", tried[i].before);
        grade_with(before, tried[i].within);
        expect_verdict(tried[i].verdict);
        if (strstr(result.text, tried[i].word) == NULL &&
            (result.case_count == 0 ||
             strstr(result.cases[0].text, tried[i].word) == NULL))
            fail_msg("%s: %s", tried[i].before, result.text);
        if (tried[i].verdict != GRADE_PASS)
            expect_points(0, 0, 0);
    }
}

TEST(test_the_file_of_another_lab_is_rejected)
{
    char *source = read_one("solutions/01_cpu_naive/cpu_naive.cu");

    grade_as("03_tiling", source);
    free(source);
    expect_verdict(GRADE_REJECTED);
    assert_non_null(strstr(result.text, "'lab_launch'"));
}

/* Neither a counter nor a return address lies where host code can write. */
TEST(test_a_write_beside_the_labs_variables_earns_nothing)
{
    static const char *const writes[] = {
        "*(volatile long *)((char *)&mine + 0x1000) = 5;",
        "long zero = 0; memcpy((char *)&mine + 0x1000 + shift, &zero, 4 + "
        "shift);",
        "memset((char *)&mine + 0x1000 + shift, 0, 8 + shift);",
        "cudaGetDevice((int *)((char *)&mine + 0x1000));",
        "int *device; cudaMalloc(&device, 8); cudaMemcpy((char *)&mine + "
        "0x1000, device, 8, cudaMemcpyDeviceToHost); cudaFree(device);",
        "cudaEventRecord((cudaEvent_t)((char *)&mine + 0x1000));",
        "free((char *)&mine + 0x1000);",
        "((void (*)())((char *)(size_t)&cudaGetLastError + shift))();",
        "*(volatile long *)0x555555554000 = 5;",
    };

    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        grade_with("#include <stdlib.h>\nstatic long mine;\n"
                   "static volatile int shift;\n",
                   writes[i]);
        if (result.verdict == GRADE_PASS) {
            assert_float_equal(result.measures[0].value, 0.125, 1e-9);
        } else if (result.verdict != GRADE_CRASH) {
            fail_msg("%s: %s", writes[i], grade_verdict_word[result.verdict]);
        } else {
            expect_points(0, 0, 0);
        }
    }
}

TEST(test_the_end_of_the_program_is_no_result)
{
    grade_with("#include <stdlib.h>\n", "exit(0);");
    expect_verdict(GRADE_CRASH);
    assert_non_null(strstr(result.cases[0].text, "exit(0)"));
}

TEST(test_a_product_of_the_host_is_wrong)
{
    grade_as("03_tiling",
             "#include \"lab.h\"\n#include <stdlib.h>\n"
             "__global__ void copy(const float *a, float *c, int n)\n"
             "{ int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  if (i < n) c[i] = a[i]; }\n"
             "void lab_launch(const struct lab_matmul *p) {\n"
             "  int m = p->m, n = p->n, k = p->k;\n"
             "  float *A = (float *)malloc(m * k * 4), *d;\n"
             "  float *B = (float *)malloc(k * n * 4);\n"
             "  float *C = (float *)malloc(m * n * 4);\n"
             "  cudaMemcpy(A, p->A, m * k * 4, cudaMemcpyDeviceToHost);\n"
             "  cudaMemcpy(B, p->B, k * n * 4, cudaMemcpyDeviceToHost);\n"
             "  for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) {\n"
             "    float s = 0; for (int q = 0; q < k; q++)\n"
             "      s += A[i * k + q] * B[q * n + j];\n"
             "    C[i * n + j] = s; }\n"
             "  cudaMalloc(&d, m * n * 4);\n"
             "  cudaMemcpy(d, C, m * n * 4, cudaMemcpyHostToDevice);\n"
             "  copy<<<(m * n + 255) / 256, 256>>>(d, p->C, m * n);\n"
             "  cudaFree(d); free(A); free(B); free(C); }\n");
    expect_verdict(GRADE_FAIL);
    expect_points(0, 0, 0);
    assert_non_null(strstr(result.cases[0].text, "not the kernel"));
}

/* At the size that a class has, where there should be many threads. */
TEST(test_few_threads_earn_no_number_but_a_look)
{
    const struct course_shape quick = course.counting;

    /* A thread for each row: right, and hardly a parallel kernel. */
    count_at(counted);
    grade_as(
        "02_gpu_naive",
        "#include \"lab.h\"\n"
        "__global__ void rows(const float *A, const float *B, float *C,\n"
        "                     int m, int n, int k)\n"
        "{ int i = blockIdx.x * 32 + threadIdx.x;\n"
        "  for (int j = 0; i < m && j < n; j++) {\n"
        "    float s = 0; for (int q = 0; q < k; q++)\n"
        "      s += A[i * k + q] * B[q * n + j];\n"
        "    C[i * n + j] = s; } }\n"
        "void lab_launch(const struct lab_matmul *p) {\n"
        "  rows<<<(p->m + 31) / 32, 32>>>(p->A, p->B, p->C, p->m, p->n, p->k);\n"
        "  LAB_CHECK(cudaGetLastError()); }\n"
        "void lab_host(const struct lab_matmul *p) {\n"
        "  size_t a = sizeof(float) * p->m * p->k;\n"
        "  size_t b = sizeof(float) * p->n * p->k;\n"
        "  size_t c = sizeof(float) * p->m * p->n;\n"
        "  struct lab_matmul d = *p; void *A, *B, *C;\n"
        "  LAB_CHECK(cudaMalloc(&A, a)); LAB_CHECK(cudaMalloc(&B, b));\n"
        "  LAB_CHECK(cudaMalloc(&C, c));\n"
        "  LAB_CHECK(cudaMemcpy(A, p->A, a, cudaMemcpyHostToDevice));\n"
        "  LAB_CHECK(cudaMemcpy(B, p->B, b, cudaMemcpyHostToDevice));\n"
        "  d.A = (float *)A; d.B = (float *)B; d.C = (float *)C;\n"
        "  lab_launch(&d);\n"
        "  LAB_CHECK(cudaMemcpy(p->C, C, c, cudaMemcpyDeviceToHost));\n"
        "  cudaFree(A); cudaFree(B); cudaFree(C); }\n");
    count_at(quick);
    expect_verdict(GRADE_FLAG);
    expect_points(60, 20, 0);
    assert_true(result.flag_count > 0);
}

/* --- the frame ------------------------------------------------------------ */

FIXTURE(open_course)
{
    static const struct course_shape small = {64, 96, 128};
    char why[400];

    if (grade_box_probe(GRADE_BOXED, why, sizeof why) != 0) {
        fprintf(stderr, "skipped: %s\n", why);
        exit(77);
    }
    if (course_todos_read_list("labs/TODOS", &todos, why, sizeof why) != 0 ||
        mkdtemp(work) == NULL || chmod(work, 0755) != 0 ||
        course_index_read("labs/INDEX", &course, why, sizeof why) != 0)
        return -1;
    counted = course.counting;
    if (getenv("CORPUS") == NULL)
        count_at(small);
    grade_rubric_default(&course, &rubric);
    result = (struct grade_result){.verdict = GRADE_PASS};
    return 0;
}

FIXTURE(close_course)
{
    char path[80];

    grade_result_free(&result);
    course_index_free(&course);
    base_records_free(&todos);
    /* Nothing was left in it but the last program. */
    snprintf(path, sizeof path, "%s/program", work);
    return unlink(path) != 0 || rmdir(work) != 0;
}

ALL_TESTS(open_course, close_course);

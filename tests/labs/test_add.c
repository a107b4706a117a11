/* Is one lab more there once CONTRIBUTING.md's list is done, and no Makefile
   and no C file changed? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"
#include "course/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "

/* A thread computes two rows: of three loads two are of A. For printf, with the
   lab's number twice. */
static const char solution[] =
    "#include \"lab.h\"\n"
    "static __global__ void two_rows(struct lab_matmul p)\n"
    "{\n"
    "    const int col = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    const int row = 2 * (blockIdx.y * blockDim.y + threadIdx.y);\n"
    "    float first = 0.0f, second = 0.0f;\n"
    "    if (row >= p.m || col >= p.n)\n"
    "        return;\n"
    "    /* TODO %d.1 (6 lines): add up the products of both rows. */\n"
    "    for (int i = 0; i < p.k; i++) {\n"
    "        const float b = p.B[i * p.n + col];\n"
    "        first += p.A[row * p.k + i] * b;\n"
    "        if (row + 1 < p.m)\n"
    "            second += p.A[(row + 1) * p.k + i] * b;\n"
    "    }\n"
    "    /* end %d.1 */\n"
    "    p.C[row * p.n + col] = first;\n"
    "    if (row + 1 < p.m)\n"
    "        p.C[(row + 1) * p.n + col] = second;\n"
    "}\n"
    "void lab_launch(const struct lab_matmul *p)\n"
    "{\n"
    "    const dim3 block(16, 16);\n"
    "    const dim3 grid(lab_ceil_div(p->n, 16), lab_ceil_div(p->m, 32));\n"
    "    two_rows<<<grid, block>>>(*p);\n"
    "    LAB_CHECK(cudaGetLastError());\n"
    "}\n";

static const char record[] =
    "_two_rows\ntitle: Two rows for each thread\n"
    "entry: kernel lab_launch launch\npoints: 60 20 20\n"
    "measure: global_loads_per_fma full 1.5 zero 2 before 2\n"
    "about: global_loads";

static const char *tree;
static int number; /* of the lab: the next that is free */

/* A tree with a copy of the labs, and two more: that one, and lab 23 of
   CONTRIBUTING.md, whose blocks of code and of INDEX are taken as they are. */
FIXTURE(make_tree)
{
    struct course_index index;
    char path[100], why[200];
    FILE *file;

    if (course_index_read("labs/INDEX", &index, why, sizeof why) != 0)
        return -1;
    assert_int_equal(atoi(index.lab[index.labs - 1].name), 22);
    number = 24;
    course_index_free(&index);
    tree = scratch(".");
    RUN_GIVES(
        0, NULL,
        "awk '/^## Add a lab that multiplies/ { on = 1 } /^## Change the r/ { "
        "on = 0 } on && /^   ```/ { inside = !inside; n += inside; next } "
        "on && inside { sub(/^   /, \"\"); print >(\"%s/block_\" n) }' "
        "CONTRIBUTING.md",
        tree);
    RUN_GIVES(
        0, NULL,
        "mkdir -p %s/build/cpu && ln -s $PWD/common $PWD/plots $PWD/tests "
        "$PWD/Makefile %s && cp -a labs solutions %s && "
        "cp -a build/cpu/common build/cpu/*.a %s/build/cpu && cp -a build/tools %s/build && "
        "cd %s && mkdir solutions/%02d_two_rows labs/23_scale solutions/23_scale "
        "&& mv block_1 labs/23_scale/problem.c && "
        "mv block_2 solutions/23_scale/scale.cu && "
        "{ echo && cat block_3 && echo '\nlab: %02d%s'; } >>labs/INDEX",
        tree, tree, tree, tree, tree, tree, number, number, record);
    snprintf(path, sizeof path, "%s/solutions/%02d_two_rows/two_rows.cu", tree,
             number);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, solution, number, number);
    fclose(file);
    RUN_GIVES(0, NULL, "cd %s && " MAKE "skeletons", tree);
    return 0;
}

/* command_says in printf's form. */
static void __attribute__((format(printf, 2, 3)))
says(const struct command *run, const char *format, ...)
{
    char words[200];
    va_list list;

    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    command_says(run, words);
}

TEST(test_its_solution_reaches_its_number)
{
    struct command run =
        command_run("cd %s && " MAKE "lab-%02d OF=solutions", tree, number);

    command_ends(&run, 0);
    command_says(&run, "  reached\n");
    says(&run, "PASS  %02d_two_rows", number);
    command_free(&run);
}

TEST(test_its_skeleton_is_unfinished_and_its_status_known)
{
    struct command run = command_run("cd %s && " MAKE "lab-%02d", tree, number);

    command_ends(&run, 2);
    says(&run, "two_rows.cu:9: TODO %d.1 add up the products", number);
    says(&run, "UNFINISHED  %02d_two_rows", number);
    command_free(&run);
    run = command_run("cd %s && " MAKE "status", tree);
    says(&run, "%02d_two_rows         [..........]   0 of 1  UNFINISHED",
         number);
    command_free(&run);
}

/* INDEX may name a function that the file has not. */
TEST(test_a_function_that_is_missing_is_named)
{
    struct command run = command_run(
        "cd %s && sed -i '/^lab: %02d_/,$s/lab_launch/lab_launch_b/' labs/INDEX && " MAKE
        "lab-%02d OF=solutions",
        tree, number, number);

    command_ends(&run, 2);
    says(&run,
         "solutions/%02d_two_rows/two_rows.cu has no lab_launch_b, which "
         "labs/INDEX asks for",
         number);
    command_free(&run);
}

TEST(test_a_lab_of_another_problem_is_as_contributing_says)
{
    struct command run =
        command_run("cd %s && " MAKE "lab-23 OF=solutions", tree);

    command_ends(&run, 0);
    command_says(&run, "PASS  23_scale: y is right at all sizes");
    command_says(&run, "100 %      100 %  reached");
    command_free(&run);
    run = command_run("cd %s && " MAKE "lab-23", tree);
    command_ends(&run, 2);
    command_says(&run, "TODO 23.1 store 3 times x[i]");
    command_free(&run);
    run = command_run(
        "cd %s && sed -i 's/i < n/i < n - 1/' solutions/23_scale/scale.cu && " MAKE
        "lab-23 OF=solutions TRY=0",
        tree);
    command_ends(&run, 2);
    command_says(&run, "No thread stores to y[15]");
    command_says(&run, "scale.cu:11");
    command_free(&run);
}

/* A lab is called twice by the grader, each time with inputs as its problem has
   them: here in ascending order, or it stores before y begins. */
TEST(test_a_lab_is_graded_with_inputs_in_their_order)
{
    RUN_GIVES(
        0, SAYS("23_scale: 1 PASS"),
        "cd %s && sed -i 's/i < n - 1/i < n/; s/y\\[i\\] =/y[(int)(x[i] - x[0])] =/' "
        "solutions/23_scale/scale.cu && "
        "sed -i 's/^const struct/static void fill(int i, float *x, size_t n, "
        "uint64_t seed)\\n{\\n    for (size_t at = 0; at < n; at++)\\n"
        "        x[at] = (float)at + (float)(i + (int)(seed %% 7));\\n}\\n"
        "const struct/; s/    .want = want,/    .fill = fill, &/' "
        "labs/23_scale/problem.c && mkdir -p hand/a && "
        "cp solutions/23_scale/scale.cu hand/a && " MAKE
        "grade WHAT=rubric && sed -i '/^lab: 23/,$s/graded: no/graded: yes/' rubric && " MAKE
        "grade SUBMISSIONS=hand LAB=23 RUBRIC=rubric "
        "ISOLATION=container 2>&1",
        tree);
}

ALL_TESTS(make_tree, NULL);

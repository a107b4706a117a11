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

/* A tree with a copy of the labs, and one more. */
FIXTURE(make_tree)
{
    struct course_index index;
    char path[100], why[200];
    FILE *file;

    if (course_index_read("labs/INDEX", &index, why, sizeof why) != 0)
        return -1;
    number = atoi(index.lab[index.labs - 1].name) + 1;
    course_index_free(&index);
    tree = scratch(".");
    RUN_GIVES(
        0, NULL,
        "mkdir -p %s/build/cpu && ln -s $PWD/common $PWD/plots $PWD/tests "
        "$PWD/Makefile %s && cp -a labs solutions %s && "
        "cp -a build/cpu/common build/cpu/*.a %s/build/cpu && cp -a build/tools %s/build && "
        "mkdir %s/solutions/%02d_two_rows && echo '\nlab: %02d%s' >>%s/labs/INDEX",
        tree, tree, tree, tree, tree, tree, number, number, record, tree);
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

ALL_TESTS(make_tree, NULL);

/* Is a lab 16 there once CONTRIBUTING.md's list is done, and no Makefile and no
   C file changed? */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "../command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "

/* A thread computes two rows: of three loads two are of A. */
static const char solution[] =
    "#include \"lab.h\"\n"
    "static __global__ void two_rows(struct lab_matmul p)\n"
    "{\n"
    "    const int col = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    const int row = 2 * (blockIdx.y * blockDim.y + threadIdx.y);\n"
    "    float first = 0.0f, second = 0.0f;\n"
    "    if (row >= p.m || col >= p.n)\n"
    "        return;\n"
    "    /* TODO 16.1 (6 lines): add up the products of both rows. */\n"
    "    for (int i = 0; i < p.k; i++) {\n"
    "        const float b = p.B[i * p.n + col];\n"
    "        first += p.A[row * p.k + i] * b;\n"
    "        if (row + 1 < p.m)\n"
    "            second += p.A[(row + 1) * p.k + i] * b;\n"
    "    }\n"
    "    /* end 16.1 */\n"
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

static const char line[] =
    "16_two_rows | Two rows for each thread | kernel:lab_launch:launch"
    " | 60 20 20 | global_loads_per_fma | 1.5 | 2 | 2 | global_loads";

static char tree[] = "/tmp/test_add.XXXXXX";

/* A tree with a copy of the labs, and lab 16. */
static int make_tree(void **state)
{
    struct command run;
    char path[100];
    FILE *file;

    (void)state;
    if (mkdtemp(tree) == NULL)
        return -1;
    run = command_run(
        "mkdir -p %s/build/cpu && ln -s $PWD/common $PWD/plots $PWD/tests "
        "$PWD/Makefile %s && cp -a labs solutions %s && "
        "cp -a build/cpu/common build/cpu/*.a %s/build/cpu && cp -a build/tools %s/build && "
        "mkdir %s/solutions/16_two_rows && echo '%s' >>%s/labs/INDEX",
        tree, tree, tree, tree, tree, tree, line, tree);
    command_ends(&run, 0);
    command_free(&run);
    snprintf(path, sizeof path, "%s/solutions/16_two_rows/two_rows.cu", tree);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(solution, file);
    fclose(file);
    run = command_run("cd %s && " MAKE "skeletons", tree);
    command_ends(&run, 0);
    command_free(&run);
    return 0;
}

static int remove_tree(void **state)
{
    struct command run = command_run("rm -r %s", tree);

    (void)state;
    command_free(&run);
    return 0;
}

static void test_its_solution_reaches_its_number(void **state)
{
    struct command run =
        command_run("cd %s && " MAKE "lab-16 OF=solutions", tree);

    (void)state;
    command_ends(&run, 0);
    command_says(&run, "  reached\n");
    command_says(&run, "PASS  16_two_rows");
    command_free(&run);
}

static void test_its_skeleton_is_unfinished_and_its_status_known(void **state)
{
    struct command run = command_run("cd %s && " MAKE "lab-16", tree);

    (void)state;
    command_ends(&run, 2);
    command_says(&run, "two_rows.cu:9: TODO 16.1 add up the products");
    command_says(&run, "UNFINISHED  16_two_rows");
    command_free(&run);
    run = command_run("cd %s && " MAKE "status", tree);
    command_says(&run, "16_two_rows         [..........]   0 of 1  UNFINISHED");
    command_free(&run);
}

/* INDEX may name a function that the file has not. */
static void test_a_function_that_is_missing_is_named(void **state)
{
    struct command run = command_run(
        "cd %s && sed -i '/^16_/s/lab_launch/lab_launch_b/' labs/INDEX && " MAKE
        "lab-16 OF=solutions",
        tree);

    (void)state;
    command_ends(&run, 2);
    command_says(&run, "solutions/16_two_rows/two_rows.cu has no lab_launch_b, "
                       "which labs/INDEX asks for");
    command_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_its_solution_reaches_its_number),
        cmocka_unit_test(test_its_skeleton_is_unfinished_and_its_status_known),
        cmocka_unit_test(test_a_function_that_is_missing_is_named),
    };
    return cmocka_run_group_tests_name("add", tests, make_tree, remove_tree);
}

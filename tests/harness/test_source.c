/* Are the lines found that are shown beside a mistake, however the lab is
   written? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "harness/source.h"

static const char text[] =
    "__global__ void k(const float *A, float *C, int m) {\n" /* 1 */
    "    /* return; for (;;) C[0] = 1; */\n"
    "    if (m > 3) {\n"
    "        return;\n"
    "    }\n" /* 5 */
    "    for (int i = 0; i < m;\n"
    "         i++)\n"
    "        for (int j = 0; j < m; j++)\n"
    "            sum += A[i *\n"
    "                     m + j];\n" /* 10 */
    "    for (int i = 0; i < m; i++);\n"
    "    if (C[m] == 1.0f) C[m].x =\n"
    "        __pipeline_memcpy_async(As[m % 2][i][j], sum);\n"
    "    for (int i = 0; i < m; i += 2) sum = A[i];\n"
    "}\n"
    "void lab_launch(const struct lab_matmul *p)\n"
    "{\n"
    "    const dim3 block(16, 16), grid(1, 2);\n"
    "    k<<<grid, block>>>(p->A, p->C, p->m);\n"
    "}\n" /* 20 */
    "void lab_host(const struct lab_matmul *p)\n"
    "{\n"
    "    struct lab_matmul q = *p;\n"
    "    lab_launch(&q);\n"
    "}\n"
    "#define ROWS 16\n"
    "__device__ void put(float *C, int at) {\n"
    "    C[at] = 1.0f; }\n"
    "__global__ void j(float *C, int m) {\n"
    "    __shared__ float all[ROWS][8]; float own[ROWS];\n" /* 30 */
    "    const int x = threadIdx.x;\n"
    "    const int last = m - 1;\n"
    "    for (int x = 0; x < 3; x++) m++;\n"
    "    if (x < m) all[x][0] = own[0];\n"
    "    own[x] = 0.0f;\n" /* 35 */
    "    for (int i = 0; i <= last; i++) {\n"
    "        if (i > m)\n"
    "            break;\n"
    "        C[i] = all[i][x];\n"
    "    }\n" /* 40 */
    "    put(C, last);\n"
    "#pragma unroll 4\n"
    "    while (m > 0)\n"
    "        m = C[last + 1];\n"
    "    int a = C[last + 1];\n" /* 45 */
    "    for (;;)\n"
    "        m = 0;\n"
    "}\n";

TEST(test_lines_beside_a_mistake_are_found)
{
    char path[] = "/tmp/test_source.XXXXXX", index[20];
    struct lab_lines lines = {.count = 0};
    const int file = mkstemp(path);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    assert_int_equal(lab_source_return(path, 9), 3);
    assert_int_equal(lab_source_return(path, 19), 0);
    assert_int_equal(lab_source_loop(path, 10, 0), 8);
    assert_int_equal(lab_source_loop(path, 8, 0), 6);
    assert_int_equal(lab_source_loop(path, 8, 1), 8);
    assert_int_equal(lab_source_loop(path, 12, 0), 0);
    assert_int_equal(lab_source_empty_loop(path, 12), 11);
    assert_int_equal(lab_source_empty_loop(path, 10), 0);
    assert_int_equal(lab_source_store(path, "k", "C"), 12);
    assert_int_equal(lab_source_store(path, "k", "A"), 0);
    assert_int_equal(lab_source_store(path, "other", "C"), 0);
    assert_int_equal(lab_source_adds(path, 9), 1);
    assert_int_equal(lab_source_adds(path, 10), 1);
    assert_int_equal(lab_source_adds(path, 14), 0);
    assert_int_equal(lab_source_set(path, 9), 14);
    assert_int_equal(lab_source_set(path, 14), 0);
    assert_int_equal(lab_source_has(path, 13, "memcpy_async"), 1);
    assert_int_equal(lab_source_has(path, 12, "memcpy_async"), 0);
    assert_int_equal(lab_source_has(path, 0, "min"), 0);
    assert_int_equal(lab_source_grid(path, 19), 18);
    assert_int_equal(lab_source_handed(path, "lab_launch"), 23);
    assert_int_equal(
        lab_source_tile(path, 13, "As", index, sizeof index, &lines), 1);
    assert_string_equal(index, "m % 2");
    assert_int_equal(
        lab_source_tile(path, 12, "C", index, sizeof index, &lines), 0);
    unlink(path);
    assert_int_equal(lab_source_loop("/not/there.cu", 3, 0), 0);
}

/* The lines that were added; they are forgotten. */
static void lines_are(struct lab_lines *lines, int count, const int *line)
{
    for (int i = 0; i < count; i++) {
        int j = 0;

        while (j < lines->count && lines->at[j] != line[i])
            j++;
        if (j == lines->count)
            fail_msg("line %d is missing", line[i]);
    }
    assert_int_equal(lines->count, count);
    lines->count = 0;
}

#define LINES_ARE(...)                                            \
    lines_are(&lines, sizeof((int[]){__VA_ARGS__}) / sizeof(int), \
              (int[]){__VA_ARGS__})

TEST(test_what_makes_an_index_or_a_condition_is_found)
{
    char path[] = "/tmp/test_source.XXXXXX", name[20];
    struct lab_lines lines = {.count = 0};
    const int file = mkstemp(path);
    int is;

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    lab_source_conditions(path, 39, &lines);
    LINES_ARE(36, 37, 32);
    lab_source_conditions(path, 28, &lines);
    assert_int_equal(lines.count, 0);
    lab_source_made(path, 34, "all", NULL, &lines);
    LINES_ARE(31); /* the x of another loop is another */
    lab_source_made(path, 28, "C", NULL, &lines);
    LINES_ARE(41, 32);
    lab_source_made(path, 28, "C", "k", &lines);
    LINES_ARE(41, 32); /* k has no call of it: those of others then */
    lab_source_index(path, 39, "all[i], where", "'float [16][8]'", &lines, &is);
    LINES_ARE(36, 32, 30, 26);
    assert_int_equal(is, 0);
    lab_source_index(path, 35, "own[x], where", "'float [16]'", &lines, &is);
    assert_int_equal(is, 1);
    lines.count = 0;
    lab_source_stores(path, 39, "all", &lines);
    LINES_ARE(34);
    lines.count = 0;
    assert_int_equal(lab_source_declared(path, 39, "all", &is), 30);
    assert_int_equal(is, 1);
    assert_int_equal(lab_source_declared(path, 39, "own", &is), 30);
    assert_int_equal(is, 0);
    assert_int_equal(lab_source_is_of_thread(path, 35, "own"), 1);
    assert_int_equal(lab_source_is_of_thread(path, 34, "own"), 0);
    assert_int_equal(lab_source_own_array(path, "j", name, sizeof name), 30);
    assert_string_equal(name, "own");
    assert_int_equal(lab_source_own_array(path, "k", name, sizeof name), 0);
    assert_int_equal(lab_source_block(path, "k"), 18);
    assert_int_equal(lab_source_uses(path, "j", "threadIdx", 'x'), 1);
    assert_int_equal(lab_source_uses(path, "j", "threadIdx", 'y'), 0);
    assert_int_equal(lab_source_unroll(path, 44, &is), 4);
    assert_int_equal(is, 42);
    assert_int_equal(lab_source_unroll(path, 47, &is), -1);
    assert_int_equal(is, 46);
    assert_int_equal(lab_source_same(path, 44), 45);
    assert_int_equal(lab_source_same(path, 45), 0);
    lines.count = 0;
    assert_int_equal(lab_source_int(path, 44, 'C', &lines), 45);
    LINES_ARE(45);
    unlink(path);
}

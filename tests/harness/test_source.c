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
    "}\n";

TEST(test_lines_beside_a_mistake_are_found)
{
    char path[] = "/tmp/test_source.XXXXXX", index[20];
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
    assert_int_equal(lab_source_has(path, 13, "memcpy_async"), 1);
    assert_int_equal(lab_source_has(path, 12, "memcpy_async"), 0);
    assert_int_equal(lab_source_has(path, 0, "min"), 0);
    assert_int_equal(lab_source_grid(path, 19), 18);
    assert_int_equal(lab_source_handed(path, "lab_launch"), 23);
    assert_int_equal(lab_source_tile(path, 13, "As", index, sizeof index), 1);
    assert_string_equal(index, "m % 2");
    assert_int_equal(lab_source_tile(path, 12, "C", index, sizeof index), 0);
    unlink(path);
    assert_int_equal(lab_source_loop("/not/there.cu", 3, 0), 0);
}

/* Have the variables of an access the values that are said, and is nothing said
   of a name that has several? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "harness/source_value.h"

static const char text[] =
    "#define ROWS 128\n" /* 1 */
    "#define LONG (ROWS + 4)\n"
    "#define OPEN ROWS + 4\n"
    "const int four = 4;\n"
    "static __device__ int place() {\n" /* 5 */
    "    return threadIdx.x / 2 % four; }\n"
    "static __device__ float get(const float *from, int left) {\n"
    "    if (left > 0)\n"
    "        return *from;\n"
    "    else\n" /* 10 */
    "        return from[1];\n"
    "}\n"
    "__global__ void __launch_bounds__(2 * ROWS, 2)\n"
    "    k(const float *A, float *C, int m, int n) {\n"
    "    __shared__ float As[2][ROWS][LONG];\n" /* 15 */
    "    const int row = blockIdx.x * LONG + place();\n"
    "    const int col = OPEN * 2 + row;\n"
    "    int up = row, back = threadIdx.x - 40, late;\n"
    "    late = m + back;\n"
    "    up += 2;\n" /* 20 */
    "    for (int i = 0; i < n; i += 2) {\n"
    "        const int at = i * m + row;\n"
    "        C[at] = get(A + (at < 400 ? at : 0), n - i);\n"
    "        As[1][row][at] = C[up];\n"
    "        *(float4 *)&As[0][i][late] = C[col];\n" /* 25 */
    "    }\n"
    "}\n"
    "void lab_launch(const struct lab_matmul *p) {\n"
    "    k<<<2, 64>>>(p->A, p->C, p->m, p->n);\n"
    "}\n";

static char path[] = "/tmp/source_XXXXXX";

FIXTURE(write_text)
{
    const int fd = mkstemp(path);
    const ssize_t length = (ssize_t)(sizeof text - 1);

    if (fd < 0 || write(fd, text, sizeof text - 1) != length)
        return -1;
    return close(fd);
}

FIXTURE(remove_text)
{
    return unlink(path);
}

static const struct simt_host_call launch = {.name = "k",
                                             .file = path,
                                             .grid = {2, 1, 1},
                                             .block = {64, 1, 1},
                                             .ints = 12,
                                             .number = {0, 0, 37, 9}};

/* Of thread 21 of block 1: row is 134. */
static void says(int line, const char *array, long long value,
                 const char *expected)
{
    const struct lab_seen seen = {
        .file = path,
        .array = array,
        .line = line,
        .launch = &launch,
        .block = 1,
        .thread = 21,
        .index = array[1] != '\0' && strchr(array, '[') ? array : NULL,
        .value = value};
    struct lab_lines lines = {.count = 0};
    char said[300];

    assert_int_equal(lab_source_numbers(&seen, &lines, said, sizeof said),
                     expected[0] != '\0');
    assert_string_equal(said, expected);
}

#define ROW    "place() is 2 (line 6), row is 134 (line 16)"
#define LENGTH "LONG is 132 (line 2), " ROW

TEST(test_the_pass_that_leads_there_is_found)
{
    says(23, "C", 4 * (4 * 37 + 134),
         LENGTH ", i is 4 (line 21) and at is 282 (line 22)");
    says(24, "As[1][row][at], where", 4 * 37 + 134,
         LENGTH ", i is 4 (line 21) and at is 282 (line 22)");
}

TEST(test_a_call_gives_parameters_their_values)
{
    says(9, "A", 4 * (6 * 37 + 134),
         LENGTH
         ", i is 6 (line 21), at is 356 (line 22) and left is 3 (line 23)");
    says(11, "A", 4 * 0, ""); /* left is never 0 */
}

TEST(test_what_has_several_values_is_left_out)
{
    says(23, "C", 4, ""); /* no pass leads there */
    says(24, "C", 8, "");
    says(25, "C", 8, ""); /* OPEN has no brackets */
}

TEST(test_a_difference_of_unsigned_numbers_may_be_negative)
{
    says(
        25, "As", 4 * (4 * 132 + 18),
        "LONG is 132 (line 2), back is -19 (line 18), late is 18 (line 19) and "
        "i is 4 (line 21)");
}

TEST(test_launch_bounds_are_read)
{
    int line = 0;

    assert_int_equal(lab_source_most_threads(path, "k", &line), 256);
    assert_int_equal(line, 13);
    assert_int_equal(lab_source_most_threads(path, "get", &line), 0);
}

ALL_TESTS(write_text, remove_text);

/* Are lines and shapes those of the source? The calls and variables that are
   asked for stand in places/, which is compiled as a lab is. The plain build
   of this test may be moved in memory, the checked one lies at a fixed
   address. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "places/places.h"
#include "simt/lines.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int expected;

uintptr_t here(void)
{
    return (uintptr_t)__builtin_return_address(0);
}

void expect(const char *what, uintptr_t code, const char *file, int line)
{
    const char *got_file;
    int got_line;

    expected++;
    if (simt_line_of(code, &got_file, &got_line) != 0)
        fail_msg("%s: no line is known", what);
    if (got_line != line || strcmp(got_file, file) != 0)
        fail_msg("%s: %s:%d instead of %s:%d", what, got_file, got_line, file,
                 line);
}

enum {
    THREADS = 4
};
static pthread_barrier_t all_are_there;

/* Returns how many answers are wrong. */
static void *ask(void *unused)
{
    const char *file = "";
    int line, dimension[SIMT_DIMENSIONS], bytes;
    uintptr_t wrong = 0;

    (void)unused;
    pthread_barrier_wait(&all_are_there);
    wrong += simt_line_of((uintptr_t)second_places + 1, &file, &line) != 0;
    wrong += strcmp(file, "tests/simt/places/second.cu") != 0;
    wrong += simt_variable_shape("As", sizeof(float[16][17]), dimension,
                                 &bytes) != 2;
    return (void *)wrong;
}

/* The first test: nobody has sorted the table yet. */
TEST(test_many_threads_may_ask_first)
{
    pthread_t thread[THREADS];
    void *wrong;

    pthread_barrier_init(&all_are_there, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, ask, NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], &wrong), 0);
        assert_null(wrong);
    }
    pthread_barrier_destroy(&all_are_there);
}

TEST(test_calls_are_on_their_lines)
{
    expected = 0;
    first_places();
    assert_int_equal(expected, 12);
    second_places();
    assert_int_equal(expected, 13);
}

TEST(test_asking_again_gives_the_same)
{
    enum {
        MANY = 3000
    };
    static const char *file[MANY];
    static int line[MANY];
    const char *again;
    int line_again;

    for (unsigned i = 0; i < MANY; i++)
        simt_line_of((uintptr_t)first_places + i * i % 8192, &file[i],
                     &line[i]);
    for (unsigned i = 0; i < MANY; i++) {
        simt_line_of((uintptr_t)first_places + i * i % 8192, &again,
                     &line_again);
        assert_ptr_equal(again, file[i]);
        assert_int_equal(line_again, line[i]);
    }
    test_calls_are_on_their_lines(state);
}

TEST(test_code_without_a_table_is_on_no_line)
{
    const char *file = NULL;
    int line = -1;

    assert_int_equal(simt_line_of((uintptr_t)here + 1, &file, &line), -1);
    assert_int_equal(simt_line_of((uintptr_t)abort + 1, &file, &line), -1);
    assert_string_equal(file, "");
    assert_int_equal(line, 0);
    assert_int_equal(simt_line_of(1, &file, &line), -1);
    assert_int_equal(simt_line_of(0, &file, &line), -1);
    assert_int_equal(simt_line_of((uintptr_t)&line, &file, &line), -1);
}

/* Asks for a shape and compares it; the elements of `want` behind the
   dimensions are 1. */
static void expect_shape(const char *name, size_t bytes, int dimensions,
                         int rows, int cols, int layers, int element_bytes)
{
    int got[SIMT_DIMENSIONS], got_bytes = -1;

    assert_int_equal(simt_variable_shape(name, bytes, got, &got_bytes),
                     dimensions);
    assert_int_equal(got[0], rows);
    assert_int_equal(got[1], cols);
    assert_int_equal(got[2], layers);
    assert_int_equal(got_bytes, element_bytes);
}

TEST(test_shapes_are_those_of_the_source)
{
    expect_shape("As", 4 * 16 * 17, 2, 16, 17, 1, 4);
    expect_shape("words", 2 * 33, 1, 33, 1, 1, 2);
    expect_shape("table", 4 * 60, 3, 3, 4, 5, 4);
    expect_shape("quads", 16 * 7, 1, 7, 1, 1, 16);
    expect_shape("factor", 4, 0, 1, 1, 1, 4);
}

TEST(test_a_template_has_the_shape_of_its_instance)
{
    expect_shape("Tile", 8 * 8 * 9, 2, 8, 9, 1, 8);
}

TEST(test_a_type_with_a_name_is_looked_through)
{
    expect_shape("rows", 4 * 200, 2, 10, 20, 1, 4);
}

static int is_unknown(const char *name, size_t bytes)
{
    int dimension[SIMT_DIMENSIONS], element_bytes;

    return simt_variable_shape(name, bytes, dimension, &element_bytes) == -1;
}

TEST(test_a_shape_that_is_not_certain_is_not_told)
{
    assert_true(is_unknown("differs", sizeof(int[12])));
    expect_shape("agrees", sizeof(int[12]), 2, 2, 6, 1, 4);
    assert_true(is_unknown("As", 4 * 16 * 16));
    assert_true(is_unknown("no_such_variable", 4));
    assert_true(is_unknown("of_four_dimensions", 120));
    assert_true(is_unknown("automatic", 8 * 15));
}

TEST(test_parameters_have_their_names)
{
    assert_string_equal(simt_parameter_name("scaled", 0), "of_this");
    assert_string_equal(simt_parameter_name("scaled", 1), "by_that");
    assert_null(simt_parameter_name("scaled", 2));
    assert_null(simt_parameter_name("scale", 0));
    assert_null(simt_parameter_name("", 0));
    assert_string_equal(simt_parameter_name("in_a_template", 0), "out");
    assert_string_equal(simt_parameter_name("in_a_template<8>", 0), "out");
    /* A program may write a type by another name than the compiler does. */
    assert_string_equal(simt_parameter_name("in_a_template<EIGHT>", 0), "out");
    assert_string_equal(simt_parameter_name("space::scaled", 0), "of_this");
    assert_string_equal(simt_parameter_name("unnamed", 1), "second");
    assert_null(simt_parameter_name("unnamed", 0));
}

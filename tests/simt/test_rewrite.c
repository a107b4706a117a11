/*
 * What could the launch rewriter get wrong? Launches that it does not see,
 * things that only look like one, line numbers, and files that are none.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "simt/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "#line 1 \"lab.cu\"\n";

/* The rewritten text behind its first line, to be freed; NULL and why if it is
   refused. */
static char *rewritten(const char *text, char *why, size_t size)
{
    char *output, *rest;
    size_t length;

    if (simt_rewrite(text, strlen(text), "lab.cu", &output, &length, why,
                     size) != 0)
        return NULL;
    assert_int_equal(strlen(output), length);
    assert_memory_equal(output, first_line, strlen(first_line));
    rest = strdup(output + strlen(first_line));
    free(output);
    return rest;
}

static int count(const char *text, const char *words)
{
    int found = 0;

    for (; (text = strstr(text, words)) != NULL; text++)
        found++;
    return found;
}

/* The text holds `launches` launches, none is left, every line keeps its
   place. Returns the rewritten text, to be freed. */
static char *expect_launches(const char *text, int launches)
{
    char why[256] = "";
    char *output = rewritten(text, why, sizeof why);

    if (output == NULL)
        fail_msg("refused: %s\n%s", why, text);
    assert_int_equal(count(output, "::simt_device::launch("), launches);
    assert_int_equal(count(output, "\n"), count(text, "\n"));
    return output;
}

static void expect_same(const char *text)
{
    char *output = expect_launches(text, 0);

    assert_string_equal(output, text);
    free(output);
}

static void expect_refused(const char *text, const char *message)
{
    char why[256] = "";
    char *output = rewritten(text, why, sizeof why);

    if (output != NULL)
        fail_msg("not refused: %s", text);
    if (strstr(why, message) == NULL)
        fail_msg("'%s' instead of '%s'", why, message);
    assert_null(strchr(why, '\n'));
}

static void test_a_plain_launch(void **state)
{
    char *output = expect_launches("k<<<g, b>>>(x, y);\n", 1);

    (void)state;
    assert_string_equal(
        output, "::simt_device::launch(__FILE__, __LINE__, SIMT_STRING(k), "
                "::simt_device::configuration(g, b), [&](auto... "
                "simt_arguments) SIMT_NOT_RECORDED { k(simt_arguments...); }, "
                "x, y);\n");
    free(output);
}

static void test_a_launch_without_arguments_gets_no_comma(void **state)
{
    char *output = expect_launches("k<<<1, 32>>>( );\n", 1);

    (void)state;
    assert_non_null(strstr(output, "(simt_arguments...); } );"));
    free(output);
}

/* One launch each, in every surrounding that C++ has. */
static void test_launches_in_hard_places(void **state)
{
    static const char *const one[] = {
        "k<<<g, b, 16 * sizeof(float), stream>>>(x);\n",
        "k <<< g , b >>> ( x ) ;\n",
        "k /* a */ <<<g, /* > */ b>>> // >>>\n (x);\n",
        "k<<<dim3(a > b ? a : b, 1), n >> 5>>>(x);\n",
        "k<<<(a<b>(c)), d[n >> 2]>>>(x);\n",
        "k<16><<<g, b>>>(x);\n",
        "k<16, float><<<g, b>>>(x);\n",
        "k<v<int>, (1 > 0)><<<g, b>>>(x);\n",
        "k<v<v<int>>><<<g, b>>>(x);\n",
        "ns::k<<<g, b>>>(x);\n",
        "::k<<<g, b>>>(x);\n",
        "a::b<int>::k<2><<<g, b>>>(x);\n",
        "(*pointer)<<<g, b>>>(x);\n",
        "CHECK((k<<<g, b>>>(x), cudaGetLastError()));\n",
        "#define LAUNCH(k, ...) \\\n    k<<<grid, \\\n  block>>>(__VA_ARGS__)\n",
        "if (n) k<<<g, b>>>(f(\")\", '(', \"<<<\"), R\"x()\" <<< )x\");\n",
        "k<<<g, b>>>([](int a) { return a > 1 ? 2 : 3; }, 1'000, u8\"'\");\n",
        "k<<<g, b, sizeof(v<int>)>>>(x);\n",
        "for (;;)\n  k<<<g,\n      b>>>(\n      x,\n      y\n  );\n",
        "k<<<g, v<8>>>>(x);\n",
        "k<<<g, b>>>(x) /* no newline at the end */;",
        "\xEF\xBB\xBFk<<<g, b>>>(x); // \xE4 is Latin-1\r\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        free(expect_launches(one[i], 1));
    free(expect_launches("k<<<g, b>>>(x); k<<<g, b>>>(y);\n", 2));
    free(expect_launches("c ? k<<<g, b>>>(x) : j<<<g, b>>>(x);\n", 2));
}

static void test_what_is_no_launch_stays_as_it_is(void **state)
{
    static const char *const same[] = {
        "",
        "\n",
        "// k<<<g, b>>>(x); \\\n k<<<g, b>>>(x);\n",
        "/* k<<<g, b>>>(x); */ int x = 1 << 2 >> 1;\n",
        "const char *s = \"k<<<g, b>>>(x)\", *t = \"\\\"<<<\";\n",
        "const char *r = R\"-(k<<<g, b>>>(x)\")-\";\nint c = '\\'';\n",
        "#include <a<<<b>\n#error k<<<g, b>>>(x)\n",
        "v<v<v<int>>> x; std::cout << (a << b);\n",
        "#pragma once\n#pragma GCC unroll 4\n#pragma unrolled\n",
        "extern int n;\nextern \"C\" { int f(); }\n",
        "__shared__ float s[16];\n",
        "int unterminated_at_end = 1",
        "#if 0\ndon't, it isn\"t\n#endif\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        expect_same(same[i]);
}

static void test_a_launch_it_cannot_read_is_an_error_with_its_line(void **state)
{
    (void)state;
    expect_refused("\n\nk<<<g>>>(x);\n", "lab.cu:3: ");
    expect_refused("k<<<g, b, s, t, u>>>(x);\n", "lab.cu:1: cannot read");
    expect_refused("k<<<g, b>>>;\n", "the arguments must follow");
    expect_refused("k<<<g, b>>>(x;\n", "not closed");
    expect_refused("k<<<g, b(x);\n", "has no >>>");
    expect_refused("= <<<g, b>>>(x);\n", "no kernel's name");
    expect_refused("<<<g, b>>>(x);\n", "no kernel's name");
    expect_refused("/* one\n * two", "lab.cu:1: this comment does not end");
    expect_refused("int x;\n/* don't", "lab.cu:2: this comment");
    expect_refused("R\"x(abc)y\"", "this raw string does not end");
    expect_refused("\nasm(\"mov\");\n", "lab.cu:2: inline PTX");
    expect_refused("nvcuda::wmma::x;\n", "tensor cores");
}

static void test_unroll_becomes_gccs_form(void **state)
{
    static const char *const cases[][2] = {
        {"#pragma unroll\nfor", "SIMT_UNROLL(SIMT_UNROLL_ALL)\nfor"},
        {"  #  pragma  unroll 4\nfor", "  SIMT_UNROLL(4)\nfor"},
        {"#pragma unroll(TILE / 2)\nfor", "SIMT_UNROLL((TILE / 2))\nfor"},
        {"#pragma unroll TILE // all\nfor", "SIMT_UNROLL(TILE )// all\nfor"},
        {"#pragma nounroll\r\nfor", "SIMT_UNROLL(1)\nfor"},
        {"_Pragma(\"unroll 8\") for", "SIMT_UNROLL(8) for"},
        {"_Pragma ( \"unroll\" ) for", "SIMT_UNROLL(SIMT_UNROLL_ALL) for"},
        {"_Pragma(\"once\")", "_Pragma(\"once\")"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char why[256];
        char *output = rewritten(cases[i][0], why, sizeof why);

        assert_non_null(output);
        /* A carriage return at the end of a line is blank. */
        for (char *at = output; (at = strchr(at, '\r')) != NULL;)
            memmove(at, at + 1, strlen(at));
        assert_string_equal(output, cases[i][1]);
        free(output);
    }
}

static void test_dynamic_shared_memory_becomes_a_pointer(void **state)
{
    char *output =
        expect_launches("void f() {\n  extern __shared__ float s[];\n}\n", 0);

    (void)state;
    assert_non_null(
        strstr(output, "float *s = (float *)::simt_device::dynamic_shared();"));
    free(output);
    output = expect_launches(
        "extern __shared__ __align__(16) unsigned char\n  all[ ];\n", 0);
    assert_non_null(strstr(output, "dynamic_shared_array<unsigned char"));
    assert_non_null(strstr(output, "> all\n;"));
    free(output);
}

static void test_files_that_are_no_source_are_refused(void **state)
{
    char why[256] = "";
    char *output = NULL;
    size_t length;
    char *large = calloc(1, 9 << 20);

    (void)state;
    assert_int_equal(
        simt_rewrite("int\0x;", 6, "lab.cu", &output, &length, why, sizeof why),
        -1);
    assert_non_null(strstr(why, "NUL"));
    assert_non_null(large);
    assert_int_equal(simt_rewrite(large, 9 << 20, "lab.cu", &output, &length,
                                  why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "more than 8 MB"));
    free(large);
}

/* Cut off anywhere, a file is rewritten or refused, but never crashes. */
static void test_a_file_cut_off_anywhere_is_no_crash(void **state)
{
    static const char hard[] =
        "\xEF\xBB\xBF#define L(k, ...) k<16, (a > b)><<<g, \\\r\n b, n >> 2>>>"
        "(__VA_ARGS__)\n/* c */ extern __shared__ __align__(8) T s[];\n"
        "void f() { R\"d(<<<)d\"; u8\"\\\"\"; 'x'; 1'0; ::a::b<v<int>>"
        "<<<dim3{1, 2}, b>>>(x, {1}, [](int) { return 1; }); // e \\\n }\n"
        "#pragma unroll (4)\n_Pragma(\"unroll 2\") for (;;) ;\n}\n";
    char why[256];

    (void)state;
    for (size_t end = 0; end <= sizeof hard - 1; end++) {
        for (size_t begin = 0; begin < 12; begin++) {
            char *copy, *output = NULL;
            size_t length;

            if (begin > end)
                continue;
            /* Allocated to the byte, so that a read past the end is seen. */
            copy = malloc(end - begin + 1);
            assert_non_null(copy);
            memcpy(copy, hard + begin, end - begin);
            copy[end - begin] = '\0';
            if (simt_rewrite(copy, end - begin, "lab.cu", &output, &length, why,
                             sizeof why) == 0)
                free(output);
            free(copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plain_launch),
        cmocka_unit_test(test_a_launch_without_arguments_gets_no_comma),
        cmocka_unit_test(test_launches_in_hard_places),
        cmocka_unit_test(test_what_is_no_launch_stays_as_it_is),
        cmocka_unit_test(
            test_a_launch_it_cannot_read_is_an_error_with_its_line),
        cmocka_unit_test(test_unroll_becomes_gccs_form),
        cmocka_unit_test(test_dynamic_shared_memory_becomes_a_pointer),
        cmocka_unit_test(test_files_that_are_no_source_are_refused),
        cmocka_unit_test(test_a_file_cut_off_anywhere_is_no_crash),
    };

    return cmocka_run_group_tests_name("rewrite", tests, NULL, NULL);
}

/*
 * What could the launch rewriter get wrong? Launches that it does not see,
 * things that only look like one, line numbers, and files that are none.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "simt/rewrite/rewrite.h"

#include "../command.h"
#include "rewriting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(test_a_plain_launch)
{
    char *output = expect_launches("k<<<g, b>>>(x, y);\n", 1);

    assert_string_equal(
        output,
        " ::simt_device::launch(__FILE__, __LINE__, SIMT_STRING(k), "
        "sizeof((k(x, y), 0)), ::simt_device::configuration(g, b), "
        "[=](auto &...simt_arguments) "
        "SIMT_KERNEL_CALL(k(simt_arguments...)), SIMT_KERNEL_ADDRESS(k), "
        "x, y);\n");
    free(output);
}

TEST(test_a_launch_without_arguments_gets_no_comma)
{
    char *output = expect_launches("k<<<1, 32>>>( );\n", 1);

    assert_non_null(
        strstr(output, "(simt_arguments...)), SIMT_KERNEL_ADDRESS(k) );"));
    free(output);
}

/* One launch each, in every surrounding that C++ has. */
TEST(test_launches_in_hard_places)
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
        "#define LAUNCH(k, ...) \\\n  k<<<grid, \\\n  block>>>(__VA_ARGS__)\n",
        "if (n) k<<<g, b>>>(f(\")\", '(', \"<<<\"), R\"x()\" <<< )x\");\n",
        "k<<<g, b>>>([](int a) { return a > 1 ? 2 : 3; }, 1'000, u8\"'\");\n",
        "k<<<g, b, sizeof(v<int>)>>>(x);\n",
        "for (;;)\n  k<<<g,\n      b>>>(\n      x,\n      y\n  );\n",
        "k<<<g, v<8>>>>(x);\n",
        "k<<<g, b>>>(x) /* no newline at the end */;",
        "table[2]<<<g, b>>>(x);\n",
        "if (n) (*h->pointer)<<<h->grid, h->block>>>(x);\n",
        "else ::k<<<g, b>>>(x);\n",
        "get(1)<<<g, b>>>(x);\n",
        "object.template k<2><<<g, b>>>(x);\n",
        "k<T{}, p->n><<<g, b>>>(x);\n",
        "k<<<1 << n, f<v<v<int>>>(1, 2)>>>(x);\n",
        "k<<<n < 3 ? 1 : 2, 32>>>(x);\n",
        "k<<<g,\n#ifdef SMALL\n 32\n#else\n 64\n#endif\n>>>(x);\n",
        "#define GO(T) prefix_##T<<<1, 2>>>(p)\n",
        "#define GO (k)<<<1, 2>>>(p)\n",
        "#define GO ::k<<<1, 2>>>(p)\n",
        "#define GO(args) k<<<1, /* a\n b */ 2>>> args\n",
        "#pragma message(\"/* don't\")\nk<<<g, b>>>(x);\n",
        "#if 0\nk<<<broken\n#if 1\n#endif\nR\"(don't)\"\n#else\n"
        "k<<<g, b>>>(x);\n#endif\n",
        "a\\\nb::\\\r\nk<<<g, b>>>(x);\r\n",
        "k<<<g, b>>>(x); auto s = xR\"(\"; /* no raw string */\n",
        "\xEF\xBB\xBFk<<<g, b>>>(x); // \xE4 is Latin-1\r\n",
    };

    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        free(expect_launches(one[i], 1));
    free(expect_launches("k<<<g, b>>>(x); k<<<g, b>>>(y);\n", 2));
    free(expect_launches("k<<<g, b>>>(x, [&] { j<<<g, b>>>(y); });\n", 2));
    free(expect_launches("c ? k<<<g, b>>>(x) : j<<<g, b>>>(x);\n", 2));
}

TEST(test_what_is_no_launch_stays_as_it_is)
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
        "int texture; // asm\nconst char *asm_ = \"asm\", wmma = 1;\n",
        "#define A \"b // c\" /* d\n e */\n#define B(x, ...) #__VA_ARGS__\n",
        "std::cout << \"a\" << u8'b' << 0x1'F << LR\"(<<<)\";\n",
        "#if 0\ndon't, it isn\"t\n#endif\n",
    };

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        expect_same(same[i]);
}

TEST(test_a_launch_it_cannot_read_is_an_error_with_its_line)
{
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
    expect_refused("k<<<g, >>>(x);\n", "grid, block");
    expect_refused("k<<<, b>>>(x);\n", "grid, block");
    expect_refused("16<<<g, b>>>(x);\n", "no kernel's name");
    expect_refused("return <<<g, b>>>(x);\n", "no kernel's name");
    expect_refused("#define A k<<<g,\nint b>>>(x);\n", "lab.cu:1: cannot");
    expect_refused("#define A k\n<<<g, b>>>(x);\n", "lab.cu:2: cannot");
    expect_refused("k<<<g, b>>>(x)<<<g, b>>>(x);\n", "cannot read");
    expect_refused("texture<float> t;\n",
                   "lab.cu:1: texture is not in CUDA 13");
    expect_refused("\nasm(\"mov\");\n", "lab.cu:2: inline PTX");
}

TEST(test_unroll_becomes_gccs_form)
{
    static const char *const cases[][2] = {
        {"#pragma unroll\nfor", "SIMT_UNROLL(SIMT_UNROLL_ALL)\nfor"},
        {"  #  pragma  unroll 4\nfor", "  SIMT_UNROLL(4)\nfor"},
        {"#pragma unroll(TILE / 2)\nfor", "SIMT_UNROLL((TILE / 2))\nfor"},
        {"#pragma unroll TILE // all\nfor", "SIMT_UNROLL(TILE)// all\nfor"},
        {"#pragma nounroll\r\nfor", "SIMT_UNROLL(1)\nfor"},
        {"_Pragma(\"unroll 8\") for", "SIMT_UNROLL(8) for"},
        {"_Pragma ( \"unroll\" ) for", "SIMT_UNROLL(SIMT_UNROLL_ALL) for"},
        {"_Pragma(\"once\")", "_Pragma(\"once\")"},
        {"_Pragma(\n\"nounroll\"\n) for", "SIMT_UNROLL(1)\n\n for"},
        {"#pragma \\\n unroll TILE\nfor", "SIMT_UNROLL(TILE)\\\n\nfor"},
        /* Nobody knows how long a loop is that ends by a parameter. */
        {"void f(int n) {\n#pragma unroll\nfor (int i = 0; i < n; i++) ;\n}",
         "void f(int n) {\nSIMT_UNROLL(1)\nfor (int i = 0; i < n; i++) ;\n}"},
        {"void f(int n) {\n#pragma unroll\nfor (int i = n; i < 8; i++) ;\n}",
         "void f(int n) {\nSIMT_UNROLL(SIMT_UNROLL_ALL)\n"
         "for (int i = n; i < 8; i++) ;\n}"},
        {"void f(int n) {\n#pragma unroll 2\nfor (int i = 0; i < n; i++) ;\n}",
         "void f(int n) {\nSIMT_UNROLL(2)\nfor (int i = 0; i < n; i++) ;\n}"},
        {"#pragma unroll 65535\nfor", "SIMT_UNROLL(SIMT_UNROLL_ALL)\nfor"},
        {"#pragma unroll 65534\nfor", "SIMT_UNROLL(65534)\nfor"},
        {"#define EACH _Pragma(\"unroll\") for\n",
         "#define EACH SIMT_UNROLL(SIMT_UNROLL_ALL) for\n"},
        /* g++ 12 takes no number that depends on a template's parameter. */
        {"template <int N> void f() {\n#pragma unroll (N / 2)\nfor",
         "template <int N> void f() {\nSIMT_UNROLL(SIMT_UNROLL_ALL)\nfor"},
        {"template <int N> void f() { { } }\n#pragma unroll N\nfor",
         "template <int N> void f() { { } }\nSIMT_UNROLL(N)\nfor"},
        {"template <class T, int M = 2> void f() {\n#pragma unroll MN\nfor",
         "template <class T, int M = 2> void f() {\nSIMT_UNROLL(MN)\nfor"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char why[256];
        char *output = rewriting_of(cases[i][0], why, sizeof why);

        assert_non_null(output);
        /* A carriage return at the end of a line is blank. */
        for (char *at = output; (at = strchr(at, '\r')) != NULL;)
            memmove(at, at + 1, strlen(at));
        assert_string_equal(output, cases[i][1]);
        free(output);
    }
}

TEST(test_dynamic_shared_memory_becomes_a_pointer)
{
    char *output =
        expect_launches("void f() {\n  extern __shared__ float s[];\n}\n", 0);

    assert_non_null(
        strstr(output, "float *s = (float *)::simt_device::dynamic_shared();"));
    free(output);
    output = expect_launches(
        "extern __shared__ __align__(16) unsigned char\n  all[ ];\n", 0);
    text_has(output, SAYS("dynamic_shared_array<unsigned char", "> all\n;"));
    free(output);
}

/* Which of the two forms, in surroundings where counting braces goes wrong. */
TEST(test_only_functions_have_pointers_to_shared_memory)
{
    static const char declaration[] = "extern __shared__ float s[];\n}\n";
    static const struct {
        const char *before;
        int is_function;
    } cases[] = {
        {"namespace a::b {\n", 0},
        {"namespace {\n", 0},
        {"extern \"C\" {\n", 0},
        {"extern \"C\" { void f() {\n", 1},
        {"namespace a { struct b : c { void f() {\n", 1},
        {"#if X\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n", 0},
        {"#define BEGIN {\n", 0},
        {"void f()\n{ if (1) { }\n", 1},
        {"#define SHARED \\\n", 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        char *output;

        snprintf(text, sizeof text, "%s%s", cases[i].before, declaration);
        output = expect_launches(text, 0);
        if ((strstr(output, "float *s = (float *)") != NULL) !=
            cases[i].is_function)
            fail_msg("wrong form: %s", output);
        free(output);
    }
}

TEST(test_refused_words_within_if_are_the_compilers_to_refuse)
{
    char *output = expect_launches("#if PTX\nasm(\"mov\");\n#endif\n", 0);

    assert_non_null(strstr(output, "_Pragma(\"GCC error \\\"inline PTX"));
    free(output);
    expect_refused("#if PTX\n#endif\nasm(\"mov\");\n", "lab.cu:3: inline PTX");
}

/* Of the text between two marks in the rewritten one. */
static void expect_within(const char *text, const char *words)
{
    char *output = expect_launches(text, 0);

    if (strstr(output, words) == NULL)
        fail_msg("no %s: %s", words, output);
    free(output);
}

TEST(test_what_nobody_compiles_is_not_refused)
{
    free(
        expect_launches("#ifdef OLD\n__global__ int k(float *);\n#endif\n", 0));
    free(expect_launches("#ifdef OLD\nvoid f() { k<<<1>>>(); }\n#endif\n", 0));
    expect_within("#ifdef OLD\ntemplate <int N> __device__ int x[N];\n#endif\n",
                  "_Pragma(\"GCC error");
}

TEST(test_an_alignment_stands_before_what_is_aligned)
{
    expect_within("void f() { __shared__ alignas(16) float s[4]; }",
                  "{ alignas(16) __shared__  float s[4];");
    expect_within("void f() { static __shared__ alignas(float4) int s; }",
                  "{ alignas(float4) static __shared__  int s;");
    expect_same("struct alignas(16) s { alignas(8) const int x; };");
}

TEST(test_a_lab_that_throws_ends)
{
    expect_within(
        "#include \"lab.h\"\nvoid f() { if (1) throw error(\"a\", 2);\n}",
        "if (1) ::lab_exit(((void)sizeof( error(\"a\", 2)), 134), "
        "__FILE__, __LINE__);\n");
    expect_within("#include \"lab.h\"\nvoid f() { try { g(); } "
                  "catch (...) { throw; } h(); }",
                  "void f() {  { g(); }  h(); }");
    expect_same("void f() { try { throw 1; } catch (int i) { } }");
    expect_same("#include \"lab.h\"\n__device__ void f() { throw 1; }");
}

TEST(test_a_launch_by_a_call_keeps_the_kernels_type)
{
    static const char *const calls[] = {"(const void *)k<16>", "(void *) k<16>",
                                        "reinterpret_cast<const void *>(k<16>)",
                                        "k<16>"};

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char text[200];

        snprintf(text, sizeof text,
                 "void f() { cudaLaunchKernel(%s, g, b, a); }", calls[i]);
        expect_within(text, "__LINE__, SIMT_STRING(");
        expect_within(text, "k<16>");
        if (strchr(calls[i], '*') != NULL) {
            char *output = expect_launches(text, 0);

            assert_null(strstr(output, "void *"));
            free(output);
        }
    }
}

TEST(test_a_byte_order_mark_is_left_out)
{
    char why[256] = "";
    char *output = rewriting_of("\xEF\xBB\xBFint x;\n", why, sizeof why);

    assert_string_equal(output, "int x;\n");
    free(output);
}

TEST(test_files_that_are_no_source_are_refused)
{
    char why[256] = "";
    char *output = NULL;
    size_t length;
    char *large = calloc(1, 9 << 20);

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
TEST(test_a_file_cut_off_anywhere_is_no_crash)
{
    static const char hard[] =
        "\xEF\xBB\xBF#define L(k, ...) k<16, (a > b)><<<g, \\\r\n b, n >> 2>>>"
        "(__VA_ARGS__)\n/* c */ extern __shared__ __align__(8) T s[];\n"
        "void f() { R\"d(<<<)d\"; u8\"\\\"\"; 'x'; 1'0; ::a::b<v<int>>"
        "<<<dim3{1, 2}, b>>>(x, {1}, [](int) { return 1; }); // e \\\n }\n"
        "#if 0\nk<<<\n#else\ntemplate <int N, class T = v<N>> struct t { };\n"
        "#endif\n"
        "namespace n { extern \"C\" { p[1]->q.template r<2>##s<<<1 << 2,3>>>(j"
        "<<<1, 2>>>()); asm\\\n_; } }\n"
        "struct { __device__ v<int, (1)> x[] = {0}; } y; __constant__ struct {"
        " int a; } *const b; __device__ float (*c)(int); __noinline__ int d;\n"
        "k<<<1, 2>>>(0, /* f */ NULL, g(0));\n#include <thrust\n"
        "#pragma unroll (4)\n_Pragma(\"unroll 2\") for (;;) ;\n}\n";
    char why[256];

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

/* Rewrites a text and runs g++ with these options on the outcome. */
static struct command compile(const char *text, const char *options)
{
    char name[] = "/tmp/test_rewrite_XXXXXX";
    char why[256] = "";
    char *output = NULL;
    size_t length = 0;
    const int descriptor = mkstemp(name);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    struct command command;

    assert_non_null(file);
    if (simt_rewrite(text, strlen(text), "lab.cu", &output, &length, why,
                     sizeof why) != 0)
        fail_msg("refused: %s", why);
    assert_int_equal(fwrite(output, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    free(output);
    command = command_run("g++ -x c++ -std=c++17 -O2 -Wall -Wextra -Wshadow "
                          "-Icommon/simt/include -Icommon %s %s",
                          name, options);
    remove(name);
    return command;
}

static const char kernels[] =
    "#include <cuda_runtime.h>\n"
    "namespace ns { extern __shared__ float all[];\n"
    "__global__ void k(float *a, int n) { a[n] = all[n]; } }\n"
    "using ns::k;\n"
    "template <class T, int N = 1> __global__ void t(T *a, int n) {\n"
    "#pragma unroll N\n"
    "    for (int i = 0; i < N; i++) a[i] = n; }\n"
    "__global__ void none() { extern __shared__ float s[][16]; s[0][1] = 2; }\n"
    "typedef void (*pointer)(float *, int);\n"
    "struct holder { pointer p; dim3 grid, block; void go(float *); int n; };\n"
    "template <class T> struct v { T x; };\n"
    "template <class T> constexpr int one() { return 1; }\n"
    "template <class F> int run(F f) { f(); return 1; }\n"
    "holder get();\n";

TEST(test_the_compiler_reads_what_comes_out)
{
    static const char *const texts[] = {
        /* A macro whose arguments may be none. */
        "#define L(k, ...) k<<<1, 32>>>(__VA_ARGS__)\n"
        "#define M(k, args) k<<<1, 32>>> args\n"
        "#define PASTE(x) x##ne<<<1, 32>>>()\n"
        "#define P (k) /* a\n b */ <<<1, 2>>>(a, 1)\n"
        "#define ONE(x) do { x; } while (0)\n"
        "void f(float *a) { L(none); L(k, a, 1); M(t<float>, (a, 1)); P;\n"
        "  PASTE(no); ONE((k<<<1, 2>>>(a, 1))); }\n",
        "void f(float *a, holder *h) { pointer p[] = {k, k};\n"
        "  p[0]<<<1, 2>>>(a, 1); h->p<<<h->grid, h->block>>>(a, 1);\n"
        "  get().p<<<1, 2u>>>(a, 1); if (a) (*h->p)<<<1, 2>>>(a, 1);\n"
        "  else ::ns::k<<<1, 2>>>(a, 1);\n"
        "  a ? k<<<1, 2>>>(a, 1) : t<float, 4><<<1, 2>>>(a, 1); }\n",
        "void f(float *a, int n) {\n"
        "  k<<<1 << 2, one<v<v<int>>>()>>>(a, 1);\n"
        "  k<<<n < 3 ? 1 : 2, dim3(1, 2), n >> 1, nullptr>>>(a, 1);\n"
        "  t<float, sizeof(v<int>{}) ><<<n>>2, 3>>>(a, 1);\n"
        "  k<<<1, 2>>>(a, run([&] { k<<<1, 2>>>(a, 2); }));\n"
        "  none<<<1, 2>>>( // none\n  ); }\n"
        "void holder::go(float *a) { k<<<grid, block, n>>>(a, n); }\n",
        "#if defined(__CUDA_ARCH__)\nvoid g() { asm(\"x\"); }\n#endif\n"
        "#define TILE 16\nvoid f(float *a) {\n"
        "#pragma unroll TILE / 2\n  for (int i = 0; i < 9; i++) a[i] = 1;\n"
        "#pragma unroll 100000\n  for (int i = 0; i < 9; i++) a[i] = 1;\n"
        "#define EACH _Pragma(\"nounroll\") for\n"
        "  EACH (int i = 0; i < 9; i++) a[i] = 1; }\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[4096];
        struct command command;

        snprintf(text, sizeof text, "%s%s", kernels, texts[i]);
        command = compile(text, "-fsyntax-only");
        if (command.code != 0 || command.text[0] != '\0')
            fail_msg("%s\n%s", texts[i], command.text);
        command_free(&command);
    }
}

TEST(test_the_compiler_names_the_students_line)
{
    command_gives(
        compile(
            "#include <cuda_runtime.h>\n__global__ void k(int *);\nvoid f() {\n"
            "  k /* a\n b */ <<<1,\n  2>>>(\n  nullptr); wrong(); }\n"
            "#ifndef PTX\n__device__ void g() { asm(\"mov\"); }\n#endif\n",
            "-fsyntax-only"),
        1, SAYS("lab.cu:7:", "wrong", "lab.cu:9:", "inline PTX does not run"));
}

/* Of all that follows from a name of CUDA's that is not here, the name. */
TEST(test_what_is_not_here_is_told_by_its_name)
{
    struct command command = compile(
        "#include <cuda_runtime.h>\nint f() {\n"
        "  cudaMipmappedArray_const_t pool;\n  return cudaUse(pool);\n}\n",
        "-fsyntax-only 2>&1 | awk -f common/simt/compiler_words.awk; :");

    text_has(command.text,
             SAYS("lab.cu:3: error: cudaMipmappedArray_const_t is neither in "
                  "the program nor on the CPU device\n  g++ says: ",
                  "\ng++ says 2 more, which may come from this\n",
                  NOT "lab.cu:4"));
    command_free(&command);
}

#define TOLD_TO_STUDENTS \
    "-fno-diagnostics-show-labels -fsyntax-only 2>&1 | awk -v width=80 -f common/simt/compiler_words.awk; :"

/* An unrolled loop is warned of for each of its steps. */
TEST(test_a_warning_is_told_once_and_three_at_most)
{
    struct command command = compile(
        "int a[2], b[2], c[2], d[2];\nvoid f() {\n"
        "  a[2] = a[3] = a[4] = 1;\n  b[5] = 1;\n  c[5] = 1;\n  d[5] = 1;\n"
        "}\n",
        "-O2 -Warray-bounds -S -o /dev/null 2>&1 | "
        "awk -v width=80 -f common/simt/compiler_words.awk; :");

    text_has(command.text,
             SAYS("lab.cu:3:", "lab.cu:4:", "lab.cu:5:",
                  "g++ warns of 1 more: VERBOSE=1 shows them", NOT "lab.cu:6"));
    command_free(&command);
}

/* What a beginner writes for an element of a matrix. */
TEST(test_an_index_too_many_is_told_how_to_write_it)
{
    struct command command =
        compile("#include <cuda_runtime.h>\n"
                "struct product { const float *A; };\n"
                "float f(const product *p, int row, int i) {\n"
                "  return p->A[row][i];\n}\n",
                TOLD_TO_STUDENTS);

    assert_string_equal(
        command.text,
        "lab.cu:4: error: an index too many: what stands before the last [ ] "
        "is a single\n  float. A matrix lies in memory row after row: element "
        "(row, col) of one with w\n  columns is X[row * w + col]\n"
        "  g++ says: invalid types \342\200\230const float[int]\342\200\231 "
        "for array subscript\n");
    command_free(&command);
    command_gives(compile("#include <cuda_runtime.h>\nint f(int i) {\n"
                          "  return i[2][3];\n}\n",
                          TOLD_TO_STUDENTS),
                  ANY_CODE, SAYS(NOT "matrix"));
}

/* What g++ says of a line that is far to the right. */
TEST(test_messages_fit_a_screen_and_point_where_they_did)
{
    struct command command = command_run(
        "printf '%%s\\n' 'lab.cu: In function "
        "\342\200\230void f(const float*, const float*, float*, int)\342\200\231:' "
        "'lab.cu:44:50: error: cannot convert \342\200\230const float*\342\200\231 "
        "to \342\200\230float\342\200\231 in initialization of third' "
        "'   44 |                                         "
        "work(first, second, second + first)' "
        "'      |                                         "
        "            ~~~~~~~^~~~~~' | "
        "awk -v width=80 -f common/simt/compiler_words.awk");

    assert_string_equal(
        command.text, "lab.cu:44:50: error: cannot convert \342\200\230const "
                      "float*\342\200\231 to \342\200\230float\342\200\231 in "
                      "initialization\n"
                      "  of third\n"
                      "   44 |                                      "
                      "work(first, second, second + first)\n"
                      "      |                                      "
                      "            ~~~~~~~^~~~~~\n");
    command_free(&command);
}

/* Of what it says when it fails itself a line is left. */
TEST(test_a_failure_of_the_compiler_is_one_line)
{
    struct command command = command_run(
        "printf '%%s\n' 'x.cu:8:5: internal compiler error: in tsubst, at "
        "cp/pt.cc:20' '0x1153298 internal_error(char const*, ...)' "
        "'Please submit a full bug report, with preprocessed source.' "
        "'See <file:///usr/share/doc/gcc-13/README.Bugs> for instructions.' | "
        "awk -v width=80 -f common/simt/compiler_words.awk");

    assert_string_equal(command.text,
                        "x.cu:8:5: error: g++ itself fails here. Another "
                        "version of it may not: make run\n  CXX=g++-12\n");
    command_free(&command);
}

/* 16 rounds of a known loop are 16 calls; one where it is forbidden. */
TEST(test_loops_are_unrolled_as_asked)
{
    static const char *const pragmas[] = {"unroll",        "unroll 16",
                                          "unroll ROUNDS", "unroll 70000",
                                          "nounroll",      "unroll 1"};
    static const int calls[] = {16, 16, 16, 16, 1, 1};

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char text[512];
        struct command command;

        snprintf(text, sizeof text,
                 "#include <cuda_runtime.h>\nconstexpr int ROUNDS = 16;\n"
                 "extern \"C\" void sink(int);\nvoid f() {\n#pragma %s\n"
                 "  for (int i = 0; i < ROUNDS; i++) sink(i); sink(-1); }\n",
                 pragmas[i]);
        command = compile(text, "-Wno-misleading-indentation -S -o -");
        command_ends(&command, 0);
        /* The last call, of sink(-1), is a jump. */
        assert_int_equal(rewriting_count(command.text, "\tcall\tsink") +
                             rewriting_count(command.text, "\tbl\tsink"),
                         calls[i]);
        command_free(&command);
    }
}

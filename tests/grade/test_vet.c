/* What a source may not hold is found however it is written, and what a lab may
   hold is let through. */

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "course/index.h"
#include "base/file.h"
#include "course/vet.h"

static char why[900];

static int vet(const char *source)
{
    why[0] = '\0';
    return course_vet_source("lab.cu", source, strlen(source), why, sizeof why);
}

static void taken(const char *source)
{
    if (vet(source) != 0)
        fail_msg("refused: %s: %s", source, why);
}

/* Refused, with that beginning of the message. */
static void expect_refused_source(const char *source, const char *begin)
{
    if (vet(source) != -1)
        fail_msg("taken: %s", source);
    if (strncmp(why, begin, strlen(begin)) != 0)
        fail_msg("%s: %s", source, why);
}

/* Those that need a GPU are not graded, and hold what a graded one may not. */
TEST(test_all_labs_and_solutions_are_taken)
{
    struct course_index index;
    glob_t files;

    assert_int_equal(course_index_read("labs/INDEX", &index, why, sizeof why),
                     0);
    assert_int_equal(glob("labs/*/*.cu", 0, NULL, &files), 0);
    glob("solutions/*/*.cu", GLOB_APPEND, NULL, &files);
    assert_true(files.gl_pathc >= 9);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *source = base_read_file(files.gl_pathv[i], why, sizeof why);
        char lab[COURSE_NAME];

        assert_non_null(source);
        assert_int_equal(course_lab_of(files.gl_pathv[i], lab, why, sizeof why),
                         0);
        /* A folder that is not in the index is no lab of the course. */
        if (course_index_find(&index, lab) != NULL &&
            course_index_find(&index, lab)->needs.what == NULL)
            taken(source);
        free(source);
    }
    course_index_free(&index);
    globfree(&files);
}

TEST(test_what_a_lab_may_hold_is_taken)
{
    taken("");
    taken("#include \"lab.h\"\n#include <math.h>\n#include <stdio.h>\n");
    taken("#pragma unroll\n#pragma unroll 4\n#define N 16\n");
    taken("/* asm, __attribute__, #include <unistd.h> */\n// main(\n");
    taken("const char *s = \"asm __asm__ ## %: main()\";");
    taken("int a = b[c[0]]; x = a < b ? ::c : d; k<<<1, 2>>>(a);");
    taken(
        "__global__ void k() { __syncthreads(); __shfl_down_sync(1, 2, 3); }");
    taken("\xEF\xBB\xBFint x;\r\nint y; /* h\xE9 */\r\n");
    taken("#if 0\ndon't\n#endif\n");
    taken("#if 0 /* for now */ // or never\nasm(\"\");\n#endif\n");
    taken("#if 0 \nasm(\"\");\n#if 1\nasm\n#else\n#endif\nasm\n#endif\n");
    taken("#ifndef __TILING_H__\n#define __TILING_H__\n#endif\n#\n");
    taken("#include <iostream>\n#include <chrono>\n#include <unistd.h>\n");
    taken("#define S(f, ...) printf(f, ##__VA_ARGS__)\nint _N, _TILE;\n");
    taken("[[maybe_unused]] int x; puts(__FILE__ __DATE__);\n");
    taken("#pragma GCC diagnostic push\n#pragma region a\n#pragma omp for\n");
    taken("int gr\xC3\xB6\xC3\x9F"
          "e, \xCE\xA3; f<::g>(); a(__builtin_expect(b, 0));");
    taken("int domain = main_loop; int as_m; int simtx; int _under;");
}

TEST(test_inline_assembly_is_refused)
{
    expect_refused_source("\nasm(\"nop\");", "lab.cu:2: 'asm'");
    expect_refused_source("__asm__ volatile (\"nop\");", "lab.cu:1: '__asm__'");
    expect_refused_source("as\\\nm(\"nop\");", "lab.cu:1: 'asm'");
    expect_refused_source("as\\\r\nm(\"nop\");", "lab.cu:1: 'asm'");
    expect_refused_source("#define X asm\n", "lab.cu:1: 'asm'");
    expect_refused_source("#if 0\n#else\nasm(\"\");\n#endif\n",
                          "lab.cu:3: 'asm'");
    expect_refused_source("#if 0 || 1\nasm(\"\");\n#endif\n",
                          "lab.cu:2: 'asm'");
    expect_refused_source("#if 0\n#if 1\n#else\n#endif\n#elif 1\nasm\n#endif\n",
                          "lab.cu:6: 'asm'");
    expect_refused_source("#if 0 /* */ || 1\nasm(\"\");\n#endif\n",
                          "lab.cu:2: 'asm'");
    expect_refused_source("#if 0 /* \n */ + 1\nasm(\"\");\n#endif\n",
                          "lab.cu:3: 'asm'");
    expect_refused_source("#if 0                                           "
                          "|| 1\nasm(\"\");\n#endif\n",
                          "lab.cu:2: 'asm'");
    expect_refused_source("#if 0\n%:endif\nasm(\"\");\n%:if 1\n#endif\n",
                          "lab.cu:2: '%:'");
    expect_refused_source("#if 0\n#el\\\nse\nasm(\"\");\n#endif\n",
                          "lab.cu:4: 'asm'");
    expect_refused_source("register int x asm(\"rax\");", "lab.cu:1: 'asm'");
    expect_refused_source("/* */ /\\\n* */ asm(\"\");", "lab.cu:");
}

TEST(test_a_comment_is_one_for_the_compiler_as_well)
{
    expect_refused_source("/* *\\\n/ asm(\"\"); /* */",
                          "lab.cu:1: a backslash");
    expect_refused_source("/* *\\ \t\r\n\\\n/ asm(\"\"); /* */",
                          "lab.cu:1: a backslash");
    expect_refused_source("\n/\\\n* \" */ asm(\"\"); /* \" */",
                          "lab.cu:2: a backslash");
    expect_refused_source("/\\ \n/ \" \n asm(\"\"); //\"",
                          "lab.cu:1: a backslash");
    expect_refused_source("%\\\n:define J\n", "lab.cu:1: a backslash");
    expect_refused_source("#define J(a, b) a#\\\n#b\n",
                          "lab.cu:1: a backslash");
    taken("#define X \\\n/* two lines */ 3\n/*\\\n*/");
}

TEST(test_names_that_are_put_together_are_refused)
{
    taken("#define D(r) float sum##r; x = old_ ## r ## _ ## r;\n");
    expect_refused_source("#define D(r) si##r\n", "lab.cu:1: '##'");
    expect_refused_source("#define D(r) r##sum\n", "lab.cu:1: '##'");
    expect_refused_source("#define D(sum, r) sum##r\n", "lab.cu:1: '##'");
    expect_refused_source("#define D(r) _##r\n", "lab.cu:1: '##'");
    expect_refused_source("#define D(r) sum##r r##r\n", "lab.cu:1: '##'");
    expect_refused_source("#define D(r) r##sum##r\n", "lab.cu:1: '##'");
    expect_refused_source("#define J(a, b) a##b\n", "lab.cu:1: '##'");
    expect_refused_source("#define J(a, ...) a##__VA_ARGS__\n",
                          "lab.cu:1: '##'");
    expect_refused_source("#define J(a, b) a %:%: b\n", "lab.cu:1: '%:'");
    expect_refused_source("%:define J\n", "lab.cu:1: '%:'");
    expect_refused_source("__CONCAT(as, m)(\"\");", "lab.cu:1: '__CONCAT'");
    expect_refused_source("\\u0061sm(\"\");", "lab.cu:1: a backslash");
}

TEST(test_orders_to_the_compiler_are_refused)
{
    expect_refused_source("__attribute__((constructor)) void f();",
                          "lab.cu:1: '__attribute__'");
    expect_refused_source("__attribute((section(\"x\"))) int x;",
                          "lab.cu:1: '__attribute'");
    expect_refused_source("[[gnu::constructor]] void f();", "lab.cu:1: 'gnu'");
    expect_refused_source("#define X [\nX[gnu::constructor]] void f();",
                          "lab.cu:2: 'gnu'");
    expect_refused_source("<:<:gnu::constructor:>:> void f();",
                          "lab.cu:1: '<:'");
    expect_refused_source("\n#pragma GCC optimize(\"O0\")\n",
                          "lab.cu:2: #pragma GCC");
    expect_refused_source("#pragma /* */ weak f\n", "lab.cu:1: #pragma");
    expect_refused_source("#pragma weak f\n", "lab.cu:1: #pragma weak");
    expect_refused_source("_Pragma(\"GCC optimize\")",
                          "lab.cu:1: #pragma GCC optimize");
    expect_refused_source("#define P(x) _Pragma(#x)\n", "lab.cu:1: '_Pragma'");
    expect_refused_source("_Pragma(\"unroll\\\n\")", "lab.cu:1: '_Pragma'");
    expect_refused_source("int x = __builtin_popcount(3);",
                          "lab.cu:1: '__builtin_popcount'");
    expect_refused_source("#line 1 \"other.cu\"\n", "lab.cu:1: '#line'");
    expect_refused_source("void *p = &&l; goto *p;", "lab.cu:1: a goto");
}

TEST(test_files_that_no_lab_needs_are_refused)
{
    expect_refused_source("#include \"/etc/shadow\"\n",
                          "lab.cu:1: #include of '/etc/shadow'");
    expect_refused_source("#include \"../03_tiling/tiling.cu\"\n",
                          "lab.cu:1: #include of");
    expect_refused_source("#include </dev/zero>\n", "lab.cu:1: #include of");
    expect_refused_source("#include <pthread.h>\n", "lab.cu:1: #include of");
    expect_refused_source("#include <sys/cdefs.h>\n", "lab.cu:1: #include of");
    expect_refused_source("#define H <unistd.h>\n#include H\n",
                          "lab.cu:2: an #include");
    expect_refused_source("#include /* */ <unistd.h>\n",
                          "lab.cu:1: an #include");
    expect_refused_source("#/**/include <unistd.h>\n", "lab.cu:1: '#'");
    expect_refused_source("#inc\\\nlude <pthread.h>\n",
                          "lab.cu:1: #include of 'pthread.h'");
    expect_refused_source("#include_next <stdio.h>\n",
                          "lab.cu:1: '#include_next'");
    expect_refused_source("#import <stdio.h>\n", "lab.cu:1: '#import'");
    expect_refused_source("#include <math.h> \"x\"\n", "lab.cu:1: an #include");
}

TEST(test_names_of_others_are_refused)
{
    expect_refused_source("extern \"C\" void simt_count_reset(void);",
                          "lab.cu:1: 'simt_count_reset'");
    expect_refused_source("grade_guard_end();", "lab.cu:1: 'grade_guard_end'");
    expect_refused_source("__tsan_write4(p);", "lab.cu:1: '__tsan_write4'");
    expect_refused_source("__libc_start_main();",
                          "lab.cu:1: '__libc_start_main'");
    expect_refused_source("_PSTL_PRAGMA(x)", "lab.cu:1: '_PSTL_PRAGMA'");
    expect_refused_source("int \xC3\x97;", "lab.cu:1: a name with a char");
    expect_refused_source("int \xE9;", "lab.cu:1: a name with a char");
}

TEST(test_no_text_is_refused)
{
    static char large[COURSE_LARGEST_SOURCE + 1];

    assert_int_equal(
        course_vet_source("lab.cu", "int x;\n\0", 8, why, sizeof why), -1);
    assert_non_null(strstr(why, "lab.cu:2: a zero byte"));
    memset(large, ' ', sizeof large);
    assert_int_equal(
        course_vet_source("lab.cu", large, sizeof large, why, sizeof why), -1);
    assert_non_null(strstr(why, "256 KB"));
    assert_int_equal(
        course_vet_source("lab.cu", large, sizeof large - 1, why, sizeof why),
        0);
    expect_refused_source("/* no end", "lab.cu: line 1");
}

TEST(test_a_word_is_found_where_it_is_code)
{
    static const char source[] = "/* fork */\nchar *s = \"fork\";\nfork();\n";

    assert_int_equal(course_vet_find(source, strlen(source), "fork"), 3);
    assert_int_equal(course_vet_find(source, strlen(source), "exec"), 0);
}

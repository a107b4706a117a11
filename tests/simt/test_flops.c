/* Are operations counted and given to the right block? On assembly as GCC
   writes it, for x86-64 and AArch64. */
#define _GNU_SOURCE

#include "../testing.h"
#include "../scratch.h"
#include "simt/tables/tables.h"

#include <stdlib.h>
#include <string.h>

struct example {
    const char *instruction;
    int flops;
};

static void compare_examples(const struct example *example, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int got = simt_flops_of(example[i].instruction);

        if (got != example[i].flops)
            fail_msg("%s: %d instead of %d", example[i].instruction, got,
                     example[i].flops);
    }
}

TEST(test_instructions_of_x86)
{
    static const struct example examples[] = {
        {"addss\t%xmm0, %xmm1", 1},
        {"subss\t(%rax), %xmm1", 1},
        {"mulsd\t%xmm0, %xmm1", 1},
        {"divss\t.LC0(%rip), %xmm1", 1},
        {"sqrtsd\t%xmm0, %xmm1\n", 1},
        {"addps\t%xmm0, %xmm1", 4},
        {"mulpd\t%xmm0, %xmm1", 2},
        {"vmulss\t%xmm0, %xmm1, %xmm2", 1},
        {"vaddps\t%xmm0, %xmm1, %xmm2", 4},
        {"vaddps\t(%rdi), %ymm1, %ymm2", 8},
        {"vdivpd\t%zmm0, %zmm1, %zmm2", 8},
        {"haddps\t%xmm0, %xmm1", 4},
        {"addsubpd\t%xmm0, %xmm1", 2},
        {"vfmadd231ss\t%xmm0, %xmm1, %xmm2", 2},
        {"vfnmsub132sd\t%xmm0, %xmm1, %xmm2", 2},
        {"vfmadd213ps\t%ymm0, %ymm1, %ymm2", 16},
        {"vfmaddsub213pd\t%xmm0, %xmm1, %xmm2", 4},
        {"call\tfmaf@PLT", 2},
        {"call\tfma", 2},
        {"callq\tfmaf", 2},
        {"call\t*fmaf@GOTPCREL(%rip)", 2},
        {"jmp\tfmaf@PLT", 2},
        {"call\tsqrtf@PLT", 1},
        {"fmul\t%st(1), %st", 1},
        {"fadds\t12(%rsp)", 1},
        {"fdivrp\t%st, %st(1)", 1},
        {"fisubl\t(%rax)", 1},
        {"faddp", 1},
        {"fsqrt", 1},
    };

    compare_examples(examples, sizeof examples / sizeof *examples);
}

TEST(test_instructions_of_x86_that_do_not_calculate)
{
    static const struct example examples[] = {
        {"minss\t%xmm0, %xmm1", 0},
        {"vmaxps\t%ymm0, %ymm1, %ymm2", 0},
        {"movss\t(%rax), %xmm1", 0},
        {"movaps\t%xmm0, %xmm1", 0},
        {"xorps\t%xmm0, %xmm0", 0},
        {"cvtsi2ssl\t%eax, %xmm0", 0},
        {"cvtss2sd\t%xmm0, %xmm0", 0},
        {"comiss\t%xmm0, %xmm1", 0},
        {"addl\t$1, %eax", 0},
        {"subq\t$24, %rsp", 0},
        {"imull\t%eax, %edx", 0},
        {"unpcklps\t%xmm0, %xmm1", 0},
        {"fldt\t(%rax)", 0},
        {"fstps\t12(%rsp)", 0},
        {"fxch\t%st(1)", 0},
        {"fildl\t(%rsp)", 0},
        {"call\tmy_fmaf", 0},
        {"call\tfmafx@PLT", 0},
        {"call\t*%rax", 0},
        {"je\t.L3", 0},
        {"ret", 0},
        {"ss", 0},
        {"", 0},
        {"call\tcosf@PLT", 0},
        {"paddd\t%xmm0, %xmm1", 0},
        {"pushq\tfmaf@GOTPCREL(%rip)", 0},
    };

    compare_examples(examples, sizeof examples / sizeof *examples);
}

TEST(test_instructions_of_aarch64)
{
    static const struct example examples[] = {
        {"fadd\ts0, s0, s1", 1},
        {"fsub\td0, d0, d1", 1},
        {"fmul\ts0, s1, v2.s[3]", 1},
        {"fdiv\ts10, s0, s1", 1},
        {"fsqrt\td0, d0", 1},
        {"fnmul\ts0, s0, s1", 1},
        {"fadd\tv0.4s, v1.4s, v2.4s", 4},
        {"fmul\tv31.2d, v1.2d, v2.2d", 2},
        {"fsub\tv0.2s, v1.2s, v2.2s", 2},
        {"fmadd\ts0, s1, s2, s3", 2},
        {"fnmsub\td0, d1, d2, d3", 2},
        {"fmla\tv0.4s, v1.4s, v2.s[0]", 8},
        {"fmls\tv0.2d, v1.2d, v2.2d", 4},
        {"fmla\ts0, s1, v2.s[1]", 2},
        {"fmla\tv0.2s, v1.2s, v2.2s", 4},
        {"fabd\ts0, s0, s1", 1},
        {"faddp\tv0.4s, v1.4s, v2.4s", 4},
        {"faddp\ts0, v1.2s", 1},
        {"bl\tfmaf", 2},
        {"b\tfma", 2},
        {"fmov\ts0, s1", 0},
        {"fneg\ts0, s1", 0},
        {"fmax\ts0, s1, s2", 0},
        {"fcmpe\ts0, s1", 0},
        {"scvtf\ts0, w1", 0},
        {"subs\tw0, w1, #1", 0},
        {"add\tx0, x0, :lo12:.LC0", 0},
        {"madd\tw0, w1, w2, w3", 0},
        {"bl\tsimt_barrier", 0},
        {"b\t.L2", 0},
        {"fadd\tsum", 0},
    };

    compare_examples(examples, sizeof examples / sizeof *examples);
}

/* --- blocks --------------------------------------------------------------- */

#define TRACE "\tcall\t__sanitizer_cov_trace_pc@PLT\n"
#define BEGIN                      \
    "\t.text\n"                    \
    "\t.type\tkernel, @function\n" \
    "kernel:\n"                    \
    ".LFB1:\n"
#define END "\tret\n\t.size\tkernel, .-kernel\n"

/* Adds the table to the text. The result is kept as written() keeps it. */
static char *with_table(const char *text, int status)
{
    FILE *from = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    char why[200] = "";

    assert_non_null(from);
    assert_int_equal(simt_tables_add(from, writing(), 0, why, sizeof why),
                     status);
    assert_true(status == 0 || why[0] != '\0');
    fclose(from);
    return written();
}

/* Compares the entries: "1:3 2:1 " is three operations in the first block and
   one in the second. */
static void expect_table(const char *text, const char *want)
{
    char *result = with_table(text, 0);
    char got[200] = "";

    for (const char *at = result;
         (at = strstr(at, ".long .Lsimt_block")) != NULL; at++) {
        const char *flops = strstr(strstr(at + 1, ".long") + 1, ".long");

        snprintf(got + strlen(got), sizeof got - strlen(got), "%d:%d ",
                 atoi(at + 18), atoi(flops + 5));
    }
    if (strcmp(got, want) != 0)
        fail_msg("'%s' instead of '%s' in\n%s", got, want, result);
}

TEST(test_text_is_kept_and_labels_are_added)
{
    char *result = with_table(BEGIN TRACE "\taddss\t%xmm0, %xmm1\n" END, 0);

    assert_string_equal(result, BEGIN TRACE
                        ".Lsimt_block1:\n"
                        ".Lsimt_code1:\n"
                        "\taddss\t%xmm0, %xmm1\n"
                        "\tret\n"
                        "\t.pushsection simt_blocks,\"a\",@progbits\n"
                        "\t.p2align 2\n"
                        "\t.long .Lsimt_block1 - .\n"
                        "\t.long .Lsimt_code1 - .\n"
                        "\t.long 1\n"
                        "\t.popsection\n"
                        ".Lsimt_line1:\n"
                        "\t.size\tkernel, .-kernel\n");
}

TEST(test_what_stands_before_the_call_belongs_to_its_block)
{
    expect_table(BEGIN "\tmulss\t%xmm0, %xmm1\n" TRACE END, "1:1 ");
    expect_table(BEGIN TRACE "\taddss\t%xmm0, %xmm1\n"
                             "\tjle\t.L3\n"
                             "\tmulps\t%xmm0, %xmm1\n" TRACE ".L3:\n"
                             "\tdivsd\t%xmm0, %xmm1\n"
                             "\tcall\tcosf@PLT\n" TRACE
                             "\tdivsd\t%xmm0, %xmm1\n" END,
                 "1:1 2:4 3:1 3:1 ");
}

TEST(test_a_block_without_a_call_belongs_to_the_one_before)
{
    expect_table(BEGIN TRACE "\tjle\t.L3\n" TRACE "\tjmp\t.L4\n"
                             ".L3:\n"
                             "\taddss\t%xmm0, %xmm1\n"
                             "\tjmp\t.L5\n"
                             ".L4:\n" TRACE "\tmulps\t%xmm0, %xmm1\n"
                             ".L5:\n"
                             "\taddpd\t%xmm0, %xmm1\n" END,
                 "2:1 3:4 3:2 ");
}

TEST(test_labels_of_the_debugger_begin_no_block)
{
    expect_table(BEGIN TRACE ".LBB2:\n"
                             "\taddss\t%xmm0, %xmm1\n"
                             ".LVL3:\n"
                             "\tmulps\t%xmm0, %xmm1\n" TRACE END,
                 "1:1 1:4 ");
}

TEST(test_neighbours_on_one_line_are_one_entry)
{
    expect_table(BEGIN TRACE "\t.loc 1 20 5 view .LVU3\n"
                             "\taddss\t%xmm0, %xmm1\n"
                             "\tmovss\t%xmm0, %xmm1\n"
                             "\taddss\t%xmm0, %xmm1\n"
                             "\t.loc 1 21 5 is_stmt 0 view .LVU3\n"
                             "\tcall\tfmaf@PLT\n" END,
                 "1:2 1:2 ");
}

TEST(test_functions_do_not_mix)
{
    expect_table(BEGIN TRACE END "\t.type\thost, @function\n"
                                 "host:\n"
                                 "\taddss\t%xmm0, %xmm1\n"
                                 "\tret\n"
                                 "\t.size\thost, .-host\n"
                                 "\t.type\tlast, @function\n"
                                 "last:\n"
                                 "\tmulps\t%xmm0, %xmm1\n" TRACE "\tjmp\tfmaf\n"
                                 "\t.size\tlast, .-last\n",
                 "2:4 2:2 ");
}

TEST(test_a_function_may_end_without_a_jump)
{
    expect_table(BEGIN TRACE "\tjle\t.L3\n"
                             "\taddss\t%xmm0, %xmm1\n"
                             "\tcall\tabort@PLT\n"
                             "\t.size\tkernel, .-kernel\n",
                 "1:1 ");
}

TEST(test_two_calls_may_follow_each_other)
{
    expect_table(BEGIN "\tmulss\t%xmm0, %xmm1\n" TRACE TRACE END, "1:1 ");
}

TEST(test_data_is_no_function)
{
    expect_table(BEGIN TRACE END "\t.data\n"
                                 "untyped:\n"
                                 "\t.long\t1\n"
                                 "\t.type\ttyped, @object\n"
                                 "typed:\n"
                                 "\t.long\t1\n",
                 "");
}

TEST(test_a_jump_table_ends_no_function)
{
    expect_table(BEGIN TRACE "\tnotrack jmp\t*%rax\n"
                             "\t.section\t.rodata\n"
                             ".L4:\n"
                             "\t.long\t.L3-.L4\n"
                             "\t.text\n"
                             ".L3:\n"
                             "\taddss\t%xmm0, %xmm1\n" TRACE END,
                 "2:1 ");
}

TEST(test_a_large_unsigned_number_is_converted_for_nothing)
{
    expect_table(BEGIN TRACE "\tjs\t.L3\n"
                             ".L3:\n"
                             "\tcvtsi2ssq\t%rax, %xmm0\n"
                             "\taddss\t%xmm0, %xmm0\n"
                             "\taddss\t%xmm0, %xmm0\n" TRACE
                             "\tcvtsi2ssq\t%rax, %xmm0\n"
                             "\taddss\t%xmm0, %xmm0\n"
                             ".L4:\n"
                             "\tcvtsi2sdq\t%rax, %xmm0\n"
                             "\taddsd\t%xmm0, %xmm1\n" END,
                 "2:1 2:1 2:1 ");
}

/* How often the words are in the text. */
static int count_words(const char *text, const char *words)
{
    int found = 0;

    while ((text = strstr(text, words)) != NULL) {
        text++;
        found++;
    }
    return found;
}

TEST(test_a_template_has_its_table_in_its_group)
{
    char *result = with_table(
        "\t.section\t.text._Z1fIiEvv,\"axG\",@progbits,_Z1fIiEvv,comdat\n"
        "\t.weak\t_Z1fIiEvv\n"
        "\t.type\t_Z1fIiEvv, @function\n"
        "_Z1fIiEvv:\n" TRACE "\taddss\t%xmm0, %xmm1\n"
        "\t.section\t.rodata._Z1fIiEvv,\"aG\",@progbits,other,comdat\n"
        "\t.section\t.text._Z1fIiEvv\n"
        "\t.size\t_Z1fIiEvv, .-_Z1fIiEvv\n" BEGIN TRACE
        "\taddss\t%xmm0, %xmm1\n" END "\t.section\t.mixed,\"axM\",@progbits,8\n"
        "\t.type\tg, @function\n"
        "g:\n" TRACE "\taddss\t%xmm0, %xmm1\n"
        "\t.size\tg, .-g\n",
        0);

    assert_int_equal(
        count_words(
            result,
            "\t.pushsection simt_blocks,\"aG\",@progbits,_Z1fIiEvv,comdat\n"),
        1);
    assert_int_equal(
        count_words(result, "\t.pushsection simt_blocks,\"a\",@progbits\n"), 2);
}

TEST(test_assembly_of_aarch64)
{
    expect_table("\t.text\n"
                 "\t.type\tkernel, %function\n"
                 "kernel:\n"
                 "\tbl\t__sanitizer_cov_trace_pc\n"
                 "\tfmul\ts0, s0, s1\n"
                 "\tb.le\t.L2\n"
                 "\tfmadd\ts0, s1, s2, s3\n"
                 "\tbl\t__sanitizer_cov_trace_pc\n"
                 "\tcbnz\tw0, .L2\n"
                 "\tfadd\tv0.4s, v1.4s, v2.4s\n"
                 "\tbl\t__sanitizer_cov_trace_pc\n"
                 "\tcbz\tx0, .L2\n"
                 "\tfsub\td0, d1, d2\n"
                 "\tbl\t__sanitizer_cov_trace_pc\n"
                 "\ttbnz\tx0, 3, .L2\n"
                 "\tfmul\tv0.2d, v1.2d, v2.2d\n"
                 "\tbl\t__sanitizer_cov_trace_pc\n"
                 "\tret\n"
                 "\tb\tfmaf\n"
                 "\t.size\tkernel, .-kernel\n",
                 "1:1 2:2 3:4 4:1 5:2 5:2 ");
}

TEST(test_half_a_function_is_an_error)
{
    with_table(BEGIN TRACE "\taddss\t%xmm0, %xmm1\n", -1);
}

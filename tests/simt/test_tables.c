/* Are lines, shapes and names of parameters those that the compiler told of? On
   assembly as g++ writes it, for x86-64 and AArch64; test_lines.c asks what
   comes of it in a program, test_flops.c what is told of basic blocks. */
#define _GNU_SOURCE

#include "../testing.h"
#include "../scratch.h"
#include "assembly.h"
#include "simt/tables/tables.h"

#include <stdlib.h>
#include <string.h>

/* Adds the tables to the text; `wrong` is what is wrong with it. The result is
   kept as written() keeps it. */
static char *with_tables(const char *text, int options, const char *wrong)
{
    FILE *from = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    char why[200] = "";

    assert_non_null(from);
    assert_int_equal(simt_tables_add(from, writing(), options, why, sizeof why),
                     *wrong ? -1 : 0);
    assert_string_equal(why, wrong);
    fclose(from);
    return written();
}

static void expect_part(const char *text, const char *part, int is_there)
{
    if ((strstr(text, part) != NULL) != is_there)
        fail_msg("%s:\n%s\nin\n%s", is_there ? "missing" : "too much", part,
                 text);
}

#define NAME(label, text)                         \
    "\t.pushsection simt_names,\"a\",@progbits\n" \
    ".Lsimt_" label ":\n\t.string \"" text "\"\n" \
    "\t.popsection\n"
#define ENTRY(place, file, line)        \
    "\t.long " place " - .\n"           \
    "\t.long .Lsimt_file" file " - .\n" \
    "\t.long " line "\n"
#define NOTHING(place) "\t.long " place " - .\n\t.long 0\n\t.long 0\n"

/* The code of both calls is a header's, and told to be where the calls stand:
   in the innermost function that is none. */
TEST(test_lines_of_a_header_are_those_of_the_call)
{
    char *result = with_tables(ASSEMBLY_OF_X86, 0, "");

    expect_part(
        result,
        "\t.pushsection simt_lines,\"a\",@progbits\n\t.p2align 2\n" NAME(
            "file1", "k \\0421\\042.cu") ENTRY(".Lsimt_line1", "1", "4")
            ENTRY(".Lsimt_line2", "1", "5"),
        1);
    expect_part(result,
                ENTRY(".LBE7", "2", "9") ENTRY(".Lsimt_line3", "1", "6")
                    ENTRY(".LBE8", "2", "9"),
                1);
}

/* .Lsimt_line6 is that of code that was moved into another section. */
TEST(test_lines_end_with_their_section)
{
    char *result = with_tables(ASSEMBLY_OF_X86, 0, "");

    expect_part(result,
                ".Lsimt_line5:\n"
                "\t.section\t.text.unlikely\n"
                ".Lsimt_line6:\n"
                ".LCOLDB1:\n"
                "\tcall\tabort\n"
                ".Lsimt_line7:\n"
                "\t.text\n"
                ".Lsimt_line8:\n"
                "\tret\n"
                ".Lsimt_line9:\n"
                "\t.size\tkernel, .-kernel\n",
                1);
    expect_part(result,
                NOTHING(".Lsimt_line5") ENTRY(".Lsimt_line6", "2", "9")
                    NOTHING(".Lsimt_line7") ENTRY(".Lsimt_line8", "2", "9")
                        NOTHING(".Lsimt_line9") "\t.popsection\n",
                1);
}

TEST(test_static_variables_have_a_shape)
{
    char *result = with_tables(ASSEMBLY_OF_X86, 0, "");

    expect_part(
        result,
        NAME("name3", "As") "\t.pushsection simt_shapes,\"a\",@progbits\n"
                            "\t.p2align 3\n"
                            "\t.long .Lsimt_name3 - .\n"
                            "\t.long 2\n"
                            "\t.long 16\n"
                            "\t.long 17\n"
                            "\t.long 1\n"
                            "\t.long 4\n"
                            "\t.quad 1088\n"
                            "\t.popsection\n",
        1);
    expect_part(result, "automatic", 0);
}

TEST(test_parameters_are_numbered)
{
    char *result = with_tables(ASSEMBLY_OF_X86, 0, "");

    expect_part(result,
                NAME("name1", "kernel")
                    NAME("name2", "sum") "\t.pushsection simt_parameters,\"a\","
                                         "@progbits\n"
                                         "\t.p2align 2\n"
                                         "\t.long .Lsimt_name1 - .\n"
                                         "\t.long .Lsimt_name2 - .\n"
                                         "\t.long 1\n"
                                         "\t.long 4\n"
                                         "\t.popsection\n",
                1);
}

TEST(test_debug_information_goes_or_stays)
{
    char *result = with_tables(ASSEMBLY_OF_X86, 0, "");

    expect_part(result, "debug", 0);
    expect_part(result, ".loc", 0);
    expect_part(result, "DW_", 0);
    expect_part(result, "BLOCK", 0);
    expect_part(result, "\t.file\t\"k.cpp\"\n\t.text\n", 1);
    expect_part(result, "\t.hidden\t__dso_handle\n", 1);
    result = with_tables(ASSEMBLY_OF_X86, 1, "");
    expect_part(result, "\t.section\t.debug_info,\"\",@progbits\n", 1);
    expect_part(result, "\t.loc 2 9 1 view .LVU4\n", 1);
    expect_part(result, ENTRY(".Lsimt_line2", "1", "5"), 1);
}

TEST(test_a_template_of_aarch64_has_tables)
{
    char *result = with_tables(ASSEMBLY_OF_ARM, 0, "");

    expect_part(result,
                "\t.pushsection simt_lines,\"aG\",@progbits,_Z1fIiE,comdat\n"
                "\t.p2align 2\n" NAME("file1", "k.cu")
                    ENTRY(".Lsimt_line1", "1", "4") NOTHING(".Lsimt_line2"),
                1);
    expect_part(result, NAME("name1", "factor"), 1);
    expect_part(result, "\t.long 4\n\t.quad 4\n", 1);
}

#define OF_INT(offset, name)                                  \
    "\t.uleb128 0x8\t// (DIE (" offset ") DW_TAG_variable)\n" \
    "\t.string\t\"" name "\"\t// DW_AT_name\n"                \
    "\t.4byte\t0x2e\t// DW_AT_type\n"

/* Of a thread-local variable for AArch64 no place is told, nor is it of one
   that is in no place. */
TEST(test_a_symbol_tells_that_a_variable_is_thread_local)
{
    char *result = with_tables(
        "\t.section\t.tbss.a,\"awTG\",@nobits,a,comdat\n"
        "_ZZ1fIiEvPT_E4Tile:\n\t.zero\t4\n"
        "\t.section\t.tbss,\"awT\",@nobits\n"
        ".LANCHOR0:\nAs:\n_ZZ6kernelvE5again_0:\n\t.zero\t4\n"
        "\t.data\nkernel:\n\t.zero\t4\n"
        "\t.section\t.debug_info,\"\",@progbits\n"
        "\t.uleb128 0x1\t// (DIE (0xc) DW_TAG_compile_unit)\n"
        "\t.uleb128 0x2\t// (DIE (0x2e) DW_TAG_base_type)\n"
        "\t.byte\t0x4\t// DW_AT_byte_size\n" OF_INT("0x70", "Tile") OF_INT(
            "0x74", "As") OF_INT("0x78", "again") OF_INT("0x7c", "ile")
            OF_INT("0x80", "s") OF_INT("0x84", "kernel") OF_INT(
                "0x88", "gone") "\t.byte\t0\t// end of children of DIE 0xc\n",
        0, "");

    expect_part(result, NAME("name1", "Tile"), 1);
    expect_part(result, NAME("name2", "As"), 1);
    expect_part(result, NAME("name3", "again"), 1);
    expect_part(result, "name4", 0);
}

/* With one word of the debug information changed the program is the same, and
   nothing is told that it does not say. */
TEST(test_broken_debug_information_is_left_out)
{
    static const struct {
        const char *word, *instead, *missing;
    } cases[] = {
        {"(DIE (0x40)", "(DIE (0x0 )", "simt_shapes"},
        {"DIE 0x40\n", "DIE 0x41\n", "simt_shapes"},
        {".long\t0x2e\t# DW_AT_type", ".long\t0x50\t# DW_AT_type",
         "simt_shapes"}, /* a type that is itself */
        {".byte\t0xf\t# DW_AT_upper_bound",
         ".quad\t0xfffffffff\t# DW_AT_upper_bound", "simt_shapes"},
        {"# DW_AT_byte_size (0x4)", "# DW_AT_byte_size (0x0)", "simt_shapes"},
        {"# DW_AT_byte_size (0x4)", "# DW_AT_byte_size", "simt_shapes"},
        {".quad\t.LBB7", ".quad\t.LBB", "\t.long 5\n"},
        {".byte\t0x1\t# DW_AT_call_file", ".byte\t0x7\t# DW_AT_call_file",
         "\t.long 5\n"},
        {"\t.string\t\"sum\"", "\t.string\t\\sum\\", "simt_parameters"},
    };
    const char *text = ASSEMBLY_OF_X86;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(text, cases[i].word);
        char *changed, *result;

        assert_non_null(at);
        assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text,
                             cases[i].instead, at + strlen(cases[i].word)) > 0);
        result = with_tables(changed, 0, "");
        expect_part(result, cases[i].missing, 0);
        expect_part(result, "\tpushq\t%rbx\n", 1);
        free(changed);
    }
}

TEST(test_a_table_cannot_be_brought_along)
{
    static const char *const own[] = {"simt_lines", "simt_blocks",
                                      "simt_shapes", "simt_parameters",
                                      "simt_names"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char text[100], wrong[100];

        snprintf(text, sizeof text, "\t.section\t%s,\"a\"\n", own[i]);
        snprintf(wrong, sizeof wrong,
                 "the source has a section %s, as a table is called", own[i]);
        with_tables(text, 0, wrong);
    }
    with_tables("\t.section\tsimt_device,\"aw\"\n", 0, "");
}

/* g++ 11 records the device's own functions all the same: simt_kernel.h. */
TEST(test_calls_of_what_is_not_recorded_go)
{
    static const char *const call = "\tcall\t__sanitizer_cov_trace_pc\n";
    static const char *const section[] = {".text.hot,\"ax\",@progbits",
                                          ".text.hot._Z1fv,\"ax\",@progbits",
                                          ".text._Z1fv,\"ax\",@progbits"};

    for (int i = 0; i < 3; i++) {
        char text[200], *result;

        snprintf(text, sizeof text, "\t.section\t%s\n_Z1fv:\n%s\tcall\tg\n",
                 section[i], call);
        result = with_tables(text, 0, "");
        expect_part(result, call, i == 2);
        expect_part(result, "\tcall\tg\n", 1);
    }
}

/* In the fast build lanes are in step at volatile accesses, and the others are
   not told. */
TEST(test_volatile_accesses_alone_are_told)
{
    char *result =
        with_tables("\t.text\n\t.type\tk, @function\nk:\n"
                    "\tcall\t__tsan_read4\n\tcall\t__tsan_volatile_read4\n"
                    "\tcall\t__tsan_volatile_write8\n"
                    "\tcall\t__tsan_write_range\n\tcall\t__tsan_init\n"
                    "\tret\n\t.size\tk, .-k\n",
                    SIMT_TABLES_VOLATILE, "");

    expect_part(result, "init", 0); /* it would say that the program records */
    expect_part(result, "k:\n\tcall\t__tsan_volatile_read4\n", 1);
    expect_part(result, "\tcall\t__tsan_volatile_write8\n", 1);
    expect_part(result, "range", 0);
}

#define FUNCTION(name, code)                               \
    "\t.type\t" name ", @function\n" name ":\n" code       \
    "\tcall\t__tsan_read4 # " name "\n"                    \
    "\tcall\t__sanitizer_cov_trace_pc # " name "\n\tret\n" \
    "\t.size\t" name ", .-" name "\n"

/* main() calls print(), which has another name that nobody uses, and launches
   thread(), which calls both(); print() does so too. table has the address of
   compare(). */
TEST(test_what_the_host_alone_runs_is_not_recorded)
{
    static const struct {
        const char *name;
        int is_recorded;
    } function[] = {{"main", 0}, {"print", 0},   {"thread", 1},
                    {"both", 1}, {"compare", 1}, {"deep", 1}};
    static const char text[] = "\t.text\n" FUNCTION(
        "main", "\tleaq\tthread(%rip), %rdi\n"
                "\tcall\tstart@PLT\n"
                "\tcall\t__tsan_atomic32_load\n"
                "\tjmp\tprint\n")
        FUNCTION("print", "\tcall\tboth\n\t.set\tother,print\n") FUNCTION(
            "thread", "\tjne\tboth\n") FUNCTION("both", "")
            FUNCTION("compare", "\tcall\tdeep\n") FUNCTION(
                "deep",
                "") "\t.section\t.init_array,\"aw\"\n\t.quad\tmain\n"
                    "\t.section\t.rodata\ntable:\n\t.quad\tcompare\n"
                    "\t.section\t.debug_aranges,\"\",@progbits\n\t.quad\tprint\n";

    for (int is_whole = 0; is_whole < 2; is_whole++) {
        char *result = with_tables(
            text, SIMT_TABLES_DEBUG | (is_whole ? SIMT_TABLES_WHOLE : 0), "");

        for (size_t i = 0; i < sizeof function / sizeof function[0]; i++) {
            const int is_there = function[i].is_recorded || !is_whole;
            char call[80];

            snprintf(call, sizeof call, "\tcall\t__tsan_read4 # %s\n",
                     function[i].name);
            expect_part(result, call, is_there);
            snprintf(call, sizeof call, "cov_trace_pc # %s\n",
                     function[i].name);
            expect_part(result, call, is_there);
        }
        expect_part(result, "\tcall\t__tsan_atomic32_load\n", 1);
        expect_part(result, "\tjmp\tprint\n", 1);
    }
}

/* The table names the call before a store of a constant, unless something else
   is stored in between or the constant goes to the stack. */
TEST(test_stores_of_constants_are_told)
{
    static const struct {
        const char *behind;
        int is_constant;
    } cases[] = {
        {"\tmovl\t$0, (%rbx)\n", 1},
        {"\txorl\t%edi, %edi\n\tmovb\t$1, %fs:s@tpoff\n", 1},
        {"\tmovq\t8(%rsp), %rax\n\tmovq\t$-1, 16(%rax,%rcx,4)\n", 1},
        {"\tstr\twzr, [x19]\n", 1},
        {"\tmov\tw0, 1\n\tstr\tw0, [x19]\n", 1},
        {"\tfmov\ts0, 1.0e+0\n\tstr\ts0, [x19]\n", 1},
        {"\tmov\tw0, 5\n\tmovk\tw0, 0x7, lsl 16\n\tstr\tw0, [x19]\n", 1},
        {"\tmovl\t%eax, (%rbx)\n\tmovl\t$0, (%rbx)\n", 0},
        {"\taddl\t$1, (%rbx)\n\tmovl\t$0, (%rbx)\n", 0},
        {"\tmovl\t$0, 8(%rsp)\n\tmovl\t%eax, (%rbx)\n", 0},
        {"\tcall\tf\n\tmovl\t$0, (%rbx)\n", 0},
        {".L3:\n\tmovl\t$0, (%rbx)\n", 0},
        {"\tstr\tw0, [x19]\n", 0},
        {"\tmov\tw3, 1\n\tmov\tw0, 5\n\tstrb\tw3, [x19, 1288]\n", 1},
        {"\tmov\tw0, 1\n\tldr\tx0, [x19]\n\tstr\tw0, [x1]\n", 0},
        {"\tmov\tw0, 1\n\tstr\tw1, [x1]\n\tstr\tw0, [x19]\n", 0},
        {"\tmov\tw0, 1\n\tcbz\tw1, .L2\n\tstr\tw0, [x19]\n", 0},
        {"\tmov\tw1, 1\n\tstr\tw0, [x19]\n", 0},
        {"\tmov\tw0, w1\n\tstr\tw0, [x19]\n", 0},
        {"\tmov\tw0, 1\n\tstr\tw0, [sp, 8]\n", 0},
        {"\tstr\twzr, [sp, 8]\n", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400], *result;

        snprintf(text, sizeof text,
                 "\t.text\n\t.type\tk, @function\nk:\n\tcall\t__tsan_write4\n"
                 "%s\tret\n\t.size\tk, .-k\n",
                 cases[i].behind);
        result = with_tables(text, 0, "");
        expect_part(result, "\tcall\t__tsan_write4\n.Lsimt_constant1:\n", 1);
        expect_part(result, "\t.long .Lsimt_constant1 - .\n",
                    cases[i].is_constant);
    }
}

TEST(test_half_a_line_is_an_error)
{
    with_tables("\t.text\n\t.da", 0,
                "what g++ has written ends within a line: is the disk full, "
                "or has another make the same folder? If not, run make again");
}

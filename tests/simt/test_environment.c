/* Does a program with a main of its own tell at its end what its kernels did,
   if SIMT_REPORT asks for it? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <string.h>

/* Adds 1000 numbers, rightly. */
#define CLEAN "build/cpu/programs/vector_add-analyse"
/* Reads shared memory before it is written, and ends with 0 all the same. */
#define UNCLEAN "build/cpu/programs/shared_memory-analyse"

TEST(test_without_the_variable_nothing_is_added)
{
    struct command run = command_run(CLEAN);

    command_ends(&run, 0);
    assert_string_equal(run.text, "1000 of 1000 right: no error\n");
    command_free(&run);
}

TEST(test_a_table_goes_to_stderr_behind_what_the_program_said)
{
    struct command run = command_run("SIMT_REPORT=table " CLEAN);
    struct command out =
        command_run("(SIMT_REPORT=table " CLEAN " 2>/dev/null)");

    command_ends(&run, 0);
    assert_ptr_equal(strstr(run.text, "1000 of 1000"), run.text);
    text_has(run.text,
             SAYS("global   store            32   31.2   3.91 sectors",
                  "  PASS     races in global memory: none in 3,000 acc",
                  "  SKIPPED  barriers that not all threads reach: no "));
    assert_string_equal(out.text, "1000 of 1000 right: no error\n");
    command_free(&run);
    command_free(&out);
}

TEST(test_lines_show_the_source_and_its_operations)
{
    RUN_GIVES(0,
              SAYS("  vector_add.cu:11  c[i] = a[i] + b[i];\n    load ",
                   "1,000  FLOPs\n", "  sectors at best  "),
              "SIMT_REPORT=lines " CLEAN);
}

TEST(test_a_file_is_written_as_csv_or_json)
{
    RUN_GIVES(0, SAYS("1000 of 1000 right: no error\n"),
              "SIMT_REPORT=/tmp/simt_report.csv " CLEAN
              " && grep -c ^access,add, /tmp/simt_report.csv; "
              "rm /tmp/simt_report.csv");
    RUN_GIVES(0, SAYS("\"kernel\": \"add\"", "\"line\": 11,"),
              "SIMT_REPORT=/tmp/simt_report.json " CLEAN
              " && cat /tmp/simt_report.json; "
              "rm /tmp/simt_report.json");
}

TEST(test_a_program_with_mistakes_ends_with_1)
{
    struct command plain = command_run(UNCLEAN);
    struct command run = command_run("SIMT_REPORT=table " UNCLEAN);

    command_ends(&plain, 0);
    command_ends(&run, 1);
    command_says(&run, "nobody wrote"); /* told as it is found */
    text_has(run.text, SAYS("  FAIL     reads of unwritten shared memory: ",
                            "FAIL: ", "in kernels, told above\n"));
    command_free(&plain);
    command_free(&run);
}

TEST(test_counting_ends_when_its_time_is_over)
{
    RUN_GIVES(0,
              SAYS("counted for 1 s, and no further: up to block ",
                   "of a launch of fill (make run LIMIT=0 counts all)",
                   "  PASS     races in global memory: none in "),
              "SIMT_SECONDS=1 SIMT_REPORT=table timeout 60 "
              "build/cpu/programs/many_launches-analyse");
}

/* A pointer within a structure is told by the place where it lies there. */
TEST(test_arrays_behind_structures_have_names)
{
    RUN_GIVES(ANY_CODE,
              SAYS("  in_front_o+8 global   load ",
                   "  to+8         global   store",
                   "  f+8          global   load "),
              "SIMT_REPORT=table build/cpu/programs/arguments-analyse");
}

/* The program's own exit code says more. */
TEST(test_a_failed_program_keeps_its_exit_code)
{
    RUN_GIVES(3,
              SAYS("  FAIL     reads of unwritten global memory: 1 found",
                   "FAIL: 1 mistake in kernels, told above\n"),
              "SIMT_REPORT=table build/cpu/programs/ends_with_3-analyse");
}

TEST(test_a_wrong_value_and_a_wrong_place_are_told)
{
    struct command value = command_run("SIMT_REPORT=yes " CLEAN);
    struct command place = command_run("SIMT_REPORT=/no/such/x.csv " CLEAN);

    command_ends(&value, 2);
    assert_string_equal(value.text, "SIMT_REPORT is 'yes': use table, lines, "
                                    "NAME.csv or NAME.json\n");
    command_ends(&place, 1);
    command_says(&place, "SIMT_REPORT: /no/such/x.csv: cannot be written");
    command_free(&value);
    RUN_GIVES(2, SAYS("SIMT_SECONDS (LIMIT=) is 'soon': use a number"),
              "SIMT_SECONDS=soon SIMT_REPORT=table " CLEAN);
    command_free(&place);
}

/* A GPU would not have come to the store. */
TEST(test_what_comes_after_the_end_of_a_kernel_is_not_told)
{
    RUN_GIVES(ANY_CODE,
              SAYS("reads element 65 of in, which has 65", "ends there",
                   NOT "element 64 of out", "FAIL: 1 mistake in kernels"),
              "SIMT_REPORT=table build/cpu/programs/just_past_the_end-analyse");
}

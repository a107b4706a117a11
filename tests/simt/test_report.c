/* Do the reports say what was counted, within 80 columns, and does no check
   that saw nothing pass? All counts are made up. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "../scratch.h"
#include "base/wrap.h"
#include "simt/report.h"

#define SOURCE "/tmp/test_report.cu"

static const struct simt_row rows[] = {
    {.kernel = "tile",
     .array = "A",
     .file = SOURCE,
     .line = 2,
     .space = SIMT_GLOBAL,
     .kind = SIMT_LOAD,
     .size = 4,
     .requests = 100,
     .lanes = 3200,
     .bytes = 12800,
     .sectors = 400,
     .sectors_ideal = 400},
    {.kernel = "tile",
     .array = "A",
     .file = SOURCE,
     .line = 4,
     .space = SIMT_GLOBAL,
     .kind = SIMT_LOAD,
     .size = 4,
     .requests = 100,
     .lanes = 1600,
     .bytes = 6400,
     .sectors = 1600,
     .sectors_ideal = 200},
    {.kernel = "tile",
     .array = "As",
     .file = SOURCE,
     .line = 2,
     .space = SIMT_SHARED,
     .kind = SIMT_STORE,
     .size = 4,
     .requests = 1234567,
     .lanes = 39506144,
     .wavefronts = 9876536,
     .wavefronts_ideal = 1234567},
};
static const struct simt_flops flops[] = {{"tile", SOURCE, 4, 38400}};
static const struct simt_kernel kernels[] = {{.kernel = "tile",
                                              .launches = 2,
                                              .threads = 512,
                                              .barriers = 1024,
                                              .backward_jumps = 5000,
                                              .flops = 38400}};
static const struct simt_launch_count launches[] = {
    {.kernel = "tile",
     .file = SOURCE,
     .line = 9,
     .grid = {2, 1, 1},
     .block = {16, 8, 2},
     .barriers = 512,
     .requests = {{100, 0, 0}, {0, 617283, 0}, {0, 0, 0}},
     .sectors_or_wavefronts = {{1000, 0, 0}, {0, 4938268, 0}, {0, 0, 0}}}};
static const struct simt_count count = {.row = rows,
                                        .rows = 3,
                                        .flops = flops,
                                        .flops_lines = 1,
                                        .kernel = kernels,
                                        .kernels = 1,
                                        .launch = launches,
                                        .launches = 1};

static char *text;
static FILE *file;

FIXTURE(set_up)
{
    file = writing();
    return 0;
}

/* Ends the writing. No line may be wider than a screen. */
static void end_report(void)
{
    text = written();
    for (const char *line = text; *line != '\0';) {
        const size_t columns = strcspn(line, "\n");

        if (columns > BASE_WIDTH)
            fail_msg("%zu columns: %.*s", columns, (int)columns, line);
        line += columns;
        line += *line == '\n';
    }
}

static void expect_words(const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in:\n%s", words, text);
}

EACH_TEST(set_up, NULL);

TEST(test_numbers_are_grouped)
{
    char group[SIMT_GROUPED];

    assert_string_equal(simt_group(group, 0), "0");
    assert_string_equal(simt_group(group, 999), "999");
    assert_string_equal(simt_group(group, 1000), "1,000");
    assert_string_equal(simt_group(group, 1966080), "1,966,080");
    assert_string_equal(simt_group(group, UINT64_MAX),
                        "18,446,744,073,709,551,615");
    text = written();
}

/* Two lines load A; the table by array shows one row. */
TEST(test_lines_are_added_up_by_array)
{
    simt_report_arrays(file, &count);
    end_report();
    expect_words(
        "  A            global   load            200   24.0  10.00 sectors"
        "        3.00\n");
    expect_words(
        "  As           shared   store     1,234,567   32.0   8.00 wavefronts"
        "     1.00\n");
}

TEST(test_a_kernel_is_named_where_there_are_two)
{
    const struct simt_kernel two[] = {{.kernel = "tile"}, {.kernel = "scan"}};
    struct simt_count both = count;

    both.kernel = two;
    both.kernels = 2;
    simt_report_arrays(file, &both);
    end_report();
    expect_words("in tile:");
    expect_words("  in scan:\n  no access; ");
}

TEST(test_a_kernel_has_its_barriers_by_thread)
{
    simt_report_kernels(file, &count);
    simt_report_launches(file, &count);
    end_report();
    expect_words(
        "tile                      2         2          5,000          38,400"
        "     2.000\n");
    expect_words("2            16 x 8 x 2          1,000     4,938,268\n");
    expect_words("and 1 more"); /* two were made, one was kept */
}

static void write_source(const char *source)
{
    FILE *to = fopen(SOURCE, "w");

    assert_non_null(to);
    fputs(source, to);
    fclose(to);
}

TEST(test_each_line_stands_over_its_accesses)
{
    write_source("first\n\t  As[ty][tx] = A[i];\r\nthird\n    sum += A[j];\n");
    simt_report_lines(file, &count);
    end_report();
    expect_words(
        "  test_report.cu:2  As[ty][tx] = A[i];\n    load    4 B global   A ");
    expect_words("    store   4 B shared   As       ");
    expect_words(
        "  test_report.cu:4  sum += A[j];\n    load    4 B global   A       "
        "           100   16.0  16.00 sectors     2.00\n    calculates ");
    expect_words("38,400  FLOPs\n");
    unlink(SOURCE);
}

TEST(test_a_source_that_is_gone_leaves_the_numbers)
{
    struct simt_row unknown = rows[0];
    struct simt_count one = {.row = &unknown, .rows = 1};

    unlink(SOURCE);
    simt_report_lines(file, &count);
    unknown.file = "";
    unknown.line = 0;
    simt_report_lines(file, &one);
    end_report();
    expect_words("  test_report.cu:2\n");
    expect_words("(no line is known)");
}

TEST(test_a_long_line_is_cut_between_characters)
{
    char line[24];

    /* The e with an accent is two bytes, and the cut falls between them. */
    write_source("abcdefghijklmnopqrs\xc3\xa9tuvwxyz\nshort\n");
    simt_source_line(line, sizeof line, SOURCE, 1);
    assert_string_equal(line, "abcdefghijklmnopqrs...");
    simt_source_line(line, sizeof line, SOURCE, 2);
    assert_string_equal(line, "short");
    simt_source_line(line, sizeof line, SOURCE, 3);
    assert_string_equal(line, "");
    unlink(SOURCE);
    text = written();
}

/* The largest numbers and longest names that a report may meet. */
TEST(test_large_numbers_and_long_names_fit)
{
    static const char name[] =
        "a_kernel_with_a_long_name_in_a_namespace<float, 256, true, nothing>";
    struct simt_row row = rows[1];
    struct simt_kernel kernel = kernels[0];
    struct simt_launch_count launch = launches[0];
    const struct simt_count large = {.row = &row,
                                     .rows = 1,
                                     .kernel = &kernel,
                                     .kernels = 1,
                                     .launch = &launch,
                                     .launches = 1};

    row.kernel = kernel.kernel = launch.kernel = name;
    row.array = "an_array_with_a_long_name";
    row.kind = SIMT_ATOMIC;
    row.size = 16;
    row.requests = 999999999;
    row.lanes = row.sectors = row.sectors_ideal = 32 * row.requests;
    kernel.flops = kernel.backward_jumps = 99999999999;
    kernel.barriers = 12345678;
    launch.grid[0] = launch.grid[1] = 65535;
    launch.sectors_or_wavefronts[0][0] = launch.sectors_or_wavefronts[1][0] =
        9999999999;
    simt_report_arrays(file, &large);
    simt_report_lines(file, &large);
    simt_report_kernels(file, &large);
    simt_report_launches(file, &large);
    simt_metrics_explain(file);
    simt_metrics_brief(file);
    end_report();
}

TEST(test_every_metric_is_explained)
{
    assert_true(simt_metrics >= 10);
    simt_metrics_explain(file);
    end_report();
    for (size_t i = 0; i < simt_metrics; i++) {
        expect_words(simt_metric[i].name);
        assert_true(strlen(simt_metric[i].means) > 10);
    }
    expect_words("ncu: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\n");
    expect_words("ncu: memory_l1_wavefronts_shared_ideal\n");
}

/* --- checks --------------------------------------------------------------- */

static const struct simt_finding race = {.check = SIMT_RACE_SHARED,
                                         .kernel = "tile",
                                         .array = "As",
                                         .file = "t.cu",
                                         .other_file = "t.cu",
                                         .line = 2,
                                         .other_line = 4,
                                         .count = 7,
                                         .text = "race in shared memory: As\n"};

/* What a device sees that sees everything in `count`. */
static struct simt_findings all_seen(void)
{
    struct simt_findings findings = {0};

    for (int i = 0; i < SIMT_CHECKS; i++)
        findings.seen[i] = 6291456;
    return findings;
}

TEST(test_clean_is_said_with_how_much_was_seen)
{
    const struct simt_findings findings = all_seen();
    struct simt_checks checks = {0};

    simt_checks_add(&checks, &count, &findings);
    assert_int_equal(simt_checks_answer(&checks, SIMT_RACE_SHARED), SIMT_CLEAN);
    assert_false(simt_checks_failed(&checks));
    simt_report_checks(file, &checks);
    end_report();
    expect_words(
        "  PASS     races in shared memory: none in 6,291,456 accesses\n");
    expect_words(
        "  PASS     barriers that not all threads reach: none in 6,291,456 "
        "barriers\n");
}

/* Each check in turn goes blind. */
TEST(test_a_check_that_saw_nothing_fails)
{
    text = written();
    for (int i = 0; i < SIMT_CHECKS; i++) {
        struct simt_findings findings = all_seen();
        struct simt_checks checks = {0};

        findings.seen[i] = 0;
        if (i == SIMT_UNWRITTEN_SHARED)
            continue; /* nobody loads As here: below */
        simt_checks_add(&checks, &count, &findings);
        assert_int_equal(simt_checks_answer(&checks, (enum simt_check)i),
                         SIMT_BLIND);
        assert_true(simt_checks_failed(&checks));
    }
}

/* Nor may a second run, which sees, hide that the first did not. */
TEST(test_a_check_stays_blind_in_later_runs)
{
    struct simt_findings findings = all_seen();
    struct simt_checks checks = {0};

    findings.seen[SIMT_BOUNDS] = 0;
    simt_checks_add(&checks, &count, &findings);
    findings.seen[SIMT_BOUNDS] = 10;
    simt_checks_add(&checks, &count, &findings);
    assert_true(simt_checks_failed(&checks));
    simt_report_checks(file, &checks);
    end_report();
    expect_words(
        "  FAIL     accesses outside of an array: the check saw no accesses");
}

TEST(test_what_is_not_there_is_skipped_with_the_reason)
{
    const struct simt_count global = {.row = rows, .rows = 2};
    struct simt_findings findings = all_seen();
    struct simt_checks checks = {0};

    findings.seen[SIMT_RACE_SHARED] = findings.seen[SIMT_DIVERGENCE] = 0;
    simt_checks_add(&checks, &global, &findings);
    assert_false(simt_checks_failed(&checks));
    simt_report_checks(file, &checks);
    end_report();
    expect_words(
        "  SKIPPED  races in shared memory: no shared memory is used\n");
    expect_words(
        "  SKIPPED  barriers that not all threads reach: no barrier is "
        "used\n");
    /* The device says it has seen some, but nothing was there to be seen. */
    expect_words(
        "  SKIPPED  reads of unwritten shared memory: no shared memory is "
        "read\n");
}

TEST(test_no_access_at_all_fails)
{
    const struct simt_count none = {0};
    const struct simt_findings findings = {0};
    struct simt_checks checks = {0};

    assert_true(simt_checks_failed(&checks)); /* no run at all */
    simt_checks_add(&checks, &none, &findings);
    assert_true(simt_checks_failed(&checks));
    simt_report_checks(file, &checks);
    end_report();
    expect_words("no access was seen");
}

TEST(test_a_finding_fails_its_check_alone)
{
    struct simt_findings findings = all_seen();
    struct simt_checks checks = {0};

    findings.finding = &race;
    findings.count = 1;
    simt_checks_add(&checks, &count, &findings);
    assert_true(simt_checks_failed(&checks));
    assert_int_equal(simt_checks_answer(&checks, SIMT_RACE_SHARED), SIMT_FOUND);
    assert_int_equal(simt_checks_answer(&checks, SIMT_RACE_GLOBAL), SIMT_CLEAN);
    simt_report_checks(file, &checks);
    end_report();
    expect_words(
        "  FAIL     races in shared memory: 1 found in 6,291,456 accesses\n");
}

/* The kernel has checked itself; where it has not, there is nothing to say. */
TEST(test_a_failed_assertion_fails_the_run)
{
    struct simt_finding assertion = race;
    struct simt_findings findings = all_seen();
    struct simt_checks checks = {0};

    assertion.check = SIMT_ASSERTION;
    findings.finding = &assertion;
    findings.count = 1;
    simt_checks_add(&checks, &count, &findings);
    assert_true(simt_checks_failed(&checks));
    simt_report_checks(file, &checks);
    end_report();
    expect_words("  FAIL     assertions of the kernels: 1 failed\n");
    expect_words("  PASS     races in shared memory: none in ");
}

/* --- files ---------------------------------------------------------------- */

static int commas(const char *line)
{
    int found = 0, in_quotes = 0;

    for (; *line != '\0' && (in_quotes || *line != '\n'); line++) {
        in_quotes ^= *line == '"';
        found += *line == ',' && !in_quotes;
    }
    return found;
}

/* Writes what was counted and found to a file whose name ends so. */
static void write_report(const char *end)
{
    struct simt_findings findings = all_seen();
    struct simt_checks checks = {0};
    const char *const path = scratch("report%s", end);
    char why[200], *content;

    findings.finding = &race;
    findings.count = 1;
    simt_checks_add(&checks, &count, &findings);
    assert_int_equal(
        simt_report_write(path, &count, &checks, &findings, why, sizeof why),
        0);
    content = file_text(path);
    fputs(content, file);
    free(content);
    text = written();
}

TEST(test_csv_has_a_row_for_each_record)
{
    int lines = 0;

    write_report(".csv");
    expect_words(
        "record,kernel,file,array,space,kind,check,answer,other_file,text,"
        "line,size,requests,");
    expect_words("\naccess,tile," SOURCE
                 ",A,global,load,,,,,4,4,100,1600,6400,1600,"
                 "200,,,");
    expect_words("\nflops,tile,");
    expect_words("\nkernel,tile,");
    expect_words("\nlaunch,tile,");
    expect_words(
        "\ncheck,,,,,,race_shared,found,,\"races in shared memory: 1 found");
    expect_words("\nfinding,tile,t.cu,As,,,race_shared,,t.cu,\"race in shared");
    for (const char *line = text; *line != '\0'; lines++) {
        assert_int_equal(commas(line), commas(text));
        line = strstr(line, "\n") + 1;
        if (*line == '"') { /* the second line of the finding's text */
            lines++;
            break;
        }
    }
    assert_int_equal(lines, 1 + 3 + 1 + 1 + 1 + SIMT_CHECKS + 1);
}

TEST(test_json_has_the_agreed_members)
{
    write_report(".json");
    expect_words("{\n  \"lines\": [\n    {\n      \"kernel\": \"tile\",");
    expect_words(
        "\"array\": \"As\",\n      \"space\": \"shared\",\n      \"kind\": "
        "\"store\",");
    expect_words("\"wavefronts\": 9876536,");
    expect_words("\"wavefronts_ideal\": 1234567\n"); /* all its digits */
}

TEST(test_a_file_is_csv_or_json_by_its_name)
{
    const struct simt_findings findings = all_seen();
    struct simt_checks checks = {0};
    char why[200] = "", first[8] = "";
    FILE *back;

    text = written();
    simt_checks_add(&checks, &count, &findings);
    assert_int_equal(simt_report_write("/tmp/test_report.json", &count, &checks,
                                       &findings, why, sizeof why),
                     0);
    back = fopen("/tmp/test_report.json", "r");
    assert_non_null(back);
    assert_non_null(fgets(first, sizeof first, back));
    fclose(back);
    unlink("/tmp/test_report.json");
    assert_string_equal(first, "{\n");
    assert_int_equal(simt_report_write("/tmp/no/such/folder/x.csv", &count,
                                       &checks, &findings, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "/tmp/no/such/folder/x.csv: "));
}

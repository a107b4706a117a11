/* What could go wrong with a result file? */
#define _GNU_SOURCE
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "base/version.h"
#include "harness/results.h"

static char folder[64], path[96];
static char why[300];

FIXTURE(set_up)
{
    snprintf(folder, sizeof folder, "/tmp/test_results.XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/results.csv", folder);
    return 0;
}

/* Also the proof that nothing but the result file was left behind. */
FIXTURE(tear_down)
{
    unlink(path);
    return rmdir(folder);
}

static struct lab_result a_result(void)
{
    struct lab_result r;

    lab_result_clear(&r);
    r.lab = "03_tiling";
    r.variant = "kernel";
    r.device = "cpu";
    r.device_name = "CPU device";
    r.verdict = lab_verdict_word(LAB_PASS);
    r.m = 17;
    r.n = 33;
    r.k = 5;
    return r;
}

static void append(const struct lab_result *r, size_t count)
{
    if (lab_results_write_csv(path, r, count, 0, why, sizeof why) != 0)
        fail_msg("%s", why);
}

/* The whole file; static memory. */
static const char *content(void)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void write_results(const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int lines(const char *text)
{
    int count = 0;

    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

static int commas(const char *line)
{
    int count = 0;

    for (; *line != '\0' && *line != '\n'; line++)
        count += *line == ',';
    return count;
}

EACH_TEST(set_up, tear_down);

/* Plots and the grader read these names. */
TEST(test_the_header_is_the_agreed_one)
{
    const struct lab_result r = a_result();
    static const char header[] =
        "lab,variant,device,device_name,m,n,k,verdict,max_error,tolerance,"
        "kernel_ms,kernel_ms_min,kernel_ms_max,copies_ms,gflops,peak_gflops,"
        "sm_clock_mhz,cublas_gflops,measure_ok,driver,compiler,program,date,"
        "precision,cublas_max_error,course,buffer_sets,"
        "global_load_requests,"
        "global_load_sectors,global_load_sectors_per_request,"
        "global_load_sector_efficiency,global_load_sectors_per_request_A,"
        "global_load_sectors_per_request_B,global_load_sector_efficiency_A,"
        "global_load_sector_efficiency_B,global_loads_per_fma,"
        "global_store_requests,global_store_sectors,shared_load_requests,"
        "shared_load_wavefronts,shared_load_wavefronts_per_request,"
        "shared_load_wavefronts_per_request_As,"
        "shared_load_wavefronts_per_request_Bs,shared_store_requests,"
        "shared_store_wavefronts,shared_store_wavefronts_per_request,"
        "shared_store_wavefronts_per_request_As,"
        "shared_store_wavefronts_per_request_Bs,shared_loads_per_fma,"
        "barriers_per_thread,backward_jumps_per_fma,right_cells,"
        "global_load_lanes_per_request,shared_load_lanes_per_request,"
        "constant_load_requests,constant_load_wavefronts_per_request,"
        "flops,flop_per_byte,global_load_async_share_B,fetch_overlap,"
        "bulk_bytes_per_fma,wgmma_overlap,global_atomics,"
        "shared_load_wavefronts_ideal\n";

    append(&r, 1);
    assert_true(strncmp(content(), header, strlen(header)) == 0);
}

TEST(test_what_was_not_measured_is_empty)
{
    const struct lab_result r = a_result();
    const char *row;

    append(&r, 1);
    row = strchr(content(), '\n') + 1;
    assert_true(strncmp(row, "03_tiling,kernel,cpu,CPU device,17,33,5,PASS,,,",
                        strlen("03_tiling,kernel,cpu,CPU device,17,33,5,"
                               "PASS,,,")) == 0);
    assert_non_null(strstr(row, base_version));
    assert_int_equal(commas(row), commas(content()));
    assert_null(strstr(row, "nan"));
}

/* 0 is a number and not the same as nothing. */
TEST(test_a_zero_is_not_empty)
{
    struct lab_result r = a_result();

    r.measure_ok = 0;
    r.max_error = 0.0;
    r.counter[LAB_COUNTERS - 1] = 0.0;
    append(&r, 1);
    assert_non_null(strstr(content(), "PASS,0,,"));
    assert_non_null(strstr(content(), ",0\n"));
}

TEST(test_an_infinite_error_is_empty)
{
    struct lab_result r = a_result();

    r.max_error = INFINITY;
    append(&r, 1);
    assert_null(strstr(content(), "inf"));
}

TEST(test_numbers_read_back_as_they_were)
{
    struct lab_result r = a_result();
    double error, tolerance;

    r.max_error = 1.0 / 3.0;
    r.tolerance = 0.1;
    append(&r, 1);
    assert_int_equal(
        sscanf(strstr(content(), "PASS,") + 5, "%lf,%lf", &error, &tolerance),
        2);
    assert_true(error == 1.0 / 3.0 && tolerance == 0.1);
    assert_non_null(strstr(content(), ",0.1,")); /* not 0.1000000000000001 */
}

TEST(test_rows_are_appended_below_one_header)
{
    struct lab_result r[2] = {a_result(), a_result()};

    append(r, 1);
    r[1].variant = "by_hand";
    append(r, 2);
    assert_int_equal(lines(content()), 4);
    assert_null(strstr(content() + 4, "lab,variant"));
    assert_non_null(strstr(content(), "by_hand"));
}

TEST(test_commas_and_quotes_in_a_name_are_quoted)
{
    struct lab_result r = a_result();

    r.device_name = "CPU device, 2 cores of \"X\"";
    append(&r, 1);
    assert_non_null(
        strstr(content(), ",cpu,\"CPU device, 2 cores of \"\"X\"\"\",17,"));
}

TEST(test_a_file_with_other_columns_is_refused)
{
    const struct lab_result r = a_result();

    write_results("lab,variant,speed\n03_tiling,kernel,9\n");
    assert_int_equal(lab_results_write_csv(path, &r, 1, 0, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "from another version"));
    assert_string_equal(content(), "lab,variant,speed\n03_tiling,kernel,9\n");
}

/* One column more than ours, and ours are its beginning. */
TEST(test_a_longer_header_is_refused)
{
    const struct lab_result r = a_result();
    char text[4096];

    append(&r, 0);
    snprintf(text, sizeof text, "%s", content());
    text[strlen(text) - 1] = '\0';
    write_results(strcat(text, ",more\n"));
    assert_int_equal(lab_results_write_csv(path, &r, 1, 0, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "from another version"));
}

TEST(test_a_torn_last_line_is_refused)
{
    const struct lab_result r = a_result();
    char text[8192];

    append(&r, 1);
    snprintf(text, sizeof text, "%s", content());
    text[strlen(text) - 5] = '\0';
    write_results(text);
    assert_int_equal(lab_results_write_csv(path, &r, 1, 0, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "last line is not complete"));
    assert_string_equal(content(), text);
}

TEST(test_an_empty_file_gets_the_header)
{
    const struct lab_result r = a_result();

    write_results("");
    append(&r, 1);
    assert_int_equal(lines(content()), 2);
}

TEST(test_a_folder_that_is_not_there_is_an_error)
{
    const struct lab_result r = a_result();

    assert_int_equal(lab_results_write_csv("/tmp/no/such/folder/r.csv", &r, 1,
                                           0, why, sizeof why),
                     -1);
    assert_non_null(
        strstr(why, "/tmp/no/such/folder/r.csv: cannot be written"));
}

TEST(test_a_folder_is_no_file)
{
    const struct lab_result r = a_result();

    assert_int_equal(lab_results_write_csv(folder, &r, 1, 0, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "not a regular file"));
    assert_int_equal(
        lab_results_write_csv("/dev/null", &r, 1, 0, why, sizeof why), -1);
}

/* In /proc nobody may make a file, not even root. */
TEST(test_an_unwritable_folder_is_an_error)
{
    const struct lab_result r = a_result();

    assert_int_equal(
        lab_results_write_csv("/proc/results.csv", &r, 1, 0, why, sizeof why),
        -1);
    assert_non_null(strstr(why, "/proc/results.csv: cannot be written"));
}

static struct lab_result a_timed_result(void)
{
    struct lab_result r = a_result();

    r.kernel_ms = 2.5;
    r.driver = "580.1";
    r.compiler = "nvcc 13.0";
    r.program = "0123";
    r.date = "2026-01-02T03:04:05Z";
    return r;
}

static int known(const struct lab_result *r, int timed)
{
    char date[32] = "";
    const int result = lab_results_known(path, r, timed, date, why, sizeof why);

    if (result == 1)
        assert_string_equal(date, "2026-01-02T03:04:05Z");
    return result;
}

TEST(test_a_run_is_known_again_by_where_it_comes_from)
{
    const struct lab_result r = a_timed_result();
    struct lab_result other[9];

    assert_int_equal(known(&r, 1), 0); /* no file */
    write_results("");
    assert_int_equal(known(&r, 1), 0);
    append(&r, 1);
    assert_int_equal(known(&r, 1), 1);
    assert_int_equal(known(&r, 0), 0); /* counts were not asked for */
    for (int i = 0; i < 9; i++)
        other[i] = r;
    other[0].lab = "04_coalescing";
    other[1].device = "gpu";
    other[2].device_name = "another";
    other[3].driver = "";
    other[4].compiler = "nvcc 13.1";
    other[5].program = "4567";
    other[6].m = 18;
    other[7].n = 34;
    other[8].k = 6;
    for (int i = 0; i < 9; i++)
        assert_int_equal(known(&other[i], 1), 0);
}

/* One variant that is wrong, or of an older build, makes all of it unknown. */
TEST(test_a_run_is_known_only_if_all_its_rows_are_right)
{
    struct lab_result r[2] = {a_timed_result(), a_timed_result()};

    r[1].variant = "by_hand";
    append(r, 2);
    assert_int_equal(known(&r[0], 1), 1);
    r[1].verdict = lab_verdict_word(LAB_FAIL);
    append(&r[1], 1);
    assert_int_equal(known(&r[0], 1), 0);
}

TEST(test_known_runs_need_the_columns_of_this_version)
{
    const struct lab_result r = a_timed_result();

    write_results("lab,variant,speed\n03_tiling,kernel,9\n");
    assert_int_equal(known(&r, 1), -1);
    assert_non_null(strstr(why, "from another version"));
}

static void replace(const struct lab_result *r)
{
    if (lab_results_write_csv(path, r, 1, 1, why, sizeof why) != 0)
        fail_msg("%s", why);
}

TEST(test_a_new_row_replaces_those_of_the_same_run)
{
    struct lab_result r = a_timed_result(), counted = a_result();

    r.device_name = "CPU device, 2 cores";
    append(&r, 1);
    append(&r, 1);
    append(&counted, 1);
    r.device_name = "another, \"quoted\"";
    replace(&r);
    assert_int_equal(lines(content()), 3); /* the counted one stays */
    assert_null(strstr(content(), "2 cores"));
    assert_non_null(strstr(content(), "\"another, \"\"quoted\"\"\""));
    r.m = 18;
    replace(&r);
    r.variant = "by_hand";
    replace(&r);
    r.device = "gpu";
    replace(&r);
    assert_int_equal(lines(content()), 6);
    r.kernel_ms = 3.5;
    replace(&r);
    assert_int_equal(lines(content()), 6);
    assert_non_null(strstr(content(), ",3.5,"));
}

/* A reader that opened the file before sees it whole: it is not changed in
   place, but replaced. */
TEST(test_the_file_is_replaced_and_keeps_its_mode)
{
    const struct lab_result r = a_result();
    struct stat before, after;

    append(&r, 1);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(stat(path, &before), 0);
    append(&r, 1);
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino != after.st_ino);
    assert_int_equal(after.st_mode & 0777, 0640);
}

/* make -j starts several programs that write to one file. */
TEST(test_rows_of_programs_at_the_same_time_all_arrive)
{
    enum {
        PROGRAMS = 8,
        ROWS = 5
    };
    const struct lab_result r = a_result();

    for (int i = 0; i < PROGRAMS; i++) {
        const pid_t child = fork();

        assert_true(child >= 0);
        if (child == 0) {
            int bad = 0;

            for (int row = 0; row < ROWS; row++)
                bad |= lab_results_write_csv(path, &r, 1, 0, why, sizeof why);
            _exit(bad != 0);
        }
    }
    for (int i = 0; i < PROGRAMS; i++) {
        int status;

        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(lines(content()), 1 + PROGRAMS * ROWS);
}

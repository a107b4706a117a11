/* Does each plot draw, and does it say what is wrong with its CSV? */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../command.h"

#define SAMPLE "tests/plots/sample_results.csv"

static const char *const scripts[] = {"counters_by_lab", "ladder"};

enum {
    SCRIPTS = sizeof scripts / sizeof scripts[0]
};

static char folder[] = "/tmp/test_plots.XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    struct command command = command_run("rm -r '%s'", folder);

    (void)state;
    command_free(&command);
    return 0;
}

static void need_gnuplot(void)
{
    struct command command = command_run("command -v gnuplot");
    const int code = command.code;

    command_free(&command);
    if (code != 0) {
        print_message("skipped: gnuplot is not installed\n");
        skip();
    }
}

static struct command draw(const char *script, const char *csv,
                           const char *ending)
{
    return command_run("gnuplot -e \"csv='%s'; recorded='%s'; "
                       "out='%s/%s%s'\" plots/%s.gp",
                       csv, SAMPLE, folder, script, ending, script);
}

/* The whole file that draw made; a NUL stands behind it. */
static char *drawn(const char *script, const char *ending, size_t *length)
{
    char path[128];
    char *text = calloc(1, 1 << 20);
    FILE *file;

    snprintf(path, sizeof path, "%s/%s%s", folder, script, ending);
    file = fopen(path, "rb");
    assert_non_null(text);
    if (file == NULL)
        fail_msg("%s was not drawn", path);
    *length = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

static void says(const char *script, const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in the drawing of %s", words, script);
}

static void test_svg_is_whole_and_shows_the_labs(void **state)
{
    (void)state;
    need_gnuplot();
    for (int i = 0; i < SCRIPTS; i++) {
        struct command command = draw(scripts[i], SAMPLE, ".svg");
        size_t length;
        char *text;

        command_ends(&command, 0);
        assert_string_equal(command.text, "");
        command_free(&command);
        text = drawn(scripts[i], ".svg", &length);
        says(scripts[i], text, "<svg");
        says(scripts[i], text, "</svg>");
        says(scripts[i], text, "prefetch");
        says(scripts[i], text, "sample");
        says(scripts[i], text, i == 0 ? ">4.5<" : ">5900<");
        /* the loads of B alone; of A and B together it is 40 % */
        says(scripts[i], text, i == 0 ? ">25 %<" : ">cuBLAS: 12000<");
        free(text);
    }
}

static void test_png_has_its_signature_and_its_end(void **state)
{
    (void)state;
    need_gnuplot();
    for (int i = 0; i < SCRIPTS; i++) {
        struct command command = draw(scripts[i], SAMPLE, ".png");
        size_t length;
        char *text;

        command_ends(&command, 0);
        command_free(&command);
        text = drawn(scripts[i], ".png", &length);
        assert_true(length > 5000);
        assert_memory_equal(text, "\x89PNG\r\n\x1a\n", 8);
        assert_memory_equal(text + length - 8, "IEND", 4);
        free(text);
    }
}

static void test_missing_column_is_an_error(void **state)
{
    char csv[64];

    (void)state;
    need_gnuplot();
    snprintf(csv, sizeof csv, "%s/column.csv", folder);
    for (int i = 0; i < SCRIPTS; i++) {
        static const char *const column[] = {"barriers_per_thread",
                                             "cublas_gflops"};
        struct command command =
            command_run("sed '1s/%s/other/' " SAMPLE " > '%s'", column[i], csv);

        command_ends(&command, 0);
        command_free(&command);
        command = draw(scripts[i], csv, ".svg");
        command_ends(&command, 2);
        command_says(&command, "no column");
        command_says(&command, column[i]);
        command_free(&command);
    }
}

static void test_empty_csv_is_an_error(void **state)
{
    char csv[64];

    (void)state;
    need_gnuplot();
    snprintf(csv, sizeof csv, "%s/empty.csv", folder);
    for (int lines = 0; lines < 2; lines++) {
        for (int i = 0; i < SCRIPTS; i++) {
            struct command command =
                command_run("head -n %d " SAMPLE " > '%s'", lines, csv);

            command_ends(&command, 0);
            command_free(&command);
            command = draw(scripts[i], csv, ".svg");
            command_ends(&command, 2);
            command_says(&command, lines == 0 ? "empty" : "no rows");
            command_free(&command);
        }
    }
}

static void test_file_of_another_ending_is_an_error(void **state)
{
    (void)state;
    need_gnuplot();
    for (int i = 0; i < SCRIPTS; i++) {
        struct command command = draw(scripts[i], SAMPLE, ".bmp");

        command_ends(&command, 2);
        command_says(&command, ".svg, .png or .pdf");
        command_free(&command);
    }
}

static void test_speeds_without_a_gpu_are_not_drawn(void **state)
{
    struct command command;
    char csv[64];

    (void)state;
    need_gnuplot();
    snprintf(csv, sizeof csv, "%s/cpu.csv", folder);
    command = command_run("grep -v ',gpu,' " SAMPLE " > '%s'", csv);
    command_free(&command);
    command = draw("ladder", csv, ".svg");
    command_ends(&command, 2);
    command_says(&command, "no lab was timed on a GPU");
    command_free(&command);
}

static void test_draw_writes_both_kinds_of_both_plots(void **state)
{
    struct command command;

    (void)state;
    need_gnuplot();
    command = command_run("sh plots/draw.sh " SAMPLE " '%s/new' && "
                          "ls '%s/new'",
                          folder, folder);
    command_ends(&command, 0);
    command_says(&command, "/new/counters_by_lab.svg and .png\n");
    command_says(&command, "/new/ladder.svg and .png\n");
    command_says(&command, "counters_by_lab.png\ncounters_by_lab.svg\n"
                           "ladder.png\nladder.svg\n");
    command_free(&command);

    command =
        command_run("sh plots/draw.sh %s/none.csv '%s/new'", folder, folder);
    command_ends(&command, 2);
    command_says(&command, "not there or empty");
    command_free(&command);
}

static void test_draw_without_gnuplot_says_so(void **state)
{
    struct command command = command_run(
        "PATH=/not/there /bin/sh plots/draw.sh " SAMPLE " '%s/none'", folder);

    (void)state;
    command_ends(&command, 0);
    assert_string_equal(
        command.text, "plots: skipped, gnuplot is not installed: make deps\n");
    command_free(&command);
}

static void test_counters_are_drawn_without_a_record(void **state)
{
    struct command command;
    size_t length;
    char *text;

    (void)state;
    need_gnuplot();
    command = command_run("gnuplot -e \"csv='" SAMPLE "'; "
                          "out='%s/counters_by_lab.svg'\" "
                          "plots/counters_by_lab.gp",
                          folder);
    command_ends(&command, 0);
    command_free(&command);
    text = drawn("counters_by_lab", ".svg", &length);
    says("counters_by_lab", text, "counted by the CPU device");
    says("counters_by_lab", text, "256 x 384 x 512");
    assert_null(strstr(text, "TFLOP/s"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svg_is_whole_and_shows_the_labs),
        cmocka_unit_test(test_png_has_its_signature_and_its_end),
        cmocka_unit_test(test_missing_column_is_an_error),
        cmocka_unit_test(test_empty_csv_is_an_error),
        cmocka_unit_test(test_file_of_another_ending_is_an_error),
        cmocka_unit_test(test_speeds_without_a_gpu_are_not_drawn),
        cmocka_unit_test(test_draw_writes_both_kinds_of_both_plots),
        cmocka_unit_test(test_draw_without_gnuplot_says_so),
        cmocka_unit_test(test_counters_are_drawn_without_a_record),
    };

    return cmocka_run_group_tests_name("plots", tests, make_folder,
                                       remove_folder);
}

/* Does each plot draw, and does it say what is wrong with its CSV? */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"

#define SAMPLE   "tests/plots/sample_results.csv"
#define TIMED    "tests/plots/sample_timed.csv"
#define COUNTED  "tests/plots/sample_counted.csv"
#define CEILINGS "tests/plots/sample_ceilings.csv"

/* A script, what it draws, and what the drawing says. */
static const struct {
    const char *name, *csv, *settings;
    const char *column; /* that it cannot do without */
    const char *shows[4];
} scripts[] = {
    /* 25 % are the loads of B alone; of A and B together it is 40 %. */
    {"counters_by_lab",
     SAMPLE,
     "recorded='" SAMPLE "'",
     "barriers_per_thread",
     {"prefetch", ">4.5<", ">25 %<", "sample"}},
    {"ladder",
     SAMPLE,
     "remark=' (recorded)'",
     "cublas_gflops",
     {"prefetch", ">5.9<", ">cuBLAS 12.0<", "sample (recorded)"}},
    {"sweep",
     TIMED,
     "remark=''",
     "peak_gflops",
     {">09_prefetch<", ">measured peak: 15.0<", ">cuBLAS<", "sample"}},
    {"roofline",
     TIMED,
     "counts='" COUNTED "'; ceilings='" CEILINGS "'",
     "kernel_ms_max",
     {">02_gpu_naive<", ">measured peak: 15.0 TFLOP/s<",
      "from device memory: 1.2 TB/s<", "sample, M = N = K = 1024"}},
    /* Of four sizes the second is the middle one. */
    {"tile_width",
     "tests/plots/sample_tiles.csv",
     "remark=''",
     "kernel_ms_min",
     {">M = N = K = 128<", ">untiled 0.031<", ">M = N = K = 512<",
      "on sample"}},
    {"tile_counters",
     "tests/plots/sample_tile_counts.csv",
     "remark=''",
     "global_load_lanes_per_request",
     {">0.0625<", ">56.2<", ">no tile<", "128 x 192 x 256"}},
    {"class",
     "tests/plots/sample_class.csv",
     "remark=''",
     "students",
     {">The class: 80 students<", ">handed in nothing<",
      ">04 FAIL: Each sum lacks its last terms<", ">14<"}},
};

enum {
    SCRIPTS = sizeof scripts / sizeof scripts[0],
    SHOWN = 4
};

/* Draws with the script's settings; csv takes the place of its own. */
static struct command draw_script(int script, const char *csv,
                                  const char *ending)
{
    return command_run("gnuplot -e \"csv='%s'; %s; out='%s/%s%s'\" "
                       "plots/%s.gp",
                       csv, scripts[script].settings, scratch("."),
                       scripts[script].name, ending, scripts[script].name);
}

/* The whole file that draw made; a NUL stands behind it. */
static char *read_picture(const char *script, const char *ending,
                          size_t *length)
{
    char path[128];
    char *text = calloc(1, 1 << 20);
    FILE *file;

    snprintf(path, sizeof path, "%s/%s%s", scratch("."), script, ending);
    file = fopen(path, "rb");
    assert_non_null(text);
    if (file == NULL)
        fail_msg("%s was not drawn", path);
    *length = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

static void expect_words(const char *script, const char *text,
                         const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in the drawing of %s", words, script);
}

TEST(test_svg_is_whole_and_shows_what_it_should)
{
    command_needs("gnuplot");
    for (int i = 0; i < SCRIPTS; i++) {
        const char *const name = scripts[i].name;
        struct command command = draw_script(i, scripts[i].csv, ".svg");
        size_t length;
        char *text;

        command_ends(&command, 0);
        assert_string_equal(command.text, "");
        command_free(&command);
        text = read_picture(name, ".svg", &length);
        expect_words(name, text, "<svg");
        expect_words(name, text, "</svg>");
        for (int j = 0; j < SHOWN; j++)
            expect_words(name, text, scripts[i].shows[j]);
        free(text);
    }
}

TEST(test_png_and_pdf_have_their_signature_and_end)
{
    command_needs("gnuplot");
    for (int i = 0; i < SCRIPTS; i++) {
        struct command command = draw_script(i, scripts[i].csv, ".png");
        size_t length;
        char *text;

        command_ends(&command, 0);
        command_free(&command);
        text = read_picture(scripts[i].name, ".png", &length);
        assert_true(length > 5000);
        assert_memory_equal(text, "\x89PNG\r\n\x1a\n", 8);
        assert_memory_equal(text + length - 8, "IEND", 4);
        free(text);

        command_gives(draw_script(i, scripts[i].csv, ".pdf"), 0, NULL);
        text = read_picture(scripts[i].name, ".pdf", &length);
        assert_true(length > 5000);
        assert_memory_equal(text, "%PDF-", 5);
        assert_memory_equal(text + length - 6, "%%EOF\n", 6);
        free(text);
    }
}

TEST(test_missing_column_is_an_error)
{
    char csv[64];

    command_needs("gnuplot");
    snprintf(csv, sizeof csv, "%s/column.csv", scratch("."));
    for (int i = 0; i < SCRIPTS; i++) {
        const char *const column = scripts[i].column;

        RUN_GIVES(0, NULL, "sed '1s/%s/other/' %s > '%s'", column,
                  scripts[i].csv, csv);
        command_gives(draw_script(i, csv, ".svg"), 2,
                      SAYS("no column", column));
    }
}

TEST(test_empty_csv_is_an_error)
{
    char csv[64];

    command_needs("gnuplot");
    snprintf(csv, sizeof csv, "%s/empty.csv", scratch("."));
    for (int lines = 0; lines < 2; lines++) {
        for (int i = 0; i < SCRIPTS; i++) {
            RUN_GIVES(0, NULL, "head -n %d %s > '%s'", lines, scripts[i].csv,
                      csv);
            command_gives(draw_script(i, csv, ".svg"), 2,
                          SAYS(lines == 0 ? "empty" : "no rows"));
        }
    }
}

TEST(test_file_of_another_ending_is_an_error)
{
    command_needs("gnuplot");
    for (int i = 0; i < SCRIPTS; i++) {
        command_gives(draw_script(i, scripts[i].csv, ".bmp"), 2,
                      SAYS(".svg, .png or .pdf"));
    }
}

TEST(test_speeds_without_a_gpu_are_not_drawn)
{
    char csv[64];

    command_needs("gnuplot");
    snprintf(csv, sizeof csv, "%s/cpu.csv", scratch("."));
    for (int i = 1; i < SCRIPTS - 2; i++) { /* all but counters and class */
        struct command command =
            command_run("sed 's/,gpu,/,cpu,/' %s > '%s'", scripts[i].csv, csv);

        command_free(&command);
        command_gives(draw_script(i, csv, ".svg"), 2, SAYS(" timed on a GPU"));
    }
}

/* A lab that is wrong is no point, however fast it is. */
TEST(test_wrong_labs_are_not_drawn)
{
    command_needs("gnuplot");
    for (int i = 2; i < 4; i++) {
        struct command command = draw_script(i, TIMED, ".svg");
        size_t length;
        char *text;

        command_free(&command);
        text = read_picture(scripts[i].name, ".svg", &length);
        assert_null(strstr(text, "03_tiling"));
        free(text);
    }
}

TEST(test_ceilings_of_another_gpu_are_an_error)
{
    struct command command =
        command_run("sed 's/,sample,/,another,/' " CEILINGS " > '%s/c.csv'; "
                    "gnuplot -e \"csv='" TIMED "'; counts='" COUNTED "'; "
                    "ceilings='%s/c.csv'; out='%s/r.svg'\" plots/roofline.gp",
                    scratch("."), scratch("."), scratch("."));

    command_needs("gnuplot");
    command_ends(&command, 2);
    command_says(&command, "is of another GPU (another) than");
    command_free(&command);
}

/* Where nothing was timed, the recorded times are drawn, and it is said. */
TEST(test_recorded_times_are_named_as_such)
{
    struct command command =
        command_run("sh plots/draw.sh '%s/none.csv' '%s/recorded' ladder && "
                    "cat '%s/recorded/ladder.svg'",
                    scratch("."), scratch("."), scratch("."));

    command_needs("gnuplot");
    command_ends(&command, 0);
    text_has(command.text,
             SAYS("ladder shows times of plots/data/h200_ladder.csv: "
                  "none on a GPU here",
                  "NVIDIA H200 (recorded)"));
    command_free(&command);
}

/* What was recorded by size is drawn as two plots of some labs each, and marks
   where the model says that blocks are too few. */
TEST(test_recorded_sizes_are_two_plots)
{
    struct command command =
        command_run("sh plots/draw.sh '%s/none.csv' '%s/sizes' sweep && "
                    "cd '%s/sizes' && ls | wc -l && grep -c 13_async sweep.svg;"
                    "grep -o 'ring = multiprocessors\\|>13_async_copy<' "
                    "advanced.svg",
                    scratch("."), scratch("."), scratch("."));

    command_needs("gnuplot");
    command_ends(&command, 0);
    text_has(command.text,
             SAYS("\n6\n0\n", "ring = multiprocessors", ">13_async_copy<"));
    command_free(&command);
}

TEST(test_a_plot_that_cannot_be_written_is_an_error)
{
    struct command command =
        command_run("sh plots/draw.sh " SAMPLE " /proc/none ladder");

    command_needs("gnuplot");
    command_ends(&command, 2);
    command_says(&command, "/proc/none");
    command_free(&command);
}

TEST(test_draw_writes_all_kinds_of_both_plots)
{
    command_needs("gnuplot");
    RUN_GIVES(0,
              SAYS("/new/counters_by_lab.svg, .png and .pdf\n",
                   "/new/ladder.svg, .png and .pdf\n",
                   "counters_by_lab.pdf\ncounters_by_lab.png\n"
                   "counters_by_lab.svg\n"
                   "ladder.pdf\nladder.png\nladder.svg\n"),
              "sh plots/draw.sh " SAMPLE " '%s/new' && "
              "ls '%s/new'",
              scratch("."), scratch("."));

    RUN_GIVES(2, SAYS("not there or empty"),
              "sh plots/draw.sh %s/none.csv '%s/new'", scratch("."),
              scratch("."));
}

TEST(test_draw_without_gnuplot_says_so)
{
    struct command command = command_run(
        "PATH=/not/there /bin/sh plots/draw.sh " SAMPLE " '%s/none'",
        scratch("."));

    command_ends(&command, 0);
    assert_string_equal(
        command.text, "plots: skipped, gnuplot is not installed: make deps\n");
    command_free(&command);
}

TEST(test_counters_are_drawn_without_a_record)
{
    size_t length;
    char *text;

    command_needs("gnuplot");
    RUN_GIVES(0, NULL,
              "gnuplot -e \"csv='" SAMPLE "'; "
              "out='%s/counters_by_lab.svg'\" "
              "plots/counters_by_lab.gp",
              scratch("."));
    text = read_picture("counters_by_lab", ".svg", &length);
    expect_words("counters_by_lab", text, "counted by the CPU device");
    expect_words("counters_by_lab", text, "256 x 384 x 512");
    assert_null(strstr(text, "TFLOP/s"));
    free(text);
}

/* Lab 02 alone uses no shared memory: a panel has a row and no number. */
TEST(test_counters_of_one_lab_are_drawn)
{
    size_t length;
    char *text;

    command_needs("gnuplot");
    RUN_GIVES(0, NULL,
              "grep -e '^lab,' -e '^02_' " SAMPLE
              " >'%s/one.csv' && gnuplot -e \"csv='%s/one.csv'; "
              "out='%s/counters_by_lab.svg'\" "
              "plots/counters_by_lab.gp",
              scratch("."), scratch("."), scratch("."));
    text = read_picture("counters_by_lab", ".svg", &length);
    expect_words("counters_by_lab", text, ">02_gpu_naive<");
    expect_words("counters_by_lab", text, "</svg>");
    free(text);
}

/* Lab 15 takes 4 wavefronts for 16 bytes a lane, the least there can be, and in
   lab 14 eight blocks share out k, with 5 barriers each. */
TEST(test_the_least_is_no_worse_and_parts_of_k_count_together)
{
    static const char head[] =
        "lab,variant,device,device_name,m,n,k,verdict,global_loads_per_fma,"
        "global_load_sector_efficiency_B,shared_load_wavefronts_per_request,"
        "shared_loads_per_fma,backward_jumps_per_fma,barriers_per_thread,"
        "global_atomics,shared_load_wavefronts,shared_load_wavefronts_ideal";
    static const char worse[] = "rgb(189,  81,   0)";

    command_needs("gnuplot");
    for (int least = 8; least >= 4; least -= 4) {
        size_t length;
        char *text, *at;
        int boxes = 0;

        RUN_GIVES(
            0, NULL,
            "{ echo '%s'; for row in 12_warp_tiling,2,33,0,2,2 "
            "14_last_percents,2,5,512,2,2 15_tensor_cores,4,16,0,8,%d; do "
            "echo $row | awk -F, -v OFS=, '{ print $1, \"kernel\", "
            "\"cpu\", \"sample\", 8, 8, 8, \"PASS\", 1, 1, $2, 1, 1, "
            "$3, $4, $5, $6 }'; done; } >%s/few.csv && "
            "gnuplot -e \"csv='%s/few.csv'; "
            "out='%s/counters_by_lab.svg'\" plots/counters_by_lab.gp",
            head, least, scratch("."), scratch("."), scratch("."));
        text = read_picture("counters_by_lab", ".svg", &length);
        expect_words("counters_by_lab", text, ">40<");
        for (at = text; (at = strstr(at, worse)) != NULL; at++)
            boxes++;
        /* The key's, lab 14's barriers, and where it is not the least the
           wavefronts of lab 15. */
        assert_int_equal(boxes, least == 8 ? 2 : 3);
        free(text);
    }
}

TEST(test_labs_in_other_precisions_are_shares_of_their_library)
{
    size_t length;
    char *text;

    command_needs("gnuplot");
    RUN_GIVES(0, NULL,
              "gnuplot -e \"csv='plots/data/h200_ladder.csv'; "
              "out='%s/ladder.svg'\" plots/ladder.gp",
              scratch("."));
    text = read_picture("ladder", ".svg", &length);
    expect_words("ladder", text, ">213 TFLOP/s in TF32, 53 % of cuBLAS<");
    expect_words("ladder", text, ">806 TFLOP/s in bf16, 100 % of cuBLAS<");
    free(text);
}

/* Also in a plot that leaves some out: a colour and a mark are the lab's. */
TEST(test_each_lab_has_a_colour_and_a_mark_of_its_own)
{
    static const char *const plots[] = {"sweep", "roofline"};

    command_needs("gnuplot");
    RUN_GIVES(0, SAYS("15\n15\n"),
              "gnuplot -e \"out='x.svg'; width=99; height=99; "
              "load 'plots/style.gp'; set print '-'; do for [lab in LABS] { "
              "print sprintf('%%06x %%d', lab_colour(lab), lab_mark(lab)) }\" "
              ">%s/styles && sort -u %s/styles | wc -l && "
              "cut -d' ' -f1 %s/styles | sort -u | wc -l",
              scratch("."), scratch("."), scratch("."));
    for (int i = 0; i < 2; i++) {
        size_t length;
        char *text;

        RUN_GIVES(0, NULL,
                  "{ head -n 1 " TIMED "; grep '^09_' " TIMED
                  "; } >%s/some.csv && "
                  "gnuplot -e \"csv='%s/some.csv'; counts='" COUNTED
                  "'; ceilings='" CEILINGS "'; out='%s/%s.svg'\" plots/%s.gp",
                  scratch("."), scratch("."), scratch("."), plots[i], plots[i]);
        text = read_picture(plots[i], ".svg", &length);
        /* Of a mark, as gnuplot writes it. */
        expect_words(plots[i], text, " color='rgb( 34,  34,  34)'");
        free(text);
    }
}

ALL_TESTS(scratch_make, NULL);

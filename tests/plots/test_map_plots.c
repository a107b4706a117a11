/* Do the pictures of a recorded run show what is in its file? The samples are
   labs 03 and 02, as tests/labs/test_maps.c records them. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"

#define MAP       "tests/plots/sample_map.csv"
#define FOOTPRINT "tests/plots/sample_footprint.csv"

/* A picture, and some of the words that are in it. */
static const struct {
    const char *script, *csv, *space, *words[5];
} pictures[] = {
    {"access_map",
     MAP,
     "global",
     {"Lab 03: a warp loads B in 16 sectors, where 4 would do",
      "the CPU device at 32 x 128 x 64", "B[15][0..7]", ">31<",
      "word of the sector (4 bytes each)"}},
    {"access_map",
     MAP,
     "shared",
     {"Lab 03: a warp stores Bs in 8 wavefronts of the banks, where 1 would do",
      "line 55 of matmul_tiling", ">8<", "lane of the warp", "> 31<"}},
    {"footprint",
     FOOTPRINT,
     "",
     {"Lab 02: what a thread, its warp and its block touch",
      "matmul_naive, recorded by the CPU device at 17 x 20 x 5",
      "B, 5 x 20 elements", "columns 0 to 19", "thread (8,8)"}},
};

enum {
    PICTURES = sizeof pictures / sizeof pictures[0],
    MOST = 1 << 20
};

/* Draws a picture of another CSV file, with more settings. */
static struct command draw_picture(int picture, const char *csv,
                                   const char *ending)
{
    return command_run("gnuplot -e \"csv='%s'; space='%s'; "
                       "out='%s/drawn%s'\" plots/%s.gp",
                       csv, pictures[picture].space, scratch("."), ending,
                       pictures[picture].script);
}

/* The whole file that draw made; a NUL stands behind it. */
static char *read_picture(const char *ending, size_t *length)
{
    char path[80];
    char *text = calloc(1, MOST);
    FILE *file;

    snprintf(path, sizeof path, "%s/drawn%s", scratch("."), ending);
    file = fopen(path, "rb");
    assert_non_null(text);
    assert_non_null(file);
    *length = fread(text, 1, MOST - 1, file);
    fclose(file);
    assert_int_equal(remove(path), 0);
    return text;
}

TEST(test_svg_is_whole_and_says_what_it_shows)
{
    command_needs("gnuplot");
    for (int i = 0; i < PICTURES; i++) {
        struct command command = draw_picture(i, pictures[i].csv, ".svg");
        size_t length;
        char *text;

        command_ends(&command, 0);
        assert_string_equal(command.text, "");
        command_free(&command);
        text = read_picture(".svg", &length);
        assert_non_null(strstr(text, "</svg>"));
        for (int word = 0; word < 5; word++) {
            if (strstr(text, pictures[i].words[word]) == NULL)
                fail_msg("'%s' is not in %s", pictures[i].words[word],
                         pictures[i].script);
        }
        free(text);
    }
}

static int count_words(const char *text, const char *words)
{
    int found = 0;

    while ((text = strstr(text, words)) != NULL) {
        text += strlen(words);
        found++;
    }
    return found;
}

/* A filled box in the colour; one more stands in the key. */
TEST(test_as_many_boxes_are_drawn_as_there_are_accesses)
{
    static const struct {
        int picture, boxes;
        const char *colour;
    } cases[] = {
        {0, 32 + 1, "rgb(  0, 114, 178)"},     /* lanes' words, blue */
        {0, 16 * 6 + 1, "rgb(184, 191, 198)"}, /* moved in vain, grey */
        {1, 4 + 1, "rgb( 86, 180, 233)"},      /* first wavefront, sky */
        {1, 28 + 1, "rgb(189,  81,   0)"},     /* later, vermillion */
    };

    command_needs("gnuplot");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct command command = draw_picture(
            cases[i].picture, pictures[cases[i].picture].csv, ".svg");
        char fill[80];
        size_t length;
        char *text;

        command_ends(&command, 0);
        command_free(&command);
        text = read_picture(".svg", &length);
        snprintf(fill, sizeof fill, "fill = '%s'", cases[i].colour);
        if (count_words(text, fill) != cases[i].boxes)
            fail_msg("%d boxes of %s in picture %d, not %d",
                     count_words(text, fill), cases[i].colour, cases[i].picture,
                     cases[i].boxes);
        free(text);
    }
}

TEST(test_png_has_its_signature_and_its_end)
{
    command_needs("gnuplot");
    for (int i = 0; i < PICTURES; i++) {
        struct command command = draw_picture(i, pictures[i].csv, ".png");
        size_t length;
        char *text;

        command_ends(&command, 0);
        command_free(&command);
        text = read_picture(".png", &length);
        assert_true(length > 5000);
        assert_memory_equal(text, "\x89PNG\r\n\x1a\n", 8);
        assert_memory_equal(text + length - 8, "IEND", 4);
        free(text);
    }
}

TEST(test_missing_column_is_an_error)
{
    static const char *const columns[] = {"sector", "wavefront", "by"};

    command_needs("gnuplot");
    for (int i = 0; i < PICTURES; i++) {
        char csv[80];
        struct command command;

        snprintf(csv, sizeof csv, "%s/column.csv", scratch("."));
        command = command_run("sed '1s/\\b%s\\b/other/' %s > %s", columns[i],
                              pictures[i].csv, csv);
        command_free(&command);
        command_gives(draw_picture(i, csv, ".svg"), 2,
                      SAYS("no column", columns[i]));
    }
}

TEST(test_no_rows_and_no_such_request_are_errors)
{
    char csv[80];
    struct command command;

    command_needs("gnuplot");
    snprintf(csv, sizeof csv, "%s/rows.csv", scratch("."));
    for (int i = 0; i < PICTURES; i++) {
        command = command_run("head -n 1 %s > %s", pictures[i].csv, csv);
        command_free(&command);
        command_gives(draw_picture(i, csv, ".svg"), 2, SAYS("no rows"));
    }
    command = command_run("grep -v ,shared, " MAP " > %s", csv);
    command_free(&command);
    command_gives(draw_picture(1, csv, ".svg"), 2,
                  SAYS("no request of shared memory"));
}

/* Draws what is there, and takes away what an earlier run left of the rest. */
TEST(test_draw_names_pictures_after_the_recording)
{
    command_needs("gnuplot");
    RUN_GIVES(0,
              SAYS("/new/map_03_shared.svg, .png and .pdf\n",
                   "map_03_global.pdf\nmap_03_global.png\n"
                   "map_03_global.svg\nsample_footprint.pdf\n"
                   "sample_footprint.png\nsample_footprint.svg\n"),
              "cp " MAP " %s/map_03.csv && "
              "sh plots/draw.sh %s/map_03.csv %s/new && "
              "grep -v ,shared, " MAP " > %s/map_03.csv && "
              "sh plots/draw.sh %s/map_03.csv %s/new && "
              "sh plots/draw.sh " FOOTPRINT " %s/new && ls %s/new",
              scratch("."), scratch("."), scratch("."), scratch("."),
              scratch("."), scratch("."), scratch("."), scratch("."));
}

ALL_TESTS(scratch_make, NULL);

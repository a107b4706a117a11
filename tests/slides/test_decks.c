/*
 * The decks of slides: are they whole, and is what they show what the solutions
 * and the figures hold? How they look, look.mjs sees (make test WHAT=all).
 */
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "../command.h"
#include "schedule.h"
#include "../../slides/figures/figures.h"
#include "../../slides/tool/deck.h"
#include "base/file.h"

enum {
    DECKS = 19
};

static const char scratch[] = "build/test_decks.tmp";

/* Calls check for each deck of slides/. */
static void each_deck(void (*check)(const struct deck *deck))
{
    glob_t found;

    assert_int_equal(glob("slides/[0-9ab]*_*.md", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, DECKS);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct deck deck;
        char why[400] = "";

        if (deck_read(found.gl_pathv[i], &deck, why, sizeof why) != 0)
            fail_msg("%s", why);
        check(&deck);
        deck_free(&deck);
    }
    globfree(&found);
}

static void check_head(const struct deck *deck)
{
    if (!deck->title[0] || deck->minutes < 20 || deck->minutes > 45)
        fail_msg("%s: no title, or not 20 to 45 minutes", deck->path);
    if (deck->slides < 10 || deck->slides > 22)
        fail_msg("%s: %d slides, not 10 to 22", deck->path, deck->slides);
    if (strcmp(deck->slide[deck->slides - 1].heading, "Sources") != 0)
        fail_msg("%s: the last slide does not name the sources", deck->path);
}

TEST(test_decks_have_a_title_minutes_slides_and_sources)
{
    each_deck(check_head);
}

static void check_notes(const struct deck *deck)
{
    double minutes = 0;

    for (int i = 0; i < deck->slides; i++) {
        const struct deck_slide *slide = &deck->slide[i];

        if (slide->notes != 1 || !slide->heading[0])
            fail_msg("%s:%d: the slide wants one heading and one note that "
                     "begins with its minutes; it has '%s' and %d",
                     deck->path, slide->line, slide->heading, slide->notes);
        minutes += slide->minutes;
    }
    if (minutes != deck->minutes)
        fail_msg("%s: its notes add up to %g minutes, its head says %g",
                 deck->path, minutes, deck->minutes);
}

TEST(test_each_slide_has_notes_and_their_minutes_add_up)
{
    each_deck(check_notes);
}

/* What Marp gets of a deck; the caller frees it. */
static char *written(const struct deck *deck, char *why, size_t size)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int failed;

    assert_non_null(out);
    failed = deck_write(deck, out, why, size);
    assert_int_equal(fclose(out), 0);
    if (failed) {
        free(text);
        return NULL;
    }
    return text;
}

static void check_written(const struct deck *deck)
{
    static const char *const left[] = {"<!-- code", "<!-- figure", "%.",
                                       "![",        "TODO 3.1 (",  "skeleton:"};
    char why[400] = "";
    char *text = written(deck, why, sizeof why);

    if (!text)
        fail_msg("%s", why);
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        if (strstr(text, left[i]))
            fail_msg("%s: '%s' is left", deck->path, left[i]);
    free(text);
}

TEST(test_code_and_figures_of_all_decks_are_there)
{
    each_deck(check_written);
}

/* The deck that text makes, as Marp gets it, or NULL with why. */
static char *made_of(const char *text, char *why, size_t size)
{
    struct deck deck;
    char *made;

    assert_int_equal(base_write_file(scratch, text, why, size), 0);
    assert_int_equal(deck_read(scratch, &deck, why, size), 0);
    made = written(&deck, why, size);
    deck_free(&deck);
    unlink(scratch);
    return made;
}

TEST(test_code_is_that_of_the_source_without_its_tasks)
{
    char why[400];
    char *made = made_of("---\ntitle: x\n---\n<!-- code "
                         "solutions/03_tiling/tiling.cu \"for (int t = 0\" "
                         "\"As and Bs are free\" -->\n",
                         why, sizeof why);

    assert_non_null(made);
    assert_non_null(strstr(
        made, "```cpp\nfor (int t = 0; t < k; t += TILE) {\n"
              "    As[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx]"));
    text_has(made, SAYS("    for (int i = 0; i < TILE; i++)\n"
                        "        sum += As[ty][i] * Bs[i][tx];\n",
                        NOT "TODO", NOT "end 3."));
    free(made);
}

/* --- for students --------------------------------------------------------- */

/* Copies a line without its blanks. */
static void squeeze(const char *line, char to[200])
{
    size_t used = 0;

    for (; *line && *line != '\n' && used < 199; line++) {
        if (*line != ' ' && *line != '\t')
            to[used++] = *line;
    }
    to[used] = '\0';
}

static int has_line(const char *text, const char *wanted)
{
    char line[200];

    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        squeeze(text, line);
        if (strcmp(line, wanted) == 0)
            return 1;
    }
    return 0;
}

/* Goes through the lines of a solution, without blanks: those that a student
   writes, or the others. Returns how many `use` took. */
static int each_line(const char *path, int asked,
                     int (*use)(const char *line, const char *text),
                     const char *text)
{
    char why[400] = "", line[200];
    char *const solution = base_read_file(path, why, sizeof why);
    int is_asked = 0, taken = 0;

    assert_non_null(solution);
    for (const char *at = solution; *at;
         at += strcspn(at, "\n"), at += *at == '\n') {
        squeeze(at, line);
        if (strncmp(line, "/*TODO", 6) == 0) {
            is_asked = 1;
            at = strstr(at, "*/");
            assert_non_null(at);
        } else if (strncmp(line, "/*", 2) == 0) {
            is_asked = is_asked && strncmp(line, "/*end", 5) != 0;
        } else if (is_asked == asked) {
            taken += use(line, text);
        }
    }
    free(solution);
    return taken;
}

static glob_t solutions;
static int first_asked, last_given;

static int is_same_line(const char *line, const char *wanted)
{
    return strcmp(line, wanted) == 0;
}

/* Does a skeleton show it that is given out, or was its lab handed in? */
static int is_given(const char *line)
{
    int given = 0;

    for (size_t i = 0; i < solutions.gl_pathc; i++) {
        const char *const path = solutions.gl_pathv[i];

        if (strtol(path + strlen("solutions/"), NULL, 10) <= last_given)
            given += each_line(path, 0, is_same_line, line);
        if (strtol(path + strlen("solutions/"), NULL, 10) < first_asked)
            given += each_line(path, 1, is_same_line, line);
    }
    return given;
}

static int check_hidden(const char *line, const char *made)
{
    if (strlen(line) <= 11 || !strpbrk(line, "=[<"))
        return 0;
    if (has_line(made, line) && !is_given(line))
        fail_msg("students see '%s'", line);
    return 1;
}

/* Looks for the lines that are asked for from first_asked on. */
static void check_for_students(const struct deck *deck)
{
    struct deck shown = *deck;
    char why[400] = "", *made;
    int lines = 0;

    shown.first_asked = (int)strtol(strrchr(deck->path, '/') + 1, NULL, 10);
    made = written(&shown, why, sizeof why);
    if (!made)
        fail_msg("%s", why);
    text_has(made, SAYS(NOT "<!-- solution", NOT " min. "));
    assert_int_equal(glob("solutions/*/*.cu", 0, NULL, &solutions), 0);
    for (size_t i = 0; i < solutions.gl_pathc; i++) {
        const char *const path = solutions.gl_pathv[i];

        if (strtol(path + strlen("solutions/"), NULL, 10) >= first_asked)
            lines += each_line(path, 1, check_hidden, made);
    }
    assert_true(lines >= 5); /* so many has the last lab alone */
    globfree(&solutions);
    free(made);
}

static void check_of_its_lab(const struct deck *deck)
{
    first_asked = (int)strtol(strrchr(deck->path, '/') + 1, NULL, 10);
    last_given = 99;
    check_for_students(deck);
}

TEST(test_students_see_no_line_that_they_are_to_write)
{
    each_deck(check_of_its_lab);
}

/* The rows of the schedules in which a deck is shown. */
static struct schedule_meeting meeting[40];
static size_t meetings;
static int shown_decks;

static void check_when_shown(const struct deck *deck)
{
    char name[4];

    snprintf(name, sizeof name, " %.2s", strrchr(deck->path, '/') + 1);
    for (size_t i = 0; i < meetings; i++) {
        if (strstr(meeting[i].lecture, name) == NULL)
            continue;
        first_asked = meeting[i].in + 1;
        last_given = meeting[i].given;
        check_for_students(deck);
        shown_decks++;
    }
}

TEST(test_students_see_no_line_of_a_lab_that_is_not_in_yet)
{
    char why[400] = "";
    char *const guide = base_read_file("INSTRUCTORS.md", why, sizeof why);

    assert_non_null(guide);
    meetings = schedule_read(guide, meeting, sizeof meeting / sizeof *meeting);
    each_deck(check_when_shown);
    assert_int_equal(shown_decks, 9 + 17);
    free(guide);
}

/* What the handouts ask to predict, as it stands in the deck for a lecturer. */
static const struct {
    const char *deck, *answer;
} predicted[] = {{"01", "**0.50 GFLOP/s**"},
                 {"02", "**2 loads**"},
                 {"02", "2.00 sectors"},
                 {"02", "| all global loads | 2.0 |"},
                 {"03", "Counted in lab 03: 0.125"},
                 {"03", "A request for it takes 16 sectors"},
                 {"04", "4.00 sectors"},
                 {"04", "8.00 wavefronts"},
                 {"04", "*8 wavefronts for each read of Bs*"},
                 {"04", "| global load requests | 196,608 | 196,608 |"},
                 {"04", "column blockIdx.x * TILE + tx"},
                 {"05", "float     1.0    2.0"},
                 {"06", "128 bytes of padding"},
                 {"06", "sectors stay at 4.0"},
                 {"07", "per multiply-add: **1**"},
                 {"07", "gain: half of the shared loads"},
                 {"07", "        98,304   32.0"},
                 {"08", "256 multiply-adds for a backward jump"},
                 {"08", "as lab 07, request for request"},
                 {"09", "33 barriers"},
                 {"09", "33 instead of 64"},
                 {"09", "122,880 requests, as before"},
                 {"10", "| 8 | 64 | 0.25 |"},
                 {"10", "| 122,880 | 24,576 |"},
                 {"11", "= 0.0625 loads"},
                 {"11", "6144       6144"},
                 {"15", "make 2^-10"}};

static void check_predictions(const struct deck *deck)
{
    const char *const name = strrchr(deck->path, '/') + 1;
    struct deck shown = *deck;
    char why[400] = "", *all, *made;

    shown.first_asked = (int)strtol(name, NULL, 10);
    all = written(deck, why, sizeof why);
    made = written(&shown, why, sizeof why);
    if (!all || !made)
        fail_msg("%s", why);
    for (size_t i = 0; i < sizeof predicted / sizeof predicted[0]; i++) {
        if (strncmp(name, predicted[i].deck, 2) != 0)
            continue;
        if (!strstr(all, predicted[i].answer))
            fail_msg("%s: no '%s': change it here, too", name,
                     predicted[i].answer);
        if (strstr(made, predicted[i].answer))
            fail_msg("%s: students see '%s'", name, predicted[i].answer);
    }
    free(all);
    free(made);
}

TEST(test_students_see_no_answer_to_what_they_are_to_predict)
{
    each_deck(check_predictions);
}

TEST(test_code_that_is_not_in_the_source_is_an_error)
{
    static const char *const wrong[] = {
        "solutions/03_tiling/tiling.cu \"no such line\"",
        "solutions/03_tiling/tiling.cu \"for (int t = 0\" \"no such line\"",
        "solutions/03_tiling/tiling.cu \"(1 line): copy an element of A\"",
        "solutions/03_tiling/missing.cu \"for (int t = 0\"",
        "solutions/03_tiling/tiling.cu"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[300], why[400] = "";

        snprintf(text, sizeof text, "---\ntitle: x\n---\n\n<!-- code %s -->\n",
                 wrong[i]);
        assert_null(made_of(text, why, sizeof why));
        assert_non_null(strstr(why, "test_decks.tmp:5: "));
    }
}

TEST(test_comments_on_blocks_go_and_notes_stay)
{
    char why[400];
    char *made = made_of("---\ntitle: x\n---\n# A\n"
                         "<!-- of solutions -->4.9 and "
                         "<!-- from x.cu -->7\n<!-- 3 min. Say 50 % -->\n",
                         why, sizeof why);

    assert_non_null(made);
    assert_string_equal(made, "---\ntitle: x\n---\n# A\n4.9 and 7\n"
                              "<!-- 3 min. Say 50 % -->\n");
    free(made);
}

TEST(test_the_footer_has_the_courses_name_as_it_is)
{
    RUN_GIVES(0, SAYS("footer: \"\\\"A\\\" \\\\ B: 04 Coalesced loads\"\n"),
              "FOOTER='\"A\" \\ B' awk -f slides/footer.awk "
              "slides/04_coalescing.md");
}

TEST(test_a_figure_that_is_missing_is_an_error)
{
    char why[400] = "";

    assert_null(made_of("---\ntitle: x\n---\n<!-- figure none: nothing -->\n",
                        why, sizeof why));
    assert_non_null(strstr(why, "none.svg"));
}

/* A figure as text; the caller frees it. */
static char *drawn(draw_figure *draw, const char *const given[4])
{
    char words[4][40], *argument[5] = {NULL, NULL, NULL, NULL, NULL};
    char why[400] = "", *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    for (int i = 0; i < 4 && given[i]; i++) {
        snprintf(words[i], sizeof words[i], "%s", given[i]);
        argument[i] = words[i];
    }
    assert_non_null(out);
    if (draw(argument, out, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_int_equal(fclose(out), 0);
    return text;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;

    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

TEST(test_the_ladder_has_its_labs_and_a_length_for_each)
{
    static const char file[] = "plots/data/h200_ladder.csv";
    static const struct {
        const char *lab, *first, *last, *has, *has_too, *lacks;
        int libraries, peaks; /* bars */
    } cases[] = {
        {"09", "02", "09", ">02 gpu", ">09 prefetch", ">10 register", 1, 1},
        {"10", "09", "14", ">09 prefetch", ">13 async", ">15 tensor", 1, 1},
        {"17", "14", "17", ">14 last", ">cuBLAS, bf16<", ">12 warp", 3, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *svg = drawn(figure_ladder,
                          (const char *[4]){file, cases[i].lab, cases[i].first,
                                            cases[i].last});

        assert_non_null(strstr(svg, cases[i].has));
        assert_non_null(strstr(svg, cases[i].has_too));
        assert_null(strstr(svg, cases[i].lacks));
        assert_int_equal(count_of(svg, ">cuBLAS"), cases[i].libraries);
        assert_int_equal(count_of(svg, ">measured peak<"), cases[i].peaks);
        assert_int_equal(count_of(svg, "#bd5100"), 1); /* the deck's lab */
        assert_null(strstr(svg, "nan"));
        free(svg);
    }
}

/* Whoever reads beside it could not stop it: an image takes no clicks. */
TEST(test_no_picture_moves_by_itself)
{
    RUN_GIVES(1, NULL,
              "grep -lE '@keyframes|<animate' labs/pictures/*.svg "
              "slides/figures/*.svg plots/gallery/*.svg");
}

TEST(test_a_lane_of_16_bytes_fills_four_banks)
{
    static const char map[] =
        "space,size,banks,lane,bank,wavefront,wavefronts_ideal\n"
        "shared,16,32,0,28,1,2\nshared,16,32,2,28,1,2\n"
        "shared,16,32,4,28,1,2\nshared,16,32,1,0,2,2\n"
        "shared,16,32,3,0,3,2\n";
    char why[400];

    assert_int_equal(base_write_file(scratch, map, why, sizeof why), 0);
    char *svg = drawn(figure_queues, (const char *[4]){scratch});

    assert_int_equal(count_of(svg, "width=\"128.0\""), 3);
    text_has(svg, SAYS(">0, 2 .. 4<", "; 3 wavefronts<"));
    /* As in plots/access_map.gp: what could not be saved is no fault. */
    assert_int_equal(count_of(svg, "#56b4e9"), 2);
    free(svg);
    unlink(scratch);
}

/* Drawn as the decks have them: the load of Bs in lab 11, and in lab 12. */
TEST(test_the_figures_of_loads_are_of_loads)
{
    RUN_GIVES(0, SAYS("queues_11: 8 wavefronts\nqueues_12: 2 wavefronts\n"),
              "cd build/slides/figures && for f in queues_11 queues_12; do "
              "echo \"$f: $(grep -o '[0-9]* wavefronts' $f.svg)\"; done");
}

TEST(test_figures_of_strides_have_the_greatest_common_divisor)
{
    static const struct {
        const char *stride, *says;
    } cases[] = {{"1", "; 1 wavefront<"},
                 {"8", "; 8 wavefronts<"},
                 {"12", "; 4 wavefronts<"},
                 {"33", "; 1 wavefront<"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *svg = drawn(figure_stride,
                          (const char *[4]){"float", cases[i].stride, "today"});

        if (!strstr(svg, cases[i].says))
            fail_msg("stride %s: not '%s'", cases[i].stride, cases[i].says);
        free(svg);
    }
}

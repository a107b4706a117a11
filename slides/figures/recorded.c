/* recorded.c: figures of what the CPU device recorded (make map-NN). */
#include "figures.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/csv_read.h"
#include "queues.h"
#include "svg.h"

enum {
    SECTORS = 64, /* of a request, at most: two a lane */
    WORDS = 8     /* of a sector */
};

static int read_recording(char *const argument[], struct base_csv *csv,
                          char *why, size_t size)
{
    if (!argument[0]) {
        snprintf(why, size, "give a CSV file of make map-NN");
        return -1;
    }
    return base_csv_read(argument[0], csv, why, size);
}

static int number_in_row(const struct base_csv *csv, size_t row,
                         const char *name)
{
    const double value = base_csv_number(csv, row, name);

    return isfinite(value) ? (int)value : -1;
}

int figure_queues(char *const argument[], FILE *out, char *why, size_t size)
{
    struct base_csv csv;
    struct queues queues;

    if (read_recording(argument, &csv, why, size) != 0)
        return -1;
    memset(&queues, 0, sizeof queues);
    for (size_t i = 0; i < csv.rows; i++) {
        const int lane = number_in_row(&csv, i, "lane"),
                  bank = number_in_row(&csv, i, "bank");
        const int wavefront = number_in_row(&csv, i, "wavefront");

        if (strcmp(base_csv_text(&csv, i, "space"), "shared") != 0)
            continue;
        queues.banks = number_in_row(&csv, i, "banks");
        queues.words = number_in_row(&csv, i, "size") > 4
                           ? number_in_row(&csv, i, "size") / 4
                           : 1;
        queues.ideal = number_in_row(&csv, i, "wavefronts_ideal");
        if (lane < 0 || lane >= 32 || bank < 0 ||
            bank + queues.words > QUEUES_BANKS || wavefront < 1 ||
            wavefront > QUEUES_WAVEFRONTS) {
            base_csv_free(&csv);
            snprintf(why, size, "%s: no lane, bank and wavefront", argument[0]);
            return -1;
        }
        if (wavefront > queues.wavefronts)
            queues.wavefronts = wavefront;
        queues_add(&queues, lane, bank, wavefront);
    }
    base_csv_free(&csv);
    if (queues.wavefronts == 0) {
        snprintf(why, size, "%s: no request of shared memory", argument[0]);
        return -1;
    }
    queues_draw(&queues, out);
    return 0;
}

/* The sectors of a request and the lanes that want each word of them. */
struct sectors {
    int count, number[SECTORS];
    uint32_t lanes[SECTORS][WORDS];
};

static void add_lane(struct sectors *s, int sector, int word, int lane)
{
    int i = 0;

    while (i < s->count && s->number[i] != sector)
        i++;
    if (i == SECTORS)
        return;
    if (i == s->count)
        s->number[s->count++] = sector;
    s->lanes[i][word] |= (uint32_t)1 << lane;
}

static void draw_sectors(const struct sectors *s, const char *array, int cols,
                         FILE *out)
{
    const double x = 250, width = 84, top = 10;
    const double height = s->count > 8 ? 29 : 44;
    const double letter = s->count > 8 ? 19 : 22;
    int wanted = 0;

    svg_begin(out, 1160, top + s->count * height + 50);
    for (int i = 0; i < s->count; i++) {
        const double y = top + i * height;
        const int element = s->number[i] * WORDS;

        svg_code(out, x - 14, y + height / 2, letter, SVG_END, SVG_INK,
                 "%s[%d][%d..%d]", array, element / cols, element % cols,
                 element % cols + WORDS - 1);
        for (int word = 0; word < WORDS; word++) {
            const uint32_t set = s->lanes[i][word];
            char text[40] = "";
            int used = 0;

            for (int lane = 0; lane < 32; lane++) {
                if (set >> lane & 1) {
                    used += snprintf(text + used, sizeof text - (size_t)used,
                                     "%s%d", used ? "," : "", lane);
                }
            }
            wanted += set != 0;
            svg_box(out, x + word * width, y, width - 2, height - 2,
                    set ? SVG_BLUE : SVG_GREY, NULL);
            svg_text(out, x + (word + 0.5) * width, y + height / 2 - 1, letter,
                     SVG_MIDDLE, SVG_WHITE, "%s", text);
        }
    }
    svg_text(out, x, top + s->count * height + 26, 22, SVG_START, SVG_INK,
             "%d sectors, %d of %d words asked for", s->count, wanted,
             s->count * WORDS);
    svg_text(out, 960, 30, 22, SVG_START, SVG_BLUE, "lanes that ask");
    svg_text(out, 960, 64, 22, SVG_START, "#6b747c", "moved, not");
    svg_text(out, 960, 92, 22, SVG_START, "#6b747c", "asked for");
    svg_end(out);
}

int figure_sectors(char *const argument[], FILE *out, char *why, size_t size)
{
    struct base_csv csv;
    struct sectors sectors;
    char array[32] = "";
    int cols = 1;

    if (read_recording(argument, &csv, why, size) != 0)
        return -1;
    memset(&sectors, 0, sizeof sectors);
    for (size_t i = 0; i < csv.rows; i++) {
        const int element = number_in_row(&csv, i, "element");
        const int lane = number_in_row(&csv, i, "lane");

        if (strcmp(base_csv_text(&csv, i, "space"), "global") != 0 ||
            element < 0 || lane < 0 || lane >= 32)
            continue;
        snprintf(array, sizeof array, "%.20s", base_csv_text(&csv, i, "array"));
        cols = number_in_row(&csv, i, "cols");
        add_lane(&sectors, number_in_row(&csv, i, "sector"), element % WORDS,
                 lane);
    }
    base_csv_free(&csv);
    if (sectors.count == 0 || cols < 1) {
        snprintf(why, size, "%s: no request of global memory", argument[0]);
        return -1;
    }
    draw_sectors(&sectors, array, cols, out);
    return 0;
}

/* How many elements of each matrix a thread, a warp and a block touch; the
   warp's include the thread's, the block's both. */
struct touched {
    int count[3][3];
};

static int matrix_of(const struct base_csv *csv, size_t row)
{
    return base_csv_text(csv, row, "array")[0] - 'A';
}

static int group_of(const struct base_csv *csv, size_t row)
{
    const char first = base_csv_text(csv, row, "by")[0];

    return first == 't' ? 0 : first == 'w' ? 1 : 2;
}

static void draw_touched(const struct touched *t, double x, double y, FILE *out)
{
    static const char *const who[] = {"thread", "warp", "block"};
    static const char *const colour[] = {SVG_INK, SVG_VERMILLION, SVG_BLUE};

    svg_text(out, x, y, 22, SVG_START, SVG_INK, "elements of");
    for (int matrix = 0; matrix < 3; matrix++) {
        svg_bold(out, x + 190 + matrix * 80, y, 22, SVG_END, SVG_INK, "%c",
                 'A' + matrix);
    }
    for (int group = 0; group < 3; group++) {
        svg_bold(out, x, y + 38 * (group + 1), 22, SVG_START, colour[group],
                 "%s", who[group]);
        for (int matrix = 0; matrix < 3; matrix++) {
            svg_text(out, x + 190 + matrix * 80, y + 38 * (group + 1), 22,
                     SVG_END, SVG_INK, "%d", t->count[matrix][group]);
        }
    }
}

int figure_footprint(char *const argument[], FILE *out, char *why, size_t size)
{
    static const char *const colour[] = {SVG_INK, SVG_VERMILLION, SVG_SKY};
    struct base_csv csv;
    struct touched touched;

    if (read_recording(argument, &csv, why, size) != 0)
        return -1;
    memset(&touched, 0, sizeof touched);
    const int m = number_in_row(&csv, 0, "m"), n = number_in_row(&csv, 0, "n");
    const int k = number_in_row(&csv, 0, "k");

    if (m < 1 || n < 1 || k < 1) {
        base_csv_free(&csv);
        snprintf(why, size, "%s: no footprint", argument[0]);
        return -1;
    }
    const double e = 480.0 / (m + k), gap = 60;
    const double left = 30, mid = left + k * e + gap;
    const double top = 34, low = top + k * e + 38;
    const double x[3] = {left, mid, mid}, y[3] = {low, top, low};
    const int rows[3] = {m, k, m}, cols[3] = {k, n, n};

    svg_begin(out, 1160, low + m * e + 4);
    for (size_t i = 0; i < csv.rows; i++) {
        const int matrix = matrix_of(&csv, i), group = group_of(&csv, i);

        if (matrix < 0 || matrix > 2)
            continue;
        for (int wider = group; wider < 3; wider++)
            touched.count[matrix][wider]++;
        svg_box(out, x[matrix] + number_in_row(&csv, i, "col") * e,
                y[matrix] + number_in_row(&csv, i, "row") * e, e + 0.1, e + 0.1,
                colour[group], NULL);
    }
    for (int matrix = 0; matrix < 3; matrix++) {
        svg_frame(out, x[matrix], y[matrix], cols[matrix] * e, rows[matrix] * e,
                  SVG_INK, 2);
        svg_text(out, x[matrix], y[matrix] - 18, 22, SVG_START, SVG_INK,
                 "%c, %d x %d", 'A' + matrix, rows[matrix], cols[matrix]);
    }
    base_csv_free(&csv);
    draw_touched(&touched, 30, 60, out);
    svg_end(out);
    return 0;
}

/* banks.c: figures of shared memory's banks, from the model of common/banks. */
#include "figures.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "banks/banks.h"
#include "banks/demo.h"
#include "base/csv_read.h"
#include "queues.h"
#include "svg.h"

/* The number that an argument is; 0 if it is none. */
static int number_of(const char *argument)
{
    char *end;
    const long number = strtol(argument, &end, 10);

    return *end == '\0' && number > 0 && number < INT_MAX ? (int)number : 0;
}

int figure_stride(char *const argument[], FILE *out, char *why, size_t size)
{
    struct queues queues;
    uint64_t address[BANKS_LANES];
    int wavefront[BANKS_LANES];
    int type = 0;

    if (!argument[0] || !argument[1] || !argument[2]) {
        snprintf(why, size, "give a type, a stride and a rule");
        return -1;
    }
    while (type < BANKS_TYPES &&
           strcmp(argument[0], banks_type_name(type)) != 0)
        type++;
    const int stride = number_of(argument[1]);
    const enum banks_rule rule =
        strcmp(argument[2], "1.x") == 0 ? BANKS_CC1 : BANKS_TODAY;

    if (type == BANKS_TYPES || stride < 1) {
        snprintf(why, size, "no type, or no stride: %s %s", argument[0],
                 argument[1]);
        return -1;
    }
    const int bytes = banks_type_size(type);
    /* Of 1.x the first half of the warp is drawn: halves are served apart. */
    const uint32_t active = rule == BANKS_CC1 ? 0xffffu : 0xffffffffu;

    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = (uint64_t)lane * (uint64_t)(stride * bytes);
    memset(&queues, 0, sizeof queues);
    queues.banks = banks_count(rule);
    queues.words = 1;
    queues.ideal = banks_ideal(rule, address, active, bytes, 0);
    queues.wavefronts =
        banks_schedule(rule, address, active, bytes, 0, wavefront);
    for (int lane = 0; lane < BANKS_LANES; lane++) {
        if (active >> lane & 1) {
            queues_add(&queues, lane,
                       (int)(address[lane] / BANKS_WIDTH) % queues.banks,
                       wavefront[lane]);
        }
    }
    queues_draw(&queues, out);
    return 0;
}

/* A colour for a number of wavefronts, darker for more. */
static const char *colour_of(int wavefronts)
{
    return wavefronts == 1   ? "#d3e9f7"
           : wavefronts == 2 ? "#ffe2a3"
           : wavefronts <= 4 ? SVG_ORANGE
                             : SVG_VERMILLION;
}

int figure_conflict(char *const argument[], FILE *out, char *why, size_t size)
{
    static const char *const types[] = {"char", "short", "float"};
    static const char *const strides[] = {"1", "2",  "3",  "4", "5",
                                          "8", "16", "32", "33"};
    const double x = 190, y = 70, width = 104, height = 92;
    struct base_csv csv;

    if (!argument[0] || !argument[1]) {
        snprintf(why, size, "give the banks' CSV file and a rule");
        return -1;
    }
    if (base_csv_read(argument[0], &csv, why, size) != 0)
        return -1;
    svg_begin(out, 1160, 380);
    svg_text(out, 170, 40, 24, SVG_END, SVG_INK, "stride");
    for (int col = 0; col < 9; col++) {
        svg_bold(out, x + (col + 0.5) * width, 40, 24, SVG_MIDDLE, SVG_INK,
                 "%s", strides[col]);
    }
    for (int row = 0; row < 3; row++) {
        svg_bold(out, 170, y + (row + 0.5) * height, 26, SVG_END, SVG_INK, "%s",
                 types[row]);
    }
    for (size_t i = 0; i < csv.rows; i++) {
        for (int row = 0; row < 3; row++) {
            for (int col = 0; col < 9; col++) {
                const int wavefronts =
                    (int)base_csv_number(&csv, i, "wavefronts");

                if (strcmp(base_csv_text(&csv, i, "type"), types[row]) != 0 ||
                    strcmp(base_csv_text(&csv, i, "stride"), strides[col]) !=
                        0 ||
                    strcmp(base_csv_text(&csv, i, "rule"), argument[1]) != 0)
                    continue;
                svg_box(out, x + col * width, y + row * height, width - 6,
                        height - 6, colour_of(wavefronts), NULL);
                svg_bold(out, x + (col + 0.5) * width - 3,
                         y + (row + 0.5) * height - 3, 32, SVG_MIDDLE,
                         wavefronts > 4 ? SVG_WHITE : SVG_INK, "%d",
                         wavefronts);
            }
        }
    }
    svg_end(out);
    base_csv_free(&csv);
    return 0;
}

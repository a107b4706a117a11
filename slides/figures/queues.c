#include "queues.h"

#include "svg.h"

void queues_add(struct queues *q, int lane, int bank, int wavefront)
{
    q->lanes[bank][wavefront - 1] |= (uint32_t)1 << lane;
}

/* The lanes of a set, first and last if there are many: at most two lines, or
   one with the second lane if the box is wide. */
static void draw_lanes(FILE *out, double x, double y, double letter,
                       uint32_t set, int is_wide, const char *colour)
{
    int first = -1, second = -1, last = -1, count = 0;

    for (int lane = 0; lane < 32; lane++) {
        if (set >> lane & 1) {
            first = count == 0 ? lane : first;
            second = count == 1 ? lane : second;
            last = lane;
            count++;
        }
    }
    if (count == 1) {
        svg_text(out, x, y, letter, SVG_MIDDLE, colour, "%d", first);
    } else if (is_wide && count > 2) {
        svg_text(out, x, y, letter, SVG_MIDDLE, colour, "%d, %d .. %d", first,
                 second, last);
    } else {
        const double small = count == 2 ? letter : letter - 3;

        svg_text(out, x, y - 0.55 * letter, small, SVG_MIDDLE, colour, "%d%s",
                 first, count == 2 ? "" : "-");
        svg_text(out, x, y + 0.55 * letter, small, SVG_MIDDLE, colour, "%d",
                 last);
    }
}

/* Banks from left to right, the first wavefront at the bottom; later ones stand
   on top of it, as in a queue. Those that could be saved have another colour,
   as in plots/access_map.gp. */
void queues_draw(const struct queues *q, FILE *out)
{
    const double left = 120, width = 1040.0 / q->banks;
    const int many = q->wavefronts > 8;
    const double height = many                ? 384.0 / q->wavefronts
                          : q->wavefronts > 4 ? 46
                                              : 60;
    const double floor = 4 + q->wavefronts * height;

    svg_begin(out, 1160, floor + 76);
    for (int bank = 0; bank < q->banks; bank++) {
        for (int wavefront = 0; wavefront < q->wavefronts; wavefront++) {
            const uint32_t set = q->lanes[bank][wavefront];
            const double y = floor - (wavefront + 1) * height;

            if (!set)
                continue;
            svg_box(out, left + bank * width + 1, y + 1, q->words * width - 2,
                    height - 2, wavefront < q->ideal ? SVG_SKY : SVG_VERMILLION,
                    NULL);
            if (!many) {
                draw_lanes(out, left + (bank + 0.5 * q->words) * width,
                           y + height / 2, 18, set, q->words > 1,
                           wavefront < q->ideal ? SVG_INK : SVG_WHITE);
            }
        }
        svg_box(out, left + bank * width + 1, floor + 2, width - 2, 30,
                SVG_GREY, NULL);
        svg_text(out, left + (bank + 0.5) * width, floor + 17, 18, SVG_MIDDLE,
                 SVG_INK, "%d", bank);
    }
    svg_text(out, left - 6, floor + 17, 18, SVG_END, SVG_INK, "bank");
    svg_text(out, left - 6, floor - height / 2, 18, SVG_END, SVG_INK,
             "wavefront 1");
    if (q->wavefronts > 1) {
        svg_text(out, left - 6, floor - (q->wavefronts - 0.5) * height, 18,
                 SVG_END, q->wavefronts > q->ideal ? SVG_VERMILLION : SVG_INK,
                 "%d", q->wavefronts);
    }
    svg_text(out, left, floor + 56, 20, SVG_START, SVG_INK,
             "numbers in the boxes: lanes of the warp%s; %d wavefront%s",
             q->banks == 16 ? "'s first half" : "", q->wavefronts,
             q->wavefronts == 1 ? "" : "s");
    svg_end(out);
}

#include "why.h"

#include <stdarg.h>
#include <stdio.h>

void lab_why_tell(struct lab_why *why, int rank, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(why->text, sizeof why->text, format, list);
    va_end(list);
    why->rank = rank;
    why->is_message = 0;
}

void lab_why_place(struct lab_why *why, const char *file, int line)
{
    snprintf(why->file, sizeof why->file, "%s", line > 0 ? file : "");
    why->line = line;
}

void lab_why_other_place(struct lab_why *why, const char *file, int line)
{
    snprintf(why->other_file, sizeof why->other_file, "%s", file);
    why->other_line = line;
}

void lab_why_launch(struct lab_why *why, const char *file, int line)
{
    const int grid = lab_why_grid_line(file, line);

    lab_why_place(why, file, grid > 0 ? grid : line);
    lab_why_other_place(why, file, grid > 0 ? line : 0);
}

void lab_why_thread(char *text, size_t size, const struct simt_access *s)
{
    const unsigned x = s->block_size[0], y = s->block_size[1];
    const unsigned t = (unsigned)s->thread;
    const unsigned gx = s->grid[0], gy = s->grid[1];
    int used;

    if (s->block_size[2] > 1) {
        used = snprintf(text, size, "thread (%u,%u,%u)", t % x, t / x % y,
                        t / x / y);
    } else {
        used = snprintf(text, size, "thread (%u,%u)", t % x, t / x);
    }
    if (gx * gy * s->grid[2] > 1) {
        snprintf(text + used, size - (size_t)used, " of block (%u,%u%s)",
                 (unsigned)(s->block % gx), (unsigned)(s->block / gx % gy),
                 s->grid[2] > 1 ? ",.." : "");
    }
}

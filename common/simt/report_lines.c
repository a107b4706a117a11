/* The table by source line. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include "base/language.h"
#include "base/wrap.h"
#include "report_sums.h"

#include <stdlib.h>
#include <string.h>

const char *simt_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Copies a line without its indentation, blanks for tabs. What does not fit
   ends in "...", and never within a character of UTF-8. */
static void copy_line(char *text, size_t room, const char *line)
{
    size_t length;

    line += strspn(line, " \t");
    length = strcspn(line, "\r\n");
    while (length > 0 && strchr(" \t", line[length - 1]) != NULL)
        length--;
    if (length < room) {
        memcpy(text, line, length);
        text[length] = '\0';
    } else {
        length = room - 4;
        while (length > 0 && ((unsigned char)line[length] & 0xc0) == 0x80)
            length--;
        memcpy(text, line, length);
        memcpy(text + length, "...", 4);
    }
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ')
            *text = ' ';
    }
}

void simt_source_line(char *text, size_t room, const char *file, int line)
{
    FILE *source = line > 0 && *file != '\0' ? fopen(file, "re") : NULL;
    char *read = NULL;
    size_t size = 0;
    int at = 0;

    text[0] = '\0';
    if (source == NULL)
        return;
    while (at < line && getline(&read, &size, source) >= 0)
        at++;
    if (at == line)
        copy_line(text, room, read);
    free(read);
    fclose(source);
}

/* What a line of the table shows: accesses, or operations. */
struct entry {
    const char *kernel, *file;
    int line;
    const struct simt_row *row; /* NULL: flops is set */
    const struct simt_flops *flops;
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = strcmp(a->kernel, b->kernel);

    if (order == 0)
        order = strcmp(a->file, b->file);
    if (order == 0)
        order = a->line < b->line ? -1 : a->line > b->line;
    if (order == 0 && (a->row == NULL || b->row == NULL))
        order = (a->row == NULL) - (b->row == NULL);
    if (order != 0 || a->row == NULL)
        return order;
    /* Rows lie in one array, already in an order of their own. */
    return a->row < b->row ? -1 : a->row > b->row;
}

static void print_place(FILE *to, const struct entry *e)
{
    char text[BASE_WIDTH];
    const int used =
        e->line > 0 ? fprintf(to, "  %s:%d", simt_base_name(e->file), e->line)
                    : fprintf(to, "%s", _("  (no line is known)"));
    const int room = BASE_WIDTH - used - 1; /* with the final 0 */

    text[0] = '\0';
    if (room >= 20)
        simt_source_line(text, (size_t)room, e->file, e->line);
    fprintf(to, "%s%s\n", text[0] != '\0' ? "  " : "", text);
}

static void print_head(FILE *to, const char *kernel)
{
    fprintf(to, "  %.77s\n    ", kernel);
    base_cell(to, -12, _("access"));
    base_cell(to, -9, _("memory"));
    base_cell(to, -10, _("array"));
    base_cell(to, 12, _("requests"));
    base_cell(to, 7, _("lanes"));
    fputs("  ", to);
    base_cell(to, -16, _("a request takes"));
    base_cell(to, 6, _("best"));
    fputc('\n', to);
}

static void print_line_row(FILE *to, const struct simt_row *row)
{
    const double requests = row->requests > 0 ? (double)row->requests : 1.0;
    char grouped[SIMT_GROUPED];

    fprintf(to, "    %-6s %2d B %-8s %-10.10s %11s  %5.1f  %5.2f ",
            simt_kind_name(row->kind), row->size, simt_space_name(row->space),
            row->array, simt_group(grouped, row->requests),
            (double)row->lanes / requests,
            (double)simt_row_sectors_or_wavefronts(row) / requests);
    base_cell(to, -10, simt_unit_name(row->space));
    fprintf(to, " %5.2f\n", (double)simt_row_ideal(row) / requests);
}

static size_t collect(const struct simt_count *count, struct entry *entries)
{
    size_t filled = 0;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        if (row->requests > 0) {
            entries[filled++] =
                (struct entry){row->kernel, row->file, row->line, row, NULL};
        }
    }
    for (size_t i = 0; i < count->flops_lines; i++) {
        const struct simt_flops *flops = &count->flops[i];

        if (flops->flops > 0) {
            entries[filled++] = (struct entry){flops->kernel, flops->file,
                                               flops->line, NULL, flops};
        }
    }
    return filled;
}

void simt_report_lines(FILE *to, const struct simt_count *count)
{
    struct entry *entries =
        calloc(count->rows + count->flops_lines + 1, sizeof *entries);
    size_t filled;
    char grouped[SIMT_GROUPED];

    if (entries == NULL) {
        fputs(_("  (no memory for the table by line)\n"), to);
        return;
    }
    filled = collect(count, entries);
    qsort(entries, filled, sizeof *entries, compare_entries);
    for (size_t i = 0; i < filled; i++) {
        const struct entry *e = &entries[i];
        const struct entry *before = i > 0 ? e - 1 : NULL;

        if (before == NULL || strcmp(before->kernel, e->kernel) != 0) {
            print_head(to, e->kernel);
            before = NULL;
        }
        if (before == NULL || before->line != e->line ||
            strcmp(before->file, e->file) != 0)
            print_place(to, e);
        if (e->row != NULL) {
            print_line_row(to, e->row);
        } else {
            fputs("    ", to);
            base_cell(to, -31, _("calculates"));
            fprintf(to, " %11s  FLOPs\n", simt_group(grouped, e->flops->flops));
        }
    }
    free(entries);
}

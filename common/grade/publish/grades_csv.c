#define _POSIX_C_SOURCE 200809L
#include "grade/publish/exports.h"

#include <stdlib.h>
#include <string.h>

#include "grade/base/text.h"
#include "base/replace_file.h"
#include "base/memory.h"
#include "base/values.h"

static void write_header(FILE *to, const struct grade_class *class)
{
    fputs("student,name,total", to);
    for (int i = 0; i < class->labs; i++)
        fprintf(to, ",%s", class->lab[i]->name);
    if (class->columns > class->labs)
        fputs(",report", to);
    for (int i = 0; i < class->labs; i++)
        fprintf(to, ",%s_verdict", class->lab[i]->name);
    fputs(",isolation,look_at,note\n", to);
}

/* Writes what was gathered, which are pieces with "; " behind each. */
static void write_pieces(FILE *to, struct base_memory *memory)
{
    char *const text = base_memory_close(memory);

    if (text == NULL)
        return;
    if (memory->length > 2)
        text[memory->length - 2] = '\0';
    grade_text_cell(to, text);
    free(text);
}

/* Labs that a person must look at: flags, the grader's own faults, what others
   have handed in too, and a mark that does not say how late. */
static void write_look_at(FILE *to, const struct grade_class *class,
                          const struct grade_row *row)
{
    struct base_memory memory;
    FILE *const file = base_memory_open(&memory);

    for (int i = 0; file != NULL && i < class->labs; i++) {
        const struct grade_result *const r = &row->result[i];

        if (row->decision[i] != NULL)
            continue;
        if (r->verdict == GRADE_GRADER_ERROR)
            fprintf(file, "%.2s: %s; ", r->lab, r->text);
        for (int k = 0; k < r->flag_count; k++)
            fprintf(file, "%.2s: %s; ", r->lab, r->flags[k].text);
        if (row->alike[i] != NULL)
            fprintf(file, "%.2s: %s; ", r->lab, row->alike[i]);
        if (row->late[i].at_least && grade_row_days_late(row, i) > 0) {
            fprintf(file,
                    "%.2s: marked as late, taken for 1 day (late.csv has the "
                    "days); ",
                    r->lab);
        }
    }
    write_pieces(to, &memory);
}

static void write_note(FILE *to, const struct grade_class *class,
                       const struct grade_row *row)
{
    struct base_memory memory;
    FILE *const file = base_memory_open(&memory);

    if (file == NULL)
        return;
    if (!row->listed)
        fputs("not on the roster; ", file);
    for (int i = 0; i < class->labs; i++) {
        if (row->decision[i] != NULL) {
            fprintf(file, "%.2s by hand: %s; ", class->lab[i]->name,
                    row->decision[i]->reason);
        } else if (grade_row_days_late(row, i) > 0) {
            fprintf(file, "%.2s late by %d day%s, %.0f %% of the points; ",
                    class->lab[i]->name, row->late[i].days,
                    row->late[i].days == 1 ? "" : "s",
                    100.0 * row->late[i].share);
        }
    }
    if (*row->unknown != '\0')
        fprintf(file, "not graded: %s; ", row->unknown);
    write_pieces(to, &memory);
}

static void write_grades_row(FILE *to, const struct grade_class *class,
                             const struct grade_row *row)
{
    grade_text_cell(to, row->student);
    fputc(',', to);
    grade_text_cell(to, row->name);
    fputc(',', to);
    /* What nobody decided is no 0. */
    if (grade_row_is_decided(class, row))
        base_put_csv_number(to, grade_row_total(class, row));
    for (int i = 0; i < class->columns; i++) {
        fputc(',', to);
        if (grade_row_is_settled(class, row, i))
            base_put_csv_number(to, grade_row_points(class, row, i));
    }
    for (int i = 0; i < class->labs; i++)
        fprintf(to, ",%s", grade_verdict_word[row->result[i].verdict]);
    fprintf(to, ",%s,", grade_isolation_name[class->isolation]);
    write_look_at(to, class, row);
    fputc(',', to);
    write_note(to, class, row);
    fputc('\n', to);
}

int grade_csv_write(const char *path, const struct grade_class *class,
                    char *why, size_t size)
{
    struct base_replacement r;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    write_header(r.file, class);
    for (size_t i = 0; i < class->rows; i++)
        write_grades_row(r.file, class, &class->row[i]);
    return base_replace_end(&r, 1, why, size);
}

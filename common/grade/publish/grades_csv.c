#define _POSIX_C_SOURCE 200809L
#include "grade/publish/exports.h"

#include <stdlib.h>
#include <string.h>

#include "grade/base/text.h"
#include "base/replace_file.h"
#include "base/values.h"

static void write_header(FILE *to, const struct grade_class *class)
{
    fputs("student,name,total", to);
    for (int i = 0; i < class->labs; i++)
        fprintf(to, ",%s", class->lab[i]->name);
    for (int i = 0; i < class->labs; i++)
        fprintf(to, ",%s_verdict", class->lab[i]->name);
    fputs(",isolation,look_at,note\n", to);
}

/* Labs that a person must look at: flags, and the grader's own faults. */
static void write_look_at(FILE *to, const struct grade_class *class,
                          const struct grade_row *row)
{
    char *text = NULL;
    size_t length;
    FILE *const file = open_memstream(&text, &length);

    if (file == NULL)
        return;
    for (int i = 0; i < class->labs; i++) {
        const struct grade_result *const r = &row->result[i];

        if (row->decision[i] != NULL)
            continue;
        if (r->verdict == GRADE_GRADER_ERROR)
            fprintf(file, "%.2s: %s; ", r->lab, r->text);
        for (int k = 0; k < r->flag_count; k++)
            fprintf(file, "%.2s: %s; ", r->lab, r->flags[k].text);
    }
    if (fclose(file) == 0) {
        if (length > 2)
            text[length - 2] = '\0';
        grade_text_cell(to, text);
    }
    free(text);
}

static void write_note(FILE *to, const struct grade_class *class,
                       const struct grade_row *row)
{
    char *text = NULL;
    size_t length;
    FILE *const file = open_memstream(&text, &length);

    if (file == NULL)
        return;
    if (!row->listed)
        fputs("not on the roster; ", file);
    for (int i = 0; i < class->labs; i++) {
        if (row->decision[i] != NULL) {
            fprintf(file, "%.2s by hand: %s; ", class->lab[i]->name,
                    row->decision[i]->reason);
        }
    }
    if (*row->unknown != '\0')
        fprintf(file, "not graded: %s; ", row->unknown);
    if (fclose(file) == 0) {
        if (length > 2)
            text[length - 2] = '\0';
        grade_text_cell(to, text);
    }
    free(text);
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
        output_csv_number(to, grade_row_total(class, row));
    for (int i = 0; i < class->labs; i++) {
        fputc(',', to);
        if (row->decision[i] != NULL ||
            row->result[i].verdict != GRADE_GRADER_ERROR)
            output_csv_number(to, grade_row_points(row, i));
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
    struct output_replacement r;

    if (output_replace_begin(&r, path, why, size) != 0)
        return -1;
    write_header(r.file, class);
    for (size_t i = 0; i < class->rows; i++)
        write_grades_row(r.file, class, &class->row[i]);
    return output_replace_end(&r, 1, why, size);
}

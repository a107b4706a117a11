/* Any CSV file: what was read and is written again reads as the same. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "base/csv_read.h"
#include "base/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *write_again(const struct base_csv *csv)
{
    char *text = NULL;
    size_t length;
    FILE *const file = open_memstream(&text, &length);

    if (file == NULL)
        abort();
    for (size_t i = 0; i < (csv->rows + 1) * csv->columns; i++) {
        /* A line with one empty cell is no empty line. */
        if (csv->columns == 1 && csv->cell[i][0] == '\0') {
            fputs("\"\"", file);
        } else {
            base_put_csv_text(file, csv->cell[i]);
        }
        fputc((i + 1) % csv->columns == 0 ? '\n' : ',', file);
    }
    fclose(file);
    return text;
}

void fuzz_csv(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    char why[300] = "", *again;
    struct base_csv csv, same;

    if (base_csv_parse("a.csv", text, &csv, why, sizeof why) != 0) {
        fuzz_message(why, sizeof why);
        fuzz_must(csv.text == NULL && csv.cell == NULL && csv.rows == 0);
        free(text);
        return;
    }
    fuzz_must(csv.columns > 0);
    again = write_again(&csv);
    fuzz_must(base_csv_parse("b.csv", again, &same, why, sizeof why) == 0);
    fuzz_must(same.columns == csv.columns && same.rows == csv.rows);
    for (size_t i = 0; i < (csv.rows + 1) * csv.columns; i++)
        fuzz_must(strcmp(csv.cell[i], same.cell[i]) == 0);
    for (size_t i = 0; i < csv.columns; i++) {
        const int column = base_csv_column(&csv, csv.cell[i]);

        fuzz_must(column >= 0 && (size_t)column <= i);
        (void)base_csv_number(&csv, csv.rows, csv.cell[i]);
        if (csv.rows > 0)
            (void)base_csv_number(&csv, csv.rows - 1, csv.cell[i]);
    }
    base_csv_free(&same);
    base_csv_free(&csv);
    free(again);
    free(text);
}

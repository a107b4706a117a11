/* Does the reader of CSV files read what libcsv, which is not ours, reads? */

#include <csv.h>
#include <math.h>
#include <string.h>

#include "../testing.h"
#include "base/csv_read.h"
#include "harness/inputs.h"

enum {
    TEXTS = 200000,
    MOST = 12 /* characters of a text */
};

/* What libcsv finds, as a line for each cell and an empty one for each row. */
struct listing {
    char text[400];
    size_t used, cells, columns, rows;
    int uneven;
};

static void add_cell_text(struct listing *l, const char *text, size_t length)
{
    memcpy(l->text + l->used, text, length);
    l->used += length;
    l->text[l->used++] = '|';
}

static void take_cell(void *cell, size_t length, void *context)
{
    struct listing *const l = context;

    add_cell_text(l, length > 0 ? cell : "", length);
    l->cells++;
}

static void take_row(int end, void *context)
{
    struct listing *const l = context;

    (void)end;
    if (l->rows == 0)
        l->columns = l->cells;
    l->rows++;
    l->uneven |= l->cells != l->rows * l->columns;
}

/* 1 if libcsv takes the text as a table. */
static int read_by_libcsv(const char *text, struct listing *l)
{
    struct csv_parser parser;
    int right;

    *l = (struct listing){.used = 0};
    assert_int_equal(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI), 0);
    right = csv_parse(&parser, text, strlen(text), take_cell, take_row, l) ==
                strlen(text) &&
            csv_fini(&parser, take_cell, take_row, l) == 0;
    csv_free(&parser);
    return right && !l->uneven && l->rows > 0;
}

TEST(test_random_texts_are_read_as_libcsv_reads_them)
{
    static const char letters[] = "ab ,,\"\"\n\r ";
    uint64_t random = 1;
    int tables = 0;

    for (int i = 0; i < TEXTS; i++) {
        const size_t length = lab_random(&random) % (MOST + 1);
        char text[MOST + 1] = "", why[200];
        struct listing theirs, ours = {.used = 0};
        struct base_csv csv;
        int is_table;

        for (size_t k = 0; k < length; k++)
            text[k] = letters[lab_random(&random) % (sizeof letters - 1)];
        is_table = read_by_libcsv(text, &theirs);
        if ((base_csv_parse("text", text, &csv, why, sizeof why) == 0) !=
            is_table)
            fail_msg("libcsv says %d of <%s>", is_table, text);
        if (!is_table)
            continue;
        tables++;
        for (size_t k = 0; k < (csv.rows + 1) * csv.columns; k++)
            add_cell_text(&ours, csv.cell[k], strlen(csv.cell[k]));
        assert_int_equal(csv.rows + 1, theirs.rows);
        assert_int_equal(csv.columns, theirs.columns);
        assert_string_equal(ours.text, theirs.text);
        base_csv_free(&csv);
    }
    assert_true(tables > TEXTS / 20);
}

TEST(test_cells_may_stand_between_semicolons_or_tabs)
{
    struct base_csv csv;
    char why[200];

    assert_int_equal(base_csv_parse("file", "a;\"b;c\"\n1,5;\"x;y\"\n", &csv,
                                    why, sizeof why),
                     0);
    assert_string_equal(base_csv_text(&csv, 0, "a"), "1,5");
    assert_string_equal(base_csv_text(&csv, 0, "b;c"), "x;y");
    base_csv_free(&csv);
    assert_int_equal(
        base_csv_parse("file", "a\tb\n\t2\n", &csv, why, sizeof why), 0);
    assert_string_equal(base_csv_text(&csv, 0, "a"), "");
    assert_string_equal(base_csv_text(&csv, 0, "b"), "2");
    base_csv_free(&csv);
}

TEST(test_quotes_and_line_ends_are_read)
{
    struct base_csv csv;
    char why[200];

    assert_int_equal(
        base_csv_parse("file", "a,b\r\n\"x, \"\"y\"\"\n\",2.5\r\n,\n\"\",7",
                       &csv, why, sizeof why),
        0);
    assert_int_equal(csv.rows, 3);
    assert_string_equal(base_csv_text(&csv, 0, "a"), "x, \"y\"\n");
    assert_true(base_csv_number(&csv, 0, "b") == 2.5);
    assert_string_equal(base_csv_text(&csv, 1, "b"), "");
    assert_true(isnan(base_csv_number(&csv, 1, "b")));
    assert_true(isnan(base_csv_number(&csv, 0, "a")));
    assert_true(base_csv_number(&csv, 2, "b") == 7.0);
    assert_string_equal(base_csv_text(&csv, 0, "c"), "");
    base_csv_free(&csv);
}

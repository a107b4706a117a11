/* Do Canvas and Moodle get tables that their importers take, for the students
   that they know, with the grades of these students? The tables are read with
   libcsv itself. */
#define _GNU_SOURCE
#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "folder.h"
#include "small_class.h"
#include "worst_names.h"

enum {
    ROWS = 80,
    COLUMNS = 12
};

static const char *path; /* of the export */

/* What libcsv finds in a table. */
static struct {
    char *cell[ROWS][COLUMNS];
    int columns[ROWS], rows;
} table;

static void take_cell(void *text, size_t length, void *context)
{
    (void)context;
    assert_true(table.rows < ROWS && table.columns[table.rows] < COLUMNS);
    table.cell[table.rows][table.columns[table.rows]++] =
        strndup(length > 0 ? text : "", length);
}

static void take_row(int end, void *context)
{
    (void)end;
    (void)context;
    table.rows++;
}

static void forget_export(void)
{
    for (int r = 0; r < table.rows; r++) {
        for (int c = 0; c < table.columns[r]; c++)
            free(table.cell[r][c]);
    }
    memset(&table, 0, sizeof table);
}

/* Reads the table at path; each row must have as many cells as the first. */
static void parse_table(void)
{
    char *const text = text_of(path);
    struct csv_parser parser;

    forget_export();
    assert_int_equal(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI), 0);
    assert_int_equal(
        csv_parse(&parser, text, strlen(text), take_cell, take_row, NULL),
        strlen(text));
    assert_int_equal(csv_fini(&parser, take_cell, take_row, NULL), 0);
    csv_free(&parser);
    for (int r = 1; r < table.rows; r++)
        assert_int_equal(table.columns[r], table.columns[0]);
}

static void check_row(int row, const char *const *cells)
{
    int c = 0;

    for (; cells[c] != NULL; c++) {
        assert_true(c < table.columns[row]);
        assert_string_equal(table.cell[row][c], cells[c]);
    }
    assert_int_equal(table.columns[row], c);
}

#define ROW(number, ...) \
    check_row(number, (const char *const[]){__VA_ARGS__, NULL})

static void give(const char *text)
{
    folder_put("given.csv", text);
}

static int export_to(grade_export_one *to)
{
    path =
        to == grade_export_canvas ? "export/canvas.csv" : "export/moodle.csv";
    told();
    return to(&papers, "given.csv");
}

static void expect_refusal(grade_export_one *to, const char *words)
{
    assert_int_equal(export_to(to), -1);
    expect_words(why, words);
    assert_false(is_there(path));
}

/* --- Canvas --------------------------------------------------------------- */

static int end(void **state)
{
    forget_export();
    return small_class_end(state);
}

#define HEADER "Student,ID,SIS User ID,SIS Login ID,Section,"

EACH_TEST(small_class_begin, end);

TEST(test_canvas_keeps_rows_and_numbers_and_fills_in_scores)
{
    const char *said;

    give("\xef\xbb\xbf" HEADER
         "Quiz (11),Lab 4: Coalescing (12),Lab 03 (13),Final Score\n"
         ",,,,,,Manual Posting,,\n"
         "    Points Possible,,,,,10,100,100,(read only)\n"
         "\"A., Alice\",7001,u1,alice,CS 1,9,1,2,50\n"
         "\"G., Ghost\",7002,u2,ghost,CS 1,9,,,50\n"
         "\"Student, Test\",7003,,t3,CS 1,9,5,,50\n");
    if (export_to(grade_export_canvas) != 0)
        fail_msg("%s", why);
    parse_table();
    assert_int_equal(table.rows, 6);
    ROW(0, "Student", "ID", "SIS User ID", "SIS Login ID", "Section",
        "Lab 03 (13)", "Lab 4: Coalescing (12)");
    ROW(1, "", "", "", "", "", "", "Manual Posting");
    ROW(2, "Points Possible", "", "", "", "", "100", "100");
    ROW(3, "A., Alice", "7001", "u1", "alice", "CS 1", "100", "83.33");
    ROW(4, "G., Ghost", "7002", "u2", "ghost", "CS 1", "0", "0");
    /* Nobody of the class: as it was. */
    ROW(5, "Student, Test", "7003", "", "t3", "CS 1", "", "5");
    said = told();
    expect_words(said, "2 students, 2 labs");
    expect_words(said, "not in the gradebook, so left out: =cmd|'\\n<b>");
}

TEST(test_canvas_finds_the_row_of_the_points_as_canvas_writes_it)
{
    give(HEADER "03_tiling (13)\n    Points Possible,,,,,100\n");
    assert_int_equal(export_to(grade_export_canvas), 0);
    text_says(path, "\n    Points Possible,,,,,100\n");
}

TEST(test_canvas_leaves_alone_what_nobody_decided)
{
    class.row[0].result[1].verdict = GRADE_GRADER_ERROR;
    give(HEADER "Lab 03 (13),Lab 04 (12)\nA,7001,u1,alice,CS 1,,61\n");
    assert_int_equal(export_to(grade_export_canvas), 0);
    parse_table();
    ROW(1, "A", "7001", "u1", "alice", "CS 1", "100", "61");
}

TEST(test_canvas_finds_students_by_the_column_that_has_most)
{
    give(HEADER "Lab 03 (13)\n"
                "A,1,alice,ghost,CS 1,\n"
                "G,2,ghost,x@uni.edu,CS 1,\n");
    assert_int_equal(export_to(grade_export_canvas), 0);
    parse_table();
    ROW(1, "A", "1", "alice", "ghost", "CS 1", "100");
    ROW(2, "G", "2", "ghost", "x@uni.edu", "CS 1", "0");
    give(HEADER "Lab 03 (13)\nA,1,ghost,alice,CS 1,\n"); /* the login's */
    assert_int_equal(export_to(grade_export_canvas), 0);
    parse_table();
    ROW(1, "A", "1", "ghost", "alice", "CS 1", "100");
    give(HEADER "Lab 03 (13)\n"
                "A,1,u1,alice@uni.edu,CS 1,\n"
                "A2,2,u2,alice2@uni.edu,CS 1,\n");
    assert_int_equal(export_to(grade_export_canvas), 0);
    parse_table();
    ROW(1, "A", "1", "u1", "alice@uni.edu", "CS 1", "100");
    ROW(2, "A2", "2", "u2", "alice2@uni.edu", "CS 1", "");
}

TEST(test_canvas_takes_no_other_column_for_a_lab)
{
    give(HEADER "Lab 03,Lab 04 quiz (9),Lab 13 (8),Collab 03 (7),lab 3 (x)\n");
    expect_refusal(grade_export_canvas, "no assignment is one of the labs");
    give(HEADER "Lab 03 (1),03_tiling (2)\n");
    expect_refusal(grade_export_canvas,
                   "'Lab 03 (1)' and '03_tiling (2)' are both");
    give(HEADER "Tiling (1),Lab 04 (2)\n");
    assert_int_equal(export_to(grade_export_canvas), 0);
    give(HEADER "Lab 04 (2)\n");
    assert_int_equal(export_to(grade_export_canvas), 0);
    expect_words(told(), "no column for Lab 03\n");
}

TEST(test_canvas_refuses_another_scale)
{
    give(HEADER "Lab 03 (13)\n    Points Possible,,,,,10\n");
    expect_refusal(grade_export_canvas,
                   "'Lab 03 (13)' has 10 points in Canvas");
}

TEST(test_a_scale_may_have_a_decimal_comma)
{
    give("Student;ID;Lab 03 (13)\n    Points Possible;;80,50\nA;1;\n");
    expect_refusal(grade_export_canvas, "has 80.5 points in Canvas, and 100");
}

TEST(test_canvas_refuses_what_is_no_gradebook)
{
    expect_refusal(grade_export_canvas, "given.csv");
    give("Student Name;Lab 03 (13)\n");
    expect_refusal(grade_export_canvas, "no columns 'Student' and 'ID'");
    give(HEADER "Lab 03 (13)\nA,1,u1,alice,CS 1,,\n");
    expect_refusal(grade_export_canvas, "row 2 has not 6 cells");
    give(HEADER "Lab 03 (13)\nA,1,,alice,CS 1,\nB,2,,alice,CS 2,\n");
    expect_refusal(grade_export_canvas, "rows 2 and 3 are both 'alice'");
}

/* A table that names everybody in a column, as a system would write it. */
static void give_worst(const char *header, const char *before,
                       const char *behind)
{
    FILE *const file = fopen("given.csv", "w");

    assert_non_null(file);
    fputs(header, file);
    for (size_t i = 0; i < WORST_NAMES; i++) {
        fprintf(file, "%s\"", before);
        for (const char *s = worst_name[i]; *s != '\0'; s++)
            fprintf(file, *s == '"' ? "\"\"" : "%c", *s);
        fprintf(file, "\"%s\n", behind);
    }
    assert_int_equal(fclose(file), 0);
}

static int is_guarded(const char *cell)
{
    char *end;

    if (cell[0] == '\0' || strchr("=+-@\t\r", cell[0]) == NULL)
        return strncmp(cell, "\xef\xbc\x9d", 3) != 0;
    (void)strtod(cell, &end);
    return *end == '\0'; /* a number, as +1 */
}

EACH_TEST(small_class_begin_worst, end);

TEST(test_canvas_survives_the_worst_names)
{
    give_worst(HEADER "Lab 03 (1),Lab 04 (2)\n", "x,5,u,", ",CS 1,,44");
    assert_int_equal(export_to(grade_export_canvas), 0);
    parse_table();
    assert_int_equal(table.rows, WORST_NAMES + 1);
    for (int i = 0; i < WORST_NAMES; i++) {
        const char *const cell = table.cell[i + 1][3];

        assert_true(is_guarded(cell));
        assert_string_equal(strcmp(cell, worst_name[i]) == 0 ? cell : cell + 1,
                            worst_name[i]);
        assert_string_equal(table.cell[i + 1][5], "0");
        assert_string_equal(table.cell[i + 1][6], i % 5 == 0 ? "44" : "83.33");
    }
}

/* --- Moodle --------------------------------------------------------------- */

EACH_TEST(small_class_begin, end);

TEST(test_moodle_gets_its_columns_and_only_users_that_it_has)
{
    const char *said;

    give("\xef\xbb\xbf\"First name\",\"ID number\",\"Email address\",Username\n"
         "Alice,17,a@uni.edu,alice\n"
         "Carl,18,c@uni.edu,carl\n");
    if (export_to(grade_export_moodle) != 0)
        fail_msg("%s", why);
    parse_table();
    assert_int_equal(table.rows, 2);
    ROW(0, "username", "idnumber", "email", "Lab 03", "Lab 03 feedback",
        "Lab 04", "Lab 04 feedback");
    assert_string_equal(table.cell[1][0], "alice");
    assert_string_equal(table.cell[1][1], "17");
    assert_string_equal(table.cell[1][2], "a@uni.edu");
    assert_string_equal(table.cell[1][3], "100");
    assert_string_equal(table.cell[1][5], "83.33");
    assert_non_null(strstr(table.cell[1][4], "03_tiling: PASS, 100 of 100"));
    assert_non_null(strstr(table.cell[1][6], "16 sectors a request"));
    said = told();
    expect_words(said, "1 students");
    expect_words(said, "so left out: ghost, =cmd");
}

TEST(test_moodle_finds_students_before_an_at)
{
    give("Email address\nghost@uni.edu\nalice@uni.edu\n");
    assert_int_equal(export_to(grade_export_moodle), 0);
    parse_table();
    assert_int_equal(table.rows, 3);
    assert_string_equal(table.cell[0][0], "email");
    assert_string_equal(table.cell[1][0], "ghost@uni.edu");
    assert_string_equal(table.cell[1][1], "0");
    assert_string_equal(table.cell[2][1], "100");
}

/* One folder has the whole address for its name, the other one has not. */
TEST(test_moodle_finds_an_address_beside_names)
{
    const char *const name = class.row[0].student;

    class.row[0].student = "alice@uni.edu";
    give("Email address\nghost@uni.edu\nalice@uni.edu\n");
    assert_int_equal(export_to(grade_export_moodle), 0);
    class.row[0].student = name;
    parse_table();
    assert_int_equal(table.rows, 3);
    assert_string_equal(table.cell[2][1], "100");
}

TEST(test_moodle_gets_a_dash_where_nobody_decided)
{
    class.row[0].result[1].verdict = GRADE_GRADER_ERROR;
    give("username\nalice\n");
    assert_int_equal(export_to(grade_export_moodle), 0);
    parse_table();
    assert_string_equal(table.cell[1][1], "100");
    assert_string_equal(table.cell[1][3], "-");
}

TEST(test_moodle_refuses_what_is_no_list)
{
    give("First name,Last name\nAlice,A.\n");
    expect_refusal(grade_export_moodle, "has none of the columns username");
}

EACH_TEST(small_class_begin_worst, end);

TEST(test_moodle_survives_the_worst_names)
{
    int formulas = 0, row = 1;

    give_worst("username\n", "", "");
    assert_int_equal(export_to(grade_export_moodle), 0);
    parse_table();
    for (int i = 0; i < WORST_NAMES; i++) {
        if (strchr("=+-@", worst_name[i][0]) != NULL ||
            strncmp(worst_name[i], "\xef\xbc\x9d", 3) == 0) {
            formulas++;
            continue;
        }
        assert_string_equal(table.cell[row][0], worst_name[i]);
        assert_string_equal(table.cell[row][1], "0");
        assert_string_equal(table.cell[row][3], i % 5 == 0 ? "-" : "83.33");
        for (int c = 2; c <= 4; c += 2) {
            assert_true(is_guarded(table.cell[row][c]));
            assert_null(strpbrk(table.cell[row][c], "<>\x1b"));
        }
        row++;
    }
    assert_int_equal(formulas, 6);
    assert_int_equal(table.rows, row);
}

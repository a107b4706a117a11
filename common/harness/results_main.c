/*
 * results: what do files of results say? For shell and gnuplot; the rule is
 * that of rows.h.
 *
 *   results verdict LAB...     what the last run of each lab said, from
 *                              build/results/labs/LAB.csv, how many of its
 *                              TODOs are closed, and of how many:
 *                              "03_tiling|PASS|2|5"
 *   results merge TO FILE...   the rows of all files in one
 *   results table WORDS FILE COLUMNS
 *                              the rows that count, a line each, cells between
 *                              blanks, texts in quotes, NaN for no number. The
 *                              column "shape" is M x N x K in words. WORDS:
 *                              timed or counted, and of right, single, square,
 *                              every-size and every-variant what is wanted; or
 *                              all: each row.
 *   results ladder INDEX FILE [RECORDED]
 *                              what each lab gained over the one before it;
 *                              RECORDED are results of an H200, for comparison
 *
 * Exit codes: 0 done, 1 not so (verdict, ladder: one has not passed), 2 a wrong
 * call or file, or a table without a row.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/language.h"
#include "base/print.h"
#include "course/todo.h"
#include "rows.h"
#include "table.h"

enum {
    WRONG = 2,
    WHY = 512
};

/* --- verdicts ----- */

/* In words that status.awk says one by one. */
static void print_goal(const struct lab_judgement *j)
{
    if (strcmp(j->verdict, "PASS") != 0 || (!j->missed && !j->asked)) {
        fputs(j->verdict, stdout);
    } else if (j->missed) {
        printf("%s, %s", N_("C is right"), N_("goal not reached"));
    } else {
        printf("PASS, %s", N_("goal reached"));
    }
}

/* What the last run said, "" for none. Returns 0 if the lab has passed, and is
   as it was then; 1 if not; -1 with why. */
static int print_said(const char *lab, char *why)
{
    char path[300];
    struct lab_judgement j;
    struct base_csv csv;
    int changed;

    snprintf(path, sizeof path, "build/results/labs/%s.csv", lab);
    if (access(path, F_OK) != 0)
        return 1;
    if (base_csv_read(path, &csv, why, WHY) != 0)
        return -1;
    j = lab_judge(&csv, NULL);
    changed = lab_changed_since("labs", lab, path);
    print_goal(&j);
    if (changed)
        printf(", %s", N_("saved since"));
    base_csv_free(&csv);
    return strcmp(j.verdict, "PASS") != 0 || j.missed || changed;
}

/* How many of the lab's TODOs are closed, and of how many: the comment of each
   is deleted, or the code under it is another. Nothing where that cannot be
   read. */
static void print_todos(const struct base_records *list, const char *lab)
{
    const size_t all = course_todos_listed(list, lab);
    char path[300], ignored[WHY], *source;
    struct course_todos todos;

    snprintf(path, sizeof path, "labs/%s/%s.cu", lab, lab + 3);
    source = base_read_file(path, ignored, sizeof ignored);
    if (source != NULL && course_todos_find(source, &todos) == 0) {
        course_todos_keep_open(list, lab, &todos);
        printf("|%zu|%zu", all - todos.count, all);
        course_todos_free(&todos);
    }
    free(source);
}

static int verdicts(char **labs, char *why)
{
    struct base_records list;
    char ignored[WHY];
    const int has_list = course_todos_read_list("labs/TODOS", &list, ignored,
                                                sizeof ignored) == 0;
    int result = 0;

    for (; *labs != NULL && result >= 0; labs++) {
        int one;

        printf("%s|", *labs);
        one = print_said(*labs, why);
        result = one < 0 ? -1 : result | one;
        if (has_list && strlen(*labs) > 3)
            print_todos(&list, *labs);
        putchar('\n');
    }
    if (has_list)
        base_records_free(&list);
    return result;
}

/* --- merging ----- */

/* Adds one file's rows, and the header if it is the first. An empty file has
   none of both. */
static int add_file(FILE *to, const char *path, char **header, char *why)
{
    char *const text = base_read_file(path, why, WHY);
    const size_t head = text != NULL ? strcspn(text, "\n") : 0;
    int result = text != NULL ? 0 : -1;

    if (head > 0 && *header == NULL) {
        *header = strndup(text, head);
        fputs(text, to);
    } else if (head > 0 &&
               (strlen(*header) != head || strncmp(text, *header, head) != 0)) {
        snprintf(why, WHY, "%s: other columns than in the files before", path);
        result = -1;
    } else if (head > 0 && text[head] != '\0') {
        fputs(text + head + 1, to);
    }
    free(text);
    return result;
}

static int merge(char **paths, char *why)
{
    char *text = NULL, *header = NULL;
    size_t length;
    FILE *const to = open_memstream(&text, &length);
    int result = 0;

    if (to == NULL)
        return -1;
    for (char **path = paths + 1; *path != NULL && result == 0; path++)
        result = add_file(to, *path, &header, why);
    if (fclose(to) != 0)
        result = -1;
    if (result == 0)
        result = base_write_file(*paths, text, why, WHY);
    free(header);
    free(text);
    return result;
}

/* --- tables ----- */

/* Is it one of the words? */
static int has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
        const size_t next = strcspn(at, " ");

        if (next == length && strncmp(at, word, length) == 0)
            return 1;
        at += next;
    }
    return 0;
}

/* A shape is said, and not a column. */
static int is_shape(const struct base_csv *csv, const char *column)
{
    return strcmp(column, "shape") == 0 && base_csv_column(csv, "m") >= 0;
}

static int check_columns(const struct base_csv *csv, const char *path,
                         char **columns, char *why)
{
    for (; *columns != NULL; columns++) {
        if (!is_shape(csv, *columns) && base_csv_column(csv, *columns) < 0) {
            snprintf(why, WHY, "%s: no column '%s'", path, *columns);
            return -1;
        }
    }
    if (csv->rows == 0) {
        snprintf(why, WHY, "%s: no rows (run the labs first)", path);
        return -1;
    }
    return 0;
}

static void print_shape(const struct base_csv *csv, size_t row)
{
    const char *const m = base_csv_text(csv, row, "m");
    const char *const n = base_csv_text(csv, row, "n");
    const char *const k = base_csv_text(csv, row, "k");

    if (*m == '\0') {
        printf("\"\"");
    } else if (strcmp(m, n) == 0 && strcmp(n, k) == 0) {
        printf("\"M = N = K = %s\"", m);
    } else {
        printf("\"%s x %s x %s\"", m, n, k);
    }
}

static void print_columns(const struct base_csv *csv, size_t row,
                          char **columns)
{
    for (char **column = columns; *column != NULL; column++) {
        const char *const text = base_csv_text(csv, row, *column);

        if (column > columns)
            putchar(' ');
        if (is_shape(csv, *column)) {
            print_shape(csv, row);
        } else if (*text == '\0' ||
                   !isnan(base_csv_number(csv, row, *column))) {
            fputs(*text == '\0' ? "NaN" : text, stdout);
        } else {
            base_print(stdout, BASE_GNUPLOT, "%s", text);
        }
    }
    putchar('\n');
}

/* Reads the files and prints the ladder. Returns 1 if a lab has not passed. */
static int print_ladder(const struct course_index *index, char **files,
                        char *why)
{
    struct base_csv results = {.text = NULL}, recorded = {.text = NULL};
    const int has_recorded = files[1] != NULL && access(files[1], F_OK) == 0;
    int result = -1;

    if (base_csv_read(files[0], &results, why, WHY) == 0 &&
        lab_table_check(index, &results, files[0], why, WHY) == 0 &&
        (!has_recorded ||
         (base_csv_read(files[1], &recorded, why, WHY) == 0 &&
          lab_table_check_recorded(&recorded, files[1], why, WHY) == 0))) {
        result = !lab_table_print(stdout, index, &results,
                                  has_recorded ? &recorded : NULL);
        if (files[1] != NULL && !has_recorded)
            printf("No recorded speeds: %s is not there\n", files[1]);
        printf("\nResults: %s\n", files[0]);
        if (access("build/plots", F_OK) == 0)
            printf("Plots:   build/plots\n");
    }
    base_csv_free(&recorded);
    base_csv_free(&results);
    return result;
}

static int ladder(char **arguments, char *why)
{
    struct course_index index;
    int result;

    if (course_index_read(arguments[0], &index, why, WHY) != 0)
        return -1;
    course_index_keep_ladder(&index);
    result = print_ladder(&index, arguments + 1, why);
    course_index_free(&index);
    return result;
}

static int table(char **arguments, char *why)
{
    const char *const words = arguments[0], *const path = arguments[1];
    char **const columns = arguments + 2;
    const int all = has_word(words, "all"), timed = has_word(words, "timed");
    const struct lab_rows which = {
        .of = timed ? LAB_TIMED : LAB_COUNTED,
        .every_variant = has_word(words, "every-variant"),
        .every_size = has_word(words, "every-size"),
        .square = has_word(words, "square"),
        .single = has_word(words, "single"),
        .right = has_word(words, "right"),
    };
    struct base_csv csv;
    struct stat status;
    int lines = 0;

    if (stat(path, &status) != 0 || status.st_size == 0) {
        snprintf(why, WHY, "%s: not there or empty (run the labs first)", path);
        return -1;
    }
    if (base_csv_read(path, &csv, why, WHY) != 0)
        return -1;
    if (check_columns(&csv, path, columns, why) != 0) {
        base_csv_free(&csv);
        return -1;
    }
    for (size_t row = 0; row < csv.rows; row++) {
        if (!all && !lab_row_counts(&csv, row, &which))
            continue;
        print_columns(&csv, row, columns);
        lines++;
    }
    base_csv_free(&csv);
    if (lines > 0)
        return 0;
    snprintf(why, WHY, "%s: nothing was %s%s (nothing to draw)", path,
             timed ? "timed on a GPU" : "counted",
             which.square ? " with square matrices" : "");
    return -1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int least; /* arguments */
        int (*run)(char **arguments, char *why);
    } known[] = {{"verdict", 1, verdicts},
                 {"merge", 2, merge},
                 {"table", 3, table},
                 {"ladder", 2, ladder}};
    char why[WHY] = "no memory is left";
    int result;

    for (size_t i = 0; argc > 1 && i < sizeof known / sizeof *known; i++) {
        if (strcmp(argv[1], known[i].name) != 0 || argc - 2 < known[i].least)
            continue;
        result = known[i].run(argv + 2, why);
        if (result == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
            snprintf(why, sizeof why, "the standard output cannot be written");
            result = -1;
        }
        if (result < 0)
            fprintf(stderr, "results: %s\n", why);
        return result < 0 ? WRONG : result;
    }
    fputs("usage: results verdict LAB... | merge TO FILE... | "
          "table WORDS FILE COLUMN... | ladder INDEX FILE [RECORDED]\n",
          stderr);
    return WRONG;
}

/*
 * Is each wrong lab of tests/corpus/labs told why it is wrong, and nothing
 * else? One test a lab with a kind: (corpus/case.h); then a table by kind of
 * mistake, in build/why.txt. Those are tested whose "when:" has why, and all
 * with WHY=all in the environment, or those of lab 09 with WHY=09.
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "../command.h"
#include "../editor.h"
#include "../corpus/case.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 600,
    LINES = 24,
    COLUMNS = 80
};

/* What no student has ever heard of. */
static const char *const insides[] = {"simt_", "__tsan", "libtsan", "(nil)",
                                      "0x2000"};
/* Lab 01 has neither. */
static const char *const of_kernels[] = {"kernel", "thread", "barrier", "tile"};

static struct mutant {
    const struct corpus_case *c;
    const char *name, *kind;
    int caught, cause, line, lines;
} mutants[MOST];
static size_t count;

/* The text with each white space as one blank: words are sought across lines.
   To be freed. */
static char *flatten(const char *text)
{
    char *flat = malloc(strlen(text) + 1), *to = flat;

    assert_non_null(flat);
    for (; *text != '\0'; text++) {
        if (!isspace((unsigned char)*text)) {
            *to++ = *text;
        } else if (to == flat || to[-1] != ' ') {
            *to++ = ' ';
        }
    }
    *to = '\0';
    return flat;
}

/* The number of the first line of the mutant that has these words. */
static int line_of(const struct mutant *m, const char *words)
{
    char path[200], line[500];
    int number = 1, found = 0;
    FILE *file;

    snprintf(path, sizeof path, "build/mutants/%s.cu", m->name);
    file = fopen(path, "r");
    assert_non_null(file);
    for (; !found && fgets(line, sizeof line, file) != NULL; number++) {
        if (strstr(line, words) != NULL)
            found = number;
    }
    fclose(file);
    if (!found)
        fail_msg("%s has no line '%s'", path, words);
    return found;
}

/* How many lines the screen has; none is too long. */
static int screen_lines(const struct mutant *m, const char *text)
{
    int lines = 0;

    for (; *text != '\0'; lines++) {
        const size_t length = strcspn(text, "\n");

        if (length > COLUMNS)
            fail_msg("%s: a line of %zu columns: %.*s", m->name, length,
                     (int)length, text);
        text += length + (text[length] == '\n');
    }
    return lines;
}

static int has(const char *flat, const char *words)
{
    return strstr(flat, words) != NULL;
}

/* 1 if the screen has all lines and words of the mutant's case, and none of
   those that it must not have; an editor marks the lines. */
static int says_all(struct mutant *m, const char *flat, const char *text)
{
    const char *words;
    int is_not, good = 1;

    for (int i = 0; (words = corpus_words(m->c, "why", i, &is_not)) != NULL;
         i++) {
        if (has(flat, words) == is_not) {
            print_error("%s: %s%s\n", m->name, is_not ? "not " : "", words);
            good = 0;
        }
    }
    for (int i = 0; (words = corpus_value(m->c, "line", i)) != NULL; i++) {
        char place[300];

        snprintf(place, sizeof place, "%s.cu:%d", m->name, line_of(m, words));
        if (!has(flat, place) || !editor_marks(text, place)) {
            print_error("%s: line %s\n", m->name, words);
            m->line = good = 0;
        }
    }
    return good;
}

static void mutant_is_told_why(void **state)
{
    struct mutant *m = *state;
    const int is_right = strcmp(m->kind, "right") == 0;
    /* g++ checks indices in the fast build. */
    struct command run =
        command_run("timeout 300 build/cpu/small/mutants/%s%s --why", m->name,
                    strstr(m->kind, " array") != NULL ? "" : "-analyse");
    char *flat = flatten(run.text);
    int good = run.code == !is_right;

    m->caught = run.code == 1;
    m->lines = screen_lines(m, run.text);
    m->line = has(flat, ".cu:");
    good = good && says_all(m, flat, run.text);
    m->cause = good;
    for (size_t i = 0; i < sizeof insides / sizeof insides[0]; i++)
        good &= !has(flat, insides[i]);
    for (size_t i = 0; i < sizeof of_kernels / sizeof of_kernels[0]; i++)
        good &= strncmp(m->name, "01", 2) != 0 || !has(flat, of_kernels[i]);
    good &= m->lines <= LINES;
    if (!good)
        fail_msg("%s, exit code %d:\n%s", m->name, run.code, run.text);
    free(flat);
    command_free(&run);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* A row of the table; kind NULL: of all that are wrong. */
static void write_row(FILE *to, const char *kind)
{
    int lines[MOST] = {0}, n = 0, caught = 0, cause = 0, line = 0;

    for (size_t i = 0; i < count; i++) {
        const struct mutant *m = &mutants[i];

        if (kind != NULL ? strcmp(m->kind, kind) != 0
                         : strcmp(m->kind, "right") == 0)
            continue;
        lines[n++] = m->lines;
        caught += m->caught;
        cause += m->cause;
        line += m->line;
    }
    qsort(lines, (size_t)n, sizeof lines[0], by_number);
    if (n > 0) {
        fprintf(to, "%-24s %6d %7d %6d %6d %7d %8d\n", kind ? kind : "all", n,
                caught, cause, line, lines[n / 2], lines[n - 1]);
    }
}

FIXTURE(write_table)
{
    FILE *to = fopen("build/why.txt", "w");

    if (to == NULL)
        return -1;
    fprintf(to, "%-24s %6s %7s %6s %6s %7s %8s\n", "kind", "labs", "caught",
            "cause", "line", "median", "longest");
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;

        while (strcmp(mutants[j].kind, mutants[i].kind) != 0)
            j++;
        if (j == i)
            write_row(to, mutants[i].kind);
    }
    write_row(to, NULL);
    return fclose(to);
}

static void add_mutants(void)
{
    static struct corpus_case *cases;
    const size_t n = corpus_read("tests/corpus/labs/*.edits", &cases);

    for (size_t i = 0; i < n; i++) {
        const char *const kind = corpus_value(&cases[i], "kind", 0);
        const char *const wanted = getenv("WHY");

        if (kind == NULL ||
            (wanted == NULL
                 ? strstr(corpus_last(&cases[i], "when"), "why") == NULL
                 : strcmp(wanted, "all") != 0 &&
                       strncmp(cases[i].name, wanted, strlen(wanted)) != 0))
            continue;
        assert_true(count < MOST);
        mutants[count] =
            (struct mutant){&cases[i], cases[i].name, kind, 0, 0, 0, 0};
        testing_add_case(mutant_is_told_why, &mutants[count++], "%s",
                         cases[i].name);
    }
}

MORE_TESTS(add_mutants);
ALL_TESTS(NULL, write_table);

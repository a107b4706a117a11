/*
 * Is each wrong lab of tests/why/mutants.list told why it is wrong, and nothing
 * else? One test a lab; then a table by kind of mistake, in build/why.txt. The
 * head of the list says what it may ask for. The first part of it is tested,
 * and all with WHY=all in the environment.
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "../command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST "tests/why/mutants.list"

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
    char name[64], kind[40];
    char *text; /* its lines of the list */
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

/* Checks one line of the list against the screen. Returns 0 if it does not
   hold. */
static int holds(struct mutant *m, const char *line, const char *flat)
{
    char place[120];

    if (strncmp(line, "says: ", 6) == 0)
        return has(flat, line + 6);
    if (strncmp(line, "never: ", 7) == 0)
        return !has(flat, line + 7);
    if (strncmp(line, "line: ", 6) == 0) {
        snprintf(place, sizeof place, "%s.cu:%d", m->name,
                 line_of(m, line + 6));
        m->line = has(flat, place);
        return m->line;
    }
    return 1;
}

static void mutant_is_told_why(void **state)
{
    struct mutant *m = *state;
    const int is_right = strcmp(m->kind, "right") == 0;
    /* g++ checks indices in the fast build. */
    struct command run =
        command_run("timeout 300 build/cpu/small/mutants/%s%s --why", m->name,
                    strstr(m->kind, " array") != NULL ? "" : "-analyse");
    char *flat = flatten(run.text), *rest = m->text, *line;
    int good = run.code == !is_right;

    m->caught = run.code == 1;
    m->lines = screen_lines(m, run.text);
    m->line = has(flat, ".cu:");
    m->cause = good;
    for (; good && (line = strsep(&rest, "\n")) != NULL;) {
        if (strcmp(line, "replace:") == 0)
            break;
        if (!holds(m, line, flat)) {
            m->cause = good = 0;
            print_error("%s: %s\n", m->name, line);
        }
    }
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

static void read_list(void)
{
    const char *all = getenv("WHY");
    FILE *file = fopen(LIST, "r");
    struct mutant *m = NULL;
    size_t length = 0, room = 0;
    char *line = NULL;
    FILE *to = NULL;

    assert_non_null(file);
    while (getline(&line, &room, file) > 0) {
        if (strncmp(line, "# the rest", 10) == 0 && all == NULL)
            break;
        if (strncmp(line, "## ", 3) == 0) {
            if (to != NULL)
                fclose(to);
            assert_true(count < MOST);
            m = &mutants[count++];
            assert_int_equal(
                sscanf(line, "## %63s | %39[^\n]", m->name, m->kind), 2);
            to = open_memstream(&m->text, &length);
            assert_non_null(to);
        } else if (to != NULL) {
            fputs(line, to);
        }
    }
    if (to != NULL)
        fclose(to);
    free(line);
    fclose(file);
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

static void write_table(void)
{
    FILE *to = fopen("build/why.txt", "w");

    if (to == NULL)
        return;
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
    fclose(to);
}

int main(void)
{
    struct CMUnitTest tests[MOST];
    int failed;

    read_list();
    for (size_t i = 0; i < count; i++) {
        tests[i] = (struct CMUnitTest){.name = mutants[i].name,
                                       .test_func = mutant_is_told_why,
                                       .initial_state = &mutants[i]};
    }
    failed = _cmocka_run_group_tests("why", tests, count, NULL, NULL);
    write_table();
    for (size_t i = 0; i < count; i++)
        free(mutants[i].text);
    return failed;
}

/*
 * Is each wrong lab of tests/mutants caught, and told what is wrong with it?
 * One test a mutant. A mutant is wrong if the fast program or, where that one
 * has nothing against it, the counting program says so; with a line
 * "run: --checks" it is the counting program that must find it.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "../command.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 200
};

/* Checks each "says:" line of the .edit file against the output. Returns how
   many there were. */
static int check_words(const char *edit, const struct command *output)
{
    FILE *file = fopen(edit, "r");
    char line[256];
    int count = 0;

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "says: ", 6) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        command_says(output, line + 6);
        count++;
    }
    fclose(file);
    return count;
}

/* 1 if the .edit file has that line. */
static int has_line(const char *edit, const char *wanted)
{
    struct command found = command_run("grep -qx '%s' %s", wanted, edit);
    const int has = found.code == 0;

    command_free(&found);
    return has;
}

/* The number of the first line of a file that holds these words; 0: none. */
static int line_of(const char *path, const char *words)
{
    FILE *file = fopen(path, "r");
    char line[256];
    int number = 0, found = 0;

    assert_non_null(file);
    while (found == 0 && fgets(line, sizeof line, file) != NULL) {
        number++;
        if (strstr(line, words) != NULL)
            found = number;
    }
    fclose(file);
    return found;
}

/* Each "line:" of the .edit file holds words of a line of the mutant that the
   output must name. */
static void check_lines(const char *edit, const struct command *output)
{
    const char *name = strrchr(edit, '/') + 1;
    FILE *file = fopen(edit, "r");
    char line[256], path[200], place[300], other[40];

    assert_non_null(file);
    snprintf(path, sizeof path, "build/mutants/%.*s.cu",
             (int)(strlen(name) - strlen(".edit")), name);
    while (fgets(line, sizeof line, file) != NULL) {
        int number;

        if (strncmp(line, "line: ", 6) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        number = line_of(path, line + 6);
        if (number == 0)
            fail_msg("%s: no line of the mutant holds '%s'", edit, line + 6);
        snprintf(place, sizeof place, "%s:%d:", path, number);
        snprintf(other, sizeof other, "line %d:", number);
        if (strstr(output->text, place) == NULL)
            command_says(output, other);
    }
    fclose(file);
}

static void mutant_is_caught(void **state)
{
    const char *edit = *state;
    const char *name = strrchr(edit, '/') + 1;
    const int length = (int)(strlen(name) - strlen(".edit"));
    const int by_checks = has_line(edit, "run: --checks");
    struct command run =
        command_run("timeout 60 build/cpu/mutants/%.*s", length, name);

    if (run.code == 0 || by_checks) {
        command_free(&run);
        run = command_run("timeout 60 build/cpu/mutants/%.*s-analyse %s",
                          length, name, by_checks ? "--checks" : "--counters");
    }
    if (run.code == 0)
        fail_msg("%s passes:\n%s", edit, run.text);
    /* A wrong lab is no usage error, and it does not hang. */
    if (run.code == 2 || run.code == 124)
        fail_msg("%s ends with exit code %d:\n%s", edit, run.code, run.text);
    assert_true(check_words(edit, &run) > 0);
    check_lines(edit, &run);
    command_free(&run);
}

int main(void)
{
    struct CMUnitTest tests[MOST];
    glob_t found;
    size_t count = 0;
    int failed;

    if (glob("tests/mutants/*.edit", 0, NULL, &found) != 0)
        return 2;
    for (; count < found.gl_pathc && count < MOST; count++) {
        tests[count] = (struct CMUnitTest){
            .name = strrchr(found.gl_pathv[count], '/') + 1,
            .test_func = mutant_is_caught,
            .initial_state = found.gl_pathv[count],
        };
    }
    failed = _cmocka_run_group_tests("mutants", tests, count, NULL, NULL);
    globfree(&found);
    return failed;
}

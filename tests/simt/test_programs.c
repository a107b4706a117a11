/*
 * Does the CPU device do what each program of tests/simt/programs and
 * tests/simt/public says in its first lines? "expect:" is the exit code,
 * "says:" words of the output, "x86-64 says:" those of that processor alone,
 * where {A} is the number of the line with the comment A, and "build:" asks for
 * the build fast or analyse alone; the others are run in both. Of a folder in
 * public/ these lines stand in main.cu.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program's name: that of its source, or of its folder. */
static void program_name(const char *source, char *name, size_t size)
{
    const size_t main_size = strlen("/main.cu");
    size_t length = strlen(source) - strlen(".cu");
    size_t begin;

    if (strcmp(source + strlen(source) - main_size, "/main.cu") == 0)
        length = strlen(source) - main_size;
    begin = length;
    while (begin > 0 && source[begin - 1] != '/')
        begin--;
    snprintf(name, size, "%.*s", (int)(length - begin), source + begin);
}

/* Lines of messages are indented; each fits a screen. */
static void fits_80_columns(const struct command *run)
{
    for (const char *line = run->text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        if (length > 80 && strncmp(line, "    ", 4) == 0)
            fail_msg("%.*s: %zu columns", (int)length, line, length);
        line += length + (line[length] == '\n');
    }
}

/* Checks one build of a program against its source. */
static void check_build(const char *source, const char *build)
{
    char name[200];
    struct command run;
    FILE *file = fopen(source, "r");
    char line[256];
    int expected = -1, words = 0;
#if defined(__x86_64__)
    const char *here = "/* x86-64 says: ";
#else
    const char *here = "/* says: ";
#endif

    program_name(source, name, sizeof name);
    run = command_run("timeout 60 build/cpu/programs/%s%s", name, build);
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL && line[0] != '#') {
        char *end = strstr(line, " */");

        if (end == NULL)
            continue;
        *end = '\0';
        if (strncmp(line, "/* expect: ", 11) == 0) {
            expected = atoi(line + 11);
        } else if (strncmp(line, "/* says: ", 9) == 0 ||
                   strncmp(line, here, strlen(here)) == 0) {
            command_says_lines(&run, strstr(line, "says: ") + 6, source);
            words++;
        }
    }
    fclose(file);
    assert_true(words > 0);
    command_ends(&run, expected);
    fits_80_columns(&run);
    command_free(&run);
}

static void program_does_what_it_says(void **state)
{
    const char *source = *state;
    struct command fast = command_run("grep -q 'build: fast' %s", source);
    struct command counted = command_run("grep -q 'build: analyse' %s", source);

    if (counted.code != 0)
        check_build(source, "");
    if (fast.code != 0)
        check_build(source, "-analyse");
    command_free(&counted);
    command_free(&fast);
}

static void add_programs(void)
{
    static glob_t found;

    if (glob("tests/simt/programs/*.cu", 0, NULL, &found) != 0 ||
        glob("tests/simt/public/*.cu", GLOB_APPEND, NULL, &found) != 0 ||
        glob("tests/simt/public/*/main.cu", GLOB_APPEND, NULL, &found) != 0)
        exit(2);
    for (size_t i = 0; i < found.gl_pathc; i++)
        testing_add_case(program_does_what_it_says, found.gl_pathv[i], "%s",
                         found.gl_pathv[i]);
}

MORE_TESTS(add_programs);

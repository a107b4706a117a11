/*
 * Does the CPU device do what each program of tests/simt/programs says in its
 * first lines? "expect:" is the exit code, "says:" words of the output, and
 * "build: analyse" asks for the build that counts; the others are run in both.
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
    MOST = 100
};

/* Checks one build of a program against its source. */
static void check(const char *source, const char *build)
{
    const char *name = strrchr(source, '/') + 1;
    struct command run = command_run("timeout 60 build/cpu/programs/%.*s%s",
                                     (int)(strlen(name) - 3), name, build);
    FILE *file = fopen(source, "r");
    char line[256];
    int expected = -1, words = 0;

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL && line[0] != '#') {
        char *end = strstr(line, " */");

        if (end == NULL)
            continue;
        *end = '\0';
        if (strncmp(line, "/* expect: ", 11) == 0) {
            expected = atoi(line + 11);
        } else if (strncmp(line, "/* says: ", 9) == 0) {
            command_says(&run, line + 9);
            words++;
        }
    }
    fclose(file);
    assert_true(words > 0);
    command_ends(&run, expected);
    command_free(&run);
}

static void program_does_what_it_says(void **state)
{
    const char *source = *state;
    struct command counted = command_run("grep -c 'build: analyse' %s", source);

    if (counted.code != 0)
        check(source, "");
    check(source, "-analyse");
    command_free(&counted);
}

int main(void)
{
    struct CMUnitTest tests[MOST];
    glob_t found;
    size_t count = 0;
    int failed;

    if (glob("tests/simt/programs/*.cu", 0, NULL, &found) != 0)
        return 2;
    for (; count < found.gl_pathc && count < MOST; count++) {
        tests[count] = (struct CMUnitTest){
            .name = strrchr(found.gl_pathv[count], '/') + 1,
            .test_func = program_does_what_it_says,
            .initial_state = found.gl_pathv[count],
        };
    }
    failed = _cmocka_run_group_tests("programs", tests, count, NULL, NULL);
    globfree(&found);
    return failed;
}

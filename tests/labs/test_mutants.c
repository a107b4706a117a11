/*
 * Is each wrong lab of tests/mutants caught, and told what is wrong with it?
 * One test a mutant. Its .edit file says which run must say what:
 *
 *   says:    the fast program, which must fail
 *   checks:  the analyse program with --checks, which must fail
 *   counts:  the analyse program with --counters, which must fail
 *   slow:    the same, of a lab that is right and ends well
 *
 * Without a "says:" the fast program may be right or wrong, as chance has it.
 * In the words {text} is the number of the first line of the mutant with that
 * text.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 200
};

/* A run of a mutant's program. */
static const struct mode {
    const char *word; /* that its lines begin with */
    const char *program, *option;
    int is_right;
} modes[] = {
    {"says: ", "", "", 0},
    {"checks: ", "-analyse", "--checks", 0},
    {"counts: ", "-analyse", "--counters", 0},
    {"slow: ", "-analyse", "--counters", 1},
};

enum {
    MODES = sizeof modes / sizeof modes[0]
};

/* Checks each line of the .edit file that begins with the mode's word against a
   run. Returns how many there were. */
static int check_mode(const char *edit, const struct mode *mode)
{
    const char *name = strrchr(edit, '/') + 1;
    const int length = (int)(strlen(name) - strlen(".edit"));
    FILE *file = fopen(edit, "r");
    struct command run = {0, NULL};
    char line[512], source[300];
    int count = 0;

    assert_non_null(file);
    snprintf(source, sizeof source, "build/mutants/%.*s.cu", length, name);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, mode->word, strlen(mode->word)) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        if (count++ == 0) {
            run = command_run("timeout 60 build/cpu/small/mutants/%.*s%s %s",
                              length, name, mode->program, mode->option);
            if ((run.code == 0) != mode->is_right) {
                fputs(run.text, stderr);
                fail_msg("%s%s: %s ends with exit code %d", edit, mode->program,
                         mode->option, run.code);
            }
            /* A wrong lab is no usage error, and it does not hang. */
            assert_true(run.code != 2 && run.code != 124);
        }
        command_says_lines(&run, line + strlen(mode->word), source);
    }
    fclose(file);
    command_free(&run);
    return count;
}

static void mutant_is_caught(void **state)
{
    int words = 0;

    for (int i = 0; i < MODES; i++)
        words += check_mode(*state, &modes[i]);
    assert_true(words > 0);
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

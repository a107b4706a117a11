/*
 * Is each wrong lab of tests/corpus/labs caught, and told what is wrong with
 * it? One test a lab with says:, checks:, counts: or slow: (corpus/case.h).
 *
 * Without a "says:" the fast program may be right or wrong, as chance has it.
 * In the words {text} is the number of the first line of the mutant with that
 * text.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "../corpus/case.h"

#include <stdio.h>

/* A run of a mutant's program. */
static const struct mode {
    const char *key; /* of what it must say */
    const char *program, *option;
    int is_right;
} modes[] = {
    {"says", "", "", 0},
    {"checks", "-analyse", "--checks", 0},
    {"counts", "-analyse", "--counters", 0},
    {"slow", "-analyse", "--counters", 1},
};

enum {
    MODES = sizeof modes / sizeof modes[0]
};

/* Runs a mutant, and checks each line of its case that has the mode's key. */
static void check_mode(const struct corpus_case *c, const struct mode *mode)
{
    char source[300];
    struct command run;
    const char *words;

    if (corpus_value(c, mode->key, 0) == NULL)
        return;
    run = command_run("timeout 60 build/cpu/small/mutants/%s%s %s", c->name,
                      mode->program, mode->option);
    /* A wrong lab is no usage error, and it does not hang. */
    if ((run.code == 0) != mode->is_right || run.code == 2 || run.code == 124) {
        fputs(run.text, stderr);
        fail_msg("%s%s %s ends with exit code %d", c->name, mode->program,
                 mode->option, run.code);
    }
    snprintf(source, sizeof source, "build/mutants/%s.cu", c->name);
    for (int i = 0; (words = corpus_value(c, mode->key, i)) != NULL; i++)
        command_says_lines(&run, words, source);
    command_free(&run);
}

static void mutant_is_caught(void **state)
{
    for (int i = 0; i < MODES; i++)
        check_mode(*state, &modes[i]);
}

static void add_mutants(void)
{
    static struct corpus_case *cases;
    const size_t count = corpus_read("tests/corpus/labs/*.edits", &cases);

    for (size_t i = 0; i < count; i++) {
        int asked = 0;

        for (int m = 0; m < MODES; m++)
            asked |= corpus_value(&cases[i], modes[m].key, 0) != NULL;
        if (asked)
            testing_add_case(mutant_is_caught, &cases[i], "%s", cases[i].name);
    }
}

MORE_TESTS(add_mutants);

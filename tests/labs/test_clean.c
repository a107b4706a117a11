/*
 * Do the checks keep quiet where nothing is wrong, and did they look? Every
 * solution at every shape of INDEX, and every public program.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE = 10000000, /* multiply-adds: test_labs.c counts, and so checks, it */
    CHECKS = 8
};

/* The checks' lines of a run that found nothing. Fails unless at least `least`
   of them passed, and the others were skipped. */
static void says_clean(const struct command *run, const char *what, int least)
{
    int passed = 0, skipped = 0;

    for (const char *at = run->text; (at = strstr(at, ": none in ")) != NULL;
         at++)
        passed++;
    for (const char *at = run->text; (at = strstr(at, "\n  SKIPPED  ")) != NULL;
         at++)
        skipped++;
    if (passed < least || passed + skipped != CHECKS || run->code != 0 ||
        strstr(run->text, ": none in 0 ") != NULL) {
        fputs(run->text, stderr);
        fail_msg("%s: %d checks passed, %d were skipped, exit code %d", what,
                 passed, skipped, run->code);
    }
}

/* All eight checks look at a lab with tiles; without them a lab has no barrier
   and no shared memory. Copies of tiles, those of labs 16 and 17, are no loads
   of a thread. */
static int least_checks(const char *lab)
{
    struct command run =
        command_run("grep -q __shared__ solutions/%s/*.cu", lab);
    const int has_tiles = run.code == 0;

    command_free(&run);
    return has_tiles && strncmp(lab, "16", 2) != 0 && strncmp(lab, "17", 2) != 0
               ? CHECKS
               : 5;
}

static void solution_is_clean_at_every_shape(void **state)
{
    const char *lab = *state;
    FILE *index = fopen("labs/INDEX", "r");
    const int least = least_checks(lab);
    char line[512] = "", *shape, *rest = line;
    int m, n, k, shapes = 0;

    assert_non_null(index);
    while (strncmp(line, "shapes:", 7) != 0)
        assert_non_null(fgets(line, sizeof line, index));
    fclose(index);
    strtok_r(line, " ", &rest);
    while ((shape = strtok_r(NULL, " \n", &rest)) != NULL) {
        assert_int_equal(sscanf(shape, "%dx%dx%d", &m, &n, &k), 3);
        if ((double)m * n * k > LARGE)
            continue;
        struct command run =
            command_run("build/cpu/solutions/%s-analyse --checks --m %d --n "
                        "%d --k %d --seed %d",
                        lab, m, n, k, shapes);

        says_clean(&run, lab, least);
        command_free(&run);
        shapes++;
    }
    assert_true(shapes > 3);
}

TEST(predictions_are_clean)
{
    struct command run =
        command_run("build/cpu/solutions/05_bank_conflicts-analyse --counters");

    says_clean(&run, "05_bank_conflicts", 7); /* reads no global memory */
    command_free(&run);
}

static void public_program_is_clean(void **state)
{
    const char *name = *state;
    struct command run = command_run(
        "SIMT_REPORT=table timeout 60 build/cpu/programs/%s-analyse", name);

    says_clean(&run, name, 3);
    command_free(&run);
}

static void add_solutions(void)
{
    static glob_t found;

    assert_int_equal(glob("solutions/[0-9]*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *const lab = strrchr(found.gl_pathv[i], '/') + 1;

        /* No kernel, predictions alone, or no kernel here. */
        if (strcmp(lab, "01_cpu_naive") != 0 &&
            strcmp(lab, "05_bank_conflicts") != 0 &&
            !command_lab_needs_gpu(lab))
            testing_add_case(solution_is_clean_at_every_shape, lab, "%s", lab);
    }
}

static void add_programs(void)
{
    static glob_t found;

    assert_int_equal(glob("tests/simt/public/[a-z]*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *const name = strrchr(found.gl_pathv[i], '/') + 1;
        char *const end = strrchr(name, '.');

        if (end != NULL && strcmp(end, ".cu") != 0)
            continue; /* a header */
        if (strcmp(name, "printing.cu") == 0)
            continue; /* touches no memory */
        if (end != NULL)
            *end = '\0';
        testing_add_case(public_program_is_clean, name, "%s", name);
    }
}

static void add_all(void)
{
    add_solutions();
    add_programs();
}

MORE_TESTS(add_all);

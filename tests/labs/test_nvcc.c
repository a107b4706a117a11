/* Does nvcc take every lab, every exercise, what a GPU runs of the harness, and
   the programs that say nothing of the CPU device or are measured on a GPU,
   warnings being errors? Make has let it compile each of them, where there is
   an nvcc, and kept what it said. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void nvcc_compiles_it_without_a_warning(void **state)
{
    const char *source = *state;              /* labs/03_tiling/tiling.cu */
    const int name = (int)strlen(source) - 3; /* without .cu */
    struct command log, built;

    if (system("command -v nvcc >/dev/null 2>&1") != 0)
        skip(); /* no nvcc on this machine */
    log = command_run("cat build/nvcc/%.*s.log", name, source);
    built = command_run("test build/nvcc/%.*s.o -nt %s", name, source, source);
    if (built.code != 0 || log.text[0] != '\0')
        fail_msg("nvcc says of %s:\n%s", source, log.text);
    command_free(&log);
    command_free(&built);
}

/* The mistake of exercise 13 is one that a compiler sees. */
static void nvcc_refuses_the_exercise_of_the_missing_star(void **state)
{
    const char *source = *state;
    const int name = (int)strlen(source) - 3;
    struct command log, built;

    if (system("command -v nvcc >/dev/null 2>&1") != 0)
        skip(); /* no nvcc on this machine */
    log = command_run("cat build/nvcc/%.*s.log", name, source);
    built = command_run("test -e build/nvcc/%.*s.o", name, source);
    command_ends(&built, 1);
    command_says(&log, "error: no instance of overloaded function "
                       "\"cudaMalloc\" matches");
    command_free(&log);
    command_free(&built);
}

static void add_sources(void)
{
    static glob_t found;

    if (system("command -v nvcc >/dev/null 2>&1") != 0)
        puts("# skipped: nvcc is not installed, so it was asked about no lab");
    if (glob("solutions/*/*.cu", 0, NULL, &found) != 0 ||
        glob("labs/*/*.cu", GLOB_APPEND, NULL, &found) != 0 ||
        glob("common/harness/*.cu", GLOB_APPEND, NULL, &found) != 0 ||
        glob("tests/hardware/*.cu", GLOB_APPEND, NULL, &found) != 0 ||
        glob("slides/code/*.cu", GLOB_APPEND, NULL, &found) != 0 ||
        glob("labs/*/[0-9]*/*.cu", GLOB_APPEND, NULL, &found) != 0 ||
        glob("tests/simt/public/*.cu", GLOB_APPEND, NULL, &found) != 0 ||
        glob("tests/simt/public/*/*.cu", GLOB_APPEND, NULL, &found) != 0)
        exit(2);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *const source = found.gl_pathv[i];
        const int is_wrong = strncmp(source, "labs/spot_the_bug/13_", 21) == 0;

        testing_add_case(is_wrong
                             ? nvcc_refuses_the_exercise_of_the_missing_star
                             : nvcc_compiles_it_without_a_warning,
                         source, "%s", source);
    }
}

MORE_TESTS(add_sources);

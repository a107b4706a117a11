/*
 * Do the labs keep their promises? Solutions are right on every shape and
 * count what address arithmetic says; skeletons are unfinished and say so.
 */
#define _GNU_SOURCE
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
#include <unistd.h>

enum {
    MOST = 100
}; /* labs */

static void solution_is_right_on_every_shape(void **state)
{
    const char *lab = *state;
    struct command run = command_run("build/cpu/solutions/%s", lab);

    command_ends(&run, 0);
    command_says(&run, "PASS");
    if (strcmp(lab, "05_bank_conflicts") != 0) {
        command_says(&run, "1 x 1 x 1");
        command_says(&run, "37 x 53 x 29");
        command_says(&run, "256 x 384 x 512");
    }
    command_free(&run);
}

static void solution_is_right_on_odd_sizes_with_other_seeds(void **state)
{
    const char *lab = *state;

    for (int seed = 1; seed <= 5; seed++) {
        struct command run =
            command_run("build/cpu/solutions/%s --m %d --n %d --k %d --seed %d",
                        lab, 3 + 16 * seed, 61 + seed, 14 + seed, seed);

        command_ends(&run, 0);
        command_free(&run);
    }
}

static void skeleton_is_unfinished_and_names_the_next_todo(void **state)
{
    const char *lab = *state;
    struct command run = command_run("build/cpu/labs/%s", lab);
    char todo[16];

    command_ends(&run, 1);
    command_says(&run, "UNFINISHED");
    snprintf(todo, sizeof todo, "TODO %d.1", atoi(lab));
    command_says(&run, todo);
    command_free(&run);
}

/* The next field of a line of CSV, which is changed; NULL at its end. */
static char *next_field(char **line)
{
    char *field = *line;

    if (field != NULL && *field == '"') {
        char *quote = strchr(++field, '"');

        assert_non_null(quote);
        *quote = '\0';
        *line = quote + 1;
        strsep(line, ",\n");
        return field;
    }
    return strsep(line, ",\n");
}

/* The value of a column in the first row of a results file. */
static double column(const char *path, const char *name)
{
    FILE *file = fopen(path, "r");
    char header[4096], row[4096];
    char *next_name = header, *next_value = row, *found, *value;
    double result = -1;

    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    assert_non_null(fgets(row, sizeof row, file));
    fclose(file);
    while ((found = next_field(&next_name)) != NULL &&
           (value = next_field(&next_value)) != NULL) {
        if (strcmp(found, name) == 0) {
            if (value[0] == '\0')
                fail_msg("%s: column %s is empty", path, name);
            result = atof(value);
        }
    }
    if (result < 0)
        fail_msg("%s: no column %s", path, name);
    return result;
}

/* What address arithmetic says at 256 x 384 x 512, tile 16. 0: not stated. */
static const struct golden {
    const char *lab;
    double load_requests, load_sectors, shared_requests, wavefronts;
    double barriers;
} golden[] = {
    {"02_gpu_naive", 3145728, 6291456, 0, 0, 0},
    {"03_tiling", 196608, 1966080, 3145728, 3145728, 64},
    {"04_coalescing", 196608, 786432, 3145728, 14155776, 64},
    {"06_conflict_free", 196608, 786432, 3145728, 3145728, 64},
    {"07_outer_product", 122880, 491520, 1572864, 1572864, 64},
    {"08_unrolling", 122880, 491520, 1572864, 1572864, 64},
    {"09_prefetch", 122880, 491520, 1572864, 1572864, 33},
};

static void counts_are_those_of_address_arithmetic(void **state)
{
    const struct golden *want = *state;
    char path[] = "/tmp/lab_counts_XXXXXX";
    const int file = mkstemp(path);
    struct command run;

    assert_true(file >= 0);
    close(file);
    unlink(path);
    run = command_run("build/cpu/solutions/%s-analyse --counters --csv %s",
                      want->lab, path);
    command_ends(&run, 0);
    command_says(&run, "PASS");
    command_free(&run);
    assert_true(column(path, "global_load_requests") == want->load_requests);
    assert_true(column(path, "global_load_sectors") == want->load_sectors);
    if (want->shared_requests > 0) {
        assert_true(column(path, "shared_load_requests") ==
                    want->shared_requests);
        assert_true(column(path, "shared_load_wavefronts") == want->wavefronts);
    }
    if (want->barriers > 0)
        assert_true(column(path, "barriers_per_thread") <= want->barriers);
    unlink(path);
}

/* Nsight Compute counted the same kernels on an H200 (plots/data): global
   requests and sectors are equal to the last digit. */
static void counts_are_those_of_an_h200(void **state)
{
    const struct golden *want = *state;
    struct command run = command_run(
        "grep -c '^\"%s\",.*\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\","
        "\"%.0f\"$' plots/data/h200_counters.csv && "
        "grep -c '^\"%s\",.*\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\","
        "\"%.0f\"$' plots/data/h200_counters.csv",
        want->lab, want->load_requests, want->lab, want->load_sectors);

    command_ends(&run, 0);
    command_free(&run);
}

/* One core or all, the counts are the same to the last digit. */
static void counts_do_not_depend_on_threads_or_seed(void **state)
{
    const char *lab = *state;
    struct command one = command_run("build/cpu/solutions/%s-analyse "
                                     "--counters --threads 1 --m 37 --n 53 "
                                     "--k 29 | grep -v 'CPU device'",
                                     lab);
    struct command two = command_run("build/cpu/solutions/%s-analyse "
                                     "--counters --threads 2 --m 37 --n 53 "
                                     "--k 29 | grep -v 'CPU device'",
                                     lab);

    command_says(&one, "PASS");
    assert_string_equal(one.text, two.text);
    command_free(&one);
    command_free(&two);
}

static void wrong_options_are_one_line_and_exit_2(void **state)
{
    static const char *const options[] = {
        "--m 0",
        "--m -3 --n 4 --k 4",
        "--m x --n 4 --k 4",
        "--m 5",
        "--repeat 0",
        "--seed abc",
        "--nonsense",
        "surplus",
        "--counters",
        "--csv",
        "--csv /no/such/folder/file.csv",
        "--m 99999999999 --n 1 --k 1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        struct command run =
            command_run("build/cpu/solutions/03_tiling %s", options[i]);

        if (run.code != 2)
            fail_msg("03_tiling %s: exit code %d:\n%s", options[i], run.code,
                     run.text);
        assert_true(strlen(run.text) > 10);
        command_free(&run);
    }
}

int main(void)
{
    struct CMUnitTest tests[8 * MOST];
    glob_t found;
    size_t count = 0;
    char *name;

#define ADD(function, what, argument)                 \
    (name = malloc(strlen(#function) + 64),           \
     sprintf(name, "%s: " #function, what),           \
     tests[count++] =                                 \
         (struct CMUnitTest){.name = name,            \
                             .test_func = (function), \
                             .initial_state = (void *)(uintptr_t)(argument)})

    if (glob("solutions/*", 0, NULL, &found) != 0 || found.gl_pathc > MOST)
        return 2;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *lab = strchr(found.gl_pathv[i], '/') + 1;

        ADD(solution_is_right_on_every_shape, lab, lab);
        ADD(skeleton_is_unfinished_and_names_the_next_todo, lab, lab);
        if (strcmp(lab, "05_bank_conflicts") != 0)
            ADD(solution_is_right_on_odd_sizes_with_other_seeds, lab, lab);
    }
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        ADD(counts_are_those_of_address_arithmetic, golden[i].lab, &golden[i]);
        ADD(counts_are_those_of_an_h200, golden[i].lab, &golden[i]);
        ADD(counts_do_not_depend_on_threads_or_seed, golden[i].lab,
            golden[i].lab);
    }
    ADD(wrong_options_are_one_line_and_exit_2, "03_tiling", NULL);
    return _cmocka_run_group_tests("labs", tests, count, NULL, NULL);
}

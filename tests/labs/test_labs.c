/*
 * Do the labs keep their promises? Solutions are right on every shape and
 * count what address arithmetic says; skeletons are unfinished and say so.
 */
#define _GNU_SOURCE

#include "../testing.h"
#include "../command.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A 64th of the shape whose counts are graded. */
#define SMALL "--m 64 --n 96 --k 128"

static void fits_80_columns(const struct command *run)
{
    for (const char *line = run->text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        if (length > 80)
            fail_msg("%.*s: %zu columns", (int)length, line, length);
        line += length + (line[length] == '\n');
    }
}

static void solution_is_right_on_every_shape(void **state)
{
    const char *lab = *state;
    struct command run = command_run("build/cpu/solutions/%s", lab);

    command_ends(&run, 0);
    command_says(&run, "PASS");
    if (strcmp(lab, "05_bank_conflicts") != 0 &&
        strncmp(lab, "20", 2) < 0) { /* those have sizes of their own */
        text_has(run.text, SAYS("1 x 1 x 1", "37 x 53 x 29", "256 x "));
    }
    fits_80_columns(&run);
    command_free(&run);
}

static void solution_is_right_on_odd_sizes_with_other_seeds(void **state)
{
    const char *lab = *state;

    for (int seed = 1; seed <= 5; seed++) {
        RUN_GIVES(0, NULL,
                  "build/cpu/solutions/%s --m %d --n %d --k %d --seed %d", lab,
                  3 + 16 * seed, 61 + seed, 14 + seed, seed);
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
    fits_80_columns(&run);
    command_free(&run);
}

/* Of a lab that only a GPU can run: each of its programs says so in one line
   and in its results, and make is content. */
static void lab_is_skipped_without_a_gpu(void **state)
{
    const char *lab = *state;
    static const struct {
        const char *folder, *option;
    } programs[] = {{"solutions", ""},
                    {"solutions", "-analyse --counters"},
                    {"labs", " --bench"},
                    {"solutions", "-analyse --checks"},
                    {"labs", "-analyse --map build/none.csv"}};
    struct command run;
    char says[200], needs[40];

    snprintf(says, sizeof says, "SKIPPED  %s  cannot run on cpu (", lab);
    snprintf(needs, sizeof needs, "Lab %.2s needs ", lab);
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        run = command_run("build/cpu/%s/%s%s", programs[i].folder, lab,
                          programs[i].option);
        command_ends(&run, 77);
        command_says(&run, says);
        assert_ptr_equal(strstr(run.text, needs), run.text);
        command_says(&run, ", which GPUs of compute capability");
        command_free(&run);
    }
    run = command_run("build/cpu/labs/%s --quiet", lab);
    command_ends(&run, 77);
    assert_ptr_equal(strstr(run.text, says), run.text);
    command_free(&run);
    RUN_GIVES(0, SAYS(",cpu,", ",SKIPPED,"),
              "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make lab-%.2s "
              "DEVICE=cpu && tail -1 build/results/labs/%s.csv",
              lab, lab);
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

/*
 * What address arithmetic says at 256 x 384 x 512, tile 16. 0: not stated. A
 * quarter of C is a quarter of these counts for labs 02 to 09, whose blocks are
 * small: they are counted so, unless COUNTED=all, as in make test WHAT=all.
 *
 * Labs 10 to 12 have 6 blocks of 8 warps and 32 tiles of 16 steps along k, so
 * 1,536 times a warp fetches tiles and 24,576 times a step of them.
 *   10  fetches A by 8 requests, each 2 rows of 64 bytes (4 sectors), and B by
 *       8 of 128 bytes (4); in a step it loads 8 + 8 elements, 1 wavefront each
 *   11  fetches the same sectors by 2 + 2 requests of four elements; in a step
 *       it loads 2 + 2 times: of As 2 wavefronts each, of Bs 8
 *   12  the same with 2 wavefronts for each load of both, and so 13
 * Lab 14, at 256 x 512 x 512, has 2 x 2 blocks for C, and shares k out to 8 of
 * each, 4 tiles each: 1,024 times a warp fetches tiles. A takes 2 requests of
 * 16 sectors, B 4 of 16. It loads the operands of 64 steps and, once a
 * block, of the first: 256 warps x 65 x (2 + 4) requests of 2 wavefronts.
 * Barriers: one a tile and one before the first.
 */
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
    {"10_register_tiling", 1536 * 16, 1536 * 64, 24576 * 16, 24576 * 16, 33},
    {"11_vectorized_loads", 1536 * 4, 1536 * 64, 24576 * 4, 24576 * 20, 33},
    {"12_warp_tiling", 1536 * 4, 1536 * 64, 24576 * 4, 24576 * 8, 33},
    {"13_async_copy", 1536 * 4, 1536 * 64, 24576 * 4, 24576 * 8, 33},
    {"14_last_percents", 1024 * 6, 1024 * 96, 256 * 65 * 6, 256 * 65 * 12, 5},
};

static void counts_are_those_of_address_arithmetic(void **state)
{
    const struct golden *want = *state;
    const int quarter =
        getenv("COUNTED") == NULL && strcmp(want->lab, "10") < 0;
    const double part = quarter ? 0.25 : 1.0;
    char path[] = "/tmp/lab_counts_XXXXXX";
    const int file = mkstemp(path);
    struct command run;

    assert_true(file >= 0);
    close(file);
    unlink(path);
    run =
        command_run("build/cpu/solutions/%s-analyse --counters --verbose "
                    "--csv %s %s",
                    want->lab, path, quarter ? "--m 128 --n 192 --k 512" : "");
    command_ends(&run, 0);
    fits_80_columns(&run);
    command_says(&run, "PASS");
    /* Each check has seen what there was, and found nothing wrong. */
    text_has(run.text, SAYS("races in global memory: none in ",
                            "accesses outside of an array: none in ",
                            "misaligned accesses: none in "));
    if (strstr(run.text, "FAIL") != NULL)
        fail_msg("%s", run.text);
    command_free(&run);
    assert_true(column(path, "global_load_requests") ==
                part * want->load_requests);
    assert_true(column(path, "global_load_sectors") ==
                part * want->load_sectors);
    if (want->shared_requests > 0) {
        assert_true(column(path, "shared_load_requests") ==
                    part * want->shared_requests);
        assert_true(column(path, "shared_load_wavefronts") ==
                    part * want->wavefronts);
    }
    if (want->barriers > 0)
        assert_true(column(path, "barriers_per_thread") <= want->barriers);
    unlink(path);
}

/* What INDEX says a lab's number was before the lab is what the solution of an
   earlier lab counts, here at a smaller size with the same k: one of 64 x 64,
   or where a block computes more, 128 x 128. Nearly
   will do: compilers differ by one backward jump of a loop. */
static const struct before {
    const char *lab, *earlier, *column;
    double before;
    int side;
} befores[] = {
    {"03_tiling", "02_gpu_naive", "global_loads_per_fma", 2, 64},
    {"04_coalescing", "03_tiling", "global_load_sector_efficiency_B", 0.25, 64},
    {"06_conflict_free", "04_coalescing",
     "shared_load_wavefronts_per_request_Bs", 8, 64},
    {"06_conflict_free", "04_coalescing",
     "shared_store_wavefronts_per_request_Bs", 8, 64},
    {"07_outer_product", "06_conflict_free", "shared_loads_per_fma", 2, 64},
    {"08_unrolling", "07_outer_product", "backward_jumps_per_fma", 0.0625, 64},
    {"09_prefetch", "08_unrolling", "barriers_per_thread", 64, 64},
    {"09_prefetch", "08_unrolling", "fetch_overlap", 0, 64},
    {"04_coalescing", "03_tiling", "global_load_sector_efficiency_A", 1, 64},
    {"10_register_tiling", "09_prefetch", "shared_loads_per_fma", 1, 64},
    {"11_vectorized_loads", "10_register_tiling", "shared_loads_per_fma", 0.25,
     128},
    {"12_warp_tiling", "11_vectorized_loads",
     "shared_load_wavefronts_per_request_Bs", 8, 128},
    {"12_warp_tiling", "11_vectorized_loads",
     "shared_load_wavefronts_per_request_As", 2, 128},
    {"12_warp_tiling", "11_vectorized_loads",
     "shared_store_wavefronts_per_request_As", 2, 128},
    {"12_warp_tiling", "11_vectorized_loads", "shared_loads_per_fma", 0.0625,
     128},
    {"13_async_copy", "12_warp_tiling", "global_load_async_share_B", 0, 128},
    {"14_last_percents", "13_async_copy", "shared_loads_per_fma", 0.0625, 128},
    {"14_last_percents", "13_async_copy", "barriers_per_thread", 33, 128},
};

static void before_is_what_the_earlier_lab_counts(void **state)
{
    const struct before *want = *state;
    char path[] = "/tmp/lab_before_XXXXXX";
    const int file = mkstemp(path);
    struct command run, index;
    double counted;

    assert_true(file >= 0);
    close(file);
    unlink(path);
    run = command_run("build/cpu/solutions/%s-analyse --counters --m %d --n %d "
                      "--k 512 --csv %s",
                      want->earlier, want->side, want->side, path);
    command_ends(&run, 0);
    counted = column(path, want->column);
    if (!(counted >= 0.98 * want->before && counted <= 1.02 * want->before))
        fail_msg("%s counts %g, not %g", want->earlier, counted, want->before);
    index = command_run("sed -n '/^lab: %s/,/^$/p' labs/INDEX | "
                        "grep -x 'measure: %s .* before %g'",
                        want->lab, want->column, want->before);
    command_ends(&index, 0);
    command_free(&run);
    command_free(&index);
    unlink(path);
}

/* What is not written yet reads and races as it likes: no word of that. */
static void unfinished_lab_is_told_no_finding(void **state)
{
    const char *program = *state;
    struct command run =
        command_run("build/cpu/%s-analyse --counters", program);

    command_ends(&run, 1);
    command_says(&run, "UNFINISHED");
    if (strstr(run.text, "__syncthreads() is missing") != NULL ||
        strstr(run.text, "race ") != NULL)
        fail_msg("%s:\n%s", program, run.text);
    command_free(&run);
    /* make lab asks for this behind a run that has said what is missing. */
    run = command_run("build/cpu/%s-analyse --checks", program);
    command_ends(&run, 77);
    assert_string_equal(run.text, "");
    command_free(&run);
}

/* The mutant is a lab of which nothing but a barrier is left to write. */
TEST(nearly_finished_lab_is_told_its_race)
{
    struct command run =
        command_run("build/cpu/small/mutants/03_no_first_barrier"
                    "-analyse --checks");

    command_ends(&run, 1);
    text_has(run.text, SAYS("UNFINISHED", "race in shared memory on Bs"));
    command_free(&run);
}

/* The tests of its shapes and of its counts look at what a lab with a kernel
   says of large sizes. */
static void screens_fit_80_columns(void **state)
{
    const char *lab = *state;
    const char *size = "";

    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        if (strcmp(golden[i].lab, lab) == 0)
            size = "--m 37 --n 53 --k 29";
    }

    RUN_GIVES(
        0, NULL,
        "for program in build/cpu/labs/%s build/cpu/solutions/%s; do "
        "$program %s; $program-analyse --counters --verbose %s; "
        "$program-analyse --counters --cc 1.3 --m 70 --n 70 --k 70; "
        "$program-analyse --checks; $program-analyse --explain-counters; "
        "done | awk 'length > 80 { print; wide++ } END { exit wide > 0 }'",
        lab, lab, size, size);
}

TEST(the_dearest_line_is_named_with_its_text)
{
    struct command run =
        command_run("build/cpu/solutions/03_tiling-analyse --counters " SMALL);
    struct command line =
        command_run("grep -n 'Bs\\[tx\\]\\[ty\\] = ' solutions/03_tiling/*.cu");
    char place[64];

    command_ends(&line, 0);
    snprintf(place, sizeof place, "tiling.cu:%d takes 24,576 of ",
             atoi(line.text));
    command_says(&run, place);
    text_has(run.text, SAYS("      Bs[tx][ty] = t + tx < k && b_col < n",
                            "Lab 04 is about this: labs/04_coalescing."));
    command_free(&run);
    command_free(&line);
    RUN_GIVES(ANY_CODE,
              SAYS("No line stands out in what was counted.\n\n  Checks"),
              "build/cpu/solutions/09_prefetch-analyse --counters");
}

/* A kernel whose C is right for the wrong reason fails, and says why. */
TEST(a_finding_fails_a_lab_whose_c_is_right)
{
    struct command run = command_run(
        "build/cpu/small/mutants/03_reads_while_it_writes-analyse --counters --csv "
        "/tmp/lab_found.csv --findings /tmp/lab_checks.csv; code=$?; "
        "cat /tmp/lab_found.csv /tmp/lab_checks.csv; "
        "rm /tmp/lab_found.csv /tmp/lab_checks.csv; exit $code");

    command_ends(&run, 1);
    text_has(run.text,
             SAYS("C is right this time, but:", "race in shared memory on As",
                  "FAIL  03_tiling  nothing counted", ",FAIL,",
                  ",race_shared,found,"));
    command_free(&run);
}

/* C is poisoned before the run, by a copy that the device does not take for
   somebody's value. */
TEST(adding_to_c_is_a_read_of_what_nobody_wrote)
{
    struct command run =
        command_run("build/cpu/small/mutants/02_adds_to_c-analyse --checks");

    command_ends(&run, 1);
    command_says(&run, "read of global memory that nobody wrote on C");
    command_free(&run);
}

/* 16 banks and half a warp: a column of 16 is one bank. */
TEST(the_banks_of_then_are_counted_without_a_goal)
{
    struct command run = command_run(
        "build/cpu/solutions/04_coalescing-analyse --counters --cc 1.3 " SMALL);

    command_ends(&run, 0);
    text_has(run.text,
             SAYS("  Bs           shared   load         24,576   32.0  "
                  "16.00 wavefronts     1.00\n",
                  "no goal: goals are for the banks of today"));
    command_free(&run);
}

/* One core or all, the counts are the same to the last digit. */
static void counts_do_not_depend_on_threads_or_seed(void **state)
{
    static const char *const cores[] = {ON_ONE_CORE, ""};
    char *first = NULL;

    for (int i = 0; i < 2; i++) {
        struct command run =
            command_run("%s build/cpu/solutions/%s-analyse --counters --m 37 "
                        "--n 53 --k 29 | grep -v 'CPU device'",
                        cores[i], (const char *)*state);

        command_says(&run, "PASS");
        if (first != NULL)
            assert_string_equal(run.text, first);
        else
            first = strdup(run.text);
        command_free(&run);
    }
    free(first);
}

TEST(wrong_options_are_one_line_and_exit_2)
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
        "--checks",
        "--counters --cc 2.0",
        "--counters --cc 3.5",
        "--verbose",
        "--csv",
        "--csv /no/such/folder/file.csv",
        "--m 99999999999 --n 1 --k 1",
    };

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

#define ADD(function, lab, state) \
    testing_add_case(function, state, "%s: " #function, lab)

static void add_labs(void)
{
    static glob_t found;

    assert_int_equal(glob("solutions/[0-9]*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *lab = strchr(found.gl_pathv[i], '/') + 1;

        ADD(screens_fit_80_columns, lab, lab);
        if (command_lab_needs_gpu(lab)) {
            ADD(lab_is_skipped_without_a_gpu, lab, lab);
            continue;
        }
        ADD(solution_is_right_on_every_shape, lab, lab);
        ADD(skeleton_is_unfinished_and_names_the_next_todo, lab, lab);
        if (strcmp(lab, "05_bank_conflicts") != 0)
            ADD(solution_is_right_on_odd_sizes_with_other_seeds, lab, lab);
    }
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        ADD(counts_are_those_of_address_arithmetic, golden[i].lab, &golden[i]);
        ADD(counts_do_not_depend_on_threads_or_seed, golden[i].lab,
            golden[i].lab);
    }
    for (size_t i = 0; i < sizeof befores / sizeof befores[0]; i++)
        ADD(before_is_what_the_earlier_lab_counts, befores[i].lab, &befores[i]);
    ADD(unfinished_lab_is_told_no_finding, "09_prefetch", "labs/09_prefetch");
    ADD(unfinished_lab_is_told_no_finding, "03_tiling", "labs/03_tiling");
}

MORE_TESTS(add_labs);

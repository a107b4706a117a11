/* Does a recorded run show the accesses that the kernels make? What is expected
   is worked out here from the labs' index arithmetic, element by element. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"
#include "base/csv_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "

enum {
    TILE = 16,
    M = 32,
    N = 48,
    K = 64
};

/* Runs a solution that records a "map" or a "footprint" at M x N x K, and with
   more options, and reads the file. */
static void record(struct base_csv *csv, const char *lab, const char *what,
                   const char *more)
{
    char path[80], why[200];

    snprintf(path, sizeof path, "%s/recorded.csv", scratch("."));
    RUN_GIVES(0, SAYS("PASS"),
              "rm -f %s; build/cpu/solutions/%s-analyse --m %d --n %d "
              "--k %d --%s %s %s",
              path, lab, M, N, K, what, path, more);
    if (base_csv_read(path, csv, why, sizeof why) != 0)
        fail_msg("%s", why);
}

/* The first row of the request to that memory. The request has `lanes` rows. */
static size_t request_of(const struct base_csv *csv, const char *space,
                         size_t lanes)
{
    size_t first = csv->rows, count = 0;

    for (size_t i = csv->rows; i-- > 0;) {
        if (strcmp(base_csv_text(csv, i, "space"), space) == 0) {
            first = i;
            count++;
        }
    }
    assert_int_equal(count, lanes);
    return first;
}

static int number_in_row(const struct base_csv *csv, size_t row,
                         const char *column)
{
    return (int)base_csv_number(csv, row, column);
}

/* The line of a solution's source that holds the words last. */
static int line_with(const char *lab, const char *words)
{
    struct command found = command_run(
        "grep -n -F '%s' solutions/%s/*.cu | tail -n 1", words, lab);
    const int line = atoi(found.text);

    command_free(&found);
    assert_true(line > 0);
    return line;
}

/* --- maps ----------------------------------------------------------------- */

TEST(test_lab_03_loads_16_sectors_of_B_where_4_would_do)
{
    struct base_csv csv;
    size_t first;

    record(&csv, "03_tiling", "map", "");
    first = request_of(&csv, "global", 32);
    for (int lane = 0; lane < 32; lane++) {
        const size_t row = first + (size_t)lane;
        const int tx = lane % TILE, ty = lane / TILE;

        assert_string_equal(base_csv_text(&csv, row, "array"), "B");
        assert_string_equal(base_csv_text(&csv, row, "kind"), "load");
        assert_int_equal(number_in_row(&csv, row, "sectors"), 16);
        assert_int_equal(number_in_row(&csv, row, "sectors_ideal"), 4);
        assert_int_equal(number_in_row(&csv, row, "lane"), lane);
        assert_int_equal(number_in_row(&csv, row, "thread_x"), tx);
        assert_int_equal(number_in_row(&csv, row, "thread_y"), ty);
        assert_int_equal(number_in_row(&csv, row, "rows"), K);
        assert_int_equal(number_in_row(&csv, row, "cols"), N);
        assert_int_equal(number_in_row(&csv, row, "row"), tx);
        assert_int_equal(number_in_row(&csv, row, "col"), ty);
        assert_int_equal(number_in_row(&csv, row, "element"), tx * N + ty);
        assert_int_equal(number_in_row(&csv, row, "sector"), (tx * N + ty) / 8);
        assert_string_equal(base_csv_text(&csv, row, "bank"), "");
    }
    base_csv_free(&csv);
}

/* Reads the costs of one array's loads on the line that multiplies. */
static void record_product(struct base_csv *csv, const char *lab,
                           const char *array, const char *more)
{
    char options[120];

    snprintf(options, sizeof options, "--map-line %d --map-array %s%s",
             line_with(lab, "sum += As["), array, more);
    record(csv, lab, "map", options);
}

/* 4.5 wavefronts for a shared load on average: 8 of Bs and 1 of As. */
TEST(test_lab_04_takes_8_wavefronts_for_Bs_and_1_for_As)
{
    struct base_csv csv;
    int served[9] = {0};
    size_t first;

    record_product(&csv, "04_coalescing", "As", "");
    first = request_of(&csv, "shared", 32);
    assert_int_equal(number_in_row(&csv, first, "wavefronts"), 1);
    base_csv_free(&csv);

    record(&csv, "04_coalescing", "map", ""); /* the costliest */
    first = request_of(&csv, "shared", 32);
    for (size_t lane = 0; lane < 32; lane++) {
        const size_t row = first + lane;
        const int tx = (int)lane % TILE,
                  wavefront = number_in_row(&csv, row, "wavefront");

        assert_string_equal(base_csv_text(&csv, row, "array"), "Bs");
        assert_int_equal(number_in_row(&csv, row, "wavefronts"), 8);
        assert_int_equal(number_in_row(&csv, row, "wavefronts_ideal"), 1);
        assert_int_equal(number_in_row(&csv, row, "row"), tx);
        assert_int_equal(number_in_row(&csv, row, "col"), 0);
        assert_int_equal(number_in_row(&csv, row, "bank"), TILE * tx % 32);
        assert_string_equal(base_csv_text(&csv, row, "sector"), "");
        assert_in_range(wavefront, 1, 8);
        served[wavefront]++;
        /* Lanes that read the same word are served together. */
        if (lane >= TILE)
            assert_int_equal(wavefront,
                             number_in_row(&csv, row - TILE, "wavefront"));
    }
    for (int wavefront = 1; wavefront <= 8; wavefront++)
        assert_int_equal(served[wavefront], 4);
    base_csv_free(&csv);
}

TEST(test_later_requests_of_a_warp_can_be_mapped)
{
    struct base_csv csv;
    size_t first;

    /* The loop goes along Bs[tx], 16 steps a tile. */
    record_product(&csv, "04_coalescing", "Bs", " --map-request 19");
    first = request_of(&csv, "shared", 32);
    assert_int_equal(number_in_row(&csv, first, "nth"), 19);
    assert_int_equal(number_in_row(&csv, first, "warp"), 0);
    assert_int_equal(number_in_row(&csv, first + 2, "col"), 3);
    assert_int_equal(number_in_row(&csv, first + 2, "bank"), 3);
    base_csv_free(&csv);
}

TEST(test_lab_06_stores_to_32_banks_at_once)
{
    struct base_csv csv;
    size_t first;
    int banks[32] = {0};

    /* No access costs too much: the store of the last kernel is drawn. */
    record(&csv, "06_conflict_free", "map", "");
    first = request_of(&csv, "shared", 32);
    for (size_t lane = 0; lane < 32; lane++)
        banks[number_in_row(&csv, first + lane, "bank")]++;
    for (int bank = 0; bank < 32; bank++)
        assert_int_equal(banks[bank], 1);
    assert_string_equal(base_csv_text(&csv, first, "kernel"), "matmul_padded");
    assert_string_equal(base_csv_text(&csv, first, "kind"), "store");
    assert_int_equal(number_in_row(&csv, first, "cols"), 18);
    base_csv_free(&csv);
}

TEST(test_the_banks_of_old_are_16)
{
    struct base_csv csv;
    size_t first;

    record_product(&csv, "04_coalescing", "Bs", " --cc 1.3");
    first = request_of(&csv, "shared", 32);
    assert_int_equal(number_in_row(&csv, first, "banks"), 16);
    for (size_t lane = 0; lane < 32; lane++)
        assert_int_equal(number_in_row(&csv, first + lane, "bank"), 0);
    assert_int_equal(number_in_row(&csv, first, "wavefronts"), 16);
    base_csv_free(&csv);
}

TEST(test_lanes_that_do_nothing_are_not_mapped)
{
    struct base_csv csv;
    size_t first;

    /* The last of --m counts: one row, 7 columns, so 7 lanes load B. */
    record(&csv, "02_gpu_naive", "map", "--m 1 --n 7 --k 5 --map-array B");
    first = request_of(&csv, "global", 7);
    assert_int_equal(number_in_row(&csv, first + 6, "col"), 6);
    assert_int_equal(number_in_row(&csv, first, "sectors"), 1);
    base_csv_free(&csv);
}

TEST(test_words_tell_what_the_picture_shows)
{
    RUN_GIVES(ANY_CODE,
              SAYS(" loads B: 32 lanes of warp 0 of block (0,0) touch 32 "
                   "elements in 16 rows and 2 columns of B. They lie in 16 "
                   "sectors of 32 bytes where 4 would do: of 512 bytes that "
                   "are moved, 128 are wanted.",
                   " stores Bs: 32 lanes of warp 0 of block (0,0) touch 32 "
                   "elements in 16 rows and 2 columns of Bs. They lie in 4 "
                   "of 32 banks.",
                   "this takes 8 wavefronts where 1 would do.",
                   "its warp, no. 4          128       128        32"),
              "build/cpu/solutions/03_tiling-analyse --map %s/words.csv "
              "--footprint %s/words_footprint.csv | tr '\n' ' '",
              scratch("."), scratch("."));
}

TEST(test_a_lane_of_16_bytes_takes_four_banks)
{
    RUN_GIVES(
        0,
        SAYS("touch 64 elements, 16 bytes a lane. They lie in 16 of 32 "
             "banks. A bank gives one word a wavefront, so this takes 8 "
             "wavefronts where 4 would do."),
        "build/cpu/solutions/11_vectorized_loads-analyse --m 32 --n 128 --k 64 "
        "--map %s/wide.csv | tr '\n' ' ' && "
        "for space in global shared; do "
        "gnuplot -e \"csv='%s/wide.csv'; space='$space'; out='%s/wide.svg'\" "
        "plots/access_map.gp && "
        "grep -q '16 bytes a lane' %s/wide.svg || exit 1; done",
        scratch("."), scratch("."), scratch("."), scratch("."));
}

/* The first and the last element of each sector that the run touched, worked
   out from its number in the array and the matrix's width. */
static void names_are_those_of(const struct base_csv *csv, char matrix,
                               int cols, const char *svg)
{
    for (size_t i = 0; i < csv->rows; i++) {
        const int first = 8 * number_in_row(csv, i, "sector");
        const int element = number_in_row(csv, i, "element");
        char name[40];

        assert_in_range(element, first, first + 7);
        assert_int_equal(number_in_row(csv, i, "row"), element / cols);
        assert_int_equal(number_in_row(csv, i, "col"), element % cols);
        snprintf(name, sizeof name, ">%c[%d][%d..%d]<", matrix, first / cols,
                 first % cols, first % cols + 7);
        if (strstr(svg, name) == NULL)
            fail_msg("%s is not in the picture", name);
    }
}

TEST(test_the_names_in_a_picture_are_those_of_the_run)
{
    static const char *const labs[] = {
        "02_gpu_naive",        "07_outer_product", "10_register_tiling",
        "11_vectorized_loads", "12_warp_tiling",   "13_async_copy",
        "14_last_percents",    "15_tensor_cores"};

    command_needs("gnuplot");
    for (size_t i = 0; i < 3 * sizeof labs / sizeof labs[0]; i++) {
        const char matrix = "ABC"[i % 3];
        struct base_csv csv;
        struct command svg;
        char more[40];

        snprintf(more, sizeof more, "--map-array %c", matrix);
        record(&csv, labs[i / 3], "map", more);
        svg = command_run("gnuplot -e \"csv='%s/recorded.csv'; "
                          "out='%s/names.svg'\" plots/access_map.gp && "
                          "cat %s/names.svg",
                          scratch("."), scratch("."), scratch("."));
        command_ends(&svg, 0);
        names_are_those_of(&csv, matrix, matrix == 'A' ? K : N, svg.text);
        command_free(&svg);
        base_csv_free(&csv);
    }
}

TEST(test_an_element_of_a_matrix_is_a_float_however_wide_the_load_is)
{
    RUN_GIVES(0,
              SAYS("loads A: 32 lanes of warp 0 of block (0,0) touch 128 "
                   "elements in 8 rows and 16 columns of A, 16 bytes a lane."),
              "build/cpu/solutions/11_vectorized_loads-analyse --map-array A "
              "--map %s/rows.csv | tr '\n' ' ' && "
              "gnuplot -e \"csv='%s/rows.csv'; out='%s/rows.svg'\" "
              "plots/access_map.gp && grep -qF 'A[7][8..15]' %s/rows.svg",
              scratch("."), scratch("."), scratch("."), scratch("."));
}

/* The worked lane of lab 12's handout: lane 5 loads As[0][8..11] as lane 4
   does, and Bs[0][4..7] as lane 7. */
TEST(test_lane_5_of_lab_12_is_the_one_of_the_handout)
{
    static const struct {
        char array;
        int like, first;
    } loads[] = {{'A', 4, 8}, {'B', 7, 4}};

    for (int i = 0; i < 2; i++) {
        struct base_csv csv;
        char words[40], more[80];
        size_t first;

        snprintf(words, sizeof words, "&%cs[now][i]", loads[i].array);
        snprintf(more, sizeof more, "--map-line %d --map-array %cs",
                 line_with("12_warp_tiling", words), loads[i].array);
        record(&csv, "12_warp_tiling", "map", more);
        first = request_of(&csv, "shared", 32);
        assert_int_equal(number_in_row(&csv, first + 5, "element"),
                         loads[i].first);
        assert_int_equal(number_in_row(&csv, first + 5, "bank"),
                         loads[i].first);
        assert_int_equal(
            number_in_row(&csv, first + (size_t)loads[i].like, "element"),
            loads[i].first);
        assert_int_equal(number_in_row(&csv, first, "wavefronts"), 2);
        base_csv_free(&csv);
    }
}

/* --- footprints ----------------------------------------------------------- */

enum {
    BY_THREAD,
    BY_WARP,
    BY_BLOCK,
    BY_NOBODY
};

/* Who touches an element first, in the order above: thread (8,8), in warp 4, of
   block (1,0), whose corner is in row 0 and column 16 of C. */
typedef int who(char matrix, int row, int col);

static int between(int value, int from, int to)
{
    return value >= from && value < to;
}

/* One row of A, one column of B and one element of C. */
static int naive(char matrix, int row, int col)
{
    const int row_by = row == 8              ? BY_THREAD
                       : between(row, 8, 10) ? BY_WARP
                       : between(row, 0, 16) ? BY_BLOCK
                                             : BY_NOBODY;
    /* A warp is two rows of the block's threads and has all of its columns. */
    const int col_by = col == 24              ? BY_THREAD
                       : between(col, 16, 32) ? BY_WARP
                                              : BY_NOBODY;

    return matrix == 'A'     ? row_by
           : matrix == 'B'   ? col_by
           : row_by > col_by ? row_by
                             : col_by;
}

/* One element a tile of A, and of B in the column that is the thread's ty. */
static int tiled(char matrix, int row, int col)
{
    if (matrix == 'C')
        return naive('C', row, col);
    if (matrix == 'A') {
        return row == 8 && col % TILE != 8 ? BY_WARP : naive('A', row, 0);
    }
    return col == 24 && row % TILE == 8 ? BY_THREAD
           : between(col, 24, 26)       ? BY_WARP
           : between(col, 16, 32)       ? BY_BLOCK
                                        : BY_NOBODY;
}

static void compare_footprint(const char *lab, who *expected)
{
    static const char *const names[] = {"thread", "warp", "block", ""};
    static const struct {
        char name;
        int rows, cols;
    } matrix[] = {{'A', M, K}, {'B', K, N}, {'C', M, N}};
    struct base_csv csv;
    size_t at = 0;

    record(&csv, lab, "footprint", "");
    for (int i = 0; i < 3; i++) {
        for (int element = 0; element < matrix[i].rows * matrix[i].cols;
             element++) {
            const int row = element / matrix[i].cols;
            const int col = element % matrix[i].cols;
            const int is_next =
                base_csv_text(&csv, at, "array")[0] == matrix[i].name &&
                number_in_row(&csv, at, "row") == row &&
                number_in_row(&csv, at, "col") == col;
            const char *by = is_next ? base_csv_text(&csv, at, "by") : "";
            const char *want = names[expected(matrix[i].name, row, col)];

            if (strcmp(by, want) != 0)
                fail_msg("%s, %c[%d][%d]: by '%s', not '%s'", lab,
                         matrix[i].name, row, col, by, want);
            at += (size_t)is_next;
        }
    }
    assert_int_equal(at, csv.rows);
    assert_int_equal(number_in_row(&csv, 0, "thread_x"), 8);
    assert_int_equal(number_in_row(&csv, 0, "thread_y"), 8);
    assert_int_equal(number_in_row(&csv, 0, "block_x"), 1);
    assert_int_equal(number_in_row(&csv, 0, "block_y"), 0);
    assert_int_equal(number_in_row(&csv, 0, "warp"), 4);
    base_csv_free(&csv);
}

TEST(test_a_naive_thread_touches_a_row_a_column_and_an_element)
{
    compare_footprint("02_gpu_naive", naive);
}

TEST(test_a_tiled_thread_touches_an_element_a_tile)
{
    compare_footprint("03_tiling", tiled);
}

/* --- the same whatever else happens --------------------------------------- */

TEST(test_workers_and_seeds_change_nothing)
{
    struct command run = command_run(
        "keep() { \"$@\" -q --map %s/a.csv --map-request 3 --footprint "
        "%s/b.csv >%s/out || exit 1; cat %s/a.csv %s/b.csv | cksum; }; "
        "lab=build/cpu/solutions/04_coalescing-analyse; "
        "{ for seed in 0 1; do keep " ON_ONE_CORE " $lab --seed $seed; done; "
        "for seed in 1 2 3 5; do keep $lab --seed $seed; done; } | "
        "sort -u | wc -l",
        scratch("."), scratch("."), scratch("."), scratch("."), scratch("."));

    command_ends(&run, 0);
    assert_string_equal(run.text, "1\n");
    command_free(&run);
}

/* Shared memory of a worker lies elsewhere in each launch, since its OS thread
   is another one. */
TEST(test_checks_survive_many_launches)
{
    RUN_GIVES(0, NULL,
              "for i in 1 2 3 4 5 6 7 8; do "
              "build/cpu/solutions/06_conflict_free-analyse -q --checks --m %d "
              "--n %d --k %d || exit 1; done",
              M, N, K);
}

/* --- what is not possible ------------------------------------------------- */

TEST(test_what_cannot_be_mapped_is_told_in_a_sentence)
{
    static const struct {
        const char *command;
        int code;
        const char *words;
    } cases[] = {
        {"solutions/03_tiling-analyse -q --map $d/x.csv --map-line 2", 2,
         "no kernel accesses memory on line 2 of solutions/03_tiling/tiling.cu "
         "(choose one of: line "},
        {"solutions/03_tiling-analyse -q --map $d/x.csv --map-array Cs", 2,
         "no kernel accesses an array Cs"},
        {"solutions/03_tiling-analyse -q --map $d/x.csv --map-request 500", 2,
         "--map-request 500: no warp accesses B as often"},
        {"solutions/03_tiling-analyse -q --map-line 3", 2,
         "--map-line goes with --map"},
        {"solutions/03_tiling-analyse -q --map $d/no/such.csv", 2,
         "cannot be written"},
        {"solutions/03_tiling -q --map $d/x.csv", 2, "use build/cpu/"},
        {"solutions/01_cpu_naive-analyse -q --map $d/x.csv", 77, "SKIPPED"},
        {"solutions/05_bank_conflicts-analyse -q --footprint $d/x.csv", 77,
         "make banks"},
        {"labs/03_tiling-analyse -q --map $d/x.csv", 1,
         "no map before C is right"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct command run =
            command_run("d=%s; echo kept > $d/x.csv; build/cpu/%s",
                        scratch("."), cases[i].command);

        command_ends(&run, cases[i].code);
        command_says(&run, cases[i].words);
        const char *second = strchr(run.text, '\n') + 1; /* it is wrapped */
        assert_true(*second == '\0' || strchr(second, '\n')[1] == '\0');
        command_free(&run);
        run = command_run("cat %s/x.csv", scratch("."));
        assert_string_equal(run.text, "kept\n");
        command_free(&run);
    }
}

TEST(test_make_draws_or_says_why_not)
{
    struct command run =
        command_run("command -v gnuplot >%s/out || echo no; " MAKE
                    "map-3 OF=solutions M=32 N=48 K=64",
                    scratch("."));

    command_ends(&run, 0);
    command_says(&run, " loads B: ");
    if (strncmp(run.text, "no\n", 3) != 0) {
        text_has(run.text,
                 SAYS("build/plots/map_03_global.svg, .png and .pdf\n",
                      "build/plots/map_03_shared.svg, .png and .pdf\n",
                      "build/plots/map_03_footprint.svg, .png and .pdf\n"));
    }
    command_free(&run);
    RUN_GIVES(0, SAYS("SKIPPED"), MAKE "map-01");
    RUN_GIVES(2, SAYS("OF is 'mine': use labs or solutions"),
              MAKE "map-03 OF=mine");
    RUN_GIVES(2, SAYS("there is no lab '33'"), MAKE "map-33");
}

ALL_TESTS(scratch_make, NULL);

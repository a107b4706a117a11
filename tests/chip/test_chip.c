/* Does make why-NN say what the solutions' machine code says, keep to a screen,
   and claim nothing that it cannot know? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"

#include "chip/chip.h"
#include "chip/pipeline.h"
#include "chip/sass.h"
#include "chip/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define H200 "common/chip/chips/h200.csv"

/* Counts what a solution's kernels ask for, once. Behind a first kernel that
   leaves C undone there would be no second. */
static void count(const char *lab)
{
    const int has_two =
        strncmp(lab, "06", 2) == 0 || strncmp(lab, "08", 2) == 0;
    struct command run = command_run(
        "[ -e %s/%s.128 ] || build/tools/chip --chip " H200 " %s "
        "--requests %s/%s --program build/cpu/solutions/%s-analyse %s",
        scratch("."), lab, has_two ? "" : "--line", scratch("."), lab, lab,
        lab);

    assert_string_equal(run.text, "");
    command_ends(&run, 0);
    command_free(&run);
}

/* The tool on what was counted. */
static struct command chip(const char *options, const char *lab)
{
    return command_run("build/tools/chip --requests %s/%s %s %s", scratch("."),
                       lab, options, lab);
}

/* --- machine code --------------------------------------------------------- */

/* No scheduler issues faster than one instruction a cycle, and each unit that
   takes longer makes the round longer. */
static void test_units(const struct sass_loop *loop)
{
    struct chip_units u = {.blocks = 8, .warps = 8};
    const double of_each = 8.0 * 8.0 / 4.0; /* warps of a scheduler */
    double alone;

    assert_true(chip_round(loop, &u) >= of_each * (double)loop->count);
    u.store = u.global = u.load[0] = u.load[2] = 10.0;
    assert_true(chip_round(loop, &u) >= 0.9 * 64.0 * 24.0 * 10.0);
    u = (struct chip_units){.blocks = 1, .warps = 8, .fresh = 1.0};
    alone = chip_round(loop, &u);
    u.far = 1000.0;
    assert_true(chip_round(loop, &u) >= alone + 900.0);
    u.far = 0.0;
    u.barrier = 100.0; /* two of them */
    assert_true(chip_round(loop, &u) >= alone + 150.0);
}

/* Lab 03's loop as cuobjdump shows it: 16 steps, rows of As by 16 bytes. */
TEST(test_a_cubin_is_decoded)
{
    struct sass_file file;
    struct sass_loop loop;
    const struct sass_kernel *kernel;
    int by_width[17] = {0}, products = 0, barriers = 0, unknown = 0;
    char why_not[300];

    assert_int_equal(
        sass_read("tests/chip/tiling.cubin", &file, why_not, sizeof why_not),
        0);
    kernel = sass_find(&file, "matmul_tiling");
    assert_non_null(kernel);
    assert_null(sass_find(&file, "matmul"));
    assert_int_equal(kernel->registers, 32);
    assert_int_equal(kernel->shared_bytes, 2 * 16 * 16 * 4 + 1024);
    assert_int_equal(sass_loop_find(kernel, 1.0, 2.0 / 16.0, &loop), 0);
    assert_true(fabs(loop.steps - 16.0) < 1e-9);
    for (size_t i = 0; i < loop.count; i++) {
        const struct sass_instruction *in = loop.instruction[i];

        products += in->opclass == SASS_FMA;
        barriers += in->opclass == SASS_BARRIER;
        unknown += in->name == NULL;
        if (in->opclass == SASS_LOAD_SHARED)
            by_width[in->width]++;
    }
    assert_int_equal(products, 16);
    assert_int_equal(barriers, 2);
    assert_int_equal(unknown, 0);
    assert_int_equal(by_width[4], 16);
    assert_int_equal(by_width[16], 4);
    test_units(&loop);
    sass_loop_free(&loop);
    sass_free(&file);
}

/* Wherever it is cut off, and whichever byte is another one. */
TEST(test_a_broken_cubin_is_refused_or_read)
{
    static unsigned char whole[1 << 14];
    FILE *from = fopen("tests/chip/tiling.cubin", "rb");
    const size_t length =
        from != NULL ? fread(whole, 1, sizeof whole, from) : 0;
    char path[64], why_not[300];

    assert_true(length > 4096 && length < sizeof whole);
    fclose(from);
    snprintf(path, sizeof path, "%s/broken", scratch("."));
    for (size_t i = 0; i < length; i += i < 256 ? 1 : 61) {
        for (int cut_off = 0; cut_off < 2; cut_off++) {
            FILE *to = fopen(path, "wb");
            struct sass_file file;
            struct sass_loop loop;

            assert_non_null(to);
            whole[i] ^= 0xff;
            fwrite(whole, 1, cut_off ? i : length, to);
            whole[i] ^= 0xff;
            fclose(to);
            if (sass_read(path, &file, why_not, sizeof why_not) != 0) {
                assert_non_null(strstr(why_not, path));
                continue;
            }
            for (size_t k = 0; k < file.kernels; k++) {
                if (sass_loop_find(&file.kernel[k], 1.0, 0.125, &loop) == 0)
                    sass_loop_free(&loop);
            }
            sass_free(&file);
        }
    }
}

/* --- the rule for merged loads -------------------------------------------- */

/* As many shared loads of each width as nvcc makes. Lab 14 has three more, and
   lab 13 twelve, of variables that it keeps in shared memory. */
TEST(test_loads_are_merged_as_nvcc_does)
{
    static const char *const labs[] = {
        "03_tiling",          "04_coalescing",       "06_conflict_free",
        "07_outer_product",   "08_unrolling",        "09_prefetch",
        "10_register_tiling", "11_vectorized_loads", "12_warp_tiling",
        "13_async_copy",      "14_last_percents"};

    for (size_t i = 0; i < sizeof labs / sizeof labs[0]; i++) {
        struct command run;

        count(labs[i]);
        command_gives(chip("--chip " H200 " --write-facts", labs[i]), 0, NULL);
        run = command_run(
            "build/tools/chip --chip " H200 " --write-facts --requests %s/%s %s"
            " | awk -F, 'NR == FNR { for (i = 1; i <= NF; i++) "
            "if (FNR == 1) c[$i] = i; l[$1, $2] = $c[\"loads_4\"] \" \" "
            "$c[\"loads_8\"] \" \" $c[\"loads_16\"]; next } FNR > 1 { found++; "
            "mine = $c[\"loads_4\"] \" \" $c[\"loads_8\"] \" \" "
            "$c[\"loads_16\"]; if ($1 ~ /^14/) sub(/^0 /, \"0.1875 \", mine); "
            "if ($1 ~ /^13/) sub(/^0 /, \"0.75 \", mine); "
            "if (mine != l[$1, $2]) print $2, mine, \"is\", l[$1, $2] } END { "
            "print (found > 0 ? \"compared\" : \"nothing\") }' "
            "common/chip/facts.csv -",
            scratch("."), labs[i], labs[i]);
        assert_string_equal(run.text, "compared\n");
        command_free(&run);
    }
}

/* So does a loop that goes backwards by two words, of which two lines load one
   each. */
TEST(test_loads_of_several_lines_are_merged)
{
    static const char lab[] = "04_right_every_other_word";
    struct command run = command_run(
        "build/tools/chip --chip " H200 " --line --requests %s/%s --program "
        "build/cpu/small/mutants/%s-analyse 04_coalescing && "
        "build/tools/chip --chip " H200 " --requests %s/%s --write-facts "
        "04_coalescing | awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) "
        "c[$i] = i; next } { print $c[\"loads_4\"], $c[\"loads_8\"], "
        "($c[\"loads_16\"] > 0) }'",
        scratch("."), lab, lab, scratch("."), lab);

    assert_string_equal(run.text, "0 0 1\n");
    command_free(&run);
}

/* A tile of lab 06's measures, and one of lab 12's, but for the lines in which
   it loads A: lab 11's. */
TEST(test_a_shape_asks_for_what_the_labs_ask)
{
    static const struct {
        const char *lab;
        struct chip_shape shape;
    } of[] = {{"06_conflict_free", {16, 16, 16, 1, 1, 0}},
              {"12_warp_tiling", {128, 128, 16, 8, 8, 0}},
              {"11_vectorized_loads", {128, 128, 16, 8, 8, 0}}};
    const int k[] = {64, 96};
    struct chip on;
    char why[400];

    assert_int_equal(chip_read(H200, &on, why, sizeof why), 0);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct chip_kernel counted, shaped;
        struct chip_block block[2];

        count(of[i].lab);
        for (int j = 0; j < 2; j++) {
            assert_int_equal(chip_block_read(scratch("%s.%d", of[i].lab, k[j]),
                                             0, &block[j], why, sizeof why),
                             0);
        }
        assert_int_equal(
            chip_kernel_fit(block, k, 256, 256, &counted, why, sizeof why), 0);
        assert_int_equal(
            chip_shape_fit(&of[i].shape, &on, &shaped, why, sizeof why), 0);
        assert_int_equal(shaped.threads, counted.threads);
        for (int c = 0; c < BLOCK_COUNTS; c++) {
            if (i == 0 || (i == 1) == (c != BLOCK_GLOBAL_LINES))
                assert_true(shaped.per_step[c] == counted.per_step[c]);
        }
        chip_kernel_free(&counted);
        chip_kernel_free(&shaped);
    }
}

TEST(test_a_shape_is_told_or_refused)
{
#define SHAPE "build/tools/chip --sizes 4096 --chip common/chip/chips/"

    RUN_GIVES(0,
              SAYS("128x128x16 with 8x8 sums, 4096 x 4096 x 4096, on an NVIDIA",
                   "41.2 TFLOP/s (14 to 46)", "What binds: issue and registers",
                   "no such kernel was written"),
              SHAPE "h200.csv --shape 128x128x16 --sums 8x8");
    RUN_GIVES(0, SAYS("At most ", NOT "inf"),
              SHAPE "t4.csv --shape 64x64x16 --sums 4x4");
    RUN_GIVES(1, SAYS("takes 4 threads; a block has whole warps"),
              SHAPE "h200.csv --shape 16x16x16 --sums 8x8");
    RUN_GIVES(1, SAYS("64 sums and 16 operands do not fit into 64 registers"),
              SHAPE "h200.csv --shape 64x64x16 --sums 8x8 --registers 64");
    RUN_GIVES(1, SAYS("about 389 registers, and 255 is the most"),
              SHAPE "h200.csv --shape 256x256x16 --sums 16x16");
    RUN_GIVES(1, SAYS("take 131072 bytes of shared memory"),
              SHAPE "t4.csv --shape 256x256x32 --sums 8x8");
    RUN_GIVES(1, SAYS("need more than the 65536 of a multiprocessor"),
              SHAPE "h200.csv --shape 128x256x16 --sums 4x8 --registers 128");
    RUN_GIVES(2, SAYS("'8' is not as in 8x8"),
              SHAPE "h200.csv --shape 64x64x16 --sums 8");
}

/* Where there is nvcc 13, what it makes now. */
TEST(test_the_facts_are_those_of_nvcc)
{
    struct command run =
        command_run("nvcc --version 2>/dev/null | grep -c 'release 13.0'");
    const int is_here = run.code == 0;

    command_free(&run);
    if (!is_here)
        skip();
    count("08_unrolling");
    run = command_run(
        "nvcc -cubin -O3 -std=c++17 -arch=sm_90 -Icommon "
        "solutions/08_unrolling/unrolling.cu -o %s/x.cubin && "
        "build/tools/chip --chip " H200 " --cubin %s/x.cubin --write-facts "
        "--requests %s/08_unrolling 08_unrolling | sed 1d | "
        "while read -r row; do grep -qxF \"$row\" common/chip/facts.csv || "
        "echo \"another: $row\"; done",
        scratch("."), scratch("."), scratch("."));
    assert_string_equal(run.text, "");
    command_free(&run);
}

/* --- the answer ----------------------------------------------------------- */

TEST(test_the_screen_has_24_lines_of_80_columns)
{
    static const char *const labs[] = {"02_gpu_naive", "07_outer_product",
                                       "12_warp_tiling", "13_async_copy",
                                       "14_last_percents"};
    static const char *const chips[] = {"h200", "h100", "a100", "rtx4090",
                                        "t4"};

    for (size_t i = 0; i < sizeof labs / sizeof labs[0]; i++) {
        count(labs[i]);
        for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++) {
            struct command run = command_run(
                "for n in 512 4096; do build/tools/chip --facts "
                "common/chip/facts.csv --chip common/chip/chips/%s.csv "
                "--sizes $n --requests %s/%s %s | awk 'length > 80 { print } END { "
                "print (NR > 12 && NR <= 22) }'; done",
                chips[c], scratch("."), labs[i], labs[i]);

            assert_string_equal(run.text, "1\n1\n");
            command_free(&run);
        }
    }
}

/* But for the code's place, and the order in which warps take turns. */
TEST(test_a_block_alone_asks_for_what_it_asks_among_others)
{
    RUN_GIVES(
        0, NULL,
        "cd %s; for alone in 0 1; do [ $alone = 0 ] || export SIMT_FIRST_BLOCK=1; "
        "SIMT_REQUESTS=all $OLDPWD/build/cpu/solutions/03_tiling-analyse "
        "--counters --quiet --m 64 --n 64 --k 32; "
        "cut -d, -f1-9,11- all | sort >$alone; done; "
        "cmp 0 1 && [ $(wc -l <1) -gt 500 ]",
        scratch("."));
}

TEST(test_what_is_not_sure_is_said)
{
    count("12_warp_tiling");
    command_gives(chip("--facts common/chip/facts.csv --chip " H200
                       " --sizes 4096",
                       "12_warp_tiling"),
                  ANY_CODE,
                  SAYS("What binds: issue and registers.", "of nvcc, recorded",
                       "Nine in ten kernels"));
    command_gives(
        chip("--facts common/chip/facts.csv --chip " H200 " --sizes 1024",
             "12_warp_tiling"),
        ANY_CODE,
        SAYS(
            /* A larger tile, which would help elsewhere, would not help. */
            "But 68 of 132 multiprocessors get no block.",
            NOT "more sums in a thread",
            "Not sure: with fewer than two waves of blocks"));
    command_gives(chip("--chip " H200 " --sizes 4096", "12_warp_tiling"),
                  ANY_CODE, SAYS("Not sure: without nvcc"));
    /* No time of a chip that nobody has measured, on the screen or in a file.
     */
    RUN_GIVES(ANY_CODE,
              SAYS("At most ", NOT " ms",
                   "\n,,,\nlimit_ms,predicted_ms,low_ms,high_ms\n"),
              "build/tools/chip --chip common/chip/chips/a100.csv --csv "
              "%s/a.csv --sizes 4096 --requests %s/12_warp_tiling "
              "12_warp_tiling; "
              "cut -d, -f12,14-16 %s/a.csv | sort -u",
              scratch("."), scratch("."), scratch("."));
    command_gives(
        chip("--line --facts common/chip/facts.csv --sizes 4096 --chip " H200,
             "12_warp_tiling"),
        ANY_CODE, SAYS(" TFLOP/s (", "); limit: issue and registers\n"));
}

/* A block for each element, where one for each tile was meant: C is right, and
   the model would take its one element for all that a block does. */
TEST(test_a_grid_of_too_many_threads_is_told)
{
    struct command run;

    count("02_gpu_naive");
    RUN_GIVES(0, NULL, "sed -i s/,16,16,1,/,256,256,1,/ %s/02_gpu_naive.*",
              scratch("."));
    run = chip("--line --sizes 4096 --chip " H200, "02_gpu_naive");
    command_ends(&run, 0);
    assert_string_equal(
        run.text,
        "nothing, as its grid has 256 threads for each element of C.\n");
    command_free(&run);
}

/* The ladder's order, as it was measured at 4096. Lab 13 is as fast as lab 12,
   within a hundredth. */
TEST(test_the_solutions_come_in_the_right_order)
{
    static const char *const labs[] = {
        "04_coalescing",       "03_tiling",      "06_conflict_free",
        "07_outer_product",    "09_prefetch",    "10_register_tiling",
        "11_vectorized_loads", "12_warp_tiling", "14_last_percents"};
    double before = 0.0;

    for (size_t i = 0; i < sizeof labs / sizeof labs[0]; i++) {
        struct command run;
        double now;

        count(labs[i]);
        run = command_run(
            "build/tools/chip --facts common/chip/facts.csv --chip " H200
            " --csv %s/o.csv --sizes 4096 --requests %s/%s %s >/dev/null; awk -F, 'NR == 2 { print $17 "
            "}' %s/o.csv",
            scratch("."), scratch("."), labs[i], labs[i], scratch("."));
        now = strtod(run.text, NULL);
        assert_true(now > before);
        before = now;
        command_free(&run);
    }
}

/* No row of the README's tables is written by hand. */
TEST(test_the_readme_has_the_tables_of_the_data)
{
    struct command run = command_run(
        "sh common/chip/tables.sh >%s/t && grep -c '^| 12_warp_tiling |' %s/t "
        "&& grep -vxF -f common/chip/README.md %s/t",
        scratch("."), scratch("."), scratch("."));

    assert_string_equal(run.text, "2\n");
    command_free(&run);
}

TEST(test_a_wrong_call_is_refused)
{
    command_gives(chip("--sizes 0 --chip " H200, "x"), 2,
                  SAYS("chip: --sizes: '0'"));
    command_gives(chip("--chip none.csv", "x"), 2, SAYS("none.csv"));
    RUN_GIVES(2, SAYS("the chip's dram is missing"),
              "grep -v ^dram, " H200 " >%s/c.csv; build/tools/chip "
              "--chip %s/c.csv --requests a x",
              scratch("."), scratch("."));
    RUN_GIVES(1, SAYS("a.64: cannot be read"),
              "build/tools/chip --chip " H200 " --requests a --sizes 512 x");
}

/* A kernel that is wrong, and a program that is not there. */
TEST(test_a_wrong_kernel_is_told)
{
    RUN_GIVES(1, SAYS("chip: the kernel must be right first: make lab-03\n"),
              "build/tools/chip --chip " H200 " --requests %s/r --program "
              "build/cpu/labs/03_tiling-analyse 03_tiling",
              scratch("."));
    command_gives(chip("--program none --chip " H200, "x"), 2,
                  SAYS("none: cannot be run"));
}

ALL_TESTS(scratch_make, NULL);

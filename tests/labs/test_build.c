/* Does a build say little, and what a compiler says whole and once? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"
#include "../editor.h"

#include <stdio.h>
#include <string.h>

#define MAKE \
    "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKE_TERMOUT -u LOCKED make "

/* A tree of its own, in which the course is built and the labs are not. */
#define IN_A_TREE                                                                                \
    "exec 2>&1; tree=$(mktemp -d) && mkdir -p $tree/build/cpu && "                               \
    "ln -s $PWD/common $PWD/solutions $PWD/plots $PWD/tests "                                    \
    "$PWD/Makefile $tree && cp -a labs $tree && ln -s $PWD/build/cpu/common $PWD/build/cpu/*.a " \
    "$tree/build/cpu && ln -s $PWD/build/tools $PWD/build/first "                                \
    "$tree/build && cd $tree && { %s; }"                                                         \
    "; code=$?; cd / && rm -r $tree; exit $code"

static int times(const char *text, const char *words)
{
    int found = 0;

    for (const char *c = text; (c = strstr(c, words)) != NULL; c++)
        found++;
    return found;
}

TEST(test_a_build_is_one_plain_line)
{
    struct command run = command_run(IN_A_TREE, MAKE "lab-03");

    command_ends(&run, 2); /* the skeleton */
    assert_int_equal(strncmp(run.text,
                             "building (V=1 shows how)\n03_tiling  Shared",
                             strlen("building (V=1 shows how)\n03_tiling")),
                     0);
    command_free(&run);
    RUN_GIVES(ANY_CODE, SAYS(NOT "building"), IN_A_TREE,
              MAKE "lab-03 >/dev/null; " MAKE "lab-03");
    RUN_GIVES(ANY_CODE,
              SAYS("build/tools/simt_rewrite labs/03_tiling/tiling.cu -o",
                   "-fsanitize=thread", NOT "building"),
              IN_A_TREE, MAKE "lab-03 V=1");
}

/* Each step is written over the last, and the last is erased. */
TEST(test_on_a_terminal_the_line_moves)
{
    static const char *const erased = "\r\033[K";
    const char *lab, *at;
    struct command run;

    command_needs_terminal();
    run = command_run(IN_A_TREE,
                      "TERM=xterm script -qec '" MAKE "lab-03' /dev/null");
    lab = strstr(run.text, "03_tiling  Shared");
    assert_non_null(lab);
    assert_int_equal(strncmp(lab - strlen(erased), erased, strlen(erased)), 0);
    at = strstr(run.text, "\r\033[K  building 1");
    assert_non_null(at);
    assert_true(at < lab);
    assert_null(memchr(at, '\n', (size_t)(lab - at)));
    command_free(&run);
}

static void tells_the_mistake_once(const char *how)
{
    char script[1000];
    struct command run;

    snprintf(script, sizeof script,
             "sed 's/sum = 0.0f;/sum = mistake;/' "
             "solutions/03_tiling/tiling.cu >labs/03_tiling/tiling.cu; %s",
             how);
    run = command_run(IN_A_TREE, script);
    assert_int_equal(times(run.text, "error: "), 1);
    text_has(run.text, SAYS("labs/03_tiling/tiling.cu:", "mistake",
                            "was not declared in this scope"));
    command_free(&run);
}

TEST(test_a_mistake_is_told_whole_and_once)
{
    tells_the_mistake_once(MAKE "lab-03");
    tells_the_mistake_once(MAKE "lab-03 V=1");
    tells_the_mistake_once(MAKE "map-03");
}

TEST(test_so_it_is_on_a_terminal)
{
    command_needs_terminal();
    tells_the_mistake_once("TERM=xterm script -qec '" MAKE
                           "lab-03' /dev/null | sed 's/.\\[[0-9;]*[mK]//g'");
}

/* Where g++ has words that no beginner knows, one sentence stands before them:
   the first mistake first, in 80 columns, with one line of make's. */
TEST(test_what_beginners_mistype_is_said_in_their_words)
{
    static const char first[] = "01_cpu_naive/cpu_naive.cu",
                      second[] = "02_gpu_naive/gpu_naive.cu",
                      third[] = "03_tiling/tiling.cu",
                      fifth[] = "05_bank_conflicts/bank_conflicts.cu",
                      eleventh[] = "11_vectorized_loads/vectorized_loads.cu";
    static const struct {
        const char *lab, *edit, *says;
    } mistakes[] = {
        {first, "s/i < p->k/i < k/",
         "error: k is a part of *p here: write p->k"},
        {first, "/i < p->k/s/$/;/",
         "ends its\n  loop: nothing is in it, and i"},
        {first, "s/p->C.row/p.C[row/", "error: p is a pointer: write p->C"},
        {first, "s/for (int i/fro (int i/",
         ":30: error: fro: did you mean for?"},
        {first, "s/return sum/retrun sum/", "Did you mean\n  return?"},
        {first, "/return sum/d",
         ":34: error: this function returns a value, and has\n  no return"},
        {first, "s/float sum = 0.0f/float sum/",
         ":26: warning: sum begins without a value"},
        {first, "s/row < p->m; row++/row < p->m; col++/",
         "col is not known here: this loop\n  counts row"},
        {first, "s/i < p->k/i < p->K/", "and no K: write k"},
        {second, "s/i < k/i < K/", "K is not declared. Did you mean k?"},
        {second, "s/cudaMemcpyDeviceToHost/DeviceToHost/",
         "mean cudaMemcpyDeviceToHost?"},
        {second, "s/lab_launch(&on/lab_launch(on/", "write\n  &on_device"},
        {second, "s/col >= n)/&;/", "ends\n  the if: nothing depends"},
        {second, "s/bytes_A));/bytes_A))/",
         ":91: error: this line ends without a ;\n   91 |     "
         "LAB_CHECK(cudaMalloc(&d_A, bytes_A))\n  g++ says of line 92: "
         "expected \342\200\230;\342\200\231 before "
         "\342\200\230LAB_CHECK"},
        {third, "s/? A\\[/: A[/",
         ":48: error: a choice is written condition ?"},
        {third, "s/As\\[ty\\]\\[i\\]/As[ty * TILE + i]/",
         ":64: error: As is declared with two indices, as\n  As[TILE][TILE], "
         "and line 64 has one\n"},
        {second, "s/(d_A, p->A, bytes_A/(p->A, d_A, bytes_A/",
         "cudaMemcpy takes the destination first"},
        {second, "s/, .d_B = NULL/, d_B/",
         "has\n  its own *: float *d_A, *d_B"},
        {second, "s/cudaMalloc(&d_A/cudaMaloc(\\&d_A/",
         "cudaMaloc is not declared. Did you\n  mean cudaMalloc?"},
        {second, "s/d_A, p->A, bytes_A, .*))/d_A, p->A, bytes_A))/",
         "cudaMemcpy takes 4 arguments (void*,\n  const void*, size_t, "
         "cudaMemcpyKind), and this call gives fewer"},
        {third, "s/\\[ty\\]\\[tx\\] = /[ty][tx = /",
         ":48: error: the [ behind As[ty] has no ]"},
        {third,
         "s/^    if (row < m && col < n)/    if (row < m \\&\\& col < n/",
         ":73: error: the ( behind if has no )"},
        {third, "70d",
         ":74: error: a } is missing: this one closes the { of\n  line 45, and "
         "the { of line 34 stays open\n   74 | }\n  g++ says of line 78: "},
        {third, "43s/$/\\n    }/",
         ":44: error: this } closes the { of line 34, so the } of\n  line 76"},
        {third, "s/= threadIdx.x/= threadIdx/",
         "has three parts: write\n  threadIdx.x, threadIdx.y or threadIdx.z\n"
         "   38 |     const int tx = threadIdx;\n"
         "      |                    ^~~~~~~~~\n  g++ says: cannot convert"},
        {third, "s/\\(matmul_tiling<<<.*)\\);/LAB_CHECK(\\1);/",
         "a launch returns nothing that LAB_CHECK\n  could check"},
        {third, "s/float sum =/flaot sum =/",
         ":43: error: flaot is not declared. Did you mean float?"},
        {third, "s/^__global__/__gloabl__/",
         ":32: __gloabl__ is written __global__\n"},
        {third, "0,/__syncthreads()/s//__syncthread()/",
         ":59: __syncthread() is written __syncthreads()\n"},
        {third, "0,/__syncthreads();/s//__syncthreads()/",
         ":59: error: this line ends without a ;\n   59 | "},
        {third, "s/TILE) {/TILE)/",
         "t is not known here: line 45 declares it for\n  its own loop alone"},
        {third, "s/const float .A/const float A/", "an index too many"},
        {third, "35s/.TILE.;/;/",
         ":35: error: As is declared with one index, as As[TILE],"},
        {third, "s/float sum/const float sum/", "error: sum is const: "},
        {fifth, "39s/}, {/} {/", "a , is missing between } and\n  {\n   39 | "},
        {third, "s/^#define TILE 16/&;/",
         "the ; at the end of this line becomes part\n  of what TILE stands for"},
        {third, "36s/;//", ":36: error: this line ends without a ;"},
        {third, "s/{TILE, TILE/{TILE TILE/",
         ":80: error: a , or an operator is missing before TILE"},
        {fifth, "45s/{1,1}/1,1}/", ":45: error: this row has 9 { and 10 }\n"},
        {eleventh, "57s/\\*(const float4 .)from/(const float4 *)from/",
         "and this is a pointer to one: the * that reads it is missing"},
        {eleventh, "57s/float4 .)from/float4)from/",
         "the cast (const float4)\n  makes no pointer: write (const float4 *)"},
        {eleventh, "112s/\\.x/[0]/",
         "a float4 has no index:\n  its elements are .x, .y, .z and .w"},
        {fifth, "39s/}},/}}/",
         ":39: error: this line ends without a ,\n  and a { follows"},
    };

    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        char script[500];
        struct command run;

        snprintf(script, sizeof script,
                 "sed '%s' solutions/%s >labs/%s; " MAKE "lab-%.2s",
                 mistakes[i].edit, mistakes[i].lab, mistakes[i].lab,
                 mistakes[i].lab);
        run = command_run(IN_A_TREE, script);
        command_says(&run, mistakes[i].says);
        assert_int_equal(times(run.text, "make: ***"), 1);
        assert_true(editor_marks(run.text, strchr(mistakes[i].lab, '/') + 1));
        command_free(&run);
    }
}

/* Where the locale is C, g++ quotes by ' ', and means the same. */
TEST(test_without_a_locale_the_words_are_the_same)
{
    struct command run = command_run(
        IN_A_TREE,
        "sed 's/bytes_A));/bytes_A))/' solutions/02_gpu_naive/gpu_naive.cu "
        ">labs/02_gpu_naive/gpu_naive.cu; export LC_ALL=C; " MAKE "lab-02");

    command_says(&run, "expected ';' before 'LAB_CHECK'");
    command_free(&run);
}

/* Of many the first three, and all where all are asked for. */
TEST(test_three_mistakes_are_told)
{
    static const char wrong[] =
        "sed 's/= threadIdx/= ThreadIdx/; s/flo.t sum/flaot sum/; "
        "s/+= TILE/+= tile/; s/= sum;/= total;/' "
        "solutions/03_tiling/tiling.cu >labs/03_tiling/tiling.cu; %s";
    char script[1000];
    struct command run;

    snprintf(script, sizeof script, wrong, MAKE "lab-03");
    run = command_run(IN_A_TREE, script);
    assert_int_equal(times(run.text, "error: "), 3);
    text_has(run.text, SAYS("error: ThreadIdx", "error: flaot",
                            "more: VERBOSE=1 shows them\nmake: ***"));
    command_free(&run);
    snprintf(script, sizeof script, wrong, MAKE "lab-03 VERBOSE=1");
    run = command_run(IN_A_TREE, script);
    assert_true(times(run.text, "error: ") > 4);
    text_has(run.text, SAYS("error: total is not declared", NOT "more: "));
    command_free(&run);
}

/* What people do to their folder, and what they pass to make. */
TEST(test_a_lab_is_found_whatever_lies_beside_it)
{
    RUN_GIVES(0, SAYS("UNFINISHED  03_tiling", "17_hopper_wgmma", NOT "_old"),
              IN_A_TREE,
              "cp -r labs/03_tiling 'labs/03_tiling (copy)'; "
              "cp -r labs/03_tiling labs/03_tiling_old; "
              "cp labs/03_tiling/tiling.cu 'labs/03_tiling/tiling (copy).cu'; "
              "echo 'DEVICE = cpu # mine' >config.mk; "
              "export POSIXLY_CORRECT=1; " MAKE "lab-03 CFLAGS=-O0; " MAKE
              "status");
    RUN_GIVES(2, SAYS("labs/03_tiling/tiling.cu is missing: "), IN_A_TREE,
              "rm labs/03_tiling/tiling.cu; " MAKE "lab-03");
    RUN_GIVES(ANY_CODE, SAYS("run make in the course's folder"), IN_A_TREE,
              "cd labs; " MAKE "-f ../Makefile lab-03");
    RUN_GIVES(ANY_CODE, SAYS("write it with a hyphen, as in make lab-03"),
              IN_A_TREE, MAKE "lab 03");
}

/* An nvcc in PATH may be a script that starts the real one: the toolkit is
   where nvcc says. One that says nothing is none. */
TEST(test_the_toolkit_is_where_nvcc_says)
{
    RUN_GIVES(0, SAYS("HAS_NVCC := \nCUDA := \n", "CUDA := /usr\n"), IN_A_TREE,
              "mkdir bin; export PATH=$PWD/bin:$PATH; "
              "printf '#!/bin/sh\\nexit 1\\n' >bin/nvcc; chmod +x bin/nvcc; "
              "sh common/course/configure.sh; "
              "grep HAS_NVCC -A1 build/config.mk; "
              "printf '#!/bin/sh\\necho \"#$ TOP=/usr/bin/..\"\\n' >bin/nvcc; "
              "sh common/course/configure.sh; grep CUDA build/config.mk");
}

TEST(test_two_at_once_do_no_harm)
{
    struct command run = command_run(
        IN_A_TREE,
        "for part in build/tools build/cpu/common; do "
        "cp -aL $part own; rm $part; mv own $part; done; "
        "rm build/tools/compiler_counts build/cpu/*.a; "
        "(" MAKE "lab-03 >one 2>&1 & " MAKE "lab-03 >two 2>&1; wait); "
        "(" MAKE "lab-03 >three 2>&1 & " MAKE "lab-03 >four 2>&1; wait); "
        "grep -h 'UNFINISHED  03\\|Error' one two three four");

    assert_int_equal(times(run.text, "UNFINISHED  03_tiling"), 4);
    assert_int_equal(times(run.text, "Error"), 4); /* make's, of lab-03 */
    command_free(&run);
}

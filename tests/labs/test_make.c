/* Do the commands that a student types say what they should, and refuse what
   they cannot do with a line that helps? */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As from a shell: without what the make that runs this test has set. */
#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "

/* In the course with what is built of it, at a 64th of its labs' size. Programs
   look for INDEX in the folders above their own. */
#define IN_A_SMALL_COURSE                                                  \
    "exec 2>&1; here=$PWD && tree=$(mktemp -d -p $PWD/build) && "          \
    "mkdir -p $tree/build && ln -s $here/common $here/solutions "          \
    "$here/plots $here/tests $here/Makefile $tree && cp -a labs $tree && " \
    "cp -al build/cpu build/first build/mutants build/tools $tree/build; " \
    "cd $tree && "                                                         \
    "sed -i s/256x384x512/64x96x128/ labs/INDEX && " MAKE                  \
    "%s; code=$?; cd $here && rm -r $tree; exit $code"

TEST(test_the_menu_fits_80_columns_and_lists_the_labs)
{
    struct command run = command_run(MAKE);
    struct command wide = command_run(
        MAKE "| awk 'length > 80 { wide++ } END { print wide + 0 }'");

    command_ends(&run, 0);
    text_has(run.text, SAYS("make help", "make hint-NN", "09_prefetch"));
    command_ends(&wide, 0);
    assert_string_equal(wide.text, "0\n");
    command_free(&run);
    command_free(&wide);
}

/* Nor does it show TODOs that nobody has counted. */
TEST(test_an_archive_lists_no_command_that_it_refuses)
{
    RUN_GIVES(0,
              SAYS("make bench ", "make status counts the TODOs",
                   NOT "make slides", NOT "make demo", NOT "make solution-NN",
                   NOT "[..."),
              "d=$(mktemp -d) && cp -r Makefile VERSION common labs $d && " MAKE
              "-s -C $d help menu; code=$?; rm -rf $d; exit $code");
}

/* make itself ends with 2 where a recipe fails; the lab's program with 1. */
TEST(test_a_skeleton_fails_and_says_what_to_write)
{
    RUN_GIVES(
        2,
        SAYS("labs/03_tiling/tiling.cu:", "Next is TODO 3.1: ", "UNFINISHED"),
        MAKE "lab-03");
    RUN_GIVES(0, SAYS("03_tiling           [..........]   0 of 5  UNFINISHED"),
              MAKE "status");
}

TEST(test_a_solution_passes_and_reaches_its_goal)
{
    RUN_GIVES(0,
              SAYS("sector efficiency, loads of B         25 %      100 %"
                   "      100 %  reached"),
              IN_A_SMALL_COURSE, "lab-4 OF=solutions");
    RUN_GIVES(0,
              SAYS("  coalescing.cu:",
                   "sum += As[ty][i] * Bs[tx][i];\n    load    4 B shared",
                   "banks of compute capability 1.x"),
              MAKE "lab-04 OF=solutions VERBOSE=1 BANKS=1.3 "
                   "M=64 N=96 K=128");
    /* A lab without a kernel has nothing to count, which is no failure. */
    RUN_GIVES(
        0, SAYS("PASS  01_cpu_naive: C is right at all sizes.", "Next: lab 02"),
        MAKE "lab-01 OF=solutions");
    /* What cannot begin, as without a GPU, leaves what the last run said. */
    RUN_GIVES(
        0, NULL,
        "build/tools/check solutions/01_cpu_naive "
        "build/cpu/solutions/01_cpu_naive '' --no-such-option ''; "
        "test $? = 2 && grep PASS build/results/solutions/01_cpu_naive.csv");
}

/* One size says nothing of all, and a failure ends with what to change. */
TEST(test_one_size_is_not_the_whole_lab)
{
    static const char *const failing[] = {"02_unchecked_call M=37 N=53 K=29",
                                          "03_no_zero_fill M=37 N=53 K=29",
                                          "04_still_uncoalesced"};
    char line[100];

    RUN_GIVES(0,
              SAYS("C is right at 16 x 16 x 16, the one size that was "
                   "asked for",
                   NOT "Next: lab"),
              "rm -f build/results/mutants/03_no_zero_fill.csv; " MAKE
              "lab-03 OF=mutants/03_no_zero_fill M=16 N=16 K=16 && "
              "test ! -e build/results/mutants/03_no_zero_fill.csv");
    for (size_t i = 0; i < sizeof failing / sizeof failing[0]; i++) {
        snprintf(line, sizeof line, "lab-%.2s OF=mutants/%s", failing[i],
                 failing[i]);
        RUN_GIVES(2,
                  SAYS("FAIL  ", NOT " took ", NOT "PASS  ", NOT "Read labs/"),
                  IN_A_SMALL_COURSE, line);
    }
}

TEST(test_what_cannot_be_made_is_named)
{
    static const char *const cases[][2] = {
        {"lab-33", "there is no lab '33': use 01 to 17, 20 to 22"},
        {"lab-03 DEVICE=tpu", "DEVICE is 'tpu': use cpu or gpu"},
        {"lab-03 M=5", "M, N and K go together, or N alone"},
        {"lab-03 M=x N=1 K=1", "M is 'x': use a number from 1 up"},
        {"lab-03 N=-1", "N is '-1': use a number from 1 up"},
        {"lab-03 OF=solutions BANKS=2.0", "BANKS is '2.0': use 1.0, 1.1"},
        {"lab-03 CC=1.3", "CC is the compiler now: make BANKS=1.3 counts"},
        {"lab03", "write it with a hyphen: make lab-03"},
        {"hint-18", "there is no lab '18': use 01 to 17, 20 to 22"},
        {"bench LABS=foo", "there is no lab 'foo': use 01 to 17, 20 to 22"},
        {"release LAB=77", "there is no lab '77': use 01 to 17, 20 to 22"},
        {"lab-03 OF=mine", "OF is 'mine': use labs or solutions"},
        {"lab-03 DEVICE=mutants/x", "DEVICE is 'mutants/x': use cpu"},
        {"map-20", "make map-20: it draws A, B and C, and this lab multiplies"},
        {"why-22", "make why-22: it knows kernels that multiply matrices, and"},
        {"bug-99", "there is no exercise '99': use 01 to 21"},
        {"lab-02 ARRAY=Q", "make lab-02 takes no ARRAY: it is for map-NN"},
        {"slides ANSWERS=maybe", "ANSWERS is 'maybe': use yes or no"},
        {"check WHAT=all", "WHAT is 'all': use format, c, shell, circles"},
        {"lab-02 m=5", "there is no setting m: write M"},
        {"lab-02 VERBOS=1", "there is no setting VERBOS: write VERBOSE"},
        {"Lab-02", "write it in small letters: make lab-02"},
        {"why", "write it with a hyphen, as in make why-03"},
        {"nothing", "there is no make nothing: make help lists what"},
        {"run", "say which program: make run FILE="},
        {"run FILE=README.md", "README.md is no CUDA file"},
        {"run FILE=no/such.cu", "no/such.cu: there is no such file"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RUN_GIVES(2, SAYS(cases[i][1]), MAKE "%s", cases[i][0]);
    }
}

/* A student's lab with a mistake, in a tree of its own: all but labs/ and what
   is built of it are this one's. */
TEST(test_a_finished_but_wrong_lab_is_told_why)
{
    RUN_GIVES(
        2,
        SAYS("FAIL  03_tiling: As[8][0] is read (tiling.cu:65), and nobody",
             "Seen at 37 x 53 x 29",
             "on a GPU\nFAIL  03_tiling: As[8][0] is read"),
        "tree=$(mktemp -d) && mkdir -p $tree/build/cpu && "
        "ln -s $PWD/common $PWD/solutions $PWD/plots $PWD/tests $PWD/Makefile "
        "$tree && cp -a labs $tree && "
        "ln -s $PWD/build/cpu/common $PWD/build/cpu/*.a $tree/build/cpu && "
        "ln -s $PWD/build/tools $PWD/build/first $tree/build && "
        "cp build/mutants/03_no_zero_fill.cu $tree/labs/03_tiling/tiling.cu && "
        "cd $tree && " MAKE "lab-03 2>&1; code=$?; echo on a GPU; "
        /* A GPU's program knows that C is wrong, and cannot say why. */
        "mkdir -p build/gpu/labs && printf '#!/bin/sh\necho gpu $*; exit 1' "
        ">build/gpu/labs/03_tiling && chmod +x build/gpu/labs/03_tiling && "
        "build/tools/check labs/03_tiling build/gpu/labs/03_tiling "
        "build/cpu/labs/03_tiling-analyse '' '' 2>&1; "
        "cd / && rm -r $tree; exit $code");
}

/* On a GPU, for which a script stands in: the time of a larger size, beside
   what was predicted, and the best so far. */
TEST(test_a_gpus_time_is_told_and_the_best_is_kept)
{
    RUN_GIVES(
        0,
        SAYS(
            "  Yours, predicted: 4.95 TFLOP/s (4.2 to 5.8); limit: load/store\n"
            "  Yours, measured here at 4096: 4.9 TFLOP/s.\n",
            "at 4096: 0.2 TFLOP/s, 25 times slower than predicted.\n"
            "  Your best so far: 4.9 TFLOP/s.\n",
            "at 2048: 0.1 TFLOP/s, 49 times slower than predicted.\n"),
        "tree=$(mktemp -d) && mkdir -p $tree/build/gpu/solutions && "
        "ln -s $PWD/common $PWD/solutions $PWD/plots $PWD/labs $tree && "
        "ln -s $PWD/build/cpu $PWD/build/tools $tree/build && "
        "cp tests/labs/gpu_stub.sh $tree/build/gpu/solutions/03_tiling && "
        "cd $tree && for rate in 4900 200 100; do "
        "RATE=$rate build/tools/check solutions/03_tiling "
        "build/gpu/solutions/03_tiling build/cpu/solutions/03_tiling-analyse "
        "'' '' || break; done; code=$?; cd / && rm -r $tree; exit $code");
}

/* Two builds of a program that is nobody's lab, wherever it lies. */
TEST(test_any_program_is_run_and_counted)
{
    RUN_GIVES(
        0,
        SAYS("  vector_add.cu:", "  PASS     races in global memory: none in ",
             "  SKIPPED  races in shared memory: no shared"),
        "(" MAKE "run FILE=tests/simt/programs/vector_add.cu VERBOSE=1)");
    RUN_GIVES(0, SAYS("array        memory   access     requests"),
              "cp tests/simt/programs/vector_add.cu /tmp/elsewhere.cu && "
              "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make run "
              "FILE=/tmp/elsewhere.cu 2>&1; code=$?; rm /tmp/elsewhere.cu; "
              "exit $code");
    /* The second problem: g++ leaves out the tile that nobody reads. */
    RUN_GIVES(ANY_CODE,
              SAYS("out[0][0] is 0, and in[0][0] is 1",
                   "in transpose_tile:\n  no access; "),
              MAKE "run FILE=labs/transpose/transpose.cu");
    /* With its TODOs done. */
    RUN_GIVES(0,
              SAYS("transpose_tile  49152 of 49152 elements are right",
                   "out          global   store         1,536   32.0   4.00 ",
                   "tile         shared   load          1,536   32.0   1.00 "),
              "build/tools/mutate solutions/transpose.edit build && " MAKE
              "run FILE=build/transpose.cu");
}

/* A program of two files and a header, whose names make cannot read, called
   from their folder: it gets its input and macros, and its status is told. */
TEST(test_a_program_has_names_input_and_settings_of_its_own)
{
    static const char run[] =
        "set -e; course=$PWD; folder='/tmp/a folder [1]'; mkdir -p \"$folder\"; "
        "cd \"$folder\"; unset MAKEFLAGS MAKELEVEL MFLAGS; "
        "printf '__global__ void k(int *x) { *x = N; }\\n' >'the kernel.cuh'; "
        "printf '#include <omp.h>\\nint three() { return "
        "omp_get_max_threads() > 0 ? 3 : 4; }\\n' >host.cpp; "
        "printf '#include <cstdio>\\n#include \"the kernel.cuh\"\\n"
        "int three();\\nint main() { int *d, h = 0, in = 0; "
        "cudaMalloc(&d, 4); k<<<1, 1>>>(d); "
        "cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d);\\n"
        "if (scanf(\"%%%%d\", &in) != 1) return 9; "
        "FILE *f = fopen(\"here\", \"w\"); fclose(f); "
        "printf(\"%%%%d and %%%%d\\\\n\", h, in); return three(); }\\n' >main.cu; "
        "echo 42 | make -C \"$course\" run FILE='main.cu host.cpp' DEFINES=N=%d "
        "2>&1 || true; ls here";

    for (int n = 7; n < 9; n++) {
        struct command command = command_run(run, n);
        char said[40];

        snprintf(said, sizeof said, "%d and 42\n\ncounted:\n%d and 42\n", n, n);
        command_ends(&command, 0);
        command_says(&command, said);
        text_has(command.text, SAYS("Error 3", "\nhere\n"));
        command_free(&command);
    }
    assert_int_equal(system("rm -r '/tmp/a folder [1]'"), 0);
}

/* The second one is older than what was built of the first. */
TEST(test_a_program_of_the_same_name_is_built_anew)
{
    RUN_GIVES(
        0, SAYS("it is 1\n\ncounted:", "it is 2\n\ncounted:"),
        "unset MAKEFLAGS MAKELEVEL MFLAGS; cd build && for n in 1 2; do "
        "mkdir -p same/$n; echo \"#include <cstdio>\" >same/$n/same.cu; "
        "echo \"int main() { puts(\\\"it is $n\\\"); }\" >>same/$n/same.cu; "
        "touch -d 2020-01-01 same/$n/same.cu; "
        "make -C .. run FILE=$PWD/same/$n/same.cu || exit 1; done; "
        "rm -r same");
}

/* A class whose destructor a header has: a copy would free its memory twice. */
TEST(test_what_owns_memory_is_returned_without_a_copy)
{
    RUN_GIVES(0, SAYS("owned\n\ncounted:\nowned\n"),
              "unset MAKEFLAGS MAKELEVEL MFLAGS; mkdir -p build/owns; "
              "printf 'struct owner { int *at; owner() : at(new int(7)) { } "
              "~owner() { delete at; } };\nstatic inline owner make_one() "
              "{ owner o; return o; }\n' >build/owns/owner.h; "
              "printf '#include \"owner.h\"\n#include <stdio.h>\nint main() "
              "{ owner o = make_one(); puts(\"owned\"); return *o.at - 7; }\n' "
              ">build/owns/owns.cu; " MAKE "run FILE=build/owns/owns.cu 2>&1");
}

/* Once an array; -1 is what fresh memory holds, and here somebody stored it. */
TEST(test_a_copy_of_what_nobody_wrote_is_a_warning)
{
    RUN_GIVES(0,
              SAYS("counted:\n",
                   "unwritten_copy.cu:21: warning: cudaMemcpy of 128 bytes to "
                   "the",
                   "has written any of them\n-1\n", NOT "unwritten_copy.cu:18",
                   NOT "unwritten_copy.cu:19"),
              "unset MAKEFLAGS MAKELEVEL MFLAGS; " MAKE
              "run FILE=tests/labs/unwritten_copy.cu 2>&1");
}

/* Where it is installed. */
TEST(test_thrust_works_on_what_cuda_gave)
{
    RUN_GIVES(0, SAYS("10416 3 496\n"),
              "test -e /usr/include/thrust/version.h || "
              "{ echo 10416 3 496; exit; }; "
              "unset MAKEFLAGS MAKELEVEL MFLAGS; " MAKE
              "run FILE=tests/labs/thrust_pointers.cu 2>&1");
}

/* The sum is right in both builds, and what it counts on is told. */
TEST(test_lanes_are_in_step_at_volatile_accesses)
{
    RUN_GIVES(2,
              SAYS("sum: 2016\n\ncounted:\n", "\nsum: 2016\n",
                   "Threads of one warp, as these, need the barrier too."),
              "unset MAKEFLAGS MAKELEVEL MFLAGS; " MAKE
              "run FILE=tests/labs/in_step.cu");
}

/* It is told once a line, in both runs, and no mistake. */
TEST(test_what_gpus_of_today_pass_is_a_warning)
{
    RUN_GIVES(0,
              SAYS("ended_threads.cu:13: warning: barrier that not all threads",
                   "so the kernel goes on.", "last: 4, no error\n\ncounted:\n",
                   "  WARN     barriers that not all threads reach: 2 in 400 "
                   "barriers that GPUs do\n  not mind"),
              "unset MAKEFLAGS MAKELEVEL MFLAGS; " MAKE
              "run FILE=tests/labs/ended_threads.cu");
    /* That main returns -1 is no signal. */
    RUN_GIVES(2, SAYS("last: 4, no error", "Error 255", NOT "signal"),
              "unset MAKEFLAGS MAKELEVEL MFLAGS; " MAKE
              "run FILE=tests/labs/ended_threads.cu ARGS=1");
}

/* And so is a race whose threads all store the same; where one element differs
   it stays a mistake. */
TEST(test_a_race_of_equal_values_is_a_warning)
{
    RUN_GIVES(2,
              SAYS("equal_stores.cu:7: warning: race in global memory on b",
                   "All that is stored there is equal",
                   "equal_stores.cu:14: warning: race in shared memory on tile",
                   "equal_stores.cu:22: race in global memory on b",
                   "unless both", "WARN     races in shared memory: 1 in ",
                   "FAIL     races in global memory: 1 found in ",
                   "FAIL: 1 mistake"),
              "unset MAKEFLAGS MAKELEVEL MFLAGS; " MAKE
              "run FILE=tests/labs/equal_stores.cu");
}

/* Of several files the later ones' errors are told as the first one's, those of
   the host as those of a .cu; and warnings to those who ask for them. */
TEST(test_errors_and_warnings_of_others_files)
{
    static const char run[] =
        "unset MAKEFLAGS MAKELEVEL MFLAGS; cd build && printf '#include "
        "<cstdio>\nint helper(int);\nint main() { int x; printf(\"%%%%f\\\\n\","
        " 3);\nreturn helper(0); }\n' >quiet.cu && "
        "printf 'int helper(int a) { return a + %s; }\n' >quiet_%d.%s && cd .. "
        "&& " MAKE "run FILE='build/quiet.cu build/quiet_%d.%s' %s";

    RUN_GIVES(
        2, SAYS("quiet_1.cpp:1: error: nothere is not declared", NOT "warning"),
        run, "nothere", 1, "cpp", 1, "cpp", "");
    RUN_GIVES(2, SAYS("quiet_2.cu:1: error: nothere is not declared"), run,
              "nothere", 2, "cu", 2, "cu", "");
    RUN_GIVES(ANY_CODE, SAYS(NOT "warning"), run, "0", 1, "cpp", 1, "cpp", "");
    RUN_GIVES(ANY_CODE, SAYS("warning: format"), run, "0", 1, "cpp", 1, "cpp",
              "VERBOSE=1");
}

/* A kernel that goes on for ever, one that cannot begin, and one whose counting
   takes too long. */
TEST(test_a_program_that_cannot_end_well_ends)
{
    RUN_GIVES(
        2,
        SAYS("build/ends.cu:2: kernel that does not end\n", "make run LIMIT=60",
             "Error 124", NOT "counted:"),
        "printf '__global__ void k(volatile int *x) {\nwhile (*x == 0)"
        ";\n}\nint main(int c, char **v) { int *x; cudaMalloc(&x, 4);\n"
        "cudaMemset(x, 0, 4); k<<<1, c > 1 ? 2048 : 1>>>(x);\n"
        "return cudaFree(x) == cudaErrorUnknown; }\n' >build/ends.cu && " MAKE
        "run FILE=build/ends.cu LIMIT=1 2>&1");
    RUN_GIVES(2,
              SAYS("no kernel ran, so there is nothing to count\n"
                   "FAIL: 1 launch was refused, told above\nmake: ***",
                   NOT "SKIPPED"),
              MAKE "run FILE=build/ends.cu ARGS=1 2>&1");
    RUN_GIVES(0, SAYS("counted for 1 s, and no further: up to block 1 "),
              "SIMT_SECONDS=1 SIMT_REPORT=table "
              "build/cpu/run/build_ends/program-analyse 2>&1");
    /* Where it is cut off, warps stand at different barriers. */
    RUN_GIVES(
        0,
        SAYS("counted for 1 s, and no further: up to block ",
             NOT "barrier that not", NOT "FAIL"),
        "printf '__global__ void k(int *x, int end) {\n"
        "for (int n = 0; n < end; n++) { for (int i = 0; i < 99; i++)\n"
        "x[threadIdx.x + 1024 * i] += n; "
        "__syncthreads();\nx[threadIdx.x] -= n / 2; __syncthreads(); } }"
        "\nint main(int c, char **) { int *x; cudaMalloc(&x, 409600);\n"
        "cudaMemset(x, 0, 409600); k<<<1, 1024>>>(x, c > 1 ? 1000000 : 1);"
        "\ncudaDeviceSynchronize(); }\n' >build/cut.cu && " MAKE
        "run FILE=build/cut.cu && SIMT_SECONDS=1 SIMT_REPORT=table "
        "build/cpu/run/build_cut/program-analyse x 2>&1");
}

/* As q in make watch-03 does. */
TEST(test_a_run_that_is_ended_takes_no_result_back)
{
    RUN_GIVES(0, SAYS("\nx.csv\nPASS\n"),
              "mkdir -p build/results/kept && cd build && "
              "printf '#!/bin/sh\necho FAIL >$3\nsleep 9\n' >slow && "
              "chmod +x slow && cd .. && echo PASS >build/results/kept/x.csv; "
              "timeout 0.5 build/tools/check kept/x build/slow '' '' ''; "
              "echo && ls build/results/kept && cat build/results/kept/x.csv; "
              "rm -r build/results/kept build/results/checks/kept");
}

TEST(test_what_cuda_13_dropped_is_told_in_c_too)
{
    RUN_GIVES(
        2,
        SAYS("dropped.c:2:", "not in CUDA 13: write cudaDeviceSynchronize()"),
        "printf '#include <cuda.h>\nint f(void) { srand(1); "
        "return cudaThreadSynchronize(); }\n' >build/dropped.c && "
        "cp tests/simt/programs/vector_add.cu build/dropping.cu && " MAKE
        "run FILE='build/dropping.cu build/dropped.c'");
}

TEST(test_one_star_for_three_pointers_does_not_compile)
{
    RUN_GIVES(2,
              SAYS("tests/labs/one_star.cu:10:",
                   "error: cudaMalloc wants the address of a pointer"),
              MAKE "run FILE=tests/labs/one_star.cu");
    /* And without the & of a pointer. */
    RUN_GIVES(2,
              SAYS("build/no_star.cu:10: error: cudaMalloc wants the "
                   "address of the pointer"),
              "sed s/.Nd/Md/ tests/labs/one_star.cu >build/no_star.cu && " MAKE
              "run FILE=build/no_star.cu");
}

/* A program that counts nothing stands for a compiler that orders code as it
   likes. */
TEST(test_a_compiler_that_cannot_count_is_refused)
{
    static const char check[] = "sh common/simt/check/compiler.sh %s "
                                "common/simt/check/divergence.cu g++ 2>&1";

    RUN_GIVES(1, SAYS("cannot be used to count: 'if_else A load: 2 requests"),
              check, "/bin/true");
    RUN_GIVES(1, SAYS("does not run"), check, "/bin/false");
    RUN_GIVES(0, NULL, check, "build/cpu/common/simt/check/divergence-analyse");
}

/* The one asks for clang as clang answers, the other for g++ 10. */
TEST(test_clang_and_old_compilers_are_refused)
{
    static const struct {
        const char *setting, *answer, *says;
    } compilers[] = {
        {"CXX", "1 4", "/c++ is clang, "},
        {"CC", "1 4", "/c++ is clang, "},
        {"CXX", "__clang__ 10", "/c++ is older than version 11, "},
    };

    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++) {
        struct command run = command_run(
            "(d=$(mktemp -d) && printf '#!/bin/sh\necho %s\n' >$d/c++ && "
            "chmod +x $d/c++ && " MAKE "lab-03 %s=$d/c++; "
            "code=$?; rm -r $d; exit $code)",
            compilers[i].answer, compilers[i].setting);

        command_ends(&run, 2);
        command_says(&run, compilers[i].says);
        command_says(&run, "with gcc and g++ 11 or later alone");
        if (strchr(run.text, '\n')[1] != '\0')
            fail_msg("more than a line: %s", run.text);
        command_free(&run);
    }
}

/* g++ passes over a precompiled header that does not fit, and says nothing. */
TEST(test_the_precompiled_header_fits_both_builds)
{
    struct command run = command_run(
        "mkdir -p build/first && for build in '' -analyse; do " MAKE
        "-s build/cpu/tests/simt/programs/vector_add$build.o && " MAKE
        "-n V=1 -W build/cpu/tests/simt/programs/vector_add.cpp "
        "build/cpu/tests/simt/programs/vector_add$build.o | "
        "sed -n 's,.* \\(g++ .*vector_add.cpp\\)$,\\1 -S -o /dev/null -MF "
        "/dev/null -H,p' | sh 2>&1 | grep -c '^! .*cuda_first.h.gch'; done");

    assert_string_equal(run.text, "1\n1\n");
    command_free(&run);
}

/* make hands a variable that is in its environment on with its own value. It
   exports COURSE_LANGUAGE for programs. */
TEST(test_no_program_reads_a_variable_of_make)
{
    struct command run = command_run(
        MAKE "-pn TESTING=1 test-built 2>/dev/null | "
             "awk '/^# makefile/ { getline; print $1 }' | sort -u >build/vars; "
             "grep -qx TESTED build/vars && "
             "grep -rhoE 'getenv.\"[A-Z_]+' tests common --include=*.c | "
             "sed 's/.*\"//' | grep -vxE 'MAKEFLAGS|COURSE_LANGUAGE' | "
             "sort -u | "
             "comm -12 - build/vars");

    command_ends(&run, 0);
    assert_string_equal(run.text, "");
    command_free(&run);
}

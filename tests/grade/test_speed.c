/* What a program told of its speed comes from a process that nobody trusts; and
   does --speed make, run and list the programs of a class? Without a GPU: in
   the place of nvcc stands a script, whose program says what is asked. */
#define _GNU_SOURCE
#include <stdio.h>

#include "../testing.h"
#include "folder.h"
#include "grade/box/box.h"

/* A program is a script. What stands behind "// " in its source is what it
   does; $1 is what the grader passes on. */
static const char fake_nvcc[] =
    "#!/bin/sh\n"
    "for source in \"$@\"; do case $source in *.cu) break ;; esac; done\n"
    "while [ \"$1\" != -o ]; do shift; done\n"
    "if grep -q harness \"$source\"; then cp /box/lab \"$2\"; exit; fi\n"
    "if grep mistake \"$source\" >&2; then exit 2; fi\n"
    "{ echo '#!/bin/sh'; sed -n 's,^// ,,p' \"$source\"; } >\"$2\"\n"
    "chmod +x \"$2\"\n";

#define HEADER                                                       \
    "lab,variant,device_name,m,n,k,verdict,kernel_ms,kernel_ms_min," \
    "kernel_ms_max,gflops,peak_gflops"
/* A source whose program tells this beside its header. */
#define TELLS(rows) "// printf '%s\\n' '" HEADER "' '" rows "' >\"${11}\"\n"
/* One that is right, and takes so many ms. */
#define TAKES(ms) \
    TELLS("03_tiling,kernel,GPU,64,64,64,PASS," ms "," ms "," ms ",1,9")

static int set_up(void **state)
{
    if (folder_make_course(state) != 0)
        return -1;
    folder_put("build/grade/speed/nvcc", fake_nvcc);
    folder_put("solutions/03_tiling/tiling.cu", TAKES("4"));
    runs("ln -sf \"$HOME_OF_COURSE\"/build/tools/grade build/tools && "
         "cp -r labs \"$HOME_OF_COURSE\"/common/grade/runner/speed.sh "
         "build/grade/speed && chmod 755 build/grade/speed/nvcc",
         0, "");
    return 0;
}

static void hand_in_lab(const char *student, const char *text)
{
    hand_in(student, "tiling.cu", text);
}

static const char *speed(const char *options, int code, const char *words)
{
    char line[200];

    if (grade_box_probe(GRADE_BOXED, line, sizeof line) != 0) {
        print_message("# skipped: %s\n", line);
        skip();
    }
    snprintf(line, sizeof line,
             "--nvcc /box/nvcc --arch sm_90 --speed '--m 64 --n 64 --k 64 "
             "--repeat 3' --lab 3 %s",
             options);
    return grades(line, code, words);
}

EACH_TEST(set_up, NULL);

TEST(a_class_is_measured_beside_the_solution)
{
    const char *said, *text;

    hand_in_lab("alice", TAKES("8"));
    hand_in_lab("b o b", "a mistake\n");
    hand_in_lab("carol", "// echo 'element (4, 6) is 17'; exit 1\n");
    hand_in_lab("dave", "// kill -SEGV $$\n");
    hand_in_lab("eve", "__asm__(\"\");\n");
    said = speed("s/", 0,
                 "(solution)  03_tiling kernel: 4 ms (4 to 4), 0 GFLOP/s");
    expect_words(said,
                 "alice  03_tiling kernel: 8 ms (8 to 8), 0 GFLOP/s, 0.50 "
                 "of the solution");
    expect_words(said, "Speeds: s.speed.csv");
    text = text_of("s.speed.csv");
    expect_words(text, "alice,03_tiling,kernel,PASS,64,64,64,8,8,8,");
    expect_words(text, "b o b,03_tiling,kernel,COMPILE,,,,,,,,,,,");
    expect_words(text, "a mistake");
    expect_words(text, "carol,03_tiling,kernel,FAIL,");
    expect_words(text, "dave,03_tiling,kernel,CRASH,");
    expect_words(text, "eve,03_tiling,kernel,REJECTED,");
}

/* Each of these is wrong, or cannot be. */
TEST(who_is_wrong_or_did_not_tell_all_has_no_speed)
{
    static const char *const told[] = {
        "// true\n",
        "// echo '" HEADER "' >\"${11}\"\n",
        TELLS("03_tiling,other,X,64,64,64,PASS,8,7,9,1,1"),
        TELLS("04_coalescing,kernel,X,64,64,64,PASS,8,7,9,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,FAIL,8,7,9,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,,8,7,9,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,PASS,,7,9,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,PASS,0,0,0,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,PASS,-8,-9,9,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,PASS,8,7,inf,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,PASS,nan,nan,nan,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,PASS,8,9,7,1,1"),
        TELLS("03_tiling,kernel,X,16,16,16,PASS,8,7,9,1,1"),
        TELLS("03_tiling,kernel,X,64,64,1e99,PASS,8,7,9,1,1"),
        TELLS("03_tiling,kernel,X,64,64,64,PASS"),
        TELLS("\"03_tiling"),
    };
    const size_t count = sizeof told / sizeof *told;
    const char *said;
    char name[20], row[60];

    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "student%zu", i);
        hand_in_lab(name, told[i]);
    }
    said = speed("s", 0, "");
    for (size_t i = 0; i < count; i++) {
        snprintf(row, sizeof row, "student%zu  03_tiling kernel: FAIL\n", i);
        expect_words(said, row);
    }
}

TEST(what_cannot_be_is_flagged_for_a_person)
{
    const char *text;

    hand_in_lab("alice",
                TELLS("03_tiling,kernel,\033[2J,64,64,64,PASS,.01,.01,.01,"
                      "1,1e9"));
    hand_in_lab("=1+1", TELLS("03_tiling,other,X,64,64,64,PASS,8,7,9,1,1"));
    speed("s", 0,
          "look at this: faster than the chip's arithmetic: 52 of 9 "
          "GFLOP/s");
    text = text_of("s.speed.csv");
    /* Not what the program says that it is; and a name is no formula. */
    expect_words(text, ",0.01,0.01,0.01,52.4288,400,\\x1b[2J,faster");
    expect_words(text, "\n'=1+1,03_tiling,kernel,FAIL,,,,,,,,,,,It");
}

TEST(the_labs_own_program_runs_in_such_a_box)
{
    const char *said;

    runs("cp \"$HOME_OF_COURSE\"/build/cpu/solutions/03_tiling "
         "build/grade/speed/lab",
         0, "");
    folder_put("solutions/03_tiling/tiling.cu", "// harness\n");
    hand_in_lab("alice", "// harness\n");
    said = speed("s", 0, "alice  03_tiling kernel: ");
    expect_words(said, " of the solution");
}

TEST(where_the_solution_is_not_right_nobody_is_measured)
{
    const char *said;

    hand_in_lab("alice", TAKES("8"));
    folder_put("solutions/03_tiling/tiling.cu", "// echo no GPU; exit 2\n");
    said = speed("s", 3, "(solution)  03_tiling kernel: CRASH\n    no GPU");
    expect_words(said, "not all could be measured");
    expect_none(said, "alice");
}

TEST(a_wrong_call_is_told)
{
    speed("", 2, "say whose kernels: SUBMISSIONS=folder");
    grades("--speed x s", 2, "nvcc is not in PATH");
    grades("--speed x --nvcc x s", 2, "set ARCH");
    hand_in_lab("alice", TAKES("8"));
    speed("--lab 1 s", 2, "none of these labs has a kernel that is timed here");
    speed("--isolation unsafe s", 2, "speeds are measured in boxes alone");
}

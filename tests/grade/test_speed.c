/* What a program told of its speed comes from a process that nobody trusts; and
   does --speed make, run and list the programs of a class? Without a GPU: in
   the place of nvcc stands a script, whose program says what is asked. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../testing.h"
#include "../command.h"
#include "base/file.h"
#include "grade/box/box.h"
#include "grade/base/clean_up.h"

static char root[40], home[4096];

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

static void put_file(const char *path, const char *text)
{
    char why[300];

    if (base_write_file(path, text, why, sizeof why) != 0)
        fail_msg("%s", why);
}

static void hand_in(const char *student, const char *text)
{
    char path[100];

    snprintf(path, sizeof path, "class/%s", student);
    assert_int_equal(mkdir(path, 0755), 0);
    snprintf(path, sizeof path, "class/%s/tiling.cu", student);
    put_file(path, text);
}

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
    struct command c;
    int code;

    (void)state;
    snprintf(root, sizeof root, "/tmp/test_speed.XXXXXX");
    if (mkdtemp(root) == NULL || getcwd(home, sizeof home) == NULL)
        return -1;
    c = command_run(
        "cd %s && chmod 755 . && umask 022 && mkdir -p labs class common/grade "
        "build/grade/speed solutions/03_tiling && ln -s build/grade/speed kit "
        "&& cp '%s'/labs/INDEX '%s'/labs/TODOS labs/ && cp "
        "'%s'/common/grade/control.cu common/grade/ && "
        "cp -r labs '%s'/common/grade/runner/speed.sh kit/",
        root, home, home, home, home);
    code = c.code;
    command_free(&c);
    if (code != 0 || chdir(root) != 0)
        return -1;
    put_file("kit/nvcc", fake_nvcc);
    put_file("solutions/03_tiling/tiling.cu", TAKES("4"));
    return chmod("kit/nvcc", 0755);
}

static int tear_down(void **state)
{
    (void)state;
    return chdir(home) != 0 || grade_remove_tree(root) != 0;
}

static struct command speed(const char *options)
{
    char why[300];

    if (grade_box_probe(GRADE_BOXED, why, sizeof why) != 0) {
        print_message("# skipped: %s\n", why);
        skip();
    }
    return command_run("'%s/build/tools/grade' --nvcc /box/nvcc --arch sm_90 "
                       "--speed '--m 64 --n 64 --k 64 --repeat 3' --lab 3 %s",
                       home, options);
}

EACH_TEST(set_up, tear_down);

TEST(a_class_is_measured_beside_the_solution)
{
    struct command c;
    char why[300], *text;

    hand_in("alice", TAKES("8"));
    hand_in("b o b", "a mistake\n");
    hand_in("carol", "// echo 'element (4, 6) is 17'; exit 1\n");
    hand_in("dave", "// kill -SEGV $$\n");
    hand_in("eve", "__asm__(\"\");\n");
    c = speed("class/");
    command_ends(&c, 0);
    command_says(&c, "(solution)  03_tiling kernel: 4 ms (4 to 4), 0 GFLOP/s");
    command_says(&c, "alice  03_tiling kernel: 8 ms (8 to 8), 0 GFLOP/s, 0.50 "
                     "of the solution");
    command_says(&c, "Speeds: class.speed.csv");
    command_free(&c);
    text = base_read_file("class.speed.csv", why, sizeof why);
    assert_non_null(text);
    assert_non_null(
        strstr(text, "alice,03_tiling,kernel,PASS,64,64,64,8,8,8,"));
    assert_non_null(strstr(text, "b o b,03_tiling,kernel,COMPILE,,,,,,,,,,,"));
    assert_non_null(strstr(text, "a mistake"));
    assert_non_null(strstr(text, "carol,03_tiling,kernel,FAIL,"));
    assert_non_null(strstr(text, "dave,03_tiling,kernel,CRASH,"));
    assert_non_null(strstr(text, "eve,03_tiling,kernel,REJECTED,"));
    free(text);
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
    struct command c;
    char name[20], row[60];

    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "student%zu", i);
        hand_in(name, told[i]);
    }
    c = speed("class");
    command_ends(&c, 0);
    for (size_t i = 0; i < count; i++) {
        snprintf(row, sizeof row, "student%zu  03_tiling kernel: FAIL\n", i);
        command_says(&c, row);
    }
    command_free(&c);
}

TEST(what_cannot_be_is_flagged_for_a_person)
{
    struct command c;
    char why[300], *text;

    hand_in("alice", TELLS("03_tiling,kernel,\033[2J,64,64,64,PASS,.01,.01,.01,"
                           "1,1e9"));
    hand_in("=1+1", TELLS("03_tiling,other,X,64,64,64,PASS,8,7,9,1,1"));
    c = speed("class");
    command_ends(&c, 0);
    command_says(&c, "look at this: faster than the chip's arithmetic: 52 of 9 "
                     "GFLOP/s");
    command_free(&c);
    text = base_read_file("class.speed.csv", why, sizeof why);
    assert_non_null(text);
    /* Not what the program says that it is; and a name is no formula. */
    assert_non_null(
        strstr(text, ",0.01,0.01,0.01,52.4288,400,\\x1b[2J,faster"));
    assert_non_null(strstr(text, "\n'=1+1,03_tiling,kernel,FAIL,,,,,,,,,,,It"));
    free(text);
}

TEST(the_labs_own_program_runs_in_such_a_box)
{
    struct command c;

    c = command_run("cp '%s'/build/cpu/solutions/03_tiling kit/lab", home);
    command_ends(&c, 0);
    command_free(&c);
    put_file("solutions/03_tiling/tiling.cu", "// harness\n");
    hand_in("alice", "// harness\n");
    c = speed("class");
    command_ends(&c, 0);
    command_says(&c, "alice  03_tiling kernel: ");
    command_says(&c, " of the solution");
    command_free(&c);
}

TEST(where_the_solution_is_not_right_nobody_is_measured)
{
    struct command c;

    hand_in("alice", TAKES("8"));
    put_file("solutions/03_tiling/tiling.cu", "// echo no GPU; exit 2\n");
    c = speed("class");
    command_ends(&c, 3);
    command_says(&c, "(solution)  03_tiling kernel: CRASH\n    no GPU");
    command_says(&c, "not all could be measured");
    assert_null(strstr(c.text, "alice"));
    command_free(&c);
}

TEST(a_wrong_call_is_told)
{
    struct command c;

    c = speed("");
    command_ends(&c, 2);
    command_says(&c, "say whose kernels: SUBMISSIONS=folder");
    command_free(&c);
    c = command_run("'%s/build/tools/grade' --speed x class", home);
    command_ends(&c, 2);
    command_says(&c, "nvcc is not in PATH");
    command_free(&c);
    c = command_run("'%s/build/tools/grade' --speed x --nvcc x class", home);
    command_ends(&c, 2);
    command_says(&c, "set ARCH");
    command_free(&c);
    hand_in("alice", TAKES("8"));
    c = speed("--lab 1 class");
    command_ends(&c, 2);
    command_says(&c, "none of these labs has a kernel that is timed here");
    command_free(&c);
    c = speed("--isolation unsafe class");
    command_ends(&c, 2);
    command_says(&c, "speeds are measured in boxes alone");
    command_free(&c);
}

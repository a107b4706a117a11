/* What a program told of its speed comes from a process that nobody trusts; and
   does `speed` make, run and list the programs of a class? Without a GPU: in
   the place of nvcc stands a script, whose program says what is asked. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../command.h"
#include "base/file.h"
#include "grade/box/box.h"
#include "grade/base/remove_tree.h"
#include "grade/speed/speed.h"

#define HEADER                                                       \
    "lab,variant,device_name,m,n,k,verdict,kernel_ms,kernel_ms_min," \
    "kernel_ms_max,gflops,peak_gflops\n"

static const struct course_lab lab = {.name = "03_tiling"};
static const struct course_entry entry = {.variant = "kernel"};

/* --- what is believed ----------------------------------------------------- */

static struct speed_row row_of_csv(const char *csv,
                                   const struct speed_row *known)
{
    struct speed_row row = {.student = known != NULL ? "alice" : NULL,
                            .lab = &lab,
                            .entry = &entry,
                            .of_solution = (double)NAN};

    speed_read(&row, csv, known);
    return row;
}

static struct speed_row solution(void)
{
    const struct speed_row row = row_of_csv(
        HEADER "03_tiling,kernel,NVIDIA H200,2048,2048,2048,PASS,4,3,5,"
               "4294,60000\n",
        NULL);

    assert_int_equal(row.verdict, GRADE_PASS);
    return row;
}

static void a_right_kernel_has_its_times_and_its_speed(void **state)
{
    const struct speed_row known = solution();
    const struct speed_row r =
        row_of_csv(HEADER "03_tiling,other,X,2048,2048,2048,PASS,1,1,1,1,1\n"
                          "03_tiling,kernel,X,2048,2048,2048,PASS,8,7,9,1,1\n",
                   &known);

    (void)state;
    assert_int_equal(r.verdict, GRADE_PASS);
    assert_true(r.median == 8.0 && r.shortest == 7.0 && r.longest == 9.0);
    assert_true(r.of_solution == 0.5);
    /* Not what the program says that it is. */
    assert_true(fabs(r.gflops - 2.0 * 2048 * 2048 * 2048 / 8e6) < 1e-6);
    assert_string_equal(r.flag, "");
}

static void who_is_wrong_or_did_not_tell_all_has_no_speed(void **state)
{
    static const char *const told[] = {
        "",
        HEADER,
        HEADER "03_tiling,other,X,2048,2048,2048,PASS,8,7,9,1,1\n",
        HEADER "04_coalescing,kernel,X,2048,2048,2048,PASS,8,7,9,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,FAIL,8,7,9,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,,8,7,9,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,PASS,,7,9,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,PASS,0,0,0,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,PASS,-8,-9,9,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,PASS,8,7,inf,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,PASS,nan,nan,nan,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,PASS,8,9,7,1,1\n",
        HEADER "03_tiling,kernel,X,16,16,16,PASS,8,7,9,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,1e99,PASS,8,7,9,1,1\n",
        HEADER "03_tiling,kernel,X,2048,2048,2048,PASS\n",
        HEADER "\"03_tiling\n",
    };
    const struct speed_row known = solution();

    (void)state;
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        if (row_of_csv(told[i], &known).verdict != GRADE_FAIL)
            fail_msg("this is believed: %s", told[i]);
    }
}

static void what_cannot_be_is_flagged_for_a_person(void **state)
{
    const struct speed_row known = solution();
    const struct speed_row r = row_of_csv(
        HEADER "03_tiling,kernel,\033[2J,2048,2048,2048,PASS,.1,.1,.1,1,1e9\n",
        &known);

    (void)state;
    assert_int_equal(r.verdict, GRADE_PASS);
    assert_string_equal(r.flag, "faster than the chip's arithmetic: 171799 of "
                                "60000 GFLOP/s");
    assert_null(strchr(r.device, '\033'));
}

static void a_name_is_no_formula_in_the_table(void **state)
{
    const struct speed_row row = {.student = "=1+1",
                                  .lab = &lab,
                                  .entry = &entry,
                                  .verdict = GRADE_FAIL,
                                  .note = "a\nb",
                                  .of_solution = 2.0};
    char path[] = "/tmp/test_speed_XXXXXX", why[200], *text;
    const int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    close(file);
    assert_int_equal(speed_write(path, &row, 1, why, sizeof why), 0);
    text = base_read_file(path, why, sizeof why);
    assert_non_null(text);
    assert_non_null(
        strstr(text, "\n'=1+1,03_tiling,kernel,FAIL,,,,,,,,,,,a\\nb\n"));
    free(text);
    remove(path);
}

/* --- a whole class -------------------------------------------------------- */

static char root[40], home[4096];

/* A program is a script. What stands behind "// " in its source is what it
   does; $1 is what speed passes on. */
static const char fake_nvcc[] =
    "#!/bin/sh\n"
    "for source in \"$@\"; do case $source in *.cu) break ;; esac; done\n"
    "if grep -q harness \"$source\"; then cp /box/lab program; exit; fi\n"
    "if grep mistake \"$source\" >&2; then exit 2; fi\n"
    "{ echo '#!/bin/sh'; sed -n 's,^// ,,p' \"$source\"; } >program\n"
    "chmod +x program\n";

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

/* A source whose program takes so many ms. */
#define TAKES(ms)                                                           \
    "// echo \"run by $*\"; printf '%s\\n' "                                \
    "lab,variant,m,n,k,verdict,kernel_ms,kernel_ms_min,kernel_ms_max,"      \
    "peak_gflops 03_tiling,kernel,64,64,64,PASS," #ms "," #ms "," #ms ",9 " \
    ">\"${11}\"\n"

static int set_up(void **state)
{
    struct command c;
    int code;

    (void)state;
    snprintf(root, sizeof root, "/tmp/test_speed.XXXXXX");
    if (mkdtemp(root) == NULL || getcwd(home, sizeof home) == NULL)
        return -1;
    c = command_run(
        "cd %s && chmod 755 . && mkdir -p -m 755 labs class kit "
        "solutions/03_tiling && cp '%s'/labs/INDEX '%s'/labs/TODOS labs/",
        root, home, home);
    code = c.code;
    command_free(&c);
    if (code != 0 || chdir(root) != 0)
        return -1;
    put_file("kit/nvcc", fake_nvcc);
    put_file("solutions/03_tiling/tiling.cu", TAKES(4));
    return chmod("kit/nvcc", 0755);
}

static int tear_down(void **state)
{
    (void)state;
    return chdir(home) != 0 || grade_remove_tree(AT_FDCWD, root) != 0;
}

static struct command speed(const char *options)
{
    char why[300];

    if (grade_box_probe(GRADE_BOXED, why, sizeof why) != 0) {
        print_message("# skipped: %s\n", why);
        skip();
    }
    return command_run("'%s/build/tools/speed' --kit kit --nvcc "
                       "/box/nvcc --arch sm_90 --run '--m 64 --n 64 --k 64 "
                       "--repeat 3' --lab 3 %s",
                       home, options);
}

static void a_class_is_measured_beside_the_solution(void **state)
{
    struct command c;
    char why[300], *text;

    (void)state;
    hand_in("alice", TAKES(8));
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

static void the_labs_own_program_runs_in_such_a_box(void **state)
{
    struct command c;

    (void)state;
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

static void where_the_solution_is_not_right_nobody_is_measured(void **state)
{
    struct command c;

    (void)state;
    hand_in("alice", TAKES(8));
    put_file("solutions/03_tiling/tiling.cu", "// echo no GPU; exit 2\n");
    c = speed("class");
    command_ends(&c, 3);
    command_says(&c, "(solution)  03_tiling kernel: CRASH\n    no GPU");
    command_says(&c, "not all could be measured");
    assert_null(strstr(c.text, "alice"));
    command_free(&c);
}

static void a_wrong_call_is_told(void **state)
{
    struct command c;

    (void)state;
    c = speed("");
    command_ends(&c, 2);
    command_says(&c, "say whose kernels: SUBMISSIONS=folder");
    command_free(&c);
    c = speed("--nvcc '' class");
    command_ends(&c, 2);
    command_says(&c, "nvcc is not in PATH");
    command_free(&c);
    c = speed("--arch '' class");
    command_ends(&c, 2);
    command_says(&c, "set ARCH");
    command_free(&c);
    c = speed("--lab 1 class");
    command_ends(&c, 2);
    command_says(&c, "none of these labs has a kernel that is timed here");
    command_free(&c);
    c = speed("--slow class");
    command_ends(&c, 2);
    command_says(&c, "'--slow' is no option");
    command_free(&c);
}

int main(void)
{
#define with_class(name) \
    cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_kernel_has_its_times_and_its_speed),
        cmocka_unit_test(who_is_wrong_or_did_not_tell_all_has_no_speed),
        cmocka_unit_test(what_cannot_be_is_flagged_for_a_person),
        cmocka_unit_test(a_name_is_no_formula_in_the_table),
        with_class(a_class_is_measured_beside_the_solution),
        with_class(the_labs_own_program_runs_in_such_a_box),
        with_class(where_the_solution_is_not_right_nobody_is_measured),
        with_class(a_wrong_call_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

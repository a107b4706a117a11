/* Does a program find its lab, by its own path and labs/INDEX above it? */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"
#include "harness/info.h"

static const char *root;
static char why[512];
static struct lab_info info;

/* A tree with one lab: TODO 3.1 stands as in the skeleton, 3.2 does not. */
FIXTURE(make_tree)
{
    root = scratch(".");
    RUN_GIVES(
        0, NULL,
        "cd %s && mkdir -p labs/03_tiling solutions/03_tiling build/cpu/labs "
        "build/mutants && printf '%%s\\n' 'shapes: 1x1x1 2x3x4' "
        "'counting: 2x3x4' 'advanced: 4' 'advanced_shapes: 5x6x7' "
        "'lab: 03_tiling' 'title: Tiles' 'entry: kernel lab_launch launch' "
        "'points: 60 20 20' 'measure: loads full 0.1 zero 2 before 2' "
        "'measure: stores full 1e9 zero 7' 'about: tiles' "
        "'lab: 04_more' 'title: More' 'entry: a lab_launch launch_tf32' "
        "'entry: b lab_launch_bf16 launch_bf16' 'points: 80 20 0' "
        "'needs: tiles of \"bytes\"' 'targets: sm_90a' >labs/INDEX && "
        "printf '/* TODO 3.1 (1 line): ask. */\\nx;\\n"
        "/* TODO 3.2 (1 line): tell. */\\n' >labs/03_tiling/tiling.cu && "
        "cp labs/03_tiling/tiling.cu build/mutants/03_bad.cu && "
        "echo 'done();' >solutions/03_tiling/tiling.cu && "
        "$OLDPWD/build/tools/make_skeleton --todos labs/03_tiling/tiling.cu "
        "-o labs/TODOS && echo 'y;' >>labs/03_tiling/tiling.cu",
        root);
    return 0;
}

/* Looks as the program at that path below the tree's root. */
static int find_info(const char *program)
{
    char path[200];

    why[0] = '\0';
    snprintf(path, sizeof path, "%s/%s", root, program);
    return lab_info_find(path, &info, why, sizeof why);
}

TEST(test_a_labs_program_knows_its_line_and_source)
{
    assert_int_equal(find_info("build/cpu/labs/03_tiling"), 0);
    assert_string_equal(info.lab->name, "03_tiling");
    assert_string_equal(info.lab->title, "Tiles");
    assert_string_equal(info.source, "labs/03_tiling/tiling.cu");
    assert_false(info.is_solution);
    assert_int_equal(info.shapes, 2);
    assert_int_equal(info.shape[1].k, 4);
    assert_int_equal(info.index.counting.m, 2);
    assert_true(info.lab->measure[1].before == -1.0);
    lab_info_free(&info);
}

TEST(test_open_todos_are_those_that_stand_as_they_were)
{
    assert_int_equal(find_info("build/cpu/labs/03_tiling"), 0);
    assert_int_equal(info.open.count, 1);
    assert_int_equal(info.open.todo[0].number, 1);
    assert_int_equal(info.open.todo[0].line, 1);
    assert_string_equal(info.open.todo[0].text, "ask.");
    assert_int_equal(info.written, 1);
    lab_info_free(&info);
}

TEST(test_the_counting_build_is_of_the_same_lab)
{
    assert_int_equal(
        find_info("build/cpu/by/g++-11/solutions/03_tiling-analyse"), 0);
    assert_string_equal(info.source, "solutions/03_tiling/tiling.cu");
    assert_true(info.is_solution);
    assert_int_equal(info.open.count, 0);
    assert_int_equal(info.written, 2);
    lab_info_free(&info);
}

TEST(test_a_mutant_is_of_the_lab_with_its_number)
{
    assert_int_equal(find_info("build/cpu/mutants/03_bad-analyse"), 0);
    assert_string_equal(info.lab->name, "03_tiling");
    assert_string_equal(info.source, "build/mutants/03_bad.cu");
    assert_false(info.is_solution);
    lab_info_free(&info);
}

TEST(test_what_is_missing_is_named)
{
    assert_int_equal(find_info("build/cpu/labs/05_none"), -1);
    assert_non_null(strstr(why, "labs/INDEX has no lab '05_none'"));
    assert_int_equal(find_info("build/cpu/labs/04_more"), -1);
    assert_non_null(strstr(why, "labs/04_more/more.cu"));
    assert_int_equal(
        lab_info_find("/none/labs/03_tiling", &info, why, sizeof why), -1);
    assert_string_equal(why, "no folder above /none/labs/03_tiling has a "
                             "labs/INDEX (run the program where make has "
                             "built it)");
}

TEST(test_a_lab_without_todos_in_the_list_is_an_error)
{
    struct command run = command_run(
        "cd %s && mkdir labs/04_more && echo 'x;' >labs/04_more/more.cu", root);

    command_free(&run);
    assert_int_equal(find_info("build/cpu/labs/04_more"), -1);
    assert_string_equal(why,
                        "labs/TODOS has no lab '04_more' (make skeletons)");
}

/* --- whole programs ------------------------------------------------------- */

TEST(test_a_program_is_started_anywhere)
{
    RUN_GIVES(
        0, SAYS("PASS  03_tiling  1 size on cpu"),
        "here=$PWD && cd / && $here/build/cpu/solutions/03_tiling --m 5 --n 5 "
        "--k 5");
}

TEST(test_a_copied_program_says_what_it_misses)
{
    RUN_GIVES(2, SAYS("03_tiling has a labs/INDEX"),
              "mkdir %s/away && mv %s/labs %s/away/elsewhere && "
              "cp build/cpu/solutions/03_tiling %s && %s/03_tiling",
              root, root, root, root, root);
}

ALL_TESTS(make_tree, NULL);

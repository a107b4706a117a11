/* What could the reader of labs/INDEX get wrong? One test per answer. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "../testing.h"
#include "course/index.h"

#define HEAD "shapes 1x1x1 37x53x29\ncounting 256x384x512\n"
#define LAB                                                     \
    "03_tiling | Tiles | kernel:lab_launch:launch | 60 20 20 |" \
    " loads | 0.125 | 2 | 3 | tiles\n"

/* The text must be refused, with exactly this message. */
static void expect_error(const char *text, const char *message)
{
    struct course_index index;
    char why[256] = "";

    assert_int_equal(course_index_parse("INDEX", text, &index, why, sizeof why),
                     -1);
    assert_string_equal(why, message);
}

TEST(test_a_lab_is_read)
{
    struct course_index index;
    const struct course_lab *lab;
    char why[256] = "";

    assert_int_equal(course_index_parse("INDEX", "# list\n\n" HEAD LAB, &index,
                                        why, sizeof why),
                     0);
    assert_int_equal(index.shapes, 2);
    assert_int_equal(index.shape[1].n, 53);
    assert_int_equal(index.counting.k, 512);
    lab = course_index_find(&index, "03_tiling");
    assert_non_null(lab);
    assert_string_equal(lab->title, "Tiles");
    assert_int_equal(lab->entries, 1);
    assert_string_equal(lab->entry[0].variant, "kernel");
    assert_string_equal(lab->entry[0].function, "lab_launch");
    assert_int_equal(lab->entry[0].kind, COURSE_LAUNCH);
    assert_int_equal(lab->points.clean, 20);
    assert_int_equal(lab->measures, 1);
    assert_string_equal(lab->measure[0].column, "loads");
    assert_true(lab->measure[0].full == 0.125);
    assert_true(lab->measure[0].zero == 2.0);
    assert_true(lab->measure[0].before == 3.0);
    assert_string_equal(lab->about, "tiles");
    assert_null(course_index_find(&index, "03"));
    course_index_free(&index);
}

TEST(test_windows_line_ends_are_read)
{
    struct course_index index;
    char why[256] = "";

    assert_int_equal(
        course_index_parse(
            "INDEX",
            "shapes 1x1x1\r\ncounting 2x2x2\r\n"
            "01_a | A | h:lab_host:host | 80 20 0 | - | - | - | - | -",
            &index, why, sizeof why),
        0);
    assert_int_equal(index.lab[0].measures, 0);
    course_index_free(&index);
}

TEST(test_a_wrong_size_is_named)
{
    expect_error("shapes 1x1\n",
                 "INDEX:1: size '1x1': write M x N x K as in 37x53x29");
    expect_error("shapes 1x0x1\n",
                 "INDEX:1: size '1x0x1': write M x N x K as in 37x53x29");
    expect_error("counting 1x1x99999999999\n",
                 "INDEX:1: size '1x1x99999999999': write M x N x K as in "
                 "37x53x29");
    expect_error("shapes\n", "INDEX:1: shapes without a size");
    expect_error(HEAD "shapes 1x1x1\n", "INDEX:3: shapes were given before");
    expect_error(HEAD "counting 1x1x1\n", "INDEX:3: counting was given before");
}

TEST(test_a_missing_part_is_named)
{
    expect_error("", "INDEX:1: the file ends without shapes");
    expect_error("shapes 1x1x1\n",
                 "INDEX:2: the file ends without a counting size");
    expect_error(HEAD, "INDEX:3: the file ends without a lab");
}

TEST(test_nine_fields_are_needed)
{
    expect_error(HEAD "03_tiling | Tiles\n",
                 "INDEX:3: 2 fields where 9 are needed");
    expect_error(HEAD "03_a | T | h:f:host | 80 20 0 | - | - | - | - | - | -\n",
                 "INDEX:3: 10 fields where 9 are needed");
}

TEST(test_a_name_is_a_folder_and_a_file)
{
    expect_error(HEAD "3_tiling | T | h:f:host | 80 20 0 | - | - | - | - | -\n",
                 "INDEX:3: name '3_tiling': write it as in 03_tiling");
    expect_error(HEAD
                 "03-tiling | T | h:f:host | 80 20 0 | - | - | - | - | -\n",
                 "INDEX:3: name '03-tiling': write it as in 03_tiling");
    expect_error(HEAD "03_../x | T | h:f:host | 80 20 0 | - | - | - | - | -\n",
                 "INDEX:3: name '03_../x': write it as in 03_tiling");
    expect_error(HEAD LAB LAB,
                 "INDEX:4: lab 03_tiling does not come after 03_tiling");
    expect_error(HEAD "03_a | | h:f:host | 80 20 0 | - | - | - | - | -\n",
                 "INDEX:3: no title");
}

TEST(test_an_entry_has_three_parts)
{
    expect_error(HEAD "03_a | T | h:f | 80 20 0 | - | - | - | - | -\n",
                 "INDEX:3: entry 'h:f': write variant:function:kind");
    expect_error(HEAD "03_a | T | h:f:gpu | 80 20 0 | - | - | - | - | -\n",
                 "INDEX:3: kind 'gpu': use host, launch, launch_tf32, "
                 "launch_bf16, banks or shown");
    expect_error(HEAD "03_a | T | | 80 20 0 | - | - | - | - | -\n",
                 "INDEX:3: no entry");
}

TEST(test_points_add_up_to_100)
{
    expect_error(HEAD "03_a | T | h:f:host | 60 20 10 | x | 1 | 2 | - | -\n",
                 "INDEX:3: points '60 20 10' do not add up to 100");
    expect_error(HEAD "03_a | T | h:f:host | 60 40 | x | 1 | 2 | - | -\n",
                 "INDEX:3: points '60 40': write three numbers as in 60 20 20");
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | - | - | - | - | -\n",
                 "INDEX:3: points for a measure, but no measure");
}

TEST(test_each_measure_has_two_values)
{
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | x y | 1 | 2 | - | -\n",
                 "INDEX:3: each measure needs one full and one zero");
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | x | one | 2 | - | -\n",
                 "INDEX:3: 'one' is no number");
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | x | nan | 2 | - | -\n",
                 "INDEX:3: 'nan' is no number");
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | x | 2 | 2 | - | -\n",
                 "INDEX:3: x: full and zero are the same");
}

TEST(test_before_is_a_number_for_each_measure_or_none)
{
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | x | 1 | 2 | - 3 | -\n",
                 "INDEX:3: more values of before than measures");
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | x y | 1 1 | 2 2 | 3 |"
                      " -\n",
                 "INDEX:3: each measure needs a value of before, or -");
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | x | 1 | 2 | -3 | -\n",
                 "INDEX:3: before '-3': write a number or -");
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | x | 1 | 2 | two | -\n",
                 "INDEX:3: before 'two': write a number or -");
    expect_error(HEAD "03_a | T | h:f:host | 80 20 0 | - | - | - | 2 | -\n",
                 "INDEX:3: more values of before than measures");
}

TEST(test_what_a_handout_is_about_is_words)
{
    expect_error(HEAD "03_a | T | h:f:host | 80 20 0 | - | - | - | - |\n",
                 "INDEX:3: about '': write words as in bank_conflicts, or -");
    expect_error(HEAD "03_a | T | h:f:host | 80 20 0 | - | - | - | - | a,b\n",
                 "INDEX:3: about 'a,b': write words as in bank_conflicts, or "
                 "-");
}

TEST(test_too_many_of_anything_is_an_error)
{
    expect_error("shapes 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 "
                 "1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1\n",
                 "INDEX:1: more than 16 shapes");
    expect_error(HEAD "03_a | T | a:f:host b:f:host c:f:host d:f:host e:f:host "
                      "f:f:host g:f:host | 80 20 0 | - | - | - | - | -\n",
                 "INDEX:3: more than 6 entries");
    expect_error(HEAD "03_a | T | h:f:host | 60 20 20 | a b c d e | 1 1 1 1 1"
                      " | 2 2 2 2 2 | - | -\n",
                 "INDEX:3: more than 4 measures");
}

TEST(test_a_missing_file_is_named)
{
    struct course_index index;
    char why[256] = "";

    assert_int_equal(
        course_index_read("labs/NO_INDEX", &index, why, sizeof why), -1);
    assert_string_equal(why, "labs/NO_INDEX: No such file or directory");
}

TEST(test_a_precision_is_a_kind_of_launch)
{
    struct course_index index;
    char why[256] = "";

    assert_int_equal(course_index_parse(
                         "INDEX",
                         HEAD "03_tiling | Tiles | a:f:launch b:g:launch_tf32 "
                              "c:h:launch_bf16 d:i:host | 80 20 0 | - | - | "
                              "- | - | -\n",
                         &index, why, sizeof why),
                     0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(index.lab[0].entry[i].kind, COURSE_LAUNCH);
    assert_int_equal(index.lab[0].entry[0].precision, LAB_FP32);
    assert_int_equal(index.lab[0].entry[1].precision, LAB_TF32);
    assert_int_equal(index.lab[0].entry[2].precision, LAB_BF16);
    assert_int_equal(index.lab[0].entry[3].precision, LAB_FP32);
    course_index_free(&index);
    expect_error(HEAD
                 "03_tiling | T | a:f:launch_fp8 | 80 20 0 | - | - | - | - "
                 "| -\n",
                 "INDEX:3: kind 'launch_fp8': use host, launch, launch_tf32, "
                 "launch_bf16, banks or shown");
}

TEST(test_what_a_lab_needs_is_read)
{
    struct course_index index;
    char why[256] = "";
    const struct course_needs *needs;

    assert_int_equal(
        course_index_parse("INDEX", HEAD LAB, &index, why, sizeof why), 0);
    needs = &index.lab[0].needs;
    assert_null(needs->what);
    course_index_free(&index);
    assert_int_equal(
        course_index_parse(
            "INDEX", HEAD LAB "needs 03_tiling | sm_86 compute_86 | a thing\n",
            &index, why, sizeof why),
        0);
    assert_string_equal(needs->what, "a thing");
    assert_string_equal(needs->targets, "sm_86 compute_86");
    assert_int_equal(needs->major, 8);
    assert_int_equal(needs->minor, 6);
    assert_false(needs->exactly);
    course_index_free(&index);
    assert_int_equal(course_index_parse(
                         "INDEX", HEAD LAB "needs 03_tiling|sm_100a|a thing\n",
                         &index, why, sizeof why),
                     0);
    assert_int_equal(needs->major, 10);
    assert_int_equal(needs->minor, 0);
    assert_true(needs->exactly);
    course_index_free(&index);

    expect_error(HEAD LAB "needs 03_tiling\n",
                 "INDEX:4: needs: write lab | targets | what for");
    expect_error(HEAD "needs 03_tiling | sm_80 | x\n" LAB,
                 "INDEX:3: needs: there is no lab '03_tiling' above");
    expect_error(HEAD LAB "needs 03_tiling | sm_80 |\n",
                 "INDEX:4: needs of 03_tiling: what for?");
    expect_error(HEAD LAB "needs 03_tiling | compute_80 | x\n",
                 "INDEX:4: targets 'compute_80': write them as in sm_80 "
                 "compute_80");
    expect_error(HEAD LAB "needs 03_tiling | sm_90ab | x\n",
                 "INDEX:4: targets 'sm_90ab': write them as in sm_80 "
                 "compute_80");
    expect_error(HEAD LAB "needs 03_tiling | sm_80 | x\n"
                          "needs 03_tiling | sm_80 | x\n",
                 "INDEX:5: needs of 03_tiling were given before");
}

TEST(test_the_advanced_track_begins_at_its_number)
{
    struct course_index index;
    char why[256] = "";

    assert_int_equal(
        course_index_parse("INDEX",
                           HEAD LAB "10_a | A | h:f:host | 80 20 0 | - | - | - "
                                    "| - | -\nadvanced 10 4x8x4\n",
                           &index, why, sizeof why),
        0);
    assert_int_equal(index.advanced, 10);
    assert_false(index.lab[0].advanced);
    assert_true(index.lab[1].advanced);
    assert_int_equal(course_index_shapes(&index, &index.lab[0]), 2);
    assert_int_equal(course_index_shapes(&index, &index.lab[1]), 3);
    assert_int_equal(course_index_shape(&index, &index.lab[1], 0).n, 1);
    assert_int_equal(course_index_shape(&index, &index.lab[1], 1).n, 8);
    assert_int_equal(course_index_shape(&index, &index.lab[1], 2).n, 53);
    assert_int_equal(course_index_shape(&index, &index.lab[0], 1).n, 53);
    course_index_free(&index);
    assert_int_equal(
        course_index_parse("INDEX", HEAD LAB, &index, why, sizeof why), 0);
    assert_int_equal(index.advanced, 0);
    assert_false(index.lab[0].advanced);
    course_index_free(&index);
    expect_error(HEAD "advanced ten\n",
                 "INDEX:3: advanced 'ten': write a lab's number");
    expect_error(HEAD "advanced\n",
                 "INDEX:3: advanced '': write a lab's number");
    expect_error(HEAD "advanced 10 11\n",
                 "INDEX:3: size '11': write M x N x K as in 37x53x29");
    expect_error("advanced 10\n" HEAD,
                 "INDEX:1: advanced stands before shapes");
    expect_error(HEAD "advanced 10\nadvanced 11\n",
                 "INDEX:4: advanced was given before");
    expect_error(HEAD "advanced 3\n" LAB,
                 "INDEX:5: advanced 3: no lab comes before that");
}

/* These nine are the contract; how many more there are is not. */
TEST(test_the_labs_are_listed)
{
    struct course_index index;
    char why[256] = "";

    if (course_index_read("labs/INDEX", &index, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_true(index.labs >= 1 && index.shapes >= 1);
    for (int i = 1; i < index.labs; i++)
        assert_true(index.lab[i].advanced >= index.lab[i - 1].advanced);
    course_index_free(&index);
}

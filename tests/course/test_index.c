/* What could the reader of labs/INDEX get wrong? One test per answer. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "../testing.h"
#include "course/index.h"

#define HEAD  "shapes: 1x1x1 37x53x29\ncounting: 256x384x512\n"
#define ENTRY "title: T\nentry: h f host\n"
#define LAB                                                                \
    "lab: 03_tiling\ntitle: Tiles\nentry: kernel lab_launch launch\n"      \
    "points: 60 20 20\nmeasure: loads full 0.125 zero 2 before 3\nabout: " \
    "tiles\n"
#define MORE "lab: 10_a\n" ENTRY "points: 80 20 0\n"
#define OF_3 HEAD "lab: 03_a\n" ENTRY /* lines 3 to 5 */

static struct course_index the_index;
static char why[400];

static void is_read(const char *text)
{
    if (course_index_parse("INDEX", text, &the_index, why, sizeof why) != 0)
        fail_msg("%s", why);
}

/* The text must be refused, with exactly this message. */
static void is_refused(const char *text, const char *message)
{
    assert_int_equal(
        course_index_parse("INDEX", text, &the_index, why, sizeof why), -1);
    assert_string_equal(why, message);
    assert_null(the_index.text);
}

TEST(test_a_lab_is_read)
{
    const struct course_lab *lab;

    is_read("# list\n\n" HEAD LAB);
    assert_int_equal(the_index.shapes.count, 2);
    assert_int_equal(the_index.shapes.shape[1].n, 53);
    assert_int_equal(the_index.counting.k, 512);
    lab = course_index_find(&the_index, "03_tiling");
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
    assert_true(course_is_about(lab, "tiles"));
    assert_false(course_is_about(lab, "tile"));
    assert_null(course_index_find(&the_index, "03"));
    course_index_free(&the_index);
}

TEST(test_windows_line_ends_are_read)
{
    is_read("shapes: 1x1x1\r\ncounting: 2x2x2\r\n\r\nlab: 01_a\r\ntitle: A\r\n"
            "entry: h lab_host host\r\npoints: 80 20 0");
    assert_int_equal(the_index.lab[0].measures, 0);
    assert_string_equal(the_index.lab[0].about, "");
    course_index_free(&the_index);
}

TEST(test_a_wrong_size_is_named)
{
    is_refused("shapes: 1x1\n",
               "INDEX:1: size '1x1': write M x N x K as in 37x53x29");
    is_refused("shapes: 1x0x1\n",
               "INDEX:1: size '1x0x1': write M x N x K as in 37x53x29");
    is_refused("counting: 1x1x99999999999\n",
               "INDEX:1: size '1x1x99999999999': write M x N x K as in "
               "37x53x29");
    is_refused("shapes:\n", "INDEX:1: nothing stands behind shapes");
    is_refused(HEAD "shapes: 1x1x1\n",
               "INDEX:3: 'shapes' stands here for the second time");
    is_refused(HEAD "counting: 1x1x1\n",
               "INDEX:3: 'counting' stands here for the second time");
}

TEST(test_a_missing_part_is_named)
{
    is_refused("", "INDEX:1: 'shapes' is missing");
    is_refused("shapes: 1x1x1\n", "INDEX:1: 'counting' is missing");
    is_refused(HEAD, "INDEX:1: there is no lab");
    is_refused(HEAD "lab: 03_tiling\n",
               "INDEX:3: lab 03_tiling has no 'title'");
    is_refused(OF_3, "INDEX:3: lab 03_a has no 'points'");
    is_refused(HEAD "lab: 03_a\ntitle: T\npoints: 80 20 0\n",
               "INDEX:3: lab 03_a has no 'entry'");
}

TEST(test_an_unknown_key_is_told_with_those_that_are_known)
{
    is_refused(OF_3 "name: a\n",
               "INDEX:6: 'name' is not known here: use lab, title, entry, "
               "points, measure, problem, shapes, counting, tile, parts, "
               "about, needs, targets or on_cpu");
    is_refused(HEAD "sizes: 1x1x1\n",
               "INDEX:3: 'sizes' is not known here: use shapes, counting, "
               "advanced or advanced_shapes");
    is_refused(
        HEAD "03_tiling | Tiles\n",
        "INDEX:3: '03_tiling | Tiles' is not 'KEY: VALUE' (indent a line "
        "that goes on with a value)");
}

TEST(test_a_name_is_a_folder_and_a_file)
{
    is_refused(HEAD "lab: 3_tiling\n",
               "INDEX:3: name '3_tiling': write it as in 03_tiling");
    is_refused(HEAD "lab: 03-tiling\n",
               "INDEX:3: name '03-tiling': write it as in 03_tiling");
    is_refused(HEAD "lab: 03_../x\n",
               "INDEX:3: name '03_../x': write it as in 03_tiling");
    is_refused(HEAD LAB LAB,
               "INDEX:9: lab 03_tiling does not come after 03_tiling");
    is_refused(HEAD "lab: 03_a\ntitle:\n",
               "INDEX:4: nothing stands behind title");
}

TEST(test_an_entry_has_three_parts)
{
    is_refused(OF_3 "entry: h f\n",
               "INDEX:6: write 'entry: VARIANT FUNCTION KIND'");
    is_refused(OF_3 "entry: h f gpu\n",
               "INDEX:6: kind 'gpu': use one of host launch banks shown "
               "launch_tf32 launch_bf16");
    is_refused(OF_3 "entry: h f launch_fp8\n",
               "INDEX:6: kind 'launch_fp8': use one of host launch banks shown "
               "launch_tf32 launch_bf16");
}

TEST(test_points_add_up_to_100)
{
    is_refused(OF_3 "points: 60 20 10\n",
               "INDEX:6: points 60 20 10 do not add up to 100");
    is_refused(OF_3 "points: 60 40\n",
               "INDEX:6: points: write three numbers as in 60 20 20");
    is_refused(OF_3 "points: 100 20 -20\n",
               "INDEX:6: points: write three numbers as in 60 20 20");
    is_refused(OF_3 "points: 60 20 20\n",
               "INDEX:3: 03_a has points for a measure, but no measure");
}

TEST(test_a_measure_has_two_values_and_may_have_a_third)
{
    static const char *const wrong[] = {"x full 1",
                                        "x full 1 zero",
                                        "x full one zero 2",
                                        "x full nan zero 2",
                                        "x zero 2 full 1",
                                        "x full 1 zero 2 before",
                                        "x full 1 zero 2 3 4",
                                        "x full 1 zero 2 before -3",
                                        "x full 1 zero 2 before two",
                                        "x full 1 zero 2 before 3 4"};
    char text[200];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, OF_3 "measure: %s\n", wrong[i]);
        is_refused(text, "INDEX:6: write 'measure: COLUMN full F zero Z', with "
                         "numbers, or also 'before B'");
    }
    is_refused(OF_3 "measure: x full 2 zero 2\n",
               "INDEX:6: x: full and zero are the same, so there is nothing "
               "between them");
    is_read(OF_3 "points: 60 20 20\nmeasure: x full 2 zero 1\n"
                 "measure: y full 1 zero 2 before 0\n");
    assert_int_equal(the_index.lab[0].measures, 2);
    assert_true(the_index.lab[0].measure[0].before == -1.0);
    assert_true(the_index.lab[0].measure[1].before == 0.0);
    course_index_free(&the_index);
}

TEST(test_what_a_handout_is_about_is_words)
{
    is_refused(OF_3 "about: a,b\n",
               "INDEX:6: about 'a,b': write words as in bank_conflicts");
}

TEST(test_too_many_of_anything_is_an_error)
{
    is_refused("shapes: 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 "
               "1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1 1x1x1\n",
               "INDEX:1: more than 16 shapes");
    is_refused(OF_3 "entry: b f host\nentry: c f host\nentry: d f host\n"
                    "entry: e f host\nentry: g f host\nentry: h f host\n",
               "INDEX:11: more than 6 entries");
    is_refused(OF_3 "measure: a full 1 zero 2\nmeasure: b full 1 zero 2\n"
                    "measure: c full 1 zero 2\nmeasure: d full 1 zero 2\n"
                    "measure: e full 1 zero 2\n",
               "INDEX:10: more than 4 measures");
}

TEST(test_a_missing_file_is_named)
{
    assert_int_equal(
        course_index_read("labs/NO_INDEX", &the_index, why, sizeof why), -1);
    assert_string_equal(why, "labs/NO_INDEX: No such file or directory");
}

TEST(test_a_precision_is_a_kind_of_launch)
{
    const struct course_entry *const entry = the_index.lab[0].entry;

    is_read(HEAD "lab: 03_a\ntitle: T\nentry: a f launch\n"
                 "entry: b g launch_tf32\nentry: c h launch_bf16\n"
                 "entry: d i host\npoints: 80 20 0\n");
    for (int i = 0; i < 3; i++)
        assert_int_equal(entry[i].kind, COURSE_LAUNCH);
    assert_int_equal(entry[0].precision, LAB_FP32);
    assert_int_equal(entry[1].precision, LAB_TF32);
    assert_int_equal(entry[2].precision, LAB_BF16);
    assert_int_equal(entry[3].precision, LAB_FP32);
    course_index_free(&the_index);
}

TEST(test_what_a_lab_needs_is_read)
{
    const struct course_needs *const needs = &the_index.lab[0].needs;

    is_read(HEAD LAB);
    assert_null(needs->what);
    course_index_free(&the_index);
    is_read(HEAD LAB "needs: a thing\ntargets: sm_86 compute_86\n");
    assert_string_equal(needs->what, "a thing");
    assert_string_equal(needs->targets, "sm_86 compute_86");
    assert_int_equal(needs->major, 8);
    assert_int_equal(needs->minor, 6);
    assert_false(needs->exactly);
    assert_false(needs->on_cpu);
    course_index_free(&the_index);
    is_read(HEAD LAB "targets: sm_100a\nneeds: a thing\non_cpu: yes\n");
    assert_int_equal(needs->major, 10);
    assert_int_equal(needs->minor, 0);
    assert_true(needs->exactly);
    assert_true(needs->on_cpu);
    course_index_free(&the_index);

    is_refused(HEAD LAB "needs: a thing\n",
               "INDEX:3: 03_tiling has no 'targets': needs and targets belong "
               "together");
    is_refused(HEAD LAB "targets: sm_80\n",
               "INDEX:3: 03_tiling has no 'needs': needs and targets belong "
               "together");
    is_refused(HEAD LAB "targets: compute_80\n",
               "INDEX:9: targets 'compute_80': write them as in sm_80 "
               "compute_80");
    is_refused(HEAD LAB "targets: sm_90ab\n",
               "INDEX:9: targets 'sm_90ab': write them as in sm_80 "
               "compute_80");
    is_refused(HEAD LAB "targets: sm_\n",
               "INDEX:9: targets 'sm_': write them as in sm_80 compute_80");
    is_refused(HEAD LAB "on_cpu: maybe\n",
               "INDEX:9: write 'on_cpu: no' or 'on_cpu: yes' or "
               "'on_cpu: native'");
}

TEST(test_a_problem_of_its_own_has_sizes_of_its_own)
{
    const struct course_lab *const lab = &the_index.lab[0];
    struct course_shape s;
    char text[COURSE_SIZE_TEXT];

    is_read(HEAD LAB "problem: scale\nshapes: 1 33 1000\ncounting: 4096\n"
                     "tile: 256\n");
    assert_int_equal(course_index_shapes(&the_index, lab), 3);
    s = course_index_shape(&the_index, lab, 1);
    assert_true(s.m == 1 && s.n == 33 && s.k == 1);
    assert_string_equal(course_size(lab, s, text), "33");
    s = course_counting(&the_index, lab);
    assert_true(s.m == 1 && s.n == 4096 && s.k == 1);
    for (int i = 0; i < course_small_shapes(lab); i++) {
        s = course_small_shape(lab, i);
        assert_true(s.m == 1 && s.n >= 1 && s.n <= 260 && s.k == 1);
    }
    s = course_sides(lab, (struct course_shape){7, 8, 9});
    assert_true(s.m == 1 && s.n == 8 && s.k == 1);
    course_index_free(&the_index);

    is_read(HEAD LAB "problem: rows\nshapes: 3x31\ncounting: 64x256\n");
    s = course_counting(&the_index, lab);
    assert_string_equal(course_size(lab, s, text), "64 x 256");
    course_index_free(&the_index);

    is_refused(HEAD LAB "problem: scale\n",
               "INDEX:3: 03_tiling has a problem of its own, and no 'shapes' "
               "or no 'counting'");
    is_refused(HEAD LAB "problem: scale\nshapes: 33 3x31\ncounting: 64\n",
               "INDEX:10: size '3x31': write N as in 53");
    is_refused(HEAD LAB "shapes: 33\n",
               "INDEX:9: size '33': write M x N x K as in 37x53x29");
    is_refused(HEAD LAB "problem: scale\nshapes: 33\ncounting: 64\n"
                        "entry: host lab_host host\n",
               "INDEX:3: 03_tiling has a problem of its own: its entries are "
               "launches");
}

TEST(test_small_sizes_go_round_the_labs_tile)
{
    const struct course_lab *const lab = &the_index.lab[0];
    struct course_shape s;

    is_read(HEAD LAB "tile: 16x64x16\n");
    assert_int_equal(course_small_shapes(lab), 68 + 17);
    s = course_small_shape(lab, 0);
    assert_true(s.m == 1 && s.n == 2 && s.k == 1);
    s = course_small_shape(lab, 67);
    assert_true(s.m == 17 && s.n == 1 && s.k == 32);
    s = course_small_shape(lab, 68);
    assert_true(s.m == 4 && s.n == 8 && s.k == 4);
    course_index_free(&the_index);
    is_read(HEAD LAB);
    assert_int_equal(course_small_shapes(lab), 0);
    course_index_free(&the_index);
    is_refused(HEAD LAB "tile: 16\n",
               "INDEX:9: size '16': write M x N x K as in 37x53x29");
}

TEST(test_the_advanced_track_begins_at_its_number)
{
    is_read(HEAD "advanced: 10\nadvanced_shapes: 4x8x4\n" LAB MORE);
    assert_int_equal(the_index.advanced, 10);
    assert_false(the_index.lab[0].advanced);
    assert_true(the_index.lab[1].advanced);
    assert_int_equal(course_index_shapes(&the_index, &the_index.lab[0]), 2);
    assert_int_equal(course_index_shapes(&the_index, &the_index.lab[1]), 3);
    assert_int_equal(course_index_shape(&the_index, &the_index.lab[1], 0).n, 1);
    assert_int_equal(course_index_shape(&the_index, &the_index.lab[1], 1).n, 8);
    assert_int_equal(course_index_shape(&the_index, &the_index.lab[1], 2).n,
                     53);
    assert_int_equal(course_index_shape(&the_index, &the_index.lab[0], 1).n,
                     53);
    course_index_free(&the_index);
    is_read(HEAD LAB);
    assert_int_equal(the_index.advanced, 0);
    assert_false(the_index.lab[0].advanced);
    course_index_free(&the_index);
    is_refused(HEAD "advanced: ten\n",
               "INDEX:3: write 'advanced:' and a whole number from 1 to 99");
    is_refused(HEAD "advanced_shapes: 11\n",
               "INDEX:3: size '11': write M x N x K as in 37x53x29");
    is_refused(HEAD "advanced: 10\nadvanced: 11\n",
               "INDEX:4: 'advanced' stands here for the second time");
    is_refused(HEAD "advanced: 3\n" LAB,
               "INDEX:3: advanced 3: no lab comes before that");
}

/* These nine are the contract; how many more there are is not. */
TEST(test_the_labs_are_listed)
{
    if (course_index_read("labs/INDEX", &the_index, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_true(the_index.labs >= 1 && the_index.shapes.count >= 1);
    for (int i = 1; i < the_index.labs; i++)
        assert_true(the_index.lab[i].advanced >= the_index.lab[i - 1].advanced);
    course_index_free(&the_index);
}

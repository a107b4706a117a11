/*
 * What holds for a class over a whole term (CLASS=): its table of all labs.
 *
 * Each test grades small downloads as an instructor would. Verdicts are those
 * of fake.c.
 */
#define _GNU_SOURCE
#include "../testing.h"
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>

EACH_TEST(folder_make_course, NULL);

/* --- the table of all labs ------------------------------------------------ */

#define GRADEBOOK                                               \
    "Student,ID,SIS User ID,Lab 02 (8),Lab 03 (9),Report (7)\n" \
    "Points Possible,,,100,100,20\n\"Li, Anna\",41,s41,,,\n"    \
    "\"B, =Ben\",42,s42,,,\n\"C, Cy\",43,s43,,,\n"
#define TERM "--rubric rubric --roster gradebook.csv --class class "

static void lay_term(void)
{
    folder_put("rubric", "report: 20\nlate: 10\nzone: UTC\n"
                         "lab: 03_tiling\ndue: 2026-11-06\n");
    folder_put("gradebook.csv", GRADEBOOK);
    folder_put("two/lianna_41_901_gpu_naive.cu", "PASS");
    folder_put("two/bben_42_902_gpu_naive.cu", "FAIL");
    folder_put("three/lianna_LATE_41_903_tiling.cu", "PASS");
    folder_put("three/bben_42_904_what.cu", "");
    folder_put("three/bben_42_905_ever.cu", "");
    folder_put("three/ccy_43_906_tiling.cu", "PASS");
    folder_put("last/lianna_41_907_answers.txt", "01.1: so\n");
    folder_put("last/ccy_43_908_answers.txt", "01.1: thus\n");
    folder_put("last.grades/manual.csv",
               "student,lab,points,reason\ns41,report,19,\n");
}

TEST(test_a_term_is_one_table)
{
    lay_term();
    grades(TERM "--lab 2 two", 0, "the whole term: class/course.csv\n");
    grades(TERM "--lab 3 three", 0, "the whole term: class/course.csv\n");
    grades(TERM "last", 0, "the whole term: class/course.csv\n");
    assert_string_equal(
        text_of("class/course.csv"),
        "student,name,total,missing,undecided,late_days,02_gpu_naive,"
        "02_gpu_naive_days,03_tiling,03_tiling_days,report\n"
        ",points possible,220,,,0,100,,100,,20\n"
        "s41,\"Li, Anna\",209,,,1,100,,90,1,19\n"
        "s42,\"B, =Ben\",0,report,03,0,0,,,,0\n"
        "s43,\"C, Cy\",100,02,report,0,0,,100,,\n");
}

/* A run replaces what it graded, and nothing else. */
TEST(test_a_second_run_replaces_its_own_columns)
{
    lay_term();
    grades(TERM "--lab 2 two", 0, "");
    folder_put("class/course.csv",
               "student,name,total,missing,undecided,late_days,02_gpu_naive,"
               "02_gpu_naive_days,03_tiling,03_tiling_days\n"
               ",points possible,200,,,0,100,,100,\n"
               "s41,A,150,,,2,50,,100,2\ns99,gone,30,,03,0,30,,,\n");
    grades(TERM "--lab 2 two", 0, "");
    text_says("class/course.csv", "s41,\"Li, Anna\",200,,,2,100,,100,2\n"
                                  "s99,gone,30,,03,0,30,,,\n"
                                  "s42,\"B, =Ben\",0,,,0,0,,,\n"
                                  "s43,\"C, Cy\",0,02,,0,0,,,\n");
    /* Three labs that nobody handed in are no columns. */
    grades(TERM "two", 0, "");
    text_lacks("class/course.csv", "04_coalescing");
}

/* One export has all columns; what nobody decided stays as it is. */
TEST(test_one_export_takes_the_whole_term)
{
    lay_term();
    grades(TERM "--lab 2 two", 0, "");
    grades(TERM "--lab 3 three", 0, "");
    grades(TERM "last", 0, "");
    grades("--class class --export 'canvas moodle' --canvas gradebook.csv "
           "--moodle people.csv",
           2, "people.csv: ");
    folder_put("people.csv", "username,First name,Last name\ns41,Anna,Li\n"
                             "s42,Ben,B\n");
    grades("--class class --export 'canvas moodle' --canvas gradebook.csv "
           "--moodle people.csv",
           0,
           "class/course.csv: 3 students\n"
           "  02_gpu_naive: 2 have points, 1 missing, 0 not decided\n"
           "  03_tiling: 2 have points, 0 missing, 1 not decided\n"
           "  report: 1 have points, 1 missing, 1 not decided\n"
           "  canvas: class/export/canvas.csv; 3 students, 3 labs\n");
    assert_string_equal(
        text_of("class/export/canvas.csv"),
        "Student,ID,SIS User ID,Lab 02 (8),Lab 03 (9),Report (7)\n"
        "    Points Possible,,,100,100,20\n\"Li, Anna\",41,s41,100,90,19\n"
        "\"B, =Ben\",42,s42,0,,\n\"C, Cy\",43,s43,0,100,\n");
    assert_string_equal(text_of("class/export/moodle.csv"),
                        "username,Lab 02,Lab 03,Report\ns41,100,90,19\n"
                        "s42,0,-,-\n");
}

TEST(test_what_is_no_table_is_left_alone)
{
    lay_term();
    grades("--class class", 2, "class: has no course.csv");
    folder_put("class/course.csv", "a,b\n1,2\n");
    grades(TERM "--lab 2 two", 2, "no column 'student', so it is no table");
    assert_string_equal(text_of("class/course.csv"), "a,b\n1,2\n");
    folder_put("class/course.csv", "student,03_tiling\ns41,many\n");
    grades(TERM "--lab 2 two", 2, "class/course.csv: row 2: points and days");
    grades("--class class --one s41 two", 2,
           "--class goes with neither --one nor --share");
}

/* --- what was agreed ------------------------------------------------------ */

/* One hands in for both: both have the points and the days, and are named. */
TEST(test_a_pair_has_the_points_of_what_one_hands_in)
{
    lay_term();
    runs("printf '\"D, D\",44,s44,,,\\n' "
         ">>gradebook.csv && rm three/bben*",
         0, "");
    folder_put("class/people.csv", "student,lab,days,with,reason\n"
                                   "s42,,,s41,pair\ns43,02,,s44,once\n");
    grades(TERM "--lab 3 --export canvas --canvas gradebook.csv three", 0,
           "not in it: s42\n");
    text_says("class/course.csv", "s41,\"Li, Anna\",90,,,1,90,1\n"
                                  "s42,\"B, =Ben\",90,,,1,90,1\n"
                                  "s43,\"C, Cy\",100,,,0,100,\n");
    text_says("three.grades/grades.csv", "handed in with s42\"");
    runs("grep '^s42,.*handed in with s41' three.grades/grades.csv", 0, "");
    text_says("three.grades/feedback/0002_s42.md",
              "Handed in together with s41.");
    text_says("three.grades/export/canvas.csv", ",s42,90\n");
    /* A lab's own group counts in that lab. */
    runs("rm two/bben*", 0, "");
    grades(TERM "--lab 2 two", 0, "");
    runs("grep '^s42,.*,100,,PASS,boxed,,handed in with s41$' "
         "two.grades/grades.csv",
         0, "");
    runs("grep '^s43,.*,0,,MISSING' two.grades/grades.csv", 0, "");
    folder_put("class/people.csv", "student,lab,days,with\ns42,,,s99\n");
    grades(TERM "--lab 2 two", 2,
           "class/people.csv: row 2: there is no student 's99'");
}

/* Days more, for one lab or for all; what does not count is no 0. */
TEST(test_extensions_and_absences_stand_in_one_file)
{
    lay_term();
    folder_put("class/people.csv",
               "student,lab,days,reason\ns41,,1,ill\ns42,03,excused,hospital\n"
               "s43,02,excused,\n");
    grades(TERM "--lab 2 --export 'canvas moodle' --canvas gradebook.csv "
                "--moodle people.csv two",
           2, "people.csv: ");
    folder_put("people.csv", "username,First name\ns42,Ben\ns43,Cy\n");
    grades(TERM "--lab 2 --export 'canvas moodle' --canvas gradebook.csv "
                "--moodle people.csv two",
           0, "");
    text_says("two.grades/export/canvas.csv", ",s43,EX\n");
    text_says("two.grades/export/moodle.csv", "s43,-,");
    /* Nothing old is there to be imported when a gradebook is refused. */
    folder_put("twice.csv",
               "Student,ID,SIS User ID,Lab 02 (8),Lab 02 (9)\n"
               "Points Possible,,,100,100\n\"B, =Ben\",42,s42,,\n");
    grades(TERM "--lab 2 --export canvas --canvas twice.csv two", 2,
           "are both Lab 02");
    assert_false(is_there("two.grades/export/canvas.csv"));
    grades(TERM "--lab 3 three", 0, "");
    text_says("class/course.csv", "s41,\"Li, Anna\",200,,,0,100,,100,\n"
                                  "s42,\"B, =Ben\",0,,,0,0,,excused,\n"
                                  "s43,\"C, Cy\",100,,,0,excused,,100,\n");
    text_says("three.grades/grades.csv", "03 has 1 day more: ill");
    text_says("three.grades/grades.csv", "03 excused: hospital");
    text_says("three.grades/feedback/0002_s42.md", "MISSING, excused");
    grades("--class class --export canvas --canvas gradebook.csv", 0,
           "03_tiling: 2 have points, 0 missing, 0 not decided");
    text_says("class/export/canvas.csv", ",s42,0,EX\n");
    /* Whoever decides otherwise wins. */
    folder_put("three.grades/manual.csv",
               "student,lab,points,reason\ns42,03,70,came\n");
    grades(TERM "--lab 3 three", 0, "");
    text_says("class/course.csv", "s42,\"B, =Ben\",70,,,0,0,,70,\n");
    folder_put("class/people.csv", "student,lab,days\ns41,03,soon\n");
    grades(TERM "--lab 3 three", 2, "days 'soon' are no whole number");
    folder_put("class/people.csv", "student,lab,days\ns41,77,1\n");
    grades(TERM "--lab 3 three", 2, "there is no lab '77'");
    folder_put("class/people.csv", "student,lab,days,with\ns41,03,,\n");
    grades(TERM "--lab 3 three", 2, "says neither days nor with whom");
}

/* --- the log of decisions ------------------------------------------------- */

/* Without the times, and with whoever runs this as ME. */
static void log_is(const char *path, const char *words)
{
    char line[300];

    snprintf(line, sizeof line,
             "grep -qE '^20[0-9][0-9]-[01][0-9]-[0-3][0-9] [0-9:]{8} "
             "[-+][0-9]{4},|^when' %s && sed -E \"s/^20[^,]*,//; "
             "s/^$(id -un),/ME,/\" %s >told",
             path, path);
    runs(line, 0, "");
    assert_string_equal(text_of("told"), words);
}

TEST(test_a_log_says_who_decided_what_and_why)
{
    hand_in("alice", "tiling.cu", "FAIL");
    hand_in("=bob", "tiling.cu", "PASS");
    folder_put("rubric", "report: 20\n");
    grades("--lab 3 --out out s", 0, "");
    assert_false(is_there("out/log.csv"));
    folder_put("out/manual.csv", "student,lab,points,reason,by\n"
                                 "alice,03,40,\"explained it, in class\",Eve\n"
                                 "'=bob,03,90%,late,\nalice,3.2,3,good,\n");
#define GRADED_AGAIN grades("--rubric rubric --lab 3 --out out s", 0, "")
    GRADED_AGAIN;
    GRADED_AGAIN;
    log_is("out/log.csv", "when,who,student,lab,old,new,why,from\n"
                          "Eve,alice,03,0,40,\"explained it, in class\",out\n"
                          "ME,'=bob,03,100,90,late,out\n"
                          "ME,alice,03.2,,3,good,out\n");
    folder_put("out/manual.csv", "student,lab,points,reason\n"
                                 "alice,03,60,appeal\nalice,03.2,3,good\n");
    GRADED_AGAIN;
    GRADED_AGAIN;
    log_is("out/log.csv", "when,who,student,lab,old,new,why,from\n"
                          "Eve,alice,03,0,40,\"explained it, in class\",out\n"
                          "ME,'=bob,03,100,90,late,out\n"
                          "ME,alice,03.2,,3,good,out\n"
                          "ME,alice,03,40,60,appeal,out\n"
                          "ME,'=bob,03,90,100,taken back,out\n");
}

/* One log of a class, of which each download knows its own decisions. */
TEST(test_a_class_has_one_log)
{
    lay_term();
    folder_put("two.grades/manual.csv",
               "student,lab,points,reason\ns42,02,50,spoke\n");
    grades(TERM "--lab 2 two", 0, "");
    grades(TERM "last", 0, "");
    grades(TERM "--lab 2 two", 0, "");
    log_is("class/log.csv", "when,who,student,lab,old,new,why,from\n"
                            "ME,s42,02,0,50,spoke,two.grades\n"
                            "ME,s41,report,,19,,last.grades\n");
    assert_false(is_there("two.grades/log.csv"));
    folder_put("class/log.csv", "my,log\n");
    grades(TERM "--lab 2 two", 2, "class/log.csv: no column 'student'");
    assert_string_equal(text_of("class/log.csv"), "my,log\n");
}

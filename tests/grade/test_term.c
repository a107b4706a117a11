/*
 * Does a term go on as INSTRUCTORS.md says, whatever a class hands in?
 *
 * Each test lays a small class as a system delivers it, and grades it as an
 * instructor would. Verdicts are those of fake.c.
 */
#define _GNU_SOURCE
#include "../testing.h"
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>

EACH_TEST(folder_make_course, NULL);

static const char with_report[] = "report: 20\n";

/* --- the report ----------------------------------------------------------- */

/* Three archives make three reports and three answers.txt. */
TEST(test_answers_of_several_archives_are_one_report)
{
    folder_put("rubric", with_report);
    folder_put("labs/01_cpu_naive/questions.txt", "01.1: Why?\n");
    folder_put("labs/04_coalescing/questions.txt", "04.1: Why?\n04.2: How?\n");
    folder_put("c/anna_47_901_report.html", "-");
    folder_put("c/anna_47_902_report-1.html", "-");
    folder_put("c/anna_47_903_answers.txt", "01.1: so\n");
    folder_put("c/anna_47_904_answers-1.txt", "04.1: thus\n04.2: one\n");
    folder_put("c/anna_47_905_answers-2.txt", "04.2: two\n");
    grades("--rubric rubric --out out c", 0, "answers to 2 questions:");
    text_says("out/answers/01.1.html", "<p dir=\"auto\">so");
    text_says("out/answers/04.1.html", "<p dir=\"auto\">thus");
    text_says("out/grades.csv", "answers: 04.2 has two answers, in "
                                "answers-1.txt and in answers-2.txt");
    text_lacks("out/grades.csv", "not graded: ");
    text_says("out/feedback/0001_47.md", "04.2 has two answers");
}

/* A report has no labs, and says nothing of them. */
TEST(test_the_feedback_of_a_report_counts_the_report)
{
    folder_put("rubric", with_report);
    folder_put("gradebook.csv", "Student,ID,SIS User ID,Report (9)\n"
                                "Points Possible,,,20\n"
                                "\"Smith, Jr.\",47,s47,\n");
    folder_put("c/smithjr_47_903_answers.txt", "01.1: so\n");
    grades("--rubric rubric --roster gradebook.csv --out out c", 0, "");
    text_says("out/feedback/0001_s47.md",
              "# Smith, Jr. (s47)\n\n0 of 0 points. Not decided yet: Report.");
    folder_put("out/manual.csv", "student,lab,points,reason\ns47,report,19,\n");
    grades("--rubric rubric --roster gradebook.csv --out out c", 0, "");
    text_says("out/feedback/0001_s47.md", "19 of 20 points.");
    text_lacks("out/feedback/0001_s47.md", "MISSING");
}

TEST(test_the_feedback_of_a_lab_leaves_out_what_is_not_read)
{
    folder_put("rubric", with_report);
    hand_in("a", "tiling.cu", "PASS");
    grades("--rubric rubric --lab 3 --out out s", 0, "");
    text_says("out/feedback/0001_a.md",
              "100 of 100 points. Not decided yet: Report.");
}

/* --- what was handed in is never a silent 0 ------------------------------- */

/* Moodle's list of participants has no numbers, so nobody knows who of two. */
TEST(test_two_of_one_name_have_no_points_until_a_person_looks)
{
    folder_put("people.csv", "First name,Last name,Email address\n"
                             "Anna,M\xc3\xbcller,a1@u\n"
                             "Anna,M\xc3\xbcller,a2@u\nBen,Li,b@u\n");
    folder_put("c/Anna Mu\xcc\x88ller_11_assignsubmission_file_/tiling.cu",
               "PASS");
    folder_put("c/Ben Li_12_assignsubmission_file_/tiling.cu", "PASS");
#define PEOPLE \
    "--lab 3 --roster people.csv --export moodle --moodle people.csv --out out c"
    grades(PEOPLE " --missing yes", 0, "look at what they handed in: a1@u, a2");
    runs("grep -c '^a[12]@u,-,' out/export/moodle.csv | grep -x 2", 0, "");
    text_says("out/export/moodle.csv", "b@u,100,");
    runs("grep 'a1@u,Anna [^,]*,,,MISSING,boxed,' out/grades.csv", 0,
         "more than one has this name");
    folder_put("out/manual.csv", "student,lab,points,reason\n"
                                 "a1@u,03,100,asked\na2@u,03,0,asked\n");
    expect_none(grades(PEOPLE " --missing yes", 0, ""), "look at what");
    text_says("out/export/moodle.csv", "a1@u,100,");
    text_says("out/export/moodle.csv", "a2@u,0,");
}

/* Nor does one become the other's: each has a row. Brightspace's folders have
   no number that is known to be a person's. */
TEST(test_two_of_one_name_are_two_rows_in_every_download)
{
    static const char *const one[] = {
        "c/Anna Li_11_assignsubmission_file_/tiling.cu",
        "c/11-7 - Anna Li - Oct 5, 2026 1230 PM/tiling.cu",
        "c/7-7 - Anna Li - Oct 5, 2026 1230 PM/tiling.cu"};
    static const char *const two[] = {
        "c/Anna Li_12_assignsubmission_file_/tiling.cu",
        "c/12-7 - Anna Li - Oct 5, 2026 1230 PM/tiling.cu",
        "c/7-7 - Anna Li - Oct 5, 2026 1231 PM/tiling.cu"};

    folder_put("people.csv", "First name,Last name,Email address\n"
                             "Anna,Li,a1@u\nAnna,Li,a2@u\nBen,Li,b@u\n");
    for (int i = 0; i < 3; i++) {
        folder_put(one[i], "PASS");
        folder_put(two[i], "FAIL");
        folder_put(i == 0 ? "c/Ben Li_13_assignsubmission_file_/tiling.cu"
                          : "c/13-7 - Ben Li - Oct 5, 2026 1230 PM/tiling.cu",
                   "PASS");
        grades("--lab 3 --roster people.csv --out out c", 0,
               "look at what they handed in: a1@u, a2@u");
        text_says("out/grades.csv", ",Anna Li,100,100,PASS,");
        text_says("out/grades.csv", ",Anna Li,0,0,FAIL,");
        runs("grep -c '^a[12]@u,Anna Li,,,MISSING' out/grades.csv", 0, "2");
        runs("rm -r c out", 0, "");
    }
}

/* One of the two has left the course, and what is hers is not the other's. */
TEST(test_one_of_two_who_is_not_on_the_roster_is_not_the_other)
{
    folder_put("people.csv", "First name,Last name,Email address\n"
                             "Anna,Li,a1@u\nBen,Li,b@u\n");
    folder_put("sheet.csv", "Identifier,Full name,Email address\n"
                            "Participant 11,Anna Li,a1@u\n"
                            "Participant 13,Ben Li,b@u\n");
    folder_put("c/Anna Li_11_assignsubmission_file_/tiling.cu", "PASS");
    folder_put("c/Anna Li_12_assignsubmission_file_/tiling.cu", "FAIL");
    folder_put("c/Ben Li_13_assignsubmission_file_/tiling.cu", "PASS");
    grades("--lab 3 --roster people.csv --out out c", 0,
           "look at what they handed in: a1@u");
    grades("--lab 3 --roster sheet.csv --out out2 c", 0, "");
    text_says("out2/grades.csv", "a1@u,Anna Li,100,100,PASS,");
    text_says("out2/grades.csv", "Anna Li_12,Anna Li,");
}

TEST(test_what_was_typed_into_canvas_is_for_the_eye)
{
    folder_put("gradebook.csv", "Student,ID,SIS User ID,Lab 03 (9)\n"
                                "Points Possible,,,100\n"
                                "\"A, A\",41,a,\n\"B, B\",42,b,\n"
                                "\"C, C\",43,c,\n\"D, D\",44,d,\n");
    folder_put("c/aa_41_901_tiling.cu", "PASS");
    folder_put("c/bb_42_902_tiling.cu", "PASS");
    folder_put("c/cc_LATE_43_text.html", "<p>__global__ ...</p>");
    grades("--lab 3 --roster gradebook.csv --export canvas "
           "--canvas gradebook.csv --out out c",
           0, "3 of the 4 on the roster handed in");
    text_says("out/export/canvas.csv", "\"B, B\",42,b,100\n"
                                       "\"C, C\",43,c,\n\"D, D\",44,d,0\n");
    text_says("out/grades.csv", "no points until you decide in manual.csv");
    text_says("out/grades.csv", "not graded: text.html");
    text_says("out/feedback/0003_c.md", "MISSING, no points were decided");
}

TEST(test_what_was_typed_into_moodle_is_for_the_eye)
{
    folder_put("people.csv", "First name,Last name,Email address\n"
                             "Anna,Li,a@u\nBen,Li,b@u\n");
    folder_put("c/Anna Li_11_assignsubmission_file_/tiling.cu", "PASS");
    folder_put("c/Ben Li_12_assignsubmission_onlinetext_/onlinetext.html", "-");
    grades(PEOPLE, 0, "look at what they handed in: b@u");
    text_says("out/export/moodle.csv", "a@u,100,");
    text_says("out/export/moodle.csv", "b@u,-,");
}

/* A clone has the skeleton in its place, and the work beside it. */
TEST(test_work_beside_the_template_of_a_clone_is_taken)
{
    folder_put("labs/03_tiling/tiling.cu", "UNFINISHED");
    for (int i = 0; i < 4; i++) {
        folder_put_as("[core]", "c/lab03-s%d/.git/config", i);
        folder_put_as("UNFINISHED", "c/lab03-s%d/labs/03_tiling/tiling.cu", i);
        folder_put_as("UNFINISHED", "c/lab03-s%d/labs/transpose/transpose.cu",
                      i);
    }
    folder_put("c/lab03-s0/lab03.cu", "PASS, by another name");
    folder_put("tiling.cu", "PASS, packed");
    runs("zip -q c/lab03-s1/work.zip tiling.cu", 0, "");
    folder_put("c/lab03-s2/labs/03_tiling/tiling.cu", "UNFINISHED, by hand");
    folder_put("c/lab03-s2/lab03.cu", "PASS, and what is this?");
    grades("--lab 3 --out out c", 0, "2 PASS, 2 UNFINISHED");
    runs("grep -c ',PASS,boxed,,$' out/grades.csv | grep -x 2", 0, "");
    runs("grep lab03-s2,,,,UNF out/grades.csv", 0,
         "labs/03_tiling/tiling.cu is graded, and lab03.cu is there too");
    runs("grep lab03-s3,,0,0,UNFINISHED,boxed,,$ out/grades.csv", 0, "");
    /* A name that no lab has is no silent 0, in a clone or beside a skeleton
       that was handed in. */
    folder_put("c/lab03-s3/labs/INDEX", "1");
    folder_put("c/lab03-s3/hw3.cu", "PASS");
    folder_put("VERSION", "1");
    folder_put("labs/transpose/transpose.cu", "UNFINISHED");
    grades("--lab 3 --out out c", 0, "");
    runs("grep lab03-s3,,,,UNFINISHED out/grades.csv", 0,
         "is as it was given out, and hw3.cu is there too");
    runs("mv c/lab03-s3/hw3.cu hw3.cu", 0, "");
    folder_put("c/lab03-s3/answers.txt", "03.1: __global__ says so\n");
    folder_put("c/lab03-s3/code.txt", "__global__ void matmul();\n");
    grades("--lab 3 --out out c", 0, "");
    runs("grep lab03-s3,,,,UNFINISHED out/grades.csv", 0,
         "is as it was given out, and code.txt is there too");
    runs("rm c/lab03-s3/code.txt", 0, "");
    grades("--lab 3 --out out c", 0, "");
    runs("grep lab03-s3,,0,0,UNFINISHED,boxed,, out/grades.csv", 0, "");
    runs("rm c/lab03-s3/answers.txt; mv hw3.cu c/lab03-s3", 0, "");
    runs("mkdir flat && mv c/lab03-s3/hw3.cu flat && "
         "cp labs/03_tiling/tiling.cu flat && mkdir -p f && mv flat f/s9",
         0, "");
    grades("--lab 3 --out flat f", 0, "");
    runs("grep s9,,,,UNFINISHED flat/grades.csv", 0, "hw3.cu is there too");
    /* Who has not merged the stage of lab 04 has handed nothing in for it; what
       is not the course's own may be it. */
    folder_put("labs/04_coalescing/coalescing.cu", "UNFINISHED");
    folder_put("labs/transpose/transpose.cu", "UNFINISHED");
    folder_put("VERSION", "1");
    folder_put("c/lab03-s3/VERSION", "1");
    for (int i = 0; i < 4; i++)
        folder_put_as("1", "c/lab03-s%d/labs/INDEX", i);
    folder_put("c/lab03-s2/mine/lab4x.cu", "PASS");
    grades("--lab 4 --missing yes --out four c", 0, "4 MISSING");
    runs("grep lab03-s3,,0,0,MISSING,boxed,,$ four/grades.csv", 0, "");
    runs("grep lab03-s2,,,,MISSING four/grades.csv", 0, "mine/lab4x.cu");
}

/* Whatever somebody handed in, and whatever system brings it: what earned no
   points without being graded is for the eye, and no export has a 0 for it.
   Student 0 passes, by another name; $i and $f are each one and the file. */
#define EACH_ODD(lay) "i=0; for f in odd/*; do " lay "; i=$((i + 1)); done"

static void lay_odd_files(void)
{
    folder_put("odd/0.cu", "PASS");
    folder_put("odd/coalescing.cu", "PASS");
    folder_put("odd/lab.pdf", "-");
    folder_put("odd/answers.txt", "01.1: so\n");
    folder_put("odd/tiling.c", "PASS");
    folder_put("odd/broken.zip", "PK");
    folder_put("odd/work.rar", "-");
    folder_put("build/tiling.cu", "PASS");
    runs(
        "zip -q odd/pdf.zip odd/lab.pdf && zip -q odd/deep.zip build/tiling.cu "
        "&& { echo 'Student,ID,SIS User ID,Lab 03 (9)'; "
        "echo 'Points Possible,,,100'; for i in 0 1 2 3 4 5 6 7 8; do "
        "echo \"\\\"S, S$i\\\",$i,s$i,55\"; done; } >gradebook.csv && "
        "{ echo 'username,First name,Last name'; for i in 0 1 2 3 4 5 6 7 8; "
        "do echo \"s$i,S$i,S\"; done; } >people.csv",
        0, "");
}

static void no_zero_in(const char *table, const char *lay)
{
    char line[300];

    runs(lay, 0, "");
    snprintf(line, sizeof line,
             "--lab 3 --missing yes --roster %s --export 'canvas moodle' "
             "--canvas gradebook.csv --moodle people.csv --out out c",
             table);
    grades(line, 0, "9 for a person to look at");
    runs("grep -cE '^s[1-8],.*,,,(MISSING|REJECTED),boxed,.?03: ' "
         "out/grades.csv | grep -x 8",
         0, "");
    runs("grep -c '^s[1-8],-,' out/export/moodle.csv | grep -x 8", 0, "");
    runs("grep -c ',s[1-8],55$' out/export/canvas.csv | grep -x 8", 0, "");
    text_says("out/export/canvas.csv", ",s0,100\n");
    runs("rm -r c out", 0, "");
}

TEST(test_no_system_brings_a_silent_zero)
{
    lay_odd_files();
    no_zero_in("gradebook.csv", EACH_ODD("mkdir -p c/s$i && cp $f c/s$i"));
    no_zero_in("gradebook.csv",
               EACH_ODD("mkdir -p c && cp $f c/ss${i}_${i}_90${i}_${f#*/}"));
    no_zero_in("people.csv",
               EACH_ODD("d=\"c/S$i S_1${i}_assignsubmission_file_\"; "
                        "mkdir -p \"$d\" && cp $f \"$d\""));
    no_zero_in("gradebook.csv",
               EACH_ODD("mkdir -p c/submission_1$i && cp $f c/submission_1$i "
                        "&& printf 'submission_1%s:\\n  :submitters:\\n  - "
                        ":name: S%s S\\n    :sid: s%s\\n' $i $i $i "
                        ">>c/submission_metadata.yml"));
    no_zero_in("gradebook.csv",
               EACH_ODD("mkdir -p c/lab03-s$i/.git && cp $f c/lab03-s$i && "
                        "echo >c/lab03-s$i/.git/config"));
}

/* Who handed in one of two labs has a 0 for the other. */
TEST(test_a_lab_that_is_not_there_is_a_zero_beside_one_that_is)
{
    hand_in("a", "tiling.cu", "PASS");
    hand_in("b", "tiling.cu", "PASS");
    hand_in("b", "coalescing.cu", "PASS");
    hand_in("c", "tiling.cu", "PASS");
    hand_in("c", "lab4x.cu", "PASS");
    grades("--lab '3 4' --out out s", 0, "");
    text_says("out/grades.csv", "\na,,100,100,0,PASS,MISSING,boxed,,\n"
                                "b,,200,100,100,PASS,PASS,boxed,,\n"
                                "c,,,100,,PASS,MISSING,boxed,\"04: no points");
}

/* In a download of one lab a student's only source is meant for it. */
TEST(test_one_source_is_taken_whatever_its_name_is)
{
    hand_in("a", "final version.cu", "PASS");
    hand_in("b", "one.cu", "PASS");
    hand_in("b", "two.cu", "PASS");
    hand_in("c", "coalescing.cu", "PASS");
    hand_in("d", "tiling.cu", "PASS");
    grades("--lab 3 --out out s", 0, "2 PASS, 2 MISSING");
    text_says("out/grades.csv", "a,,100,100,PASS,boxed,\"03: final version.cu "
                                "is taken for it");
    text_says("out/grades.csv", "b,,,,MISSING,boxed,\"03: no points until you");
    text_says("out/grades.csv", "c,,,,MISSING,boxed,\"03: no points until you");
    text_says("out/grades.csv", "d,,100,100,PASS,boxed,,\n");
    grades("--out out s", 0, "");
    text_lacks("out/grades.csv", "is taken for it");
}

/* Two that differ are refused, which no export says. */
TEST(test_what_is_refused_is_looked_at)
{
    hand_in("a", "tiling.cu", "PASS");
    hand_in("a", "03_tiling.cu", "FAIL");
    hand_in("b", "tiling.cu", "PASS");
    grades("--lab 3 --out out s", 0, "  1 for a person to look at");
    text_says("out/grades.csv", "a,,,,REJECTED,boxed,\"03: 03_tiling.cu and "
                                "tiling.cu are both there and differ");
    text_says("out/grades.csv", "b,,100,100,PASS,boxed,,\n");
}

/* A lab that lies packed in a clone came when its archive was committed. */
TEST(test_a_packed_lab_of_a_clone_is_dated_by_its_archive)
{
    static const char commits[] =
        "set -e; commit() { git add .; GIT_COMMITTER_DATE=\"@$1 +0000\" "
        "git commit -qm $1; }\n"
        "for late in 0 1; do mkdir -p c/lab03-s$late/labs/03_tiling; "
        "cd c/lab03-s$late; git init -q .; git config user.name a; "
        "git config user.email b; cp ../../labs/03_tiling/tiling.cu "
        "labs/03_tiling; commit 1000000; "
        "cp ../../work.zip .; commit $((2000000 + 2000000 * late)); "
        "echo >notes; commit 5000000; cd ../..; done\n";

    if (system("git --version >/dev/null 2>&1") != 0)
        skip();
    folder_put("labs/03_tiling/tiling.cu", "UNFINISHED");
    folder_put("tiling.cu", "PASS, packed");
    runs("zip -q work.zip tiling.cu", 0, "");
    assert_int_equal(system(commits), 0);
    folder_put("rubric", "late: 10\nzone: +00:00\n"
                         "lab: 03_tiling\ndue: 1970-02-14\n");
    grades("--lab 3 --rubric rubric --out out c", 0, "2 PASS");
    text_says("out/grades.csv", "lab03-s0,,100,100,PASS,boxed,,");
    text_says("out/grades.csv", "lab03-s1,,80,");
}

/* By the zone of the class, wherever it is graded. */
TEST(test_moodles_worksheet_says_when_it_came)
{
    folder_put("rubric", "late: 10\nzone: -08:00\n"
                         "lab: 03_tiling\ndue: 2026-11-06\n");
    folder_put("sheet.csv",
               "Identifier,Full name,Email address,Status,Grade,"
               "Last modified (submission)\n"
               "Participant 11,Anna Li,a@u,,,\"Friday, 6 November 2026, 11:59 "
               "PM\"\n"
               "Participant 12,Ben Li,b@u,,,\"Samstag, 7. November 2026, "
               "00:01\"\nParticipant 13,Cy Li,c@u,,,-\n");
    folder_put("c/Anna Li_11_assignsubmission_file_/tiling.cu", "PASS");
    folder_put("c/Ben Li_12_assignsubmission_file_/tiling.cu", "PASS");
    grades("--lab 3 --rubric rubric --roster sheet.csv --out out c", 0, "");
    text_says("out/grades.csv", "a@u,Anna Li,100,");
    text_says("out/grades.csv", "b@u,Ben Li,90,");
    text_says("out/grades.csv", "c@u,Cy Li,0,");
    runs("sed -i 's/Samstag, 7. November/sabato 7 novembre/' sheet.csv", 0, "");
    grades("--lab 3 --rubric rubric --roster sheet.csv --out out c", 0,
           "which is no date in English or German: write late.csv");
}

/* --- gradebooks ----------------------------------------------------------- */

/* As Canvas exports it with names in two columns. */
TEST(test_a_gradebook_with_first_and_last_names_is_taken)
{
    folder_put("gradebook.csv",
               "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,"
               "Lab 03 (9)\n,,,,,,Manual Posting\n"
               "    Points Possible,,,,,,100\nLi,Anna,41,s41,anna,A,\n"
               "Smith,Ben,42,s42,ben,A,\nStudent,Test,43,,x,A,\n");
    folder_put("c/lianna_41_901_tiling.cu", "PASS");
    folder_put("c/smithben_42_902_tiling.cu", "FAIL");
    grades("--lab 3 --roster gradebook.csv --export canvas "
           "--canvas gradebook.csv --out out c",
           0, "2 of the 2 on the roster handed in");
    text_says("out/export/canvas.csv",
              "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Lab 03 "
              "(9)\n");
    text_says("out/export/canvas.csv", "    Points Possible,,,,,,100\n"
                                       "Li,Anna,41,s41,anna,A,100\n"
                                       "Smith,Ben,42,s42,ben,A,0\n");
    text_says("out/grades.csv", "anna,Anna Li,100,");
}

/* --- feedback, all at once ------------------------------------------------ */

/* The zip is whole, and nothing stands behind it. Its names are read as the
   systems read them. */
#define IN_THE_ZIP(system, rule)                                           \
    "unzip -tqq out/export/" system "-feedback.zip && "                    \
    "tail -c 22 out/export/" system "-feedback.zip | head -c 4 | od -c | " \
    "grep -q 'P   K 005 006' && unzip -Z1 out/export/" system              \
    "-feedback.zip | awk -F_ '" rule "'"

/* The first two parts that are digits: a person, and an attachment. */
TEST(test_canvas_takes_feedback_back)
{
    folder_put("gradebook.csv",
               "Student,ID,SIS User ID,Lab 03 (9)\nPoints Possible,,,100\n"
               "\"A, A\",41,a,\n\"B, B\",42,b,\n\"C, C\",43,c,\n"
               "\"D, D\",44,d,\n");
    folder_put("c/aa_LATE_41_901_notes.pdf", "-");
    folder_put("c/aa_LATE_41_902_tiling-1.cu", "PASS");
    folder_put("tiling.cu", "FAIL, packed");
    runs("zip -q c/bb_42_903_lab03.zip tiling.cu", 0, "");
    folder_put("c/cc_43_text.html", "typed");
#define FEEDBACK                                                    \
    "--lab 3 --roster gradebook.csv --export canvas --missing yes " \
    "--canvas gradebook.csv --out out c"
    grades(FEEDBACK, 0,
           "canvas: out/export/canvas-feedback.zip; feedback of 2 students\n"
           "  handed in no file that can carry feedback, so not in it: c\n");
    runs(IN_THE_ZIP("canvas",
                    "{ n = 0; for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+$/ "
                    "&& n < 2) id[++n] = $i; if (n == 2 && $NF !~ /^link/) "
                    "print id[1], id[2], $NF }"),
         0, "41 902 tiling-1.cu\n42 903 lab03.zip\n");
    runs("unzip -p out/export/canvas-feedback.zip '*tiling-1.cu'", 0,
         "A, A (a)\n\n100 of 100 points.");
    runs("unzip -p out/export/canvas-feedback.zip '*.zip' >in.zip && "
         "unzip -p in.zip feedback.txt",
         0, "C[36][2] is 1.5, expected 2.5");
    runs("cp out/export/canvas-feedback.zip first.zip", 0, "");
    grades(FEEDBACK, 0, "");
    runs("cmp out/export/canvas-feedback.zip first.zip", 0, "");
}

/* Four parts before the file's own name, of which the second is a number. */
TEST(test_moodle_takes_feedback_back)
{
    folder_put("people.csv", "First name,Last name,Email address\n"
                             "Anna,M\xc3\xbcller,a@u\nBen,Li,b@u\n");
    folder_put("c/Anna M\xc3\xbcller_11_assignsubmission_file_/tiling.cu",
               "PASS");
    folder_put("c/Ben Li_12_assignsubmission_onlinetext_/onlinetext.html", "-");
    grades(PEOPLE, 0, "export/moodle-feedback.zip; feedback of 2 students\n");
    runs("export LC_ALL=C.UTF-8; " IN_THE_ZIP(
             "moodle", "{ print $1, $2 + 0, $3, $4, $5 }"),
         0,
         "Anna M\xc3\xbcller 11 assignsubmission file feedback.txt\n"
         "Ben Li 12 assignsubmission file feedback.txt\n");
    hand_in("d", "tiling.cu", "PASS");
    grades("--lab 3 --out other s", 0, "");
    assert_false(is_there("other/export"));
}

/* --- what must not be lost ------------------------------------------------ */

TEST(test_the_folder_of_another_class_is_left_alone)
{
    hand_in("anna", "tiling.cu", "PASS");
    hand_in("=ben", "tiling.cu", "FAIL");
    folder_put("other/carl/tiling.cu", "FAIL");
    grades("--lab 3 --out out s", 0, "");
    grades("--lab 3 --out out other", 2,
           "has the grades of another class: none "
           "of its 2 students is in this one");
    text_says("out/grades.csv", "anna,,100");
    assert_false(is_there("out/feedback/0001_carl.md"));
    runs("rm -r s/anna", 0, "");
    grades("--lab 3 --out out s", 0, "1 FAIL");
}

TEST(test_more_points_than_there_are_are_told)
{
    hand_in("bob", "tiling.cu", "PASS");
    folder_put("out/manual.csv", "student,lab,points,reason\nbob,03,140,\n");
    grades("--lab 3 --out out s", 0,
           "manual.csv gives bob 140 of 100 points for Lab 03");
    folder_put("out/manual.csv", "student,lab,points,reason\nbob,03,100%,\n");
    expect_none(grades("--lab 3 --out out s", 0, ""), "manual.csv gives");
}

TEST(test_a_roster_in_latin_1_is_told)
{
    hand_in("bob", "tiling.cu", "PASS");
    folder_put("roster.csv", "id,name\namy,Amy\nbob,J\xfcrgen\n");
    grades("--lab 3 --roster roster.csv --out out s", 2,
           "roster.csv: row 3: 'J\\xfcrgen' is not in UTF-8: save the list");
    assert_false(is_there("out"));
}

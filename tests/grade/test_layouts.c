/*
 * Is a class graded as the systems give it, with their own list of it, and is
 * every row of that list found again in the export?
 *
 * Five downloads of a class of 30, each made as the system's documentation or
 * source describes it. Verdicts are those of fake.c: student i's source is
 * FAIL where i is a multiple of 5.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "base/csv_read.h"
#include "folder.h"

enum {
    CLASS = 30
};

/* First name, last name, and the last name as Moodle's clean_filename leaves
   it: without apostrophes. */
static const char *const person[CLASS][3] = {
    {"Anna", "M\xc3\xbcller", NULL},
    {"J\xc3\xbcrgen", "Wei\xc3\x9f", NULL},
    {"Zo\xc3\xab", "O'Brien", "OBrien"},
    {"Mary Ann", "van der Berg", NULL},
    {"Sin\xc3\xa9"
     "ad",
     "D'Arcy", "DArcy"},
    {"Jos\xc3\xa9 Luis",
     "Garc\xc3\xad"
     "a L\xc3\xb3pez",
     NULL},
    {"\xc3\x85sa",
     "\xc3\x96"
     "berg",
     NULL},
    {"\xc5\x81ukasz", "\xc5\xbb\xc3\xb3\xc5\x82w", NULL},
    {"Bj\xc3\xb6rn",
     "Stra\xc3\x9f"
     "er",
     NULL},
    {"Ren\xc3\xa9"
     "e",
     "L\xe2\x80\x99H\xc3\xb4pital", "L\xe2\x80\x99H\xc3\xb4pital"},
    {"Hans-Peter", "Schmidt", NULL},
    {"Peter", "Schmidt", NULL},
    {"\xe6\x9d\x8e", "\xe5\xb0\x8f\xe9\xbe\x99", NULL},
    {"Nguyen Thi", "Hoa", NULL},
    {"Ada", "Lovelace", NULL},
    {"Alan", "Turing", NULL},
    {"Grace", "Hopper", NULL},
    {"Edsger", "Dijkstra", NULL},
    {"Barbara", "Liskov", NULL},
    {"Tony", "Hoare", NULL},
    {"Donald", "Knuth", NULL},
    {"Frances", "Allen", NULL},
    {"John", "Backus", NULL},
    {"Ken", "Thompson", NULL},
    {"Dennis", "Ritchie", NULL},
    {"Kathleen", "Booth", NULL},
    {"Jean", "Bartik", NULL},
    {"Niklaus", "Wirth", NULL},
    {"Leslie", "Lamport", NULL},
    {"Shafi", "Goldwasser", NULL}};

/* The names under which students hand in lab 03. */
static const char *const file_name[] = {"tiling.cu", "tiling-1.cu", "Tiling.cu",
                                        "lab03.cu", "tiling (1).cu"};

static const char *called(int i)
{
    return file_name[i % 5];
}

static const char *verdict(int i)
{
    return i % 5 == 0 ? "FAIL" : "PASS";
}

/* --- the systems' own lists ----------------------------------------------- */

static void put_gradebook(char between)
{
    FILE *const file = fopen("gradebook.csv", "w");

    assert_non_null(file);
    fprintf(file, "\xef\xbb\xbf"
                  "Student,ID,SIS User ID,SIS Login ID,Section,"
                  "Lab 03 (88122),Lab 04 (88123),Final Score\n"
                  ",,,,,Manual Posting,,\n"
                  "    Points Possible,,,,,100,100,(read only)\n");
    for (int i = 0; i < CLASS; i++) {
        fprintf(file, "\"%s, %s\",%d,S%04d,user%02d@uni.edu,A,,,\n",
                person[i][1], person[i][0], 4711 + i, i, i);
    }
    fprintf(file, "\"Student, Test\",9999,,8f14e45fceea167a,A,,,\n");
    assert_int_equal(fclose(file), 0);
    if (between == ';')
        runs("sed -i 's/,/;/g; s/; /, /g' gradebook.csv", 0, "");
}

static void put_participants(void)
{
    FILE *const file = fopen("participants.csv", "w");

    assert_non_null(file);
    fprintf(file, "\"First name\",\"Last name\",\"Email address\",Groups\n");
    for (int i = 0; i < CLASS; i++) {
        fprintf(file, "\"%s\",\"%s\",u%02d@uni.edu,\n", person[i][0],
                person[i][1], i);
    }
    assert_int_equal(fclose(file), 0);
}

static void put_roster(void)
{
    FILE *const file = fopen("roster.csv", "w");

    assert_non_null(file);
    fprintf(file, "id,name\n");
    for (int i = 0; i < CLASS; i++) {
        fprintf(file, "user-%02d,\"%s %s\"\n", i, person[i][0], person[i][1]);
    }
    assert_int_equal(fclose(file), 0);
}

#define FIRST "--lab 3 --out out "

/* --- grading -------------------------------------------------------------- */

/* Grades; everybody must be found, and have the verdict that is due. */
static void grades_all(const char *options, const char *words)
{
    struct base_csv csv;
    const char *said;
    char why[300];
    int passed = 0;

    setenv("OPTIONS", options, 1);
    said = grades(FIRST "$OPTIONS", 0, words);
    expect_words(said, "30 of the 30 on the roster handed in");
    expect_none(said, "not on the roster");
    expect_none(said, "nobody's");
    assert_int_equal(base_csv_read("out/grades.csv", &csv, why, sizeof why), 0);
    assert_int_equal(csv.rows, CLASS);
    for (int i = 0; i < CLASS; i++) {
        const char *const got =
            base_csv_text(&csv, (size_t)i, "03_tiling_verdict");

        if (strcmp(got, verdict(i)) != 0)
            fail_msg("row %d has %s and not %s", i, got, verdict(i));
        passed += strcmp(got, "PASS") == 0;
    }
    assert_int_equal(passed, 24);
    base_csv_free(&csv);
}

/* The export has a grade for each row of the class. */
static void exported_all(const char *name, const char *column)
{
    struct base_csv csv;
    char path[100], why[300];
    int graded = 0;

    snprintf(path, sizeof path, "out/export/%s", name);
    assert_int_equal(base_csv_read(path, &csv, why, sizeof why), 0);
    for (size_t i = 0; i < csv.rows; i++) {
        const char *const points = base_csv_text(&csv, i, column);
        const char *const student = base_csv_text(&csv, i, "Student");

        if (strstr(student, "Points Possible") == NULL)
            graded += strcmp(points, "100") == 0 || strcmp(points, "0") == 0;
    }
    assert_int_equal(graded, CLASS);
    base_csv_free(&csv);
}

static void put_canvas(void)
{
    for (int i = 0; i < CLASS; i++) {
        folder_put_as(verdict(i), "class/%s%s%s_%d_%d_%s", "person", "name",
                      i % 7 == 0 ? "_LATE" : "", 4711 + i, 98000 + i,
                      called(i));
    }
    folder_put_as("03.1: 2 / T\n", "class/personname_4711_99000_answers-1.txt");
    put_gradebook(',');
}

#define CANVAS                                         \
    "--roster gradebook.csv --export canvas --canvas " \
    "gradebook.csv "

EACH_TEST(folder_make_course, NULL);

TEST(test_canvas_is_taken_as_a_folder_and_as_an_archive)
{
    put_canvas();
    grades_all(CANVAS "class", "taken for Canvas's download: 30");
    exported_all("canvas.csv", "Lab 03 (88122)");
    runs("rm -r out && cd class && zip -q -r ../submissions.zip . && "
         "rm -r ../class",
         0, "");
    grades_all(CANVAS "submissions.zip", "taken for Canvas's download: 30");
    exported_all("canvas.csv", "Lab 03 (88122)");
    folder_put("labs/03_tiling/questions.txt", "03.1: Why?\n");
    grades_all(CANVAS "submissions.zip", "answers to 1 question:");
}

TEST(test_a_gradebook_with_semicolons_is_read)
{
    put_canvas();
    put_gradebook(';');
    grades_all(CANVAS "class", "taken for Canvas's download: 30");
    exported_all("canvas.csv", "Lab 03 (88122)");
}

/* In every fifth name the marks are characters of their own. */
TEST(test_moodle_is_taken_one_folder_down)
{
    for (int i = 0; i < CLASS; i++) {
        const char *const first = i == 0   ? "Anna"
                                  : i == 6 ? "A\xcc\x8asa"
                                           : person[i][0];
        const char *const last = i == 0                 ? "Mu\xcc\x88ller"
                                 : i == 6               ? "O\xcc\x88"
                                                          "berg"
                                 : person[i][2] != NULL ? person[i][2]
                                                        : person[i][1];

        folder_put_as(verdict(i),
                      "up/Course-Lab 03-17/%s %s_%d_assignsubmission_file_/%s",
                      first, last, 12345 + i, called(i));
    }
    put_participants();
    grades_all("--roster participants.csv --export moodle "
               "--moodle participants.csv up",
               "taken for Moodle's download: 30");
    exported_all("moodle.csv", "Lab 03");
    runs("cd up && zip -q -r ../m.zip . && rm -r ../up", 0, "");
    grades_all("--roster participants.csv m.zip",
               "taken for Moodle's download: 30");
}

TEST(test_moodle_is_taken_without_folders)
{
    for (int i = 0; i < CLASS; i++) {
        folder_put_as(verdict(i), "class/%s %s_%d_assignsubmission_file_%s",
                      person[i][0],
                      person[i][2] != NULL ? person[i][2] : person[i][1],
                      12345 + i, called(i));
    }
    put_participants();
    grades_all("--roster participants.csv class",
               "taken for Moodle's download: 30");
}

/* A file for each attachment, and one for each attempt, which has no name of
   its own. */
TEST(test_blackboard_is_taken_by_user_names)
{
    for (int i = 0; i < CLASS; i++) {
        folder_put_as(verdict(i),
                      "class/Lab 03_user%02d_attempt_2026-10-05-12-30-0%d_%s",
                      i, i % 10, called(i));
        folder_put_as("Name: ...",
                      "class/Lab 03_user%02d_attempt_2026-10-05-12-30-0%d.txt",
                      i, i % 10);
    }
    put_gradebook(',');
    grades_all(CANVAS "class", "taken for Blackboard's download: 30");
    exported_all("canvas.csv", "Lab 03 (88122)");
    text_lacks("out/grades.csv", "attempt.txt");
    runs("cd class && zip -q -r ../b.zip . && rm -r ../class", 0, "");
    grades_all("--roster gradebook.csv b.zip",
               "taken for Blackboard's download: 30");
}

TEST(test_brightspace_is_taken_by_names)
{
    folder_put("class/index.html", "-");
    for (int i = 0; i < CLASS; i++) {
        folder_put_as(verdict(i),
                      "class/%d-%d - %s %s - Oct 5, 2026 1230 PM/%s", 12345 + i,
                      67890, person[i][0], person[i][1], called(i));
    }
    put_participants();
    runs("rm class/index.html", 0, "");
    grades_all("--roster participants.csv --export moodle "
               "--moodle participants.csv class",
               "taken for Brightspace's download: 30");
    exported_all("moodle.csv", "Lab 03");
}

/* The last attempt counts, at the time of the class; what was typed in and
   brought no file is for the eye. */
TEST(test_of_several_attempts_the_last_one_counts)
{
    folder_put("rubric", "late: 10\nzone: -08:00\nlab: 03_tiling\n"
                         "due: 2026-10-05 12:30\n");
    folder_put("roster.csv", "id,name\nanna,Anna Li\nben,Ben O'Hara\n");
    folder_put("b/Lab 3_anna_attempt_2026-10-05-12-31-00_tiling.cu", "PASS");
    folder_put("b/Lab 3_anna_attempt_2026-10-04-12-00-00_tiling.cu", "FAIL");
    folder_put("b/Lab 3_ben_attempt_2026-10-05-12-30-00.txt", "typed");
    grades(FIRST "--rubric rubric --roster roster.csv b", 0, "");
    text_says("out/grades.csv",
              "anna,Anna Li,90,90,PASS,boxed,,\"03 late by 1");
    text_says("out/grades.csv",
              "ben,Ben O'Hara,,,MISSING,boxed,\"03: no points");
    folder_put("d/1-2 - Anna Li - Oct 5, 2026 1230 PM/tiling.cu", "PASS");
    folder_put("d/1-3 - Anna Li - Oct 5, 2026 1228 AM/tiling.cu", "FAIL");
    folder_put("d/4-5 - Ben O'Hara - 5 Oct, 2026 1231/tiling.cu", "PASS");
    grades("--lab 3 --out out2 --rubric rubric --roster roster.csv d", 0, "");
    text_says("out2/grades.csv", "anna,Anna Li,100,100,PASS,boxed,,\n");
    text_says("out2/grades.csv", "ben,Ben O'Hara,100,100,PASS,boxed,,\n");
}

/* Which form it looks like, and not a list of its files. */
TEST(test_a_folder_that_nobody_knows_is_told_what_it_lacks)
{
    static const struct {
        const char *before, *behind, *words;
    } cases[] = {{"u/Anna ", " assignsubmission_file/tiling.cu", "Moodle's"},
                 {"u/Lab_", "_attempt_Monday.cu", "Blackboard's"},
                 {"u/submission_", "/tiling.cu", "Gradescope's, without its"},
                 {"u/lianna_LATE_", ".cu", "Canvas's"},
                 {"u/Anna Li - Oct ", "/tiling.cu", "Brightspace's"},
                 {"u/tiling", ".cu", "files lie side by side"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *said;

        for (int k = 0; k < 50; k++)
            folder_put_as("PASS", "%s%d%s", cases[i].before, k,
                          cases[i].behind);
        said =
            runs("build/tools/grade " FIRST "u 2>&1; true", 0, cases[i].words);
        expect_none(said, "nobody's");
        runs("rm -rf u out", 0, "");
    }
    folder_put("s/anna/tiling.cu", "PASS");
    folder_put("s/notes.txt", "-");
    grades(FIRST "s", 0, "nobody's, so not graded: notes.txt");
}

TEST(test_gradescope_is_taken_by_its_list)
{
    FILE *file;

    for (int i = 0; i < CLASS; i++) {
        folder_put_as(verdict(i), "assignment_1_export/submission_%d/%s",
                      7000 + i, called(i));
    }
    file = fopen("assignment_1_export/submission_metadata.yml", "w");
    assert_non_null(file);
    fprintf(file, "---\n");
    for (int i = 0; i < CLASS; i++) {
        fprintf(file,
                "submission_%d:\n  :submitters:\n  - :name: \"%s %s\"\n"
                "    :sid: 'S%04d'\n    :email: user%02d@uni.edu\n"
                "  :created_at: 2026-04-01 10:00:00.000000000 Z\n"
                "  :score: 0.0\n  :history: []\n",
                7000 + i, person[i][0], person[i][1], i, i);
    }
    assert_int_equal(fclose(file), 0);
    put_gradebook(',');
    grades_all(CANVAS "assignment_1_export",
               "taken for Gradescope's export: 30");
    exported_all("canvas.csv", "Lab 03 (88122)");
    runs("zip -q -r g.zip assignment_1_export", 0, "");
    grades_all("--roster gradebook.csv g.zip",
               "taken for Gradescope's export: 30");
}

TEST(test_repositories_are_taken_without_their_beginning)
{
    for (int i = 0; i < CLASS; i++) {
        folder_put_as("[core]", "class/lab-03-user-%02d/.git/config", i);
        folder_put_as("PASS, from the course",
                      "class/lab-03-user-%02d/solutions/%s", i, "tiling.cu");
        folder_put_as(verdict(i), "class/lab-03-user-%02d/labs/03_tiling/%s", i,
                      called(i));
    }
    put_roster();
    grades_all("--roster roster.csv class", "taken for repositories: 30");
}

TEST(test_folders_may_hold_archives_and_more_folders)
{
    for (int i = 0; i < CLASS; i++) {
        folder_put_as(verdict(i), "class/USER-%02d/%s%s", i,
                      i % 3 == 0 ? "my labs/today/" : "", called(i));
    }
    runs("cd class && for i in 03 09 12; do (cd USER-$i && zip -q -r "
         "../../x.zip . && rm -r ./* && mv ../../x.zip 'all of it.zip'); "
         "done && for i in 04 05; do tar czf USER-$i.tar.gz -C USER-$i . && "
         "rm -r USER-$i; done",
         0, "");
    put_roster();
    grades_all("--roster roster.csv class", "taken for folders: 30");
}

/* --- what must not be taken ----------------------------------------------- */

TEST(test_a_class_of_strangers_is_not_graded)
{
    folder_put_as("PASS", "class/strange/tiling.cu");
    folder_put_as("PASS", "class/stranger/tiling.cu");
    put_roster();
    expect_words(grades(FIRST "--roster roster.csv class", 1,
                        "not on the roster: strange, stranger"),
                 "nobody in it is on the roster");
    assert_false(is_there("out/grades.csv"));
}

TEST(test_wrong_names_are_no_silent_zeros)
{
    for (int i = 0; i < CLASS; i++)
        folder_put_as("PASS", "class/user-%02d/myfile.cu", i);
    put_roster();
    put_gradebook(',');
    grades("--lab '3 4' --out out " CANVAS "--roster roster.csv class", 1,
           "no lab was handed in by half of the class");
    runs("test ! -e out/export/canvas.csv && "
         "grep -q 'graded as tiling.cu or 03_tiling.cu' out/feedback/*1*",
         0, "");
    runs("grep -q 'not graded: myfile.cu' out/grades.csv", 0, "");
}

/* An archive that lies about its size, leads out, or has a password. */
TEST(test_an_archive_that_does_harm_is_refused)
{
    folder_put_as("PASS", "class/user-01/tiling.cu");
    runs("mkdir -p class/user-00 class/user-02 class/user-03 class/user-04 "
         "&& echo no >class/user-00/a.zip && "
         "ln -s /etc/passwd tiling.cu && zip -q -y class/user-02/a.zip "
         "tiling.cu && rm tiling.cu && "
         "head -c 270000000 /dev/zero >tiling.cu && "
         "tar -I 'gzip -1' -cf class/user-03/a.tar.gz tiling.cu && "
         "rm tiling.cu && "
         "echo PASS >tiling.cu && tar cPf class/user-04/a.tar "
         "../$(basename $PWD)/tiling.cu && rm tiling.cu",
         0, "");
    put_roster();
    grades(FIRST "--roster roster.csv class --missing yes", 0, "");
    runs("grep -c 'REJECTED' out/grades.csv | grep -qx 4", 0, "");
}

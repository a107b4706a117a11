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
#include <sys/stat.h>
#include <unistd.h>

#include "../testing.h"
#include "../command.h"
#include "base/csv_read.h"
#include "grade/base/clean_up.h"

enum {
    CLASS = 30,
    TEXT = 400
};

static char root[60], why[300];

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

static int set_up(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/test_layouts.XXXXXX");
    return mkdtemp(root) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    return grade_remove_tree(root);
}

/* Writes a file below root, whose folders are made. */
__attribute__((format(printf, 2, 3))) static void
put_at(const char *text, const char *format, ...)
{
    char path[2 * TEXT], below[TEXT];
    va_list ap;
    FILE *file;

    va_start(ap, format);
    vsnprintf(below, sizeof below, format, ap);
    va_end(ap);
    snprintf(path, sizeof path, "%s/%s", root, below);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Runs a command in root. */
static void in_root(const char *line)
{
    struct command c = command_run("cd '%s' && %s", root, line);

    command_ends(&c, 0);
    command_free(&c);
}

/* --- the systems' own lists ----------------------------------------------- */

static void put_gradebook(char between)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/gradebook.csv", root);
    file = fopen(path, "w");
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
        in_root("sed -i 's/,/;/g; s/; /, /g' gradebook.csv");
}

static void put_participants(void)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/participants.csv", root);
    file = fopen(path, "w");
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
    char path[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/roster.csv", root);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "id,name\n");
    for (int i = 0; i < CLASS; i++) {
        fprintf(file, "user-%02d,\"%s %s\"\n", i, person[i][0], person[i][1]);
    }
    assert_int_equal(fclose(file), 0);
}

/* --- grading -------------------------------------------------------------- */

static struct command run_grader(const char *options)
{
    return command_run("cd '%s' && mkdir -p tmp && cd - >/dev/null && "
                       "ROOT='%s' && TMPDIR=$ROOT/tmp "
                       "build/tools/grade_fake --lab 3 --out $ROOT/out %s",
                       root, root, options);
}

/* Grades; everybody must be found, and have the verdict that is due. */
static void grades_all(const char *options, const char *says)
{
    struct command c = run_grader(options);
    struct base_csv grades;
    char path[200];
    int passed = 0;

    command_ends(&c, 0);
    command_says(&c, says);
    command_says(&c, "30 of the 30 on the roster handed in");
    assert_null(strstr(c.text, "not on the roster"));
    assert_null(strstr(c.text, "nobody's"));
    command_free(&c);
    snprintf(path, sizeof path, "%s/out/grades.csv", root);
    assert_int_equal(base_csv_read(path, &grades, why, sizeof why), 0);
    assert_int_equal(grades.rows, CLASS);
    for (int i = 0; i < CLASS; i++) {
        const char *const got =
            base_csv_text(&grades, (size_t)i, "03_tiling_verdict");

        if (strcmp(got, verdict(i)) != 0)
            fail_msg("row %d has %s and not %s", i, got, verdict(i));
        passed += strcmp(got, "PASS") == 0;
    }
    assert_int_equal(passed, 24);
    base_csv_free(&grades);
}

/* The export has a grade for each row of the class. */
static void exported_all(const char *name, const char *column)
{
    struct base_csv csv;
    char path[200];
    int graded = 0;

    snprintf(path, sizeof path, "%s/out/export/%s", root, name);
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
        put_at(verdict(i), "class/%s%s%s_%d_%d_%s", "person", "name",
               i % 7 == 0 ? "_LATE" : "", 4711 + i, 98000 + i, called(i));
    }
    put_at("03.1: 2 / T\n", "class/personname_4711_99000_answers-1.txt");
    put_gradebook(',');
}

#define CANVAS                                               \
    "--roster $ROOT/gradebook.csv --export canvas --canvas " \
    "$ROOT/gradebook.csv "

EACH_TEST(set_up, tear_down);

TEST(test_canvas_is_taken_as_a_folder_and_as_an_archive)
{
    put_canvas();
    grades_all(CANVAS "$ROOT/class", "taken for Canvas's download: 30");
    exported_all("canvas.csv", "Lab 03 (88122)");
    in_root("rm -r out && cd class && zip -q -r ../submissions.zip . && "
            "rm -r ../class");
    grades_all(CANVAS "$ROOT/submissions.zip",
               "taken for Canvas's download: 30");
    exported_all("canvas.csv", "Lab 03 (88122)");
    grades_all(CANVAS "$ROOT/submissions.zip", "answers to 1 question:");
}

TEST(test_a_gradebook_with_semicolons_is_read)
{
    put_canvas();
    put_gradebook(';');
    grades_all(CANVAS "$ROOT/class", "taken for Canvas's download: 30");
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

        put_at(verdict(i),
               "up/Course-Lab 03-17/%s %s_%d_assignsubmission_file_/%s", first,
               last, 12345 + i, called(i));
    }
    put_participants();
    grades_all("--roster $ROOT/participants.csv --export moodle "
               "--moodle $ROOT/participants.csv $ROOT/up",
               "taken for Moodle's download: 30");
    exported_all("moodle.csv", "Lab 03");
    in_root("cd up && zip -q -r ../m.zip . && rm -r ../up");
    grades_all("--roster $ROOT/participants.csv $ROOT/m.zip",
               "taken for Moodle's download: 30");
}

TEST(test_moodle_is_taken_without_folders)
{
    for (int i = 0; i < CLASS; i++) {
        put_at(verdict(i), "class/%s %s_%d_assignsubmission_file_%s",
               person[i][0], person[i][2] != NULL ? person[i][2] : person[i][1],
               12345 + i, called(i));
    }
    put_participants();
    grades_all("--roster $ROOT/participants.csv $ROOT/class",
               "taken for Moodle's download: 30");
}

TEST(test_gradescope_is_taken_by_its_list)
{
    char path[200];
    FILE *file;

    for (int i = 0; i < CLASS; i++) {
        put_at(verdict(i), "assignment_1_export/submission_%d/%s", 7000 + i,
               called(i));
    }
    snprintf(path, sizeof path,
             "%s/assignment_1_export/submission_metadata.yml", root);
    file = fopen(path, "w");
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
    grades_all(CANVAS "$ROOT/assignment_1_export",
               "taken for Gradescope's export: 30");
    exported_all("canvas.csv", "Lab 03 (88122)");
    in_root("zip -q -r g.zip assignment_1_export");
    grades_all("--roster $ROOT/gradebook.csv $ROOT/g.zip",
               "taken for Gradescope's export: 30");
}

TEST(test_repositories_are_taken_without_their_beginning)
{
    for (int i = 0; i < CLASS; i++) {
        put_at("[core]", "class/lab-03-user-%02d/.git/config", i);
        put_at("PASS, from the course", "class/lab-03-user-%02d/solutions/%s",
               i, "tiling.cu");
        put_at(verdict(i), "class/lab-03-user-%02d/labs/03_tiling/%s", i,
               called(i));
    }
    put_roster();
    grades_all("--roster $ROOT/roster.csv $ROOT/class",
               "taken for repositories: 30");
}

TEST(test_folders_may_hold_archives_and_more_folders)
{
    for (int i = 0; i < CLASS; i++) {
        put_at(verdict(i), "class/USER-%02d/%s%s", i,
               i % 3 == 0 ? "my labs/today/" : "", called(i));
    }
    in_root("cd class && for i in 03 09 12; do (cd USER-$i && zip -q -r "
            "../../x.zip . && rm -r ./* && mv ../../x.zip 'all of it.zip'); "
            "done && for i in 04 05; do tar czf USER-$i.tar.gz -C USER-$i . && "
            "rm -r USER-$i; done");
    put_roster();
    grades_all("--roster $ROOT/roster.csv $ROOT/class",
               "taken for folders: 30");
}

/* --- what must not be taken ----------------------------------------------- */

TEST(test_a_class_of_strangers_is_not_graded)
{
    struct command c;

    put_at("PASS", "class/strange/tiling.cu");
    put_at("PASS", "class/stranger/tiling.cu");
    put_roster();
    c = run_grader("--roster $ROOT/roster.csv $ROOT/class");
    command_ends(&c, 1);
    command_says(&c, "not on the roster: strange, stranger");
    command_says(&c, "nobody in it is on the roster");
    command_free(&c);
    in_root("test ! -e out/grades.csv");
}

TEST(test_wrong_names_are_no_silent_zeros)
{
    struct command c;

    for (int i = 0; i < CLASS; i++)
        put_at("PASS", "class/user-%02d/myfile.cu", i);
    put_roster();
    put_gradebook(',');
    c = run_grader("--roster $ROOT/roster.csv --export canvas --canvas "
                   "$ROOT/gradebook.csv $ROOT/class");
    command_ends(&c, 1);
    command_says(&c, "no lab was handed in by half of the class");
    command_free(&c);
    in_root("test ! -e out/export/canvas.csv && "
            "grep -q 'graded as tiling.cu or 03_tiling.cu' out/feedback/*1*");
    in_root("grep -q 'not graded: myfile.cu' out/grades.csv");
}

/* An archive that lies about its size, leads out, or has a password. */
TEST(test_an_archive_that_does_harm_is_refused)
{
    struct command c;

    put_at("PASS", "class/user-01/tiling.cu");
    in_root("mkdir -p class/user-00 class/user-02 class/user-03 class/user-04 "
            "&& echo no >class/user-00/a.zip && "
            "ln -s /etc/passwd tiling.cu && zip -q -y class/user-02/a.zip "
            "tiling.cu && rm tiling.cu && "
            "head -c 270000000 /dev/zero >tiling.cu && "
            "tar -I 'gzip -1' -cf class/user-03/a.tar.gz tiling.cu && "
            "rm tiling.cu && "
            "echo PASS >tiling.cu && tar cPf class/user-04/a.tar "
            "../$(basename $PWD)/tiling.cu && rm tiling.cu");
    put_roster();
    c = run_grader("--roster $ROOT/roster.csv $ROOT/class --missing yes");
    command_ends(&c, 0);
    command_free(&c);
    in_root("grep -c 'REJECTED' out/grades.csv | grep -qx 4");
}

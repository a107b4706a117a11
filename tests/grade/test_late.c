/* Does a lab that came late lose what the rubric says, by the days that its
   layout or a table says, and never by a guess? */
#define _GNU_SOURCE
#include <stdlib.h>

#include "../testing.h"
#include "folder.h"
#include "grade/intake/intake.h"
#include "small_class.h"

enum {
    DAY = 86400
};

static struct grade_rubric rubric;
static const char path[] = "table.csv";

static int set_up(void **state)
{
    if (small_class_begin(state) != 0)
        return -1;
    rubric = (struct grade_rubric){.labs = 2, .grace = 1, .late_percent = 10};
    for (int i = 0; i < 2; i++) {
        snprintf(rubric.lab[i].lab, sizeof rubric.lab[i].lab, "%s",
                 class.lab[i]->name);
    }
    return 0;
}

/* Reads the tables and hands them to the class. */
static int find_late(const char *days, struct grade_intake *intake,
                     struct grade_manual *table)
{
    folder_put(path, days);
    assert_int_equal(
        grade_manual_read(path, small_class_index(), 1, table, why, sizeof why),
        0);
    return grade_class_find_late(&class, &rubric, intake, table);
}

EACH_TEST(set_up, small_class_end);

TEST(test_a_time_is_read_as_the_systems_write_it)
{
    static const char *const bad[] = {"",
                                      "soon",
                                      "2026-13-01",
                                      "2026-02-31",
                                      "6.11.2026",
                                      "2026-11-06 25:00",
                                      "2026-11-06x",
                                      "2026-11-06 18:00 CET"};

    setenv("TZ", "UTC", 1);
    tzset();
    assert_int_equal(grade_time_read("1970-01-02"), 2 * DAY - 1);
    assert_int_equal(grade_time_read("1970-01-02 18:00"), DAY + 18 * 3600);
    assert_int_equal(grade_time_read("1970-01-02T00:00:07.25+01:00"),
                     DAY + 7 - 3600);
    assert_int_equal(grade_time_read("1970-01-02 00:00:07.123456000 Z"),
                     DAY + 7);
    assert_int_equal(grade_time_read("1970-01-02 00:00:00 -0800"),
                     DAY + 8 * 3600);
    assert_int_equal(grade_time_read("Friday, 2 January 1970, 12:05 AM"),
                     DAY + 5 * 60);
    assert_int_equal(grade_time_read("Freitag, 2. Januar 1970, 18:00"),
                     DAY + 18 * 3600);
    assert_int_equal(grade_time_read("Mittwoch, 4. M\xc3\xa4rz 1970, 00:00"),
                     62 * DAY);
    assert_int_equal(grade_time_read("Monday, 31 February 1972, 12:05 AM"), -1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(grade_time_read(bad[i]), -1);
}

TEST(test_a_day_counts_when_it_has_begun)
{
    assert_int_equal(grade_days_late(1000, 1000), 0);
    assert_int_equal(grade_days_late(1000, 1001), 1);
    assert_int_equal(grade_days_late(1000, 1000 + DAY), 1);
    assert_int_equal(grade_days_late(1000, 1001 + DAY), 2);
    assert_true(grade_late_share(&rubric, 1) == 1.0);
    assert_true(grade_late_share(&rubric, 3) == 0.8);
    assert_true(grade_late_share(&rubric, 300) == 0.0);
}

TEST(test_a_table_takes_points_and_a_person_wins)
{
    struct grade_intake intake = {.tree.folder = -1};
    struct grade_manual days, manual;

    assert_int_equal(find_late("student,lab,days\nalice,3,3\n", &intake, &days),
                     0);
    assert_true(grade_row_points(&class.row[0], 0) == 80.0);
    assert_int_equal(grade_row_days_late(&class.row[0], 0), 3);
    assert_int_equal(grade_row_days_late(&class.row[0], 1), 0);
    folder_put(path, "student,lab,points,reason\nalice,3,95%,ill\n");
    assert_int_equal(grade_manual_read(path, small_class_index(), 0, &manual,
                                       why, sizeof why),
                     0);
    assert_int_equal(grade_class_decide(&class, &manual), 0);
    assert_true(grade_row_points(&class.row[0], 0) == 95.0);
    assert_int_equal(grade_row_days_late(&class.row[0], 0), 0);
    grade_manual_free(&manual);
    grade_manual_free(&days);
    assert_int_equal(
        find_late("student,lab,days\nnobody,3,3\n", &intake, &days), -1);
    expect_words(why, "row 2: there is no student 'nobody'");
    grade_manual_free(&days);
}

TEST(test_mistakes_in_days_are_told)
{
    static const char *const bad[][2] = {
        {"student,lab\na,3\n", "no column 'days'"},
        {"student,lab,days\na,3,1.5\n", "days '1.5' are no whole number"},
        {"student,lab,days\na,3,10%\n", "days '10%' are no whole number"},
        {"student,lab,days\na,report,1\n", "there is no lab 'report'"}};
    struct grade_manual days;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        folder_put(path, bad[i][0]);
        assert_int_equal(grade_manual_read(path, small_class_index(), 1, &days,
                                           why, sizeof why),
                         -1);
        expect_words(why, bad[i][1]);
    }
}

TEST(test_the_report_has_points_by_question)
{
    struct grade_manual manual;

    folder_put(path, "student;lab;points;reason\nalice;report;50%;text\n"
                     "alice;03.2;2,5;names both\nalice;4.1;1,5;\n");
    assert_int_equal(grade_manual_read(path, small_class_index(), 0, &manual,
                                       why, sizeof why),
                     0);
    assert_int_equal(grade_class_decide(&class, &manual), -1);
    expect_words(why, "row 2: the report has no points");
    class.of[class.labs] = 20.0;
    class.columns = class.labs + 1;
    assert_int_equal(grade_class_decide(&class, &manual), 0);
    assert_true(grade_row_points(&class.row[0], class.labs) == 14.0);
    assert_int_equal(grade_row_is_settled(&class.row[1], class.labs), 0);
    grade_manual_free(&manual);
    folder_put(path, "student,lab,points,reason\nalice,03.2,30%,x\n");
    assert_int_equal(grade_manual_read(path, small_class_index(), 0, &manual,
                                       why, sizeof why),
                     -1);
    expect_words(why, "a question has points, not '30%'");
}

TEST(test_layouts_say_when)
{
    static const char list[] =
        "submission_7:\n  :submitters:\n  - :name: Anna\n    :sid: '1'\n"
        "  :created_at: 1970-01-03 00:00:00.000000000 Z\n  :history:\n"
        "  - :created_at: 1970-01-01 00:00:00 Z\n"
        "submission_8:\n  :submitters:\n  - :name: Bob\n";
    char canvas[] = "anna_LATE_4711_98_tiling.cu";
    char moodle[] = "Anna M_12_assignsubmission_file";
    const struct grade_entry late = {.name = canvas};
    const struct grade_entry moodles = {.name = moodle, .is_folder = 1};
    struct grade_owner owner;

    assert_int_equal(grade_layout_submitter(list, "submission_7", 0, &owner),
                     1);
    assert_int_equal(owner.handed, 2 * DAY);
    grade_owner_free(&owner);
    assert_int_equal(grade_layout_submitter(list, "submission_8", 0, &owner),
                     1);
    assert_int_equal(owner.handed, 0);
    grade_owner_free(&owner);
    /* Moodle's folders have ended with and without a last "_". */
    assert_int_equal(grade_layout_owner(GRADE_MOODLE_FOLDERS, &moodles, &owner),
                     1);
    assert_string_equal(owner.name, "Anna M");
    assert_string_equal(owner.alias[GRADE_SYSTEM], "12");
    assert_null(owner.called);
    grade_owner_free(&owner);
    assert_int_equal(grade_layout_owner(GRADE_CANVAS_FILES, &late, &owner), 1);
    assert_string_equal(owner.name, "anna");
    assert_int_equal(owner.late, 1);
    grade_owner_free(&owner);
}

/* Each lab has the date of its own last commit, and what the repository wants
   to start is not started. */
TEST(test_a_commit_says_when)
{
    static const char commands[] =
        "set -e; mkdir -p class/alice; cd class/alice\n"
        "git init -q . && git config user.name a && git config user.email b\n"
        "commit() { echo $1 >$1; git add .; GIT_COMMITTER_DATE=\"$2 +0000\" "
        "git commit -qm $1; }\n"
        "mkdir -p labs/spot_the_bug labs/12_warp_tiling\n"
        "commit tiling.cu @2000000; commit 09_prefetch.cu @3000000\n"
        "commit labs/12_warp_tiling/warp_tiling.cu @4000000\n"
        "commit labs/spot_the_bug/product_512.cu @5000000\n"
        "commit notes @9000000\n"
        "git config core.fsmonitor 'touch ../../started'\n"
        "git config log.showSignature true\n"
        "git config gpg.program 'touch ../../started'\n";
    struct grade_intake intake;
    time_t when;
    int late;

    if (system("git --version >/dev/null 2>&1") != 0)
        skip();
    assert_int_equal(system(commands), 0);
    assert_int_equal(grade_intake_open(&intake, "class", NULL, why, sizeof why),
                     0);
    grade_intake_when(&intake, "alice", "03_tiling", &when, &late);
    assert_int_equal(when, 2000000);
    grade_intake_when(&intake, "alice", "09_prefetch", &when, &late);
    assert_int_equal(when, 3000000);
    grade_intake_when(&intake, "alice", "12_warp_tiling", &when, &late);
    assert_int_equal(when, 4000000);
    grade_intake_when(&intake, "alice", "04_coalescing", &when, &late);
    assert_int_equal(when, 9000000);
    assert_int_equal(late, 0);
    grade_intake_close(&intake);
    assert_false(is_there("started"));
}

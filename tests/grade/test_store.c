/* Does a result lie on the disk as it was, whole or not at all; and is one that
   was made for something else not taken for it? */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "folder.h"
#include "grade/batch/store.h"

static const char out[] = "deep/er";
static char why[400];
static struct grade_store store;

static int set_up(void **state)
{
    return folder_make(state) != 0
               ? -1
               : grade_store_open(&store, out, NULL, 0, why, sizeof why);
}

FIXTURE(tear_down)
{
    grade_store_close(&store);
    return 0;
}

static void again(void)
{
    grade_store_close(&store);
    if (grade_store_open(&store, out, NULL, 0, why, sizeof why) != 0)
        fail_msg("%s", why);
}

/* A result with something of everything. */
static void fill_result(struct grade_result *r)
{
    struct grade_case *c;
    struct grade_measure *m;

    *r = (struct grade_result){.verdict = GRADE_UNCLEAN};
    snprintf(r->lab, sizeof r->lab, "03_tiling");
    r->text = strdup("why \"so\"");
    r->points[GRADE_RIGHT] = 100.0 / 3.0;
    r->of[GRADE_RIGHT] = 60.0;
    r->of[GRADE_NUMBER] = 0.1;
    c = grade_result_case(r);
    snprintf(c->name, sizeof c->name, "hidden 1");
    c->hidden = 1;
    c->verdict = GRADE_TIME;
    c->text = strdup("two\nlines");
    m = grade_result_measure(r);
    *m = (struct grade_measure){.value = (double)NAN,
                                .full = 0.125,
                                .zero = 2.0,
                                .points = 0.1 + 0.2,
                                .of = 20.0};
    snprintf(m->column, sizeof m->column, "loads");
    grade_result_flag(r, "look");
    r->findings = strdup("a race");
    r->costs = NULL; /* reads back as "" */
}

static void put_result(const char *student, const char *key)
{
    struct grade_result r;

    fill_result(&r);
    if (grade_store_put(&store, student, key, &r, why, sizeof why) != 0)
        fail_msg("%s", why);
    grade_result_free(&r);
}

static int has_record(const char *student, const char *lab, const char *key)
{
    struct grade_result r;
    const int found = grade_store_get(&store, student, lab, key, &r);

    if (found == 1)
        grade_result_free(&r);
    return found;
}

EACH_TEST(set_up, tear_down);

TEST(test_a_result_reads_back_as_it_was)
{
    struct grade_result was, is;

    fill_result(&was);
    put_result("alice", "key");
    again();
    assert_int_equal(grade_store_get(&store, "alice", "03_tiling", "key", &is),
                     1);
    assert_string_equal(is.lab, was.lab);
    assert_int_equal(is.verdict, was.verdict);
    assert_string_equal(is.text, was.text);
    assert_memory_equal(is.points, was.points, sizeof is.points);
    assert_memory_equal(is.of, was.of, sizeof is.of);
    assert_int_equal(is.case_count, 1);
    assert_string_equal(is.cases[0].name, "hidden 1");
    assert_int_equal(is.cases[0].hidden, 1);
    assert_int_equal(is.cases[0].verdict, GRADE_TIME);
    assert_string_equal(is.cases[0].text, "two\nlines");
    assert_int_equal(is.measure_count, 1);
    assert_string_equal(is.measures[0].column, "loads");
    assert_true(isnan(is.measures[0].value));
    assert_true(is.measures[0].points == 0.1 + 0.2);
    assert_int_equal(is.flag_count, 1);
    assert_string_equal(is.flags[0], "look");
    assert_string_equal(is.findings, "a race");
    assert_string_equal(is.costs, "");
    grade_result_free(&was);
    grade_result_free(&is);
}

TEST(test_only_the_same_student_lab_and_key_will_do)
{
    put_result("alice", "key");
    assert_int_equal(has_record("alice", "03_tiling", "key"), 1);
    assert_int_equal(has_record("alice", "03_tiling", "other"), 0);
    assert_int_equal(has_record("alice", "04_coalescing", "key"), 0);
    assert_int_equal(has_record("bob", "03_tiling", "key"), 0);
    put_result("alice", "other");
    assert_int_equal(has_record("alice", "03_tiling", "key"), 0);
    assert_int_equal(has_record("alice", "03_tiling", "other"), 1);
}

TEST(test_names_of_every_kind_are_kept_apart)
{
    static const char *const name[] = {"../../x",    "a/b",  "",    "\n",
                                       "$(touch X)", "\xff", "-rf", "."};

    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        put_result(name[i], name[i]);
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        for (size_t k = 0; k < sizeof name / sizeof name[0]; k++)
            assert_int_equal(has_record(name[i], "03_tiling", name[k]), i == k);
    }
    assert_int_equal(access("X", F_OK), -1);
}

/* The bytes of a record, for free(). */
static char *write_record(struct grade_result *r, size_t *size)
{
    char *bytes = NULL;
    FILE *const to = open_memstream(&bytes, size);

    assert_non_null(to);
    grade_record_put(to, r, "key", "alice");
    grade_result_free(r);
    assert_int_equal(fclose(to), 0);
    return bytes;
}

static int is_record(char *bytes, size_t size)
{
    struct grade_result r;
    FILE *const from = fmemopen(bytes, size, "rb");
    const int is_one = grade_record_get(from, "key", &r);

    fclose(from);
    grade_result_free(&r);
    return is_one;
}

/* A record that is cut anywhere is none, and so is one that goes on; the reader
   survives it. */
TEST(test_half_a_record_is_none)
{
    static char text[] = "about,name\nkey,key\n";
    struct grade_result r;
    char *bytes;
    size_t whole;

    fill_result(&r);
    bytes = write_record(&r, &whole);
    assert_true(is_record(bytes, whole));
    assert_false(is_record(bytes, whole + 1)); /* the NUL behind it */
    for (size_t size = whole - 1; size > 0; size--)
        assert_false(is_record(bytes, size));
    free(bytes);
    assert_false(is_record(text, strlen(text)));
}

TEST(test_a_text_without_end_is_cut)
{
    struct grade_result r;
    char *bytes;
    size_t size;

    fill_result(&r);
    free(r.findings);
    r.findings = malloc(1000001);
    assert_non_null(r.findings);
    memset(r.findings, '\033', 1000000);
    r.findings[1000000] = '\0';
    bytes = write_record(&r, &size);
    assert_true(size < 2 * GRADE_TEXT_LONGEST);
    assert_null(memchr(bytes, '\033', size));
    free(bytes);
}

TEST(test_a_seed_is_drawn_once_and_secret)
{
    const uint64_t seed = store.seed;
    struct stat status;

    assert_int_equal(stat("deep/er/seed", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(stat(out, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    again();
    assert_true(store.seed == seed);
    unlink("deep/er/seed");
    again();
    assert_true(store.seed != seed); /* fails once in 2^64 */
}

TEST(test_a_seed_file_of_ones_own_is_taken)
{
    folder_put("my", "00000000000000ff\n");
    grade_store_close(&store);
    assert_int_equal(grade_store_open(&store, out, "my", 0, why, sizeof why),
                     0);
    assert_true(store.seed == 255);
    folder_put("my", "255\n");
    grade_store_close(&store);
    assert_int_equal(grade_store_open(&store, out, "my", 0, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "is no seed of 16 hexadecimal digits"));
}

TEST(test_two_graders_do_not_share_a_folder)
{
    struct grade_store second;

    assert_int_equal(grade_store_open(&second, out, NULL, 0, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "another grader is at work here"));
    again(); /* once the first has closed it */
}

TEST(test_halves_of_files_are_swept_and_a_persons_are_not)
{
    folder_put("deep/er/results/x/03_tiling.record.tmp.aB3xYz", "");
    folder_put("deep/er/results/x/03_tiling.record", "");
    folder_put("deep/er/seed.aB3xYz", "");
    folder_put("deep/er/grades.csv.tmp.aB3xYz", "");
    folder_put("deep/er/manual.csv", "");
    folder_put("deep/er/manual.csv.backup", "");
    again();
    assert_false(is_there("deep/er/results/x/03_tiling.record.tmp.aB3xYz"));
    assert_false(is_there("deep/er/seed.aB3xYz"));
    assert_false(is_there("deep/er/grades.csv.tmp.aB3xYz"));
    assert_true(is_there("deep/er/results/x/03_tiling.record"));
    assert_true(is_there("deep/er/manual.csv"));
    assert_true(is_there("deep/er/manual.csv.backup"));
}

TEST(test_the_temporary_folder_of_a_killed_grader_is_removed)
{
    char *const work = grade_store_work(&store, why, sizeof why);
    char inside[200];

    assert_non_null(work);
    snprintf(inside, sizeof inside, "%s/0", work);
    assert_int_equal(mkdir(inside, 0700), 0);
    snprintf(inside, sizeof inside, "%s/0/link", work);
    assert_int_equal(symlink(folder, inside), 0);
    again(); /* as if the first had not ended by itself */
    assert_int_equal(access(work, F_OK), -1);
    assert_int_equal(access(folder, F_OK), 0);
    free(work);
}

TEST(test_only_a_graders_own_folder_is_removed)
{
    char victim[120];

    snprintf(victim, sizeof victim, "%s/home", folder);
    assert_int_equal(mkdir(victim, 0700), 0);
    assert_int_equal(symlink(victim, "deep/er/work-1"), 0);
    again();
    assert_int_equal(access(victim, F_OK), 0);
    assert_false(is_there("deep/er/work-1"));
}

TEST(test_shares_of_a_class_work_beside_each_other)
{
    struct grade_store first, second, alone;
    char *work;

    grade_store_close(&store);
    assert_int_equal(grade_store_open(&first, out, NULL, 1, why, sizeof why),
                     0);
    assert_int_equal(grade_store_open(&second, out, NULL, 1, why, sizeof why),
                     0);
    assert_true(first.seed == second.seed);
    assert_int_equal(grade_store_open(&alone, out, NULL, 0, why, sizeof why),
                     -1);
    assert_non_null(strstr(why, "another grader is at work here"));
    work = grade_store_work(&first, why, sizeof why);
    assert_non_null(work);
    grade_store_close(&first); /* as if it were killed */
    assert_int_equal(access(work, F_OK), 0);
    grade_store_close(&second);
    again();
    assert_int_equal(access(work, F_OK), -1);
    free(work);
}

/* Whenever a writer is killed, there is the old record or the new one. */
TEST(test_a_kill_leaves_a_whole_record)
{
    put_result("alice", "0");
    for (int i = 0; i < 30; i++) {
        const pid_t writer = fork();
        int found = 0;

        assert_true(writer >= 0);
        if (writer == 0) {
            for (int k = 0;; k++)
                put_result("alice", k % 2 == 0 ? "0" : "1");
        }
        usleep((useconds_t)(500 + 300 * i));
        kill(writer, SIGKILL);
        waitpid(writer, NULL, 0);
        again();
        found = has_record("alice", "03_tiling", "0") +
                has_record("alice", "03_tiling", "1");
        assert_int_equal(found, 1);
    }
}

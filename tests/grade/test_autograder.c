/*
 * Does Gradescope's zip grade in what Gradescope gives it: a container without
 * user namespaces, with half a processor and 768 MB? It is unpacked, set up and
 * run there as Gradescope does it, and results.json is read with cJSON.
 */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../testing.h"
#include "../command.h"
#include "../corpus/case.h"
#include "base/file.h"

enum {
    LABS = 9
};

static char root[] = "/tmp/test_container.XXXXXX"; /* container.sh */
static const char *reason; /* why nothing can be tried here; NULL */
static char folder[100];   /* autograder/, as seen from here */

static struct command container(const char *what, const char *command)
{
    return command_run("sh tests/grade/container.sh %s '%s' '%s'", what, root,
                       command);
}

static void shell(const char *what)
{
    RUN_GIVES(0, NULL, "cd '%s' && %s", folder, what);
}

static int set_up(void **state)
{
    struct command command;

    (void)state;
    assert_non_null(mkdtemp(root));
    command = container("make", "");
    if (command.code != 0) {
        reason = "no container can be made here";
    } else if (system("command -v zip unzip >/dev/null") != 0) {
        reason = "zip or unzip is not installed";
    }
    print_message(reason != NULL ? "skipped: %s\n" : "In a container with %s",
                  reason != NULL ? reason : command.text);
    command_free(&command);
    if (reason != NULL)
        return 0;
    snprintf(folder, sizeof folder, "%s/autograder", root);
    RUN_GIVES(0, NULL,
              "make release WHAT=autograder && unzip -q "
              "build/release/autograder.zip -d '%s/source'",
              folder);
    shell("cp source/run_autograder . && chmod +x run_autograder");
    command_gives(container("run", "bash /autograder/source/setup.sh"), 0,
                  NULL);
    return 0;
}

static int take_down(void **state)
{
    struct command gone = container("remove", "");

    (void)state;
    command_free(&gone);
    return 0;
}

/* --- a submission --------------------------------------------------------- */

static void need_container(void)
{
    if (reason != NULL)
        skip();
}

/* Lays a submission of the corpus, for corpus_free(), and forgets what was
   found before. */
static struct corpus_case *lay_submission(const char *name)
{
    struct corpus_case *const c = corpus_find(name);
    char store[200];

    shell("rm -rf submission results store && mkdir results store");
    snprintf(store, sizeof store, "%s/store", folder);
    snprintf(c->student, sizeof c->student, "submission");
    corpus_lay(c, folder, store);
    return c;
}

/* Runs the autograder and reads what it leaves. */
static cJSON *run_autograder(void)
{
    char path[200], why[300], *text;
    cJSON *json;
    const cJSON *seconds;

    command_gives(container("run", "/autograder/run_autograder >/tmp/log"), 0,
                  NULL);
    snprintf(path, sizeof path, "%s/results/results.json", folder);
    text = base_read_file(path, why, sizeof why);
    if (text == NULL)
        fail_msg("%s", why);
    json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    seconds = cJSON_GetObjectItemCaseSensitive(json, "execution_time");
    assert_true(cJSON_IsNumber(seconds));
    print_message("  %.1f s\n", seconds->valuedouble);
    return json;
}

static const char *member_text(const cJSON *json, const char *member)
{
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(json, member);

    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static const char *verdict_of(const cJSON *json, const char *lab)
{
    const cJSON *const extra =
        cJSON_GetObjectItemCaseSensitive(json, "extra_data");

    return member_text(cJSON_GetObjectItemCaseSensitive(extra, "verdicts"),
                       lab);
}

static double score_of(const cJSON *json)
{
    const cJSON *const score = cJSON_GetObjectItemCaseSensitive(json, "score");

    if (!cJSON_IsNumber(score)) {
        struct command log = command_run("tail -n 40 '%s/tmp/log'", root);

        fail_msg("no score: %s\n%s", member_text(json, "output"), log.text);
    }
    return score->valuedouble;
}

static void no_score(const cJSON *json, const char *words)
{
    assert_null(cJSON_GetObjectItemCaseSensitive(json, "score"));
    assert_null(cJSON_GetObjectItemCaseSensitive(json, "tests"));
    if (strstr(member_text(json, "output"), words) == NULL)
        fail_msg("'%s' is not in '%s'", words, member_text(json, "output"));
}

/* --- the zip -------------------------------------------------------------- */

TEST(test_the_zip_is_the_same_each_time_and_tells_no_solution)
{
    need_container();
    /* A zip counts time in steps of two seconds. */
    RUN_GIVES(0, NULL,
              "make release WHAT=autograder && "
              "cp build/release/autograder.zip '%s/first.zip' && "
              "sleep 2 && make release WHAT=autograder && "
              "cmp build/release/autograder.zip '%s/first.zip'",
              root, root);
    RUN_GIVES(0,
              SAYS("\nsetup.sh\n", "\nrun_autograder\n", NOT "solutions/",
                   NOT "corpus/"),
              "unzip -Z1 build/release/autograder.zip");
}

/* --- tests ---------------------------------------------------------------- */

TEST(test_all_solutions_get_all_points)
{
    char here[300];
    cJSON *json;
    const cJSON *test;

    need_container();
    assert_non_null(getcwd(here, sizeof here));
    RUN_GIVES(0, NULL, "cp %s/solutions/*/*.cu '%s/submission'", here, folder);
    json = run_autograder();
    assert_true(score_of(json) == 100.0 * LABS);
    assert_int_equal(
        cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json, "tests")),
        LABS);
    cJSON_ArrayForEach(test, cJSON_GetObjectItemCaseSensitive(json, "tests"))
    {
        assert_string_equal(member_text(test, "status"), "passed");
    }
    assert_string_equal(
        member_text(cJSON_GetObjectItemCaseSensitive(json, "extra_data"),
                    "isolation"),
        "container");
    cJSON_Delete(json);
}

/* The submission gets the points and the verdict that the corpus asks for. */
static void graded_as_the_corpus_says(const char *name)
{
    struct corpus_case *c;
    const char *verdict;
    cJSON *json;

    need_container();
    c = lay_submission(name);
    json = run_autograder();
    verdict = verdict_of(json, c->lab);
    if (!corpus_expects(c, verdict))
        fail_msg("%s is %s, not %s", name, verdict, corpus_last(c, "verdict"));
    assert_true(corpus_is_worth(c, score_of(json)));
    cJSON_Delete(json);
    corpus_free(c, 1);
}

TEST(test_a_skeleton_is_unfinished)
{
    graded_as_the_corpus_says("broken/skeleton_untouched");
}

TEST(test_a_wrong_kernel_fails)
{
    graded_as_the_corpus_says("broken/drops_the_last_term");
}

TEST(test_hostile_ones_are_graded_like_others)
{
    graded_as_the_corpus_says("hostile/fork_bomb");
    graded_as_the_corpus_says("hostile/floods_the_output");
    graded_as_the_corpus_says("hostile/template_bomb");
}

/* A box may want more memory than the container has. */
TEST(test_memory_is_no_way_to_end_the_grader)
{
    graded_as_the_corpus_says("hostile/memory_by_malloc");
    graded_as_the_corpus_says("hostile/memory_by_new");
    graded_as_the_corpus_says("hostile/large_initialised_array");
}

TEST(test_an_empty_one_has_handed_in_nothing)
{
    cJSON *json;

    need_container();
    shell("rm -rf submission && mkdir submission");
    json = run_autograder();
    assert_true(score_of(json) == 0.0);
    assert_string_equal(verdict_of(json, "01_cpu_naive"), "MISSING");
    cJSON_Delete(json);
}

TEST(test_a_crash_of_the_grader_is_no_zero)
{
    cJSON *json;

    need_container();
    shell("mv source/build/tools/grade source/build/tools/kept && "
          "printf '#!/bin/sh\\nkill -SEGV $$\\n' >source/build/tools/grade && "
          "chmod +x source/build/tools/grade");
    json = run_autograder();
    shell("mv source/build/tools/kept source/build/tools/grade");
    no_score(json, "The grader failed, not you: it ended with code 139.");
    cJSON_Delete(json);
}

/* Without its parts nobody can be graded; that is the grader's fault. */
TEST(test_a_box_that_cannot_compile_is_no_zero)
{
    cJSON *json;

    need_container();
    corpus_free(lay_submission("broken/drops_the_last_term"), 1);
    shell("mv source/build/grade/kit/grade_build.sh source/kept");
    json = run_autograder();
    shell("mv source/kept source/build/grade/kit/grade_build.sh");
    no_score(json, "The grader failed, not you");
    cJSON_Delete(json);
}

ALL_TESTS(set_up, take_down);

/*
 * Does all hold that the course's texts quote: runs, numbers, links? The
 * handouts and slides of labs 04 to 14 are run for minutes: that is done where
 * QUOTES is all, as in make test WHAT=all.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS                                                             \
    "find . -name '*.md' ! -path './build/*' ! -path '*/node_modules/*' " \
    "! -path './.git/*' %s | sed 's,^\\./,,' | sort | xargs "

/* What find leaves out of them. */
static const char *left_out(void)
{
    const char *wanted = getenv("QUOTES");
    const int all = wanted != NULL && strcmp(wanted, "all") == 0;

    return all ? "" : "! -path './*/0[4-9]_*.md' ! -path './*/1[0-3]_*.md'";
}

static void all_hold(const char *checker)
{
    RUN_GIVES(0, SAYS("wrong: 0"), TEXTS "%s", left_out(), checker);
}

TEST(test_quoted_runs_hold)
{
    all_hold("build/tools/quotes --jobs 2");
}

TEST(test_quoted_numbers_hold)
{
    all_hold("awk -f common/teach/numbers.awk");
}

TEST(test_links_lead_somewhere)
{
    RUN_GIVES(0, NULL, TEXTS "build/tools/links", "");
}

/* What a handout asks to predict is not in the questions, which `make answers`
   writes before anybody has begun. Each stands with words of the key. */
TEST(test_no_question_answers_a_prediction)
{
    static const struct {
        const char *lab, *said, *key;
    } predicted[] = {
        {"02_gpu_naive", "2 global loads", "one element of A and one of B"},
        {"02_gpu_naive", "2.00 sectors", "2 sectors"},
        {"03_tiling", "0.125", "2 / 16 = 0.125"},
        {"03_tiling", "64 barriers", "32 tiles, 2 barriers each: 64"},
        {"03_tiling", "16 sectors", "16 sectors are touched"},
        {"04_coalescing", "from 16 sectors a request to 4", "4 sectors"},
        {"04_coalescing", "8 wavefronts", "8 different words each"},
        {"04_coalescing", "3.1", "3.1 TFLOP/s"},
        {"05_bank_conflicts", "32 today", "32 on both"},
        {"05_bank_conflicts", "more wavefronts", "both in bank 0"},
        {"06_conflict_free", "the padded one pay", "The padded one"},
        {"06_conflict_free", "the other way round", "17 takes 1 there"},
        {"07_outer_product", "1.000", "are 1.000"},
        {"07_outer_product", "122,880", "98,304"},
        {"07_outer_product", "98,304", "98,304"},
        {"09_prefetch", "33", "for each tile: 33"},
        {"09_prefetch", "122,880", "122,880"},
        {"10_register_tiling", "0.250", "0.250"},
        {"10_register_tiling", "24,576", "24,576"},
        {"11_vectorized_loads", "0.0625", "0.0625"},
        {"11_vectorized_loads", "6,912", "3,072"},
        {"12_warp_tiling", "takes 2 wavefronts", "two halves take 2"},
    };

    for (size_t i = 0; i < sizeof predicted / sizeof *predicted; i++) {
        struct command questions = command_run(
            "tr -s ' \\n' ' ' <labs/%s/questions.txt", predicted[i].lab);
        struct command key = command_run(
            "tr -s ' \\n' ' ' <solutions/%s/answers.txt", predicted[i].lab);

        if (strstr(key.text, predicted[i].key) == NULL)
            fail_msg("%s: the key has no '%s': change it here, too",
                     predicted[i].lab, predicted[i].key);
        if (strstr(questions.text, predicted[i].said) != NULL)
            fail_msg("labs/%s/questions.txt says '%s', which its handout asks "
                     "to predict",
                     predicted[i].lab, predicted[i].said);
        command_free(&questions);
        command_free(&key);
    }
}

/* Anchors are made of headings as GitHub does; a link in code is none. */
TEST(test_links_that_lead_nowhere_are_told)
{
    static const char text[] =
        "# Lab 03: tiling\n"
        "```sh\n# no heading\n[f](g)\n```\n"
        "## Then & now\n## Same\n## Same\n"
        "[a](#lab-03-tiling) [b](#then--now) [c](#same) [d](#same-1)\n"
        "`[e](f)` ![g](l.md \"t\") [h](https://x.org/y) [i](l.md#same)\n"
        "[j](#same-2) [k](#no-heading) [l](#lab-03) [m](none.md)\n";
    static const char *const bad[] = {"#same-2", "#no-heading", "#lab-03",
                                      "none.md"};
    struct command run = command_run(
        "links=$PWD/build/tools/links && cd $(mktemp -d) && cat >l.md <<'END'\n"
        "%sEND\n$links l.md; code=$?; rm -r $PWD; exit $code",
        text);

    command_ends(&run, 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char says[60];

        snprintf(says, sizeof says, "l.md:11: (%s) leads nowhere: ", bad[i]);
        command_says(&run, says);
    }
    command_says(&run, "links: 1 files, 10 links, 4 lead nowhere");
    command_free(&run);
}

/* What is done with blocks: one that is quoted twice is run once, and a command
   that is not the course's own is not run. */
TEST(test_blocks_are_checked_as_their_comments_say)
{
    static const char text[] =
        "one\n"
        "<!-- of solutions -->\n"
        "```console\n$ make lab-03\nof solutions\n$ cat a\nno\n```\n"
        "<!-- from a -->\n```c\ny;\n```\n"
        "<!-- not run: a GPU -->\n```console\n$ z\n```\n"
        "```console\n$ rm -r build\n$ make lab-03; rm x\n$ cat a | sh\n```\n"
        "```console\n$ cat a\n...\n```\n";
    static const char *const says[] = {
        "x.md:6: 'no' is quoted, but the run says 'x;'",
        "x.md:18: 'rm -r build' is no make, build/... or cat, so it is not run",
        "x.md:19: 'make lab-03; rm x' is no make",
        "x.md:20: 'cat a | sh' is no make",
        "3 runs quoted (2 commands), 1 quotes of files, not run: 1; wrong: 4"};
    struct command run =
        command_run("quotes=$PWD/build/tools/quotes && cd $(mktemp -d) && "
                    "printf 'lab-03:\\n\\t@echo of $(OF)\\n' >Makefile && "
                    "printf 'x;\\ny;\\n' >a && cat >x.md <<'END'\n"
                    "%sEND\n$quotes x.md; code=$?; rm -r $PWD; exit $code",
                    text);

    command_ends(&run, 1);
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++)
        command_says(&run, says[i]);
    command_free(&run);
}

TEST(test_blocks_that_are_none_are_told)
{
    RUN_GIVES(2,
              SAYS("x.md:2: this ``` block is not closed",
                   "y.md:1: no ``` block stands below this comment"),
              "quotes=$PWD/build/tools/quotes && cd $(mktemp -d) && "
              "printf 'a\\n```console\\nb\\n' >x.md && "
              "printf '<!-- of solutions -->\\ntext\\n' >y.md; "
              "$quotes x.md y.md; code=$?; rm -r $PWD; exit $code");
}

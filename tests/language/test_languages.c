/*
 * Is the course whole in each of its languages? Its texts, the pages and
 * archives that are made of them, and the screens: in a language that is none,
 * whose texts are the English ones in brackets, what has no brackets was
 * forgotten.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"
#include "base/wrap.h"

/* --- texts ---------------------------------------------------------------- */

/* What is stale or missing is English, and make translations tells; what is
   wrong would be believed. */
TEST(test_no_translation_is_wrong)
{
    RUN_GIVES(0, SAYS("es/labs.po", "zh_CN/screen.po", "0 wrong"),
              "sh common/language/translations.sh build/tools/translate "
              "build/tools/make_skeleton");
}

/* What somebody wrote in a lab is nobody's text, least of all a solution. */
TEST(test_work_in_a_lab_becomes_no_text)
{
    RUN_GIVES(
        0, SAYS("0 wrong", NOT "of a solution"),
        "exec 2>&1; set -e; here=$PWD; tree=%s; mkdir -p $tree; "
        "command -v msgmerge || { echo 0 wrong; exit 0; }; "
        "mkdir $tree/common; cp -r common/[!s]* common/simt $tree/common; "
        "cp -r labs solutions Makefile README.md $tree; cd $tree; "
        "sed 's|TODO 3.2|The words of a solution, and not TODO 3.2|' "
        "solutions/03_tiling/tiling.cu >labs/03_tiling/tiling.cu; "
        "sh common/language/translations.sh $here/build/tools/translate "
        "$here/build/tools/make_skeleton es update; "
        "grep 'of a solution' labs/languages/es/tasks.po || :",
        scratch("update"));
}

/* A number, a command or an argument of printf that is another one. */
TEST(test_a_wrong_translation_is_told_with_its_line)
{
    const char *const po = scratch_write("msgid \"It takes 12 of them.\"\n"
                                         "msgstr \"Son 21.\"\n",
                                         "x.po");

    RUN_GIVES(1, SAYS("x.po:1: number 12", "1 wrong"),
              "build/tools/translate check labs/languages/es/terms %s", po);
}

/* A text that changes is English again, and says so, in a page. */
TEST(test_a_stale_paragraph_has_its_mark)
{
    const char *const po =
        scratch_write("msgid \"One.\"\nmsgstr \"Uno.\"\n\n#, fuzzy\n"
                      "msgid \"Two.\"\nmsgstr \"Dos.\"\n",
                      "x.po");

    RUN_GIVES(0, SAYS("Uno.\n\n[en] Two.\n\nThree.\n"),
              "printf 'One.\\n\\nTwo.\\n\\nThree.\\n' >%s && "
              "build/tools/translate file %s -- %s %s && cat %s",
              scratch("a.md"), po, scratch("a.md"), scratch("b.md"),
              scratch("b.md"));
}

/* The pages of a language in a tree that has all that they lead to. */
TEST(test_pages_keep_code_runs_and_links)
{
    RUN_GIVES(
        0, SAYS("0 lead nowhere"),
        "exec 2>&1; set -e; all=$PWD; tree=%s; mkdir -p $tree; "
        "git ls-files | sed 's|[^/]*$||' | sort -u | "
        "while read -r d; do mkdir -p $tree/$d; done; "
        "git ls-files | while read -r f; do : >$tree/$f; done; "
        "for f in $(git ls-files '*.md'); do cp $f $tree/$f; done; "
        "code() { awk '/^ *```(c|console)$/ { on = 1 } on; "
        "/^ *```$/ { on = 0 }' $1; }; "
        "for l in labs/languages/*/; do "
        "for f in README.md labs/README.md labs/CUDA.md labs/GLOSSARY.md "
        "labs/0*/README.md labs/warm_up/README.md labs/transpose/README.md "
        "labs/spot_the_bug/README.md; do "
        "build/tools/translate file $l/*.po -- $f $tree/$f; "
        "code $f >$tree/a; code $tree/$f >$tree/b; cmp $tree/a $tree/b; "
        "done; (cd $tree && $all/build/tools/links README.md labs/*.md "
        "labs/*/README.md); done",
        scratch("tree"));
}

/* The skeletons of a language are those of the course but for comments. */
TEST(test_skeletons_keep_their_code)
{
    RUN_GIVES(0, NULL,
              "exec 2>&1; set -e; for l in labs/languages/*/; do "
              "for f in labs/0*/*.cu; do "
              "build/tools/translate file $l/*.po -- $f %s; "
              "for x in $f %s; do g++ -fpreprocessed -dD -E -P -x c++ $x "
              ">%s.$(basename $x .cu); done; "
              "cmp %s.$(basename $f .cu) %s.new; done; done",
              scratch("new.cu"), scratch("new.cu"), scratch("code"),
              scratch("code"), scratch("code"));
}

/* --- archives ------------------------------------------------------------- */

#define FILES                                                         \
    ".vscode Makefile VERSION INSTRUCTORS.md LICENSE plots/CAPTIONS " \
    "plots/gallery common/lab.h common/course/release.sh "            \
    "common/course/labs.awk common/course/next_archive.sh "           \
    "common/grade/README.md labs solutions"

TEST(test_archives_of_all_languages_have_no_solution)
{
    RUN_GIVES(
        0,
        SAYS("cuda-labs-es-01-03", "cuda-labs-zh_CN-01-03",
             "lines of the solutions is in it", "es is the default",
             NOT "tasks.po", NOT "a solution's line is in"),
        "exec 2>&1; set -e; tree=%s; cut=$PWD/build/tools/make_skeleton; "
        "mkdir -p $tree; tar -cf - " FILES " | tar -C $tree -xf -; cd $tree; "
        "git init -q .; git add -A; "
        "git -c user.name=t -c user.email=t commit -qm t; "
        "for l in $(ls labs/languages); do COURSE_LANGUAGE=$l sh "
        "common/course/release.sh $cut '01 02 03'; done; "
        "for a in build/release/*.tar.gz; do tar tzf $a | grep languages; done; "
        "cd build/release/cuda-labs-es-01-03; "
        "echo $(cat labs/languages/default) is the default; "
        "! cmp -s labs/03_tiling/README.md $tree/labs/03_tiling/README.md; "
        "! cmp -s labs/03_tiling/hints.txt $tree/labs/03_tiling/hints.txt; "
        "! cmp -s labs/03_tiling/tiling.cu $tree/labs/03_tiling/tiling.cu",
        scratch("release"));
}

/* --- screens -------------------------------------------------------------- */

/* Makes the language of brackets. Returns where it is. */
static const char *brackets(void)
{
    static char folder[300];

    snprintf(folder, sizeof folder, "%s", scratch("brackets"));
    RUN_GIVES(0, NULL,
              "mkdir -p %s && for n in screen tasks; do build/tools/translate "
              "pseudo labs/languages/es/$n.po >%s/$n.po || exit; done",
              folder, folder);
    return folder;
}

/* Blanks out what stands in brackets, from the inside out, in place; and lines
   of a source, which begin with its name or end as a statement. */
static void drop_said(char *text)
{
    char *end;

    for (char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const char *const place = strstr(line, ".cu:");

        if (strncmp(line, "  ", 2) == 0 &&
            ((place != NULL && place < line + length &&
              isalnum((unsigned char)line[2])) ||
             line[length - 1] == ';'))
            memset(line, ' ', length);
        line += length;
        if (*line == '\n')
            *line++ = ' ';
    }
    while ((end = strstr(text, "]]")) != NULL) {
        char *begin = end;

        while (begin > text && strncmp(begin, "[[", 2) != 0)
            begin--;
        memset(begin, ' ', (size_t)(end + 2 - begin));
    }
}

/* Has it words that nobody said in another language? Names of labs, files,
   commands and kernels are none, nor are the words of CSV files
   (CONTRIBUTING.md). */
static void has_no_english(const char *program, char *text)
{
    static const char *const names[] = {
        "load", "store",    "atomic", "global",  "shared", "constant",
        "char", "short",    "float",  "dynamic", "kernel", "host",
        "cpu",  "straight", "padded", "pragma"};
    char said[8000];

    snprintf(said, sizeof said, "%s", text);
    drop_said(text);
    for (char *word = strtok(text, " "); word != NULL;
         word = strtok(NULL, " ")) {
        size_t letters = 0;
        int is_known = strpbrk(word, "_/0123456789=") != NULL;

        for (const char *c = word; *c != '\0'; c++)
            letters += islower((unsigned char)*c) != 0;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            is_known |= strcmp(word, names[i]) == 0;
        if (letters >= 3 && !is_known)
            fail_msg("%s: '%s' is English in:\n%s", program, word, said);
    }
}

static void screen_is_said(const char *program)
{
    struct command run = command_run(
        "COURSE_LANGUAGE=%s timeout 300 sh -c \"%s\"", brackets(), program);

    assert_non_null(strstr(run.text, "[["));
    has_no_english(program, run.text);
    command_free(&run);
}

TEST(test_tables_have_no_word_that_is_not_in_the_catalogue)
{
    screen_is_said("build/cpu/solutions/03_tiling-analyse --counters --m 64 "
                   "--n 64 --k 64 --verbose");
    screen_is_said("build/cpu/solutions/05_bank_conflicts");
    screen_is_said("build/cpu/labs/06_conflict_free-analyse --counters");
    screen_is_said("build/cpu/solutions/08_unrolling-analyse --counters");
    screen_is_said(
        "build/tools/chip --chip common/chip/chips/h200.csv --facts "
        "common/chip/facts.csv --sizes 512 --requests build/chip/said "
        "--program build/cpu/solutions/06_conflict_free-analyse "
        "06_conflict_free");
    screen_is_said("build/tools/chip --chip common/chip/chips/t4.csv --sizes "
                   "512 --requests build/chip/said --program "
                   "build/cpu/solutions/03_tiling-analyse 03_tiling");
    screen_is_said("sh common/course/help.sh first | sed 's/^  make [^ ]*//'");
    screen_is_said("sh common/course/status.sh 01_cpu_naive 03_tiling "
                   "10_register_tiling");
}

TEST(test_screens_of_labs_have_no_sentence_that_is_not_in_the_catalogue)
{
    screen_is_said("build/cpu/labs/02_gpu_naive");
    screen_is_said("build/cpu/labs/03_tiling");
    screen_is_said("build/cpu/small/mutants/02_no_guard-analyse --why");
    screen_is_said("build/cpu/small/mutants/03_no_first_barrier-analyse --why");
    screen_is_said("build/cpu/small/mutants/03_no_zero_fill-analyse --why");
    screen_is_said(
        "build/cpu/small/mutants/03_barrier_in_a_branch-analyse --why");
    screen_is_said("build/cpu/small/mutants/08_b1_again-analyse --why");
}

/* What is within a sentence of the device is found, too. */
TEST(test_a_sentence_within_another_is_said)
{
    RUN_GIVES(ANY_CODE, SAYS("del bloque (0,2) espera en el"),
              "COURSE_LANGUAGE=labs/languages/es build/cpu/small/mutants/"
              "03_barrier_in_a_branch-analyse --why");
}

/* In each language, by columns: a Chinese character takes two. */
TEST(test_no_line_is_wider_than_a_screen)
{
    struct command run = command_run(
        "for l in labs/languages/*/; do export COURSE_LANGUAGE=$l; "
        "build/cpu/solutions/03_tiling-analyse --counters --m 64 --n 64 --k 64 "
        "--verbose; build/cpu/labs/03_tiling; "
        "build/cpu/small/mutants/03_no_first_barrier-analyse --why; "
        "for c in h200 t4; do build/tools/chip --chip common/chip/chips/$c.csv "
        "--sizes 512 --requests build/chip/said --program "
        "build/cpu/solutions/03_tiling-analyse 03_tiling; done; "
        "sh common/course/help.sh first; "
        "sh common/course/status.sh 01_cpu_naive 11_vectorized_loads; done");
    size_t lines = 0;

    for (char *line = strtok(run.text, "\n"); line != NULL;
         line = strtok(NULL, "\n"), lines++) {
        if (base_columns(line, strlen(line)) > BASE_WIDTH)
            fail_msg("wider than %d columns:\n%s", (int)BASE_WIDTH, line);
    }
    assert_true(lines > 600);
    command_free(&run);
}

/* A screen that says something else must be found. */
TEST(test_a_sentence_without_brackets_is_found)
{
    char text[] = "[[A [[nested]] one.]] Left over here.";

    drop_said(text);
    assert_non_null(strstr(text, "Left over here."));
    assert_null(strstr(text, "nested"));
    assert_null(strstr(text, "one."));
}

TEST(test_a_hint_and_a_question_are_said_too)
{
    const char *const folder = brackets();

    RUN_GIVES(
        0, SAYS("[[Each thread brings one element"),
        "COURSE_LANGUAGE=%s build/tools/hint labs/03_tiling %s --todo 3.1",
        folder, scratch("shown"));
    RUN_GIVES(
        0, SAYS("? 03.1: [[make lab-03 shows"),
        "mkdir -p %s/build && cp -r labs common %s && cp -r build/tools %s/build && cd %s && "
        "COURSE_LANGUAGE=%s sh common/course/answers.sh && "
        "cat answers.txt",
        scratch("answers"), scratch("answers"), scratch("answers"),
        scratch("answers"), folder);
}

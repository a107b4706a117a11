/* Is the report what a student would hand in, and does a mistake leave the
   earlier one as it was? */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../testing.h"
#include "../command.h"
#include "../scratch.h"
#include "xml.h"

/* Zazolc and names in Chinese and Russian letters, quotes, and HTML. */
#define NAME                                                       \
    "Za\xc5\xbc\xc3\xb3\xc5\x82\xc4\x87 \xe6\x9d\x8e\xe9\x9b\xb7 " \
    "\xd0\x9e\xd0\xbb\xd1\x8c\xd0\xb3\xd0\xb0 O'Brien \"x\" & <b>"
#define NAME_AS_HTML                                                      \
    "Za\xc5\xbc\xc3\xb3\xc5\x82\xc4\x87 \xe6\x9d\x8e\xe9\x9b\xb7 "        \
    "\xd0\x9e\xd0\xbb\xd1\x8c\xd0\xb3\xd0\xb0 O&#39;Brien &quot;x&quot; " \
    "&amp; &lt;b&gt;"

/* The program on results of the test's own. */
#define REPORT \
    "build/tools/report -r %s/results --plots %s/plots -o %s/report.html "

static const char *folder;

static void run_quietly(const char *line)
{
    command_gives(command_run("%s", line), 0, NULL);
}

/* A folder with two labs run by a student: 03 is right, 09 is not. */
FIXTURE(make_folder)
{
    folder = scratch(".");
    setenv("NAME", NAME, 1);
    RUN_GIVES(0, NULL,
              "cd %s && mkdir -p results/labs results/checks/labs plots",
              folder);
    RUN_GIVES(0, NULL,
              "build/cpu/solutions/03_tiling-analyse --quiet --counters "
              "--csv %s/results/labs/03_tiling.csv "
              "--findings %s/results/checks/labs/03_tiling.csv",
              folder, folder);
    RUN_GIVES(0, NULL,
              "! build/cpu/small/mutants/09_no_barrier-analyse --quiet "
              "--counters --csv %s/results/labs/09_prefetch.csv "
              "--findings %s/results/checks/labs/09_prefetch.csv",
              folder, folder);
    RUN_GIVES(0, NULL,
              "build/cpu/solutions/03_tiling --card --csv "
              "%s/results/device.csv",
              folder);
    RUN_GIVES(0, NULL, "cp plots/gallery/counters_by_lab.svg %s/plots", folder);
    return 0;
}

static void holds(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in the report", words);
}

/* Makes the report; returns it for free(). */
static char *make_report(const char *options)
{
    command_gives(command_run(REPORT "--student=\"$NAME\" %s", folder, folder,
                              folder, options),
                  0, SAYS("report.html: 1 of 9 labs right, "));
    return scratch_read("report.html");
}

/* --- what stands in it ---------------------------------------------------- */

TEST(test_the_name_comes_out_as_it_was_given)
{
    char *text = make_report("");

    holds(text, "<title>CUDA C labs: report of " NAME_AS_HTML "</title>");
    holds(text, "<p class=\"student\" dir=\"auto\">" NAME_AS_HTML "</p>");
    free(text);
}

TEST(test_the_page_is_well_formed)
{
    char *text = make_report("");
    char why[256];
    struct command run;

    if (xml_check(text, why, sizeof why) != 0)
        fail_msg("report.html: %s", why);
    free(text);
    run = command_run("command -v xmllint >/dev/null || exit 77; "
                      "xmllint --noout %s/report.html",
                      folder);
    if (run.code != 77)
        command_ends(&run, 0);
    command_free(&run);
}

/* Links within the page and data are all that it names. */
TEST(test_the_page_loads_nothing)
{
    static const char *const attribute[] = {"src=\"",  "href=\"", "url(",
                                            "@import", "<script", "<link",
                                            "<iframe", "srcset"};
    char *text = make_report("");

    for (size_t i = 0; i < sizeof attribute / sizeof attribute[0]; i++) {
        for (const char *at = strstr(text, attribute[i]); at != NULL;
             at = strstr(at + 1, attribute[i])) {
            const char *const value = at + strlen(attribute[i]);

            if (strncmp(value, "data:", 5) != 0 && value[0] != '#')
                fail_msg("%.60s", at);
        }
    }
    holds(text, "default-src 'none'");
    holds(text, "src=\"data:image/svg+xml;base64,");
    free(text);
}

TEST(test_labs_numbers_findings_and_card_are_told)
{
    char *text = make_report("--date 2030-01-02");

    holds(text, "<p class=\"date\">2030-01-02</p>");
    holds(text, "<li>1 of 9 labs are right; 7 were not run.</li>");
    holds(text, "<td>global loads per multiply-add</td>"
                "<td class=\"number\">2.000</td>"
                "<td class=\"number\">0.125</td>"
                "<td class=\"number\">0.125</td><td>reached</td>");
    /* An entry that is only shown has no goal. */
    char *jumps = strstr(text, "<td>backward jumps per multiply-add</td>");

    assert_non_null(jumps);
    assert_null(strstr(jumps + 1, "<td>backward jumps per multiply-add</td>"));
    holds(text, "The checks found 1 mistake in the 2 labs that they saw");
    holds(text, "races in shared memory: none in ");
    holds(text, "<pre class=\"finding\">");
    holds(text, "race in shared memory on As");
    holds(text, "<th scope=\"row\">resident warps of each</th><td>64 </td>");
    holds(text, "<img alt=\"Bars for each lab");
    free(text);
}

TEST(test_what_was_not_run_is_named_with_its_command)
{
    char *text = make_report("");

    holds(text, "not run</span><br/><code>make lab-04</code>");
    holds(text, "Not run: the course's solutions");
    holds(text, "not run: <code>make bench WHAT=roofline DEVICE=gpu</code>");
    holds(text, "<p class=\"missing\">Not checked: 02_gpu_naive, ");
    free(text);
}

/* Where make demo is not there, as in a students' archive. */
TEST(test_solutions_that_are_not_there_are_not_asked_for)
{
    RUN_GIVES(0, SAYS(NOT "course's solutions", "Not checked: 02_gpu_naive"),
              "home=$PWD; mkdir -p %s/archive && cd %s/archive && "
              "ln -s $home/labs $home/plots $home/common . && "
              "$home/build/tools/report -r ../results --plots ../plots "
              "-o r.html && cat r.html",
              folder, folder);
}

/* The page names lab 03 as run; then the source changes. */
TEST(test_a_lab_that_was_saved_since_its_run_is_marked)
{
    char *text;

    scratch_write("<svg>mine</svg>", "plots/map_03_global.svg");
    scratch_write("<svg>mine</svg>", "plots/why_04.svg");
    text = make_report("");
    assert_null(strstr(text, "saved since"));
    assert_null(strstr(text, "last change"));
    free(text);
    command_gives(
        command_run("cp -rp labs %s/labs && touch %s/labs/03_tiling/tiling.cu",
                    folder, folder),
        0, NULL);
    char option[128];

    snprintf(option, sizeof option, "--labs %s/labs", folder);
    text = make_report(option);
    holds(text, "saved since");
    holds(text, "Drawn before the last change of 03_tiling.</strong>");
    assert_null(strstr(text, "last change of 04"));
    assert_null(strstr(text, "No caption"));
    free(text);
    RUN_GIVES(0, NULL, "cd %s/plots && rm map_03_global.svg why_04.svg",
              folder);
}

/* Who does none of the advanced labs misses nothing; who does one sees it. */
TEST(test_an_advanced_lab_stands_there_once_it_was_run)
{
    char line[512], *text = make_report("");

    text_has(text, SAYS(NOT "10_register_tiling", NOT "advanced"));
    free(text);
    snprintf(line, sizeof line,
             "sed s/03_tiling/10_register_tiling/ %s/results/labs/"
             "03_tiling.csv >%s/results/labs/10_register_tiling.csv",
             folder, folder);
    run_quietly(line);
    text = make_report("");
    holds(text, "<li>1 of 9 labs are right; 7 were not run.</li>");
    holds(text, "<li>Of the advanced track, 1 of ");
    holds(text, "10_register_tiling<br/>");
    assert_null(strstr(text, "11_vectorized_loads"));
    free(text);
    snprintf(line, sizeof line, "rm %s/results/labs/10_register_tiling.csv",
             folder);
    run_quietly(line);
}

/* --- questions ------------------------------------------------------------ */

TEST(test_answers_stand_below_their_questions)
{
    char option[128], *text, *question;

    scratch_write(
        "? 10.1: of a lab that was not run\n10.1:\n3.2: 2 * 512 / 16 < 65 & \"so\" on\n\n  more\n",
        "answers.txt");
    snprintf(option, sizeof option, "-a %s/answers.txt", folder);
    text = make_report(option);
    question = strstr(text, "<strong>03.2</strong>");
    assert_non_null(question);
    holds(text, "<div class=\"answer\" dir=\"auto\">2 * 512 / 16 &lt; 65 &amp; "
                "&quot;so&quot; on\n\n  more</div>");
    assert_true(strstr(text, "dir=\"auto\">2 * 512") > question);
    assert_true(strstr(text, "dir=\"auto\">2 * 512") <
                strstr(text, "<strong>03.3</strong>"));
    holds(text, "<div class=\"answer empty\">No answer yet.</div>");
    holds(text, "<li>1 of ");
    assert_null(strstr(text, "<strong>10.1"));
    free(text);
}

/* Twice: what is there is kept, and no question is asked again. */
TEST(test_a_file_has_room_for_each_answer)
{
    RUN_GIVES(0,
              SAYS("? 01.1: How many multiply-adds",
                   "\n01.1:\n\n? 01.2: ", "\n03.2: mine\n# too\n",
                   NOT "\n03.2:\n", NOT "? 03.2: ", "\n15.", "questions added",
                   "answers.txt: 0 questions added"),
              "cd %s && ln -sfn $OLDPWD/labs labs && ln -sfn $OLDPWD/common "
              "common && printf '03.2: mine\n# too' >answers.txt && "
              "sh common/course/answers.sh 2>&1 && "
              "sh common/course/answers.sh 2>&1 && cat answers.txt",
              scratch("."));
}

TEST(test_every_lab_has_three_to_five_questions)
{
    struct command run = command_run(
        "for lab in labs/[0-9]*/; do n=$(grep -c '^[0-9][0-9]\\.[0-9]: ' "
        "$lab/questions.txt); [ \"$n\" -ge 3 ] && [ \"$n\" -le 5 ] || "
        "echo \"$lab: $n\"; done");

    command_ends(&run, 0);
    assert_string_equal(run.text, "");
    command_free(&run);
}

/* For the teacher. */
TEST(test_every_question_has_a_key)
{
    struct command run = command_run(
        "for lab in solutions/*/; do sed -n 's/^\\([0-9][0-9.]*:\\).*/\\1/p' "
        "labs/$(basename $lab)/questions.txt | while read -r key; do "
        "grep -q \"^$key .\" $lab/answers.txt || echo \"$key\"; done; done");

    command_ends(&run, 0);
    assert_string_equal(run.text, "");
    command_free(&run);
}

/* --- mistakes ------------------------------------------------------------- */

/* The program refuses with one line that says words; the report that is there
   stays, and nothing lies beside it. */
static void refuses_command(const char *before, const char *options,
                            const char *words)
{
    char *lines;
    struct command run, rest;

    scratch_write("earlier", "report.html");
    run = command_run("%s " REPORT "--student=x %s", before, folder, folder,
                      folder, options);
    command_ends(&run, 2);
    command_says(&run, words);
    lines = strchr(run.text, '\n');
    assert_non_null(lines);
    assert_string_equal(lines, "\n");
    command_free(&run);
    char *text = scratch_read("report.html");

    assert_string_equal(text, "earlier");
    free(text);
    rest = command_run("ls %s | grep 'report.html.'", folder);
    assert_string_equal(rest.text, "");
    command_free(&rest);
}

TEST(test_a_report_without_a_name_has_room_for_one)
{
    struct command run =
        command_run(REPORT "--student='  '", folder, folder, folder);
    char *text;

    command_ends(&run, 0);
    command_says(&run, "make report STUDENT=\"First Last\"");
    command_free(&run);
    text = scratch_read("report.html");
    holds(text, "<title>CUDA C labs: report</title>");
    holds(text, "Name: ____");
    free(text);
}

TEST(test_a_name_that_is_no_text_is_refused)
{
    refuses_command("", "--student=$(printf 'J\\351r')", "not UTF-8");
}

TEST(test_a_bad_file_of_results_is_named)
{
    char *kept = scratch_read("results/labs/03_tiling.csv");

    scratch_write("", "results/labs/03_tiling.csv");
    refuses_command("", "", "labs/03_tiling.csv: the file is empty");
    scratch_write("lab,variant\n03_tiling,kernel\n",
                  "results/labs/03_tiling.csv");
    refuses_command("", "", "labs/03_tiling.csv: no column 'device'");
    *strstr(kept, "barriers_per_thread") = 'X';
    scratch_write(kept, "results/labs/03_tiling.csv");
    refuses_command(
        "", "",
        "no column 'barriers_per_thread', so it is from another version "
        "of the course (run that lab again)");
    *strstr(kept, "Xarriers_per_thread") = 'b';
    scratch_write(kept, "results/labs/03_tiling.csv");
    free(kept);
    scratch_write("a,b\n1\n", "results/other.csv");
    refuses_command("", "", "other.csv: row 2 has not 2 cells");
    scratch_write("# on a chip\na,b\n", "results/other.csv");
    refuses_command("", "", "other.csv: has no rows");
    scratch_write("# on a <chip>\na,b\n1,2\n", "results/other.csv");
    kept = make_report("");
    holds(kept, "<td>a, b<pre># on a &lt;chip&gt;\n</pre></td>");
    free(kept);
}

TEST(test_answers_to_no_question_are_told_by_line)
{
    char option[128];

    snprintf(option, sizeof option, "-a %s/answers.txt", folder);
    scratch_write("03.1: a\n\n03.9: b\n", "answers.txt");
    refuses_command(
        "", option,
        "answers.txt:3: there is no question 03.9: lab 03 has 03.1 to "
        "03.");
    scratch_write("44.1: b\n", "answers.txt");
    refuses_command("", option, "answers.txt:1: there is no question 44.1");
    scratch_write("no key\n", "answers.txt");
    refuses_command("", option, "answers.txt:1: belongs to no question");
    refuses_command("", "-a /not/there", "/not/there: ");
}

/* The student's plots come first; what would make the page too large is left
   out, and said. */
TEST(test_own_plots_come_first_and_large_ones_are_left_out)
{
    struct command run;
    char *text;

    scratch_write("<svg>the course solutions</svg>", "plots/banks.svg");
    scratch_write("<svg>mine</svg>", "plots/own.svg");
    command_gives(
        command_run("{ echo '<svg>'; head -c 1400000 /dev/zero | tr '\\0' x; "
                    "echo '</svg>'; } >%s/plots/large.svg",
                    folder),
        0, NULL);
    text = make_report("");
    holds(text, "than 2 MB: 1 of the plots");
    holds(text, "<strong>own.svg</strong>");
    assert_null(strstr(text, "<strong>large.svg</strong>"));
    assert_true(strlen(text) < 2000000);
    assert_true(strstr(text, "own.svg") < strstr(text, "banks.svg"));
    free(text);
    run = command_run("cd %s/plots && rm banks.svg own.svg large.svg", folder);
    command_free(&run);
}

TEST(test_a_cut_plot_is_named)
{
    scratch_write("<svg>", "plots/ladder.svg");
    refuses_command("", "", "plots/ladder.svg: not a whole SVG drawing");
    scratch_write("", "plots/ladder.svg");
    refuses_command("", "", "plots/ladder.svg: not a whole SVG drawing");
    struct command run = command_run("rm %s/plots/ladder.svg", folder);

    command_free(&run);
}

/* A file system that takes no more: here, no file of more than 4 KiB. */
TEST(test_a_full_disk_leaves_the_earlier_report)
{
    refuses_command("trap '' XFSZ; ulimit -f 8;", "",
                    "report.html: cannot be written");
}

TEST(test_a_folder_that_is_not_there_is_named)
{
    refuses_command("", "-o /not/there/report.html",
                    "/not/there/report.html: cannot be written");
}

/* --- as a student types it ------------------------------------------------ */

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u STUDENT make "

/* Without results the solutions come first; what was asked for as well, too. */
TEST(test_make_report_waits_for_what_it_shows)
{
    struct command run = command_run(
        "mkdir %s/bare && cd %s/bare && for d in common labs solutions plots "
        "tests Makefile; do ln -s $OLDPWD/$d .; done && " MAKE
        "-n banks report STUDENT=x | grep -o -e 'demo.sh counted' -e 'sh plots/draw.sh' "
        "-e 'tools/report --student' | uniq -c | tr -s ' '",
        folder, folder);

    struct command labs =
        command_run("awk -f common/course/labs.awk labs/INDEX | awk -F: "
                    "'/^[01].*:lab$/ { n++ } END { print n }'");
    char counted[32];

    command_ends(&run, 0);
    snprintf(counted, sizeof counted, " %d demo.sh counted\n", atoi(labs.text));
    command_says(&run, counted);
    command_free(&labs);
    assert_int_equal(strncmp(strstr(run.text, " 1 tools/report"),
                             " 1 tools/report --student\n", 99),
                     0);
    command_free(&run);
}

/* In a tree of its own, with the results and tools of this one; the PDF is
   printed if there is a browser, and named if not. */
TEST(test_make_report_takes_any_name_and_goes_on_without_browser)
{
    command_gives(
        command_run(
            "cd %s && mkdir -p tree/build/cpu tree/bin && src="
            "$OLDPWD && "
            "cd tree && for d in common labs solutions plots tests Makefile; do "
            "ln -s $src/$d .; done && ln -s $src/build/tools build && "
            "ln -s $src/build/cpu/common $src/build/cpu/*.a $src/build/cpu/solutions build/cpu && "
            "mkdir build/results && cp -r ../results/labs build/results && "
            "cp tests/plots/sample_results.csv build/results/sample.txt && "
            "head -n 1 build/results/labs/03_tiling.csv > build/results/"
            "ladder.csv && tail -n 1 build/results/labs/03_tiling.csv >> "
            "build/results/ladder.csv && "
            "ln -s /usr/bin/* bin && rm -f bin/chrom* bin/google* && " MAKE
            "report STUDENT='$$NAME \"q\" \\ `x` %%s' "
            "PATH=$PWD/bin && grep -c '<title>' build/report/report.html && "
            "grep '<p class=\"student\"' build/report/report.html",
            folder),
        0,
        SAYS("skipped: the PDF, since Chromium is not here",
             "dir=\"auto\">$$NAME &quot;q&quot; \\ `x` %s</p>"));
}

ALL_TESTS(make_folder, NULL);

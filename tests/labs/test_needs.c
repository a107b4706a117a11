/* Does a machine that lacks something say what, for which task, and what to
   type? With stand-ins for the system's commands. */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"
#include "../command.h"

#include <string.h>

/* A PATH of its own: the shell's tools, a compiler, and the commands that are
   given as NAME:TEXT of a shell script, on lines. */
#define WITH_COMMANDS                                                           \
    "exec 2>&1; bin=$(mktemp -d) && "                                           \
    "for tool in sh sed awk grep cat ls rm mktemp nproc env tr id make find "   \
    "uname sort gcc g++ cc1 as ld dirname mkdir rmdir mv readlink seq cmp; do " \
    "at=$(PATH=/usr/bin:/bin:$PATH command -v $tool) && ln -s $at $bin; done; " \
    "rm -f $bin/id; printf '#!/bin/sh\\necho 1000\\n' >$bin/id; "               \
    "%s find $bin -type f -exec chmod +x {} +; "                                \
    "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS PATH=$bin "                        \
    "%s; code=$?; rm -r $bin; exit $code"
#define COMMAND(name, text) \
    "printf '#!/bin/sh\\n%s\\n' '" text "' >$bin/" name "; "
#define NOTHING_IS_A_PACKAGE COMMAND("dpkg-query", "exit 1")
#define SUDO                 COMMAND("sudo", "exec \"$@\"")

static void has_no(const struct command *run, const char *words)
{
    if (strstr(run->text, words) != NULL)
        fail_msg("'%s' is in:\n%s", words, run->text);
}

static int count_lines(const struct command *run)
{
    int lines = 0;

    for (const char *c = run->text; *c != '\0'; c++)
        lines += *c == '\n';
    return lines;
}

TEST(test_without_root_the_packages_are_named)
{
    struct command run =
        command_run(WITH_COMMANDS, NOTHING_IS_A_PACKAGE COMMAND("apt-get", ":"),
                    "sh common/course/deps.sh demo");

    command_ends(&run, 2);
    text_has(run.text,
             SAYS("deps: to do labs, draw plots\n",
                  "deps: not root and no sudo; ask for: ", "gnuplot-nox"));
    has_no(&run, "bubblewrap");
    command_free(&run);
}

/* It installs and makes the grader; whose labs are empty is not graded. */
TEST(test_deps_for_the_grader_grade_nobody)
{
    static const char make[] =
        "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -n deps grade %s";

    RUN_GIVES(0,
              SAYS("deps.sh grade\n", "make --no-print-directory build/tools/"
                                      "grade\n"),
              make, "");
    RUN_GIVES(0, SAYS("make --no-print-directory grade\n"), make,
              "SUBMISSIONS=x");
    RUN_GIVES(0, SAYS("make --no-print-directory grade\n"), make,
              "WHAT=rubric");
}

TEST(test_another_system_is_told_the_names)
{
    struct command run = command_run(WITH_COMMANDS, NOTHING_IS_A_PACKAGE,
                                     "sh common/course/deps.sh slides");

    command_ends(&run, 2);
    command_says(&run, "this system has no apt-get; install what it calls: "
                       "fonts-wqy-microhei nodejs npm chromium");
    has_no(&run, "gnuplot");
    command_free(&run);
}

TEST(test_no_network_is_one_sentence)
{
    struct command run = command_run(
        WITH_COMMANDS,
        NOTHING_IS_A_PACKAGE SUDO COMMAND(
            "apt-get",
            "echo \"E: Could not resolve deb.debian.org\"; exit 100"),
        "sh common/course/deps.sh demo");

    command_ends(&run, 2);
    command_says(&run, "deps: no network: ");
    has_no(&run, "E: ");
    assert_int_equal(count_lines(&run), 2);
    command_free(&run);
}

TEST(test_what_apt_says_otherwise_is_shown)
{
    struct command run = command_run(
        WITH_COMMANDS,
        NOTHING_IS_A_PACKAGE SUDO COMMAND(
            "apt-get",
            "case $* in *update*) ;; *) echo \"E: no space\" >&2; exit 100;; esac"),
        "sh common/course/deps.sh demo");

    command_ends(&run, 2);
    text_has(run.text, SAYS("E: no space\n", "deps: apt-get install failed"));
    has_no(&run, "done");
    command_free(&run);
}

TEST(test_packages_and_megabytes_are_told_first)
{
    struct command run = command_run(
        WITH_COMMANDS,
        NOTHING_IS_A_PACKAGE SUDO COMMAND(
            "apt-get",
            "case $* in *print-uris*) echo \"\\047http://x/a\\047 a.deb 1500000 "
            "MD5\"; echo \"\\047http://x/b\\047 b.deb 2000000 MD5\";; "
            "*Status-Fd*) echo \"apt gets $*\" >$HOME/asked;; esac"),
        "HOME=$bin sh common/course/deps.sh demo && cat $bin/asked");
    const char *told, *done;

    command_ends(&run, 0);
    told = strstr(run.text, "deps: 2 packages, 3.5 MB to fetch\n");
    done = strstr(run.text, "deps: done\n");
    assert_non_null(told);
    assert_non_null(done);
    assert_true(told < done);
    assert_non_null(strstr(done, "gnuplot-nox"));
    command_free(&run);
}

/* Everything is installed, by the system's own word. */
TEST(test_nothing_to_do_is_said)
{
    RUN_GIVES(
        0, SAYS("deps: all is there to: do labs, draw plots, grade a class\n"),
        WITH_COMMANDS, COMMAND("dpkg-query", "echo install ok installed"),
        "sh common/course/deps.sh demo grade");
}

TEST(test_the_doctor_answers_by_task_in_80_columns)
{
    struct command run = command_run(WITH_COMMANDS, NOTHING_IS_A_PACKAGE,
                                     "sh common/course/doctor.sh cpu");

    command_ends(&run, 0);
    text_has(run.text,
             SAYS("  ready    do labs",
                  "           without gnuplot: tables and CSV files come",
                  "  missing  grade a class",
                  "make deps grade\n           needs ", "bubblewrap",
                  "DEVICE is cpu"));
    for (const char *at = run.text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        if (strcspn(at, "\n") > 80)
            fail_msg("%.*s", (int)strcspn(at, "\n"), at);
    }
    command_free(&run);
}

TEST(test_make_names_what_a_goal_lacks_in_one_line)
{
    struct command run =
        command_run(WITH_COMMANDS, NOTHING_IS_A_PACKAGE, "make -n slides");

    command_ends(&run, 2);
    command_says(&run, "make slides needs what is not installed here: Node, "
                       "npm, Chromium: type make deps slides");
    assert_int_equal(count_lines(&run), 1);
    command_free(&run);
    /* A lab needs none of it. */
    RUN_GIVES(0, NULL, WITH_COMMANDS, NOTHING_IS_A_PACKAGE, "make -n lab-03");
}

/* A lab's program starts where only the C library, and what g++ brings along,
   are installed. */
TEST(test_a_lab_is_linked_with_nothing_to_install)
{
    struct command run = command_run(
        "for build in '' -analyse; do "
        "readelf -d build/cpu/solutions/03_tiling$build | "
        "sed -n 's/.*(NEEDED).*\\[\\(.*\\)\\]/\\1/p'; done | grep -Ev "
        "'^(libm|libdl|libpthread|libstdc..|libgcc_s|ld-linux.*)[.]so' | "
        "sort | uniq -c");

    assert_string_equal(run.text, "      2 libc.so.6\n");
    command_free(&run);
}

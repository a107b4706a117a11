/* What could go wrong with a program that another one runs? One test per
   answer. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../testing.h"
#include "base/child.h"

/* Runs a line of the shell, whose words are kept in *said. */
static struct base_child_end run(const char *line, int options, double seconds,
                                 char **said)
{
    const char *const argv[] = {"sh", "-c", line, NULL};
    struct base_child child;

    assert_int_equal(base_child_start(&child, argv, options | BASE_CHILD_HEARD),
                     0);
    return base_child_wait(&child, seconds, said);
}

static void ends(const char *line, double seconds, int how, int code,
                 const char *expected)
{
    char *said = NULL;
    const struct base_child_end end = run(line, 0, seconds, &said);

    assert_non_null(said);
    assert_string_equal(said, expected);
    free(said);
    assert_int_equal(end.how, how);
    assert_int_equal(end.code, code);
}

TEST(test_a_code_and_a_signal_are_told_apart)
{
    ends("echo out; echo err >&2; exit 9", 0.0, BASE_CHILD_ENDED, 9,
         "out\nerr\n");
    ends("kill -9 $$", 0.0, BASE_CHILD_SIGNALED, 9, "");
    ends("exit 9", 60.0, BASE_CHILD_ENDED, 9, "");
}

/* What it started becomes this process's child then, and tells how it ended. */
TEST(test_who_takes_too_long_is_stopped_with_all_it_started)
{
    char *said = NULL;
    int status = 0;

    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    for (double seconds = 0.2; said == NULL || *said == '\0'; seconds *= 2.0) {
        struct base_child_end end;

        free(said);
        end = run("trap '' TERM; sleep 1000 & echo $!; while :; do wait; done",
                  BASE_CHILD_APART, seconds, &said);
        assert_int_equal(end.how, BASE_CHILD_OUT_OF_TIME);
    }
    assert_true(waitpid((pid_t)strtol(said, NULL, 10), &status, 0) > 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    free(said);
}

TEST(test_a_missing_program_is_code_127)
{
    static const char *const argv[] = {"no_such_program", NULL};
    struct base_child child;
    struct base_child_end end;

    assert_int_equal(base_child_start(&child, argv, 0), 0);
    end = base_child_wait(&child, 0.0, NULL);
    assert_int_equal(end.how, BASE_CHILD_ENDED);
    assert_int_equal(end.code, 127);
}

TEST(test_long_words_and_zero_bytes_come_through)
{
    char *said = NULL;

    run("head -c 300000 /dev/zero; echo", 0, 0.0, &said);
    assert_non_null(said);
    assert_int_equal(strspn(said, "?"), 300000);
    free(said);
}

TEST(test_it_has_no_input_and_its_signals_back)
{
    sigset_t some, before;

    sigemptyset(&some);
    sigaddset(&some, SIGTERM);
    sigprocmask(SIG_BLOCK, &some, &before);
    signal(SIGPIPE, SIG_IGN);
    ends("cat; kill -TERM $$", 60.0, BASE_CHILD_SIGNALED, SIGTERM, "");
    ends("kill -PIPE $$", 60.0, BASE_CHILD_SIGNALED, SIGPIPE, "");
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

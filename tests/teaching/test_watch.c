/* Does watch run a lab when its source is saved, however that is done, take
   keys, and leave the terminal as it was? */
#define _GNU_SOURCE /* forkpty */

#include "../testing.h"
#include "../command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h> /* login_tty */

enum {
    TIMEOUT = 10000, /* milliseconds; passed only by a failure */
    SETTLED = 900    /* in which nothing more should come */
};

/* A watch at work: what it says comes out of `master`. */
struct session {
    pid_t pid;
    int master, slave; /* -1: a pipe, no terminal */
    struct termios before;
    char said[65536];
    size_t length;
};

static char program[4096];               /* build/tools/watch */
static char tree[] = "/tmp/watchXXXXXX"; /* with labs/ and a make of its own */

static void write_tree_file(const char *path, const char *text, mode_t mode)
{
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

/* Says what it was asked for; while there is a file "slow", it takes long, and
   so does what it has started. */
static const char fake_make[] =
    "#!/bin/sh\n"
    "echo \"RAN $*\"\n"
    "if [ -e slow ]; then sleep 1000 & echo $! > grandchild; wait; fi\n"
    "echo \"DONE $1\"\n";

FIXTURE(make_tree)
{
    if (realpath("build/tools/watch", program) == NULL ||
        mkdtemp(tree) == NULL || chdir(tree) != 0)
        return -1;
    mkdir("labs", 0777);
    mkdir("labs/03_tiling", 0777);
    mkdir("labs/04_coalescing", 0777);
    mkdir("bin", 0777);
    write_tree_file("labs/03_tiling/tiling.cu", "one\n", 0666);
    write_tree_file("labs/04_coalescing/coalescing.cu", "one\n", 0666);
    write_tree_file("bin/make", fake_make, 0777);
    return setenv("PATH", "bin:/usr/bin:/bin", 1);
}

FIXTURE(remove_tree)
{
    return system("cd / && rm -r \"$OLDPWD\""); /* NOLINT */
}

__attribute__((noreturn)) static void become_watch(void)
{
    execl(program, "watch", "03_tiling", "03_tiling", "04_coalescing", "--",
          "DEVICE=cpu", (char *)NULL);
    _exit(127);
}

static void start_on_terminal(struct session *s)
{
    struct winsize size = {24, 80, 0, 0};

    command_needs_terminal();
    *s = (struct session){.slave = -1};
    assert_int_equal(openpty(&s->master, &s->slave, NULL, NULL, &size), 0);
    assert_int_equal(tcgetattr(s->slave, &s->before), 0);
    s->pid = fork();
    if (s->pid == 0) {
        close(s->master);
        login_tty(s->slave);
        become_watch();
    }
    assert_true(s->pid > 0);
}

static void start_on_pipe(struct session *s)
{
    int ends[2];

    *s = (struct session){.slave = -1};
    assert_int_equal(pipe(ends), 0);
    s->pid = fork();
    if (s->pid == 0) {
        const int nothing = open("/dev/null", O_RDONLY);

        dup2(nothing, 0);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        become_watch();
    }
    close(ends[1]);
    s->master = ends[0];
    assert_true(s->pid > 0);
}

/* Reads for that long or until the words were said behind `from`. */
static int read_until(struct session *s, size_t from, const char *words,
                      int wait)
{
    for (int i = 0; i < wait / 20; i++) {
        struct pollfd in = {.fd = s->master, .events = POLLIN};

        if (poll(&in, 1, 20) > 0) {
            const ssize_t count = read(s->master, s->said + s->length,
                                       sizeof s->said - s->length - 1);

            if (count > 0)
                s->length += (size_t)count;
            else
                usleep(20000); /* its end is closed: it is about to end */
            s->said[s->length] = '\0';
        }
        if (words != NULL && strstr(s->said + from, words) != NULL)
            return 1;
    }
    return 0;
}

static void expect_words(struct session *s, size_t from, const char *words)
{
    if (!read_until(s, from, words, TIMEOUT))
        fail_msg("'%s' was not said, but:\n%s", words, s->said + from);
}

static int times(const char *text, const char *words)
{
    int count = 0;

    for (; (text = strstr(text, words)) != NULL; text++)
        count++;
    return count;
}

/* Ends with a key, a signal (negative: by its number) or what was typed. */
static void end_session(struct session *s, int want_signal)
{
    int status = 0;

    for (int i = 0; i < TIMEOUT / 20; i++) {
        read_until(s, 0, NULL, 20);
        if (waitpid(s->pid, &status, WNOHANG) == s->pid) {
            if (want_signal != 0) {
                assert_true(WIFSIGNALED(status));
                assert_int_equal(WTERMSIG(status), want_signal);
            } else {
                assert_true(WIFEXITED(status));
                assert_int_equal(WEXITSTATUS(status), 0);
            }
            return;
        }
    }
    kill(s->pid, SIGKILL);
    fail_msg("watch did not end; it said:\n%s", s->said);
}

static void terminal_is_as_before(struct session *s)
{
    struct termios now;

    assert_int_equal(tcgetattr(s->slave, &now), 0);
    assert_int_equal(now.c_lflag, s->before.c_lflag);
    assert_int_equal(now.c_iflag, s->before.c_iflag);
    assert_int_equal(now.c_cc[VMIN], s->before.c_cc[VMIN]);
    close(s->master);
    close(s->slave);
}

static void type(struct session *s, const char *keys)
{
    assert_int_equal(write(s->master, keys, strlen(keys)),
                     (ssize_t)strlen(keys));
}

static const char keys_line[] = "h hint, r run, n next lab, q quit";

TEST(test_a_save_runs_the_lab_however_an_editor_does_it)
{
    struct session s;
    size_t from;

    start_on_terminal(&s);
    expect_words(&s, 0, "RAN lab-03 DEVICE=cpu");
    expect_words(&s, 0, keys_line);

    from = s.length; /* another file takes the name */
    write_tree_file("labs/03_tiling/new", "two\n", 0666);
    assert_int_equal(rename("labs/03_tiling/new", "labs/03_tiling/tiling.cu"),
                     0);
    expect_words(&s, from, keys_line);

    from = s.length; /* the file goes away for a while */
    rename("labs/03_tiling/tiling.cu", "labs/03_tiling/backup");
    read_until(&s, from, NULL, SETTLED);
    assert_int_equal(times(s.said + from, "RAN"), 0);
    write_tree_file("labs/03_tiling/tiling.cu", "three\n", 0666);
    expect_words(&s, from, keys_line);

    from = s.length; /* it is emptied, and written in pieces */
    write_tree_file("labs/03_tiling/tiling.cu", "", 0666);
    read_until(&s, from, NULL, 400);
    for (int i = 0; i < 5; i++) {
        char text[32];

        snprintf(text, sizeof text, "part %0*d\n", i + 1, i);
        write_tree_file("labs/03_tiling/tiling.cu", text, 0666);
        read_until(&s, from, NULL, 100);
    }
    expect_words(&s, from, keys_line);
    read_until(&s, from, NULL, SETTLED);
    assert_int_equal(times(s.said + from, "RAN lab-03"), 1);

    from = s.length; /* nothing changes, nothing runs */
    read_until(&s, from, NULL, SETTLED);
    assert_int_equal(times(s.said + from, "RAN"), 0);
    type(&s, "q");
    end_session(&s, 0);
    terminal_is_as_before(&s);
}

TEST(test_an_outdated_run_is_ended_with_all_it_started)
{
    struct session s;
    int first = 0;
    FILE *file;

    command_needs_terminal();
    write_tree_file("slow", "", 0666);
    start_on_terminal(&s);
    expect_words(&s, 0, "RAN lab-03");
    read_until(&s, 0, NULL, 300);
    file = fopen("grandchild", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &first), 1);
    fclose(file);
    assert_int_equal(kill(first, 0), 0);

    unlink("slow");
    write_tree_file("labs/03_tiling/tiling.cu", "a quick one\n", 0666);
    expect_words(&s, 0, "DONE lab-03");
    assert_int_equal(times(s.said, "DONE"), 1); /* the first never got there */
    for (int i = 0; i < 100 && kill(first, 0) == 0; i++)
        read_until(&s, 0, NULL, 20);
    assert_int_equal(kill(first, 0), -1);
    type(&s, "q");
    end_session(&s, 0);
    terminal_is_as_before(&s);
}

TEST(test_keys_ask_for_a_hint_a_run_and_the_next_lab)
{
    struct session s;
    size_t from;

    start_on_terminal(&s);
    expect_words(&s, 0, keys_line);
    assert_non_null(strstr(s.said, "\033[2J"));
    from = s.length;
    type(&s, "h");
    expect_words(&s, from, "RAN hint-03");
    expect_words(&s, from, keys_line);
    from = s.length;
    type(&s, "x\033[A"); /* an arrow is no key of ours */
    read_until(&s, from, NULL, 400);
    assert_int_equal(times(s.said + from, "RAN"), 0);
    type(&s, "r");
    expect_words(&s, from, "RAN lab-03");
    expect_words(&s, from, keys_line);
    from = s.length;
    type(&s, "n");
    expect_words(&s, from, "RAN lab-04");
    expect_words(&s, from, "labs/04_coalescing/coalescing.cu: h hint");
    from = s.length;
    type(&s, "n");
    expect_words(&s, from, "04_coalescing is the last lab");
    type(&s, "q");
    end_session(&s, 0);
    terminal_is_as_before(&s);
}

TEST(test_every_way_to_end_restores_the_terminal)
{
    static const int signals[] = {SIGTERM, SIGHUP};
    struct session s;
    struct termios now;

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        start_on_terminal(&s);
        expect_words(&s, 0, keys_line);
        assert_int_equal(tcgetattr(s.slave, &now), 0);
        assert_false(now.c_lflag & (ICANON | ECHO)); /* there is what to undo */
        kill(s.pid, signals[i]);
        end_session(&s, signals[i]);
        terminal_is_as_before(&s);
    }
    start_on_terminal(&s);
    expect_words(&s, 0, keys_line);
    type(&s, "\003"); /* Ctrl-C, of which make would complain */
    end_session(&s, 0);
    terminal_is_as_before(&s);
}

TEST(test_a_run_does_not_outlive_the_watch)
{
    struct session s;
    int run = 0;
    FILE *file;

    command_needs_terminal();
    write_tree_file("slow", "", 0666);
    start_on_terminal(&s);
    expect_words(&s, 0, "RAN lab-03");
    read_until(&s, 0, NULL, 300);
    kill(s.pid, SIGTERM);
    end_session(&s, SIGTERM);
    unlink("slow");
    file = fopen("grandchild", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &run), 1);
    fclose(file);
    for (int i = 0; i < 100 && kill(run, 0) == 0; i++)
        usleep(20000);
    assert_int_equal(kill(run, 0), -1);
    terminal_is_as_before(&s);
}

TEST(test_without_a_terminal_there_are_no_keys)
{
    struct session s;
    size_t from;

    start_on_pipe(&s);
    expect_words(&s, 0, "waiting for it to change");
    from = s.length;
    read_until(&s, from, NULL, SETTLED);
    assert_int_equal(s.length, from); /* the end of its input ends nothing */
    write_tree_file("labs/03_tiling/tiling.cu", "on a pipe\n", 0666);
    expect_words(&s, from, "DONE lab-03");
    assert_null(strchr(s.said, '\033'));
    kill(s.pid, SIGTERM);
    end_session(&s, SIGTERM);
    close(s.master);
}

ALL_TESTS(make_tree, remove_tree);

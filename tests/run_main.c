/*
 * run.c: runs test programs and adds up what they say.
 *
 * Each argument is a program that prints TAP, as cmocka does where
 * CMOCKA_MESSAGE_OUTPUT is TAP. They run one after the other; where the word
 * --beside stands between them, those before it and those behind it run side by
 * side. When one list is done, those of the last list run beside each other,
 * too. One line a program; what went wrong is shown whole. A program that
 * crashes, or that ran no test, has failed. The last line is "N passed, N
 * failed", with ", N skipped" where tests were skipped.
 *
 * Exit code: 0 if nothing failed, 1 otherwise, 2 usage.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"

enum {
    LANES = 4
};

struct sums {
    int passed, failed, skipped;
};

/* Programs that run one after the other, and the one that runs now. */
struct lane {
    char **program; /* the next one */
    int left;       /* how many still are to be started */
    const char *name;
    struct base_child child;
    FILE *kept; /* what it has said: kept until it is known who wants it; NULL:
                   none runs */
    char *output;
    size_t length;
};

/* What one line of TAP adds, of so many bytes. cmocka writes a skipped test as
   "not ok 1 # SKIP", and a test says why in a line of its own. */
static void read_tap_line(const char *line, size_t length, struct sums *sums)
{
    const int ok = strncmp(line, "ok ", 3) == 0;
    const int not_ok = strncmp(line, "not ok ", 7) == 0;

    if ((ok || not_ok) && memmem(line, length, "# SKIP", 6) != NULL) {
        sums->skipped++;
    } else if (ok) {
        sums->passed++;
    } else if (not_ok) {
        sums->failed++;
    } else if (strncmp(line, "# skipped: ", 11) == 0) {
        printf("%.*s\n", (int)length - 2, line + 2);
    }
}

/* Starts the next program of the lane `from`. Returns 0, or -1 with errno. */
static int start_program(struct lane *lane, struct lane *from)
{
    const char *const argv[] = {*from->program, NULL};

    lane->name = *from->program++;
    from->left--;
    lane->kept = open_memstream(&lane->output, &lane->length);
    return lane->kept == NULL
               ? -1
               : base_child_start(&lane->child, argv, BASE_CHILD_HEARD);
}

/* The program has ended: shows what it said, and adds it up. */
static void finish_program(struct lane *lane, struct sums *total)
{
    const struct base_child_end end = base_child_wait(&lane->child, 0.0, NULL);
    struct sums sums = {0, 0, 0};

    fclose(lane->kept);
    lane->kept = NULL;
    for (const char *line = lane->output; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        read_tap_line(line, length, &sums);
        line += length + (line[length] == '\n');
    }
    if (end.how == BASE_CHILD_SIGNALED || (sums.failed == 0 && end.code != 0)) {
        printf("      %s ended %s %d\n", lane->name,
               end.how == BASE_CHILD_SIGNALED ? "by signal" : "with exit code",
               end.code);
        sums.failed++;
    } else if (sums.passed + sums.failed + sums.skipped == 0) {
        printf("      %s ran no test\n", lane->name);
        sums.failed++;
    }
    if (sums.failed > 0)
        fputs(lane->output, stdout);
    printf("%s  %s: %d passed, %d failed, %d skipped\n",
           sums.failed ? "FAIL" : "PASS", lane->name, sums.passed, sums.failed,
           sums.skipped);
    fflush(stdout);
    free(lane->output);
    total->passed += sums.passed;
    total->failed += sums.failed;
    total->skipped += sums.skipped;
}

/* Keeps what the program said since; finishes it if that was all. */
static void listen_to(struct lane *lane, struct sums *total)
{
    char bytes[4096];
    const ssize_t got = read(lane->child.said, bytes, sizeof bytes);

    if (got > 0) {
        fwrite(bytes, 1, (size_t)got, lane->kept);
    } else if (got == 0 || errno != EINTR) {
        finish_program(lane, total);
    }
}

static int run_lanes(struct lane *lane, int lanes, struct sums *total)
{
    for (;;) {
        struct pollfd waits[LANES];
        int busy = 0;

        for (int i = 0; i < lanes; i++) {
            struct lane *const from =
                lane[i].left > 0 ? &lane[i] : &lane[lanes - 1];

            if (lane[i].kept == NULL && from->left > 0 &&
                start_program(&lane[i], from) != 0)
                return -1;
            busy += lane[i].kept != NULL;
            waits[i].fd = lane[i].kept != NULL ? lane[i].child.said : -1;
            waits[i].events = POLLIN;
        }
        if (busy == 0)
            return 0;
        if (poll(waits, (nfds_t)lanes, -1) < 0 && errno != EINTR)
            return -1;
        for (int i = 0; i < lanes; i++) {
            if (waits[i].fd >= 0 && waits[i].revents != 0)
                listen_to(&lane[i], total);
        }
    }
}

/* Settings of `make test WHAT=all` are no settings of what tests ask of make.
   MAKEFLAGS ends with them, behind two dashes: "k -j2 -- WHAT=all". */
static void forget_settings_of_make(void)
{
    char *const flags = getenv("MAKEFLAGS");
    char *at = flags != NULL ? strstr(flags, "-- ") : NULL, *rest = NULL;

    if (at != NULL) {
        for (at = strtok_r(at + 3, " ", &rest); at != NULL;
             at = strtok_r(NULL, " ", &rest)) {
            at[strcspn(at, "=")] = '\0';
            unsetenv(at);
        }
    }
    unsetenv("MAKEFLAGS");
    unsetenv("MAKEOVERRIDES");
    unsetenv("MAKELEVEL");
    unsetenv("MFLAGS");
}

int main(int argc, char **argv)
{
    struct lane lane[LANES] = {{.program = argv + 1}};
    struct sums total = {0, 0, 0};
    int lanes = 1;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--beside") != 0) {
            lane[lanes - 1].left++;
        } else if (lanes < LANES) {
            lane[lanes++].program = argv + i + 1;
        }
    }
    if (argc - lanes < 1) {
        fprintf(stderr, "run: no test program given\n");
        return 2;
    }
    /* A shell in the background has the one ignored, nohup the other, and a
       test would wait for ever for a program that it ends so. */
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    forget_settings_of_make();
    setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
    setenv("LC_ALL", "C.UTF-8", 1); /* g++ quotes by it */
    setenv("LANGUAGE", "C", 1);     /* whatever who tests reads */
    unsetenv("COURSE_LANGUAGE");
    if (run_lanes(lane, lanes, &total) != 0) {
        perror("run");
        return 2;
    }
    if (total.skipped > 0) {
        printf("%d passed, %d failed, %d skipped\n", total.passed, total.failed,
               total.skipped);
    } else {
        printf("%d passed, %d failed\n", total.passed, total.failed);
    }
    return total.failed != 0;
}

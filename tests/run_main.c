/*
 * run.c: runs test programs and adds up what they say.
 *
 * Each argument is a program that prints TAP, as cmocka does where
 * CMOCKA_MESSAGE_OUTPUT is TAP. They run one after the other; where the word
 * --beside stands between them, those before it and those behind it run side by
 * side. One line a program; what went wrong is shown whole. A program that
 * crashes, or that ran no test, has failed. The last line is "N passed, N
 * failed", with ", N skipped" where tests were skipped.
 *
 * Exit code: 0 if nothing failed, 1 otherwise, 2 usage.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
    pid_t process; /* 0: none runs */
    int pipe;
    FILE *kept; /* what it has said: kept until it is known who wants it */
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

/* Starts the lane's next program. Returns 0, or -1 with errno. */
static int start_program(struct lane *lane)
{
    int ends[2];

    lane->name = *lane->program++;
    lane->left--;
    lane->kept = open_memstream(&lane->output, &lane->length);
    if (lane->kept == NULL || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    fflush(stdout);
    lane->process = fork();
    if (lane->process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        /* A shell in the background has it ignored, and a test would wait for
           ever for a program that it interrupts. */
        signal(SIGINT, SIG_DFL);
        setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
        execl(lane->name, lane->name, (char *)NULL);
        fprintf(stderr, "run: %s: %s\n", lane->name, strerror(errno));
        _exit(127);
    }
    close(ends[1]);
    lane->pipe = ends[0];
    return lane->process > 0 ? 0 : -1;
}

/* The program has ended: shows what it said, and adds it up. */
static void finish_program(struct lane *lane, struct sums *total)
{
    struct sums sums = {0, 0, 0};
    int status = 0;

    close(lane->pipe);
    while (waitpid(lane->process, &status, 0) < 0 && errno == EINTR)
        ;
    lane->process = 0;
    fclose(lane->kept);
    for (const char *line = lane->output; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        read_tap_line(line, length, &sums);
        line += length + (line[length] == '\n');
    }
    if (WIFSIGNALED(status) || (sums.failed == 0 && WEXITSTATUS(status) != 0)) {
        printf("      %s ended with status %d\n", lane->name, status);
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
    const ssize_t got = read(lane->pipe, bytes, sizeof bytes);

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
            if (lane[i].process == 0 && lane[i].left > 0 &&
                start_program(&lane[i]) != 0)
                return -1;
            busy += lane[i].process != 0;
            waits[i].fd = lane[i].process != 0 ? lane[i].pipe : -1;
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

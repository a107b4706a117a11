/*
 * run.c: runs test programs and adds up what they say.
 *
 * Each argument is a program that prints TAP, as cmocka does where
 * CMOCKA_MESSAGE_OUTPUT is TAP. One line a program; what went wrong is shown
 * whole. A program that crashes, or that ran no test, has failed. The last line
 * is "N passed, N failed", with ", N skipped" where tests were skipped.
 *
 * Exit code: 0 if nothing failed, 1 otherwise, 2 usage.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct sums {
    int passed, failed, skipped;
};

/* What one line of TAP adds. cmocka writes a skipped test as "not ok 1 # SKIP",
   and a test says why in a line of its own. */
static void read_line(const char *line, struct sums *sums)
{
    const int ok = strncmp(line, "ok ", 3) == 0;
    const int not_ok = strncmp(line, "not ok ", 7) == 0;

    if ((ok || not_ok) && strstr(line, "# SKIP") != NULL)
        sums->skipped++;
    else if (ok)
        sums->passed++;
    else if (not_ok)
        sums->failed++;
    else if (strncmp(line, "# skipped: ", 11) == 0)
        fputs(line + 2, stdout);
}

/* Runs one program and adds its sums up. Its output is kept in memory until it
   is known whether somebody wants to read it. */
static int run(const char *program, struct sums *total)
{
    struct sums sums = {0, 0, 0};
    char command[4096], line[4096];
    char *output = NULL;
    size_t length = 0;
    FILE *kept = open_memstream(&output, &length);
    FILE *pipe;
    int status;

    if (kept == NULL)
        return -1;
    snprintf(command, sizeof command, "CMOCKA_MESSAGE_OUTPUT=TAP '%s' 2>&1",
             program);
    fflush(stdout);
    pipe = popen(command, "r");
    if (pipe == NULL) {
        fclose(kept);
        free(output);
        return -1;
    }
    while (fgets(line, sizeof line, pipe) != NULL) {
        fputs(line, kept);
        read_line(line, &sums);
    }
    status = pclose(pipe);
    fclose(kept);

    if (WIFSIGNALED(status) || (sums.failed == 0 && WEXITSTATUS(status) != 0)) {
        fprintf(stdout, "      %s ended with status %d\n", program, status);
        sums.failed++;
    } else if (sums.passed + sums.failed + sums.skipped == 0) {
        fprintf(stdout, "      %s ran no test\n", program);
        sums.failed++;
    }
    if (sums.failed > 0)
        fputs(output, stdout);
    printf("%s  %s: %d passed, %d failed, %d skipped\n",
           sums.failed ? "FAIL" : "PASS", program, sums.passed, sums.failed,
           sums.skipped);
    free(output);
    total->passed += sums.passed;
    total->failed += sums.failed;
    total->skipped += sums.skipped;
    return 0;
}

int main(int argc, char **argv)
{
    struct sums total = {0, 0, 0};

    if (argc < 2) {
        fprintf(stderr, "run: no test program given\n");
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        if (run(argv[i], &total) != 0) {
            fprintf(stderr, "run: %s: cannot be started\n", argv[i]);
            total.failed++;
        }
    }
    if (total.skipped > 0) {
        printf("%d passed, %d failed, %d skipped\n", total.passed, total.failed,
               total.skipped);
    } else {
        printf("%d passed, %d failed\n", total.passed, total.failed);
    }
    return total.failed != 0;
}

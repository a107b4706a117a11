/*
 * What did this program's kernels do? Said when the program ends, if the
 * environment asks for it:
 *
 *   SIMT_REPORT=table      by array, by kernel, and what each check saw
 *   SIMT_REPORT=lines      the same by source line, and by launch
 *   SIMT_REPORT=NAME.csv   all of it into that file
 *   SIMT_REPORT=NAME.json
 *
 * SIMT_SECONDS=20 lets no kernel run for longer: see simt_count_for.
 * SIMT_REQUESTS=FILE writes single requests: see log.h. SIMT_IN_STEP=1 keeps
 * lanes in step at volatile accesses.
 *
 * Only of a program that records, with a main of its own. Tables go
 * to stderr, since stdout is the program's. Mistakes were printed when they
 * were found, so a table only counts them. A program that ends well although
 * there are any, or a launch was refused, ends with exit status 1 instead.
 */
#define _GNU_SOURCE
#include "base/language.h"
#include "recorder.h"
#include "report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *wanted;

static int ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);

    return length > tail && strcmp(text + length - tail, end) == 0;
}

static int is_table(void)
{
    return strcmp(wanted, "table") == 0 || strcmp(wanted, "lines") == 0;
}

static void print_tables(const struct simt_count *count,
                         const struct simt_checks *checks)
{
    const int by_line = strcmp(wanted, "lines") == 0;

    fprintf(stderr, "\n");
    if (by_line) {
        simt_report_lines(stderr, count);
    } else {
        simt_report_arrays(stderr, count);
    }
    fprintf(stderr, "\n");
    simt_report_kernels(stderr, count);
    if (by_line) {
        fprintf(stderr, "\n");
        simt_report_launches(stderr, count);
        fprintf(stderr, "\n");
        simt_metrics_brief(stderr);
    }
    fprintf(stderr, "\n");
    simt_report_checks(stderr, checks);
}

/* Returns 0, or -1 after a message. */
static int report(struct simt_checks *checks, int *refused)
{
    struct simt_count count;
    struct simt_findings findings;
    char why[400] = "the counters cannot be read: out of memory";
    int failed = simt_count_read(&count) != 0;

    if (!failed) {
        *refused = simt_refused_launches((uint64_t)count.kernels);
        simt_findings_read(&findings);
        simt_checks_add(checks, &count, &findings);
        /* Not of a lab: a kernel may do no more than print. */
        checks->may_be_empty = 1;
        if (is_table() && count.kernels == 0 && *refused > 0) {
            fputs(_("no kernel ran, so there is nothing to count\n"), stderr);
        } else if (is_table()) {
            print_tables(&count, checks);
        } else {
            failed = simt_report_write(wanted, &count, checks, &findings, why,
                                       sizeof why) != 0;
        }
    }
    if (failed)
        fprintf(stderr, "SIMT_REPORT: %s\n", why);
    return failed ? -1 : 0;
}

static void at_exit(int status, void *unused)
{
    struct simt_checks checks = {0};
    size_t found = 0;
    int failed, refused = 0;

    (void)unused;
    fflush(stdout); /* what the program said stands before the report */
    failed = report(&checks, &refused) != 0;
    for (int i = 0; i < SIMT_MISTAKES; i++)
        found += checks.found[i];
    if (found > 0) {
        fprintf(stderr, _("FAIL: %zu mistake%s in kernels, told above\n"),
                found, found == 1 ? "" : "s");
    } else if (refused > 0) {
        fprintf(stderr,
                refused == 1
                    ? _("FAIL: %d launch was refused, told above\n")
                    : _("FAIL: %d launches were refused, told above\n"),
                refused);
    } else if (!failed && simt_checks_failed(&checks)) {
        fputs(_("FAIL: not all checks saw what they had to check\n"), stderr);
    }
    if (status == 0 && (failed || refused > 0 || simt_checks_failed(&checks))) {
        fflush(NULL);
        _exit(1);
    }
}

static void limit_seconds(const char *text)
{
    char *end;
    long seconds;

    if (text == NULL)
        return;
    seconds = strtol(text, &end, 10);
    if (end == text || *end != '\0' || seconds < 0 || seconds > INT_MAX) {
        fprintf(stderr,
                "SIMT_SECONDS (LIMIT=) is '%s': use a number of seconds, 0 "
                "for no limit\n",
                text);
        _exit(2);
    }
    simt_count_for((int)seconds);
}

static void read_environment(void)
{
    simt_record_in_step = getenv("SIMT_IN_STEP") != NULL;
    simt_log_requests(getenv("SIMT_REQUESTS"));
    wanted = getenv("SIMT_REPORT");
    if (wanted == NULL || wanted[0] == '\0')
        return;
    if (!is_table() && !ends_in(wanted, ".csv") && !ends_in(wanted, ".json")) {
        fprintf(stderr,
                "SIMT_REPORT is '%s': use table, lines, NAME.csv or "
                "NAME.json\n",
                wanted);
        _exit(2);
    }
    limit_seconds(getenv("SIMT_SECONDS"));
    on_exit(at_exit, NULL);
}

/* The code of a program that records calls this first of all: other
   constructors come later, and their own handlers then first at exit. It has no
   header. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
void __tsan_init(void)
{
    if (!simt_recording)
        read_environment();
    simt_recording = 1;
}

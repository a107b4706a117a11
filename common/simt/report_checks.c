/*
 * A check that has looked at nothing has found nothing, and that is no good
 * news. What it had to look at is known from the counters, which are kept
 * apart from the checks.
 */
#include "report.h"

#include "base/language.h"
#include "base/wrap.h"
#include "report_message.h"

#include <string.h>

static const struct {
    const char *of;      /* what the check looks for */
    const char *seen_in; /* what it looks at */
    const char *nothing; /* what is said where there is nothing of it */
} text[SIMT_CHECKS] = {
    [SIMT_RACE_SHARED] =
        {N_("races in shared memory"), N_("accesses"),
         N_("races in shared memory: no shared memory is used")},
    [SIMT_RACE_GLOBAL] =
        {N_("races in global memory"), N_("accesses"),
         N_("races in global memory: no global memory is used")},
    [SIMT_UNWRITTEN_SHARED] =
        {N_("reads of unwritten shared memory"), N_("accesses"),
         N_("reads of unwritten shared memory: no shared memory is read")},
    [SIMT_UNWRITTEN_GLOBAL] =
        {N_("reads of unwritten global memory"), N_("accesses"),
         N_("reads of unwritten global memory: no thread reads global memory")},
    [SIMT_BOUNDS] = {N_("accesses outside of an array"), N_("accesses"),
                     N_("accesses outside of an array: no array is used")},
    [SIMT_ALIGNMENT] = {N_("misaligned accesses"), N_("accesses"),
                        N_("misaligned accesses: none of more than a byte")},
    [SIMT_ADDRESS] =
        {N_("accesses to host or freed memory"), N_("accesses"),
         N_("accesses to host or freed memory: no global memory is used")},
    [SIMT_DIVERGENCE] =
        {N_("barriers that not all threads reach"), N_("barriers"),
         N_("barriers that not all threads reach: no barrier is used")},
};

/* Sets what the checks must have seen in a run that counted this. Returns how
   many accesses there were. */
static uint64_t expect_checks(int expected[SIMT_CHECKS],
                              const struct simt_count *count)
{
    uint64_t lanes = 0;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];

        if (row->lanes == 0)
            continue;
        lanes += row->lanes;
        expected[SIMT_BOUNDS] = 1;
        if (row->size > 1)
            expected[SIMT_ALIGNMENT] = 1;
        if (row->space == SIMT_SHARED) {
            expected[SIMT_RACE_SHARED] = 1;
            if (row->kind != SIMT_STORE)
                expected[SIMT_UNWRITTEN_SHARED] = 1;
        } else if (row->space == SIMT_GLOBAL) {
            expected[SIMT_RACE_GLOBAL] = expected[SIMT_ADDRESS] = 1;
            if (row->kind != SIMT_STORE)
                expected[SIMT_UNWRITTEN_GLOBAL] = 1;
        }
    }
    for (size_t i = 0; i < count->kernels; i++) {
        if (count->kernel[i].barriers > 0)
            expected[SIMT_DIVERGENCE] = 1;
        if (count->kernel[i].products > 0) /* whose operands lie there */
            expected[SIMT_RACE_SHARED] = expected[SIMT_UNWRITTEN_SHARED] = 1;
    }
    return lanes;
}

void simt_checks_add(struct simt_checks *checks, const struct simt_count *count,
                     const struct simt_findings *findings)
{
    int expected[SIMT_CHECKS] = {0};

    checks->runs++;
    if (expect_checks(expected, count) == 0)
        checks->runs_without_any++;
    for (size_t i = 0; i < findings->count; i++) {
        size_t *const number =
            findings->finding[i].is_warning ? checks->warned : checks->found;

        number[findings->finding[i].check]++;
    }
    for (int i = 0; i < SIMT_CHECKS; i++) {
        checks->seen[i] += findings->seen[i];
        checks->expected[i] |= expected[i];
        checks->blind[i] |= expected[i] && findings->seen[i] == 0;
    }
}

enum simt_answer simt_checks_answer(const struct simt_checks *checks,
                                    enum simt_check check)
{
    if (checks->found[check] > 0)
        return SIMT_FOUND;
    /* An access outside of all arrays is no other check's. */
    if (checks->blind[check] && checks->found[SIMT_BOUNDS] == 0)
        return SIMT_BLIND;
    if (checks->warned[check] > 0)
        return SIMT_WARNED;
    return checks->expected[check] && checks->seen[check] > 0 ? SIMT_CLEAN
                                                              : SIMT_NOTHING;
}

/* 1 if nothing was looked at, and something had to be. */
static int is_empty(const struct simt_checks *checks)
{
    return checks->runs == 0 ||
           (checks->runs_without_any > 0 && !checks->may_be_empty);
}

int simt_checks_failed(const struct simt_checks *checks)
{
    int failed = is_empty(checks) || checks->found[SIMT_ASSERTION] > 0 ||
                 checks->found[SIMT_EARLY] > 0 ||
                 checks->found[SIMT_OPERANDS] > 0;

    for (int i = 0; i < SIMT_CHECKS; i++) {
        const enum simt_answer answer =
            simt_checks_answer(checks, (enum simt_check)i);

        failed |= answer == SIMT_FOUND || answer == SIMT_BLIND;
    }
    return failed;
}

void simt_check_text(char *line, size_t size, const struct simt_checks *checks,
                     enum simt_check check)
{
    char seen[SIMT_GROUPED];

    simt_group(seen, checks->seen[check]);
    switch (simt_checks_answer(checks, check)) {
    case SIMT_CLEAN:
        snprintf(line, size, N_("%s: none in %s %s"), text[check].of, seen,
                 text[check].seen_in);
        break;
    case SIMT_FOUND:
        snprintf(line, size, N_("%s: %zu found in %s %s"), text[check].of,
                 checks->found[check], seen, text[check].seen_in);
        break;
    case SIMT_WARNED:
        snprintf(line, size, N_("%s: %zu in %s %s that GPUs do not mind"),
                 text[check].of, checks->warned[check], seen,
                 text[check].seen_in);
        break;
    case SIMT_NOTHING:
        snprintf(line, size, "%s", text[check].nothing);
        break;
    case SIMT_BLIND:
        snprintf(line, size, N_("%s: the check saw no %s at all"),
                 text[check].of, text[check].seen_in);
        break;
    }
}

void simt_report_checks(FILE *to, const struct simt_checks *checks)
{
    static const char *const verdict[] = {[SIMT_CLEAN] = "PASS",
                                          [SIMT_FOUND] = "FAIL",
                                          [SIMT_WARNED] = "WARN",
                                          [SIMT_NOTHING] = "SKIPPED",
                                          [SIMT_BLIND] = "FAIL"};
    char line[SIMT_CHECK_TEXT], said[2 * SIMT_CHECK_TEXT];
    char row[2 * SIMT_CHECK_TEXT + 20];

    for (int i = 0; i < SIMT_CHECKS; i++) {
        const enum simt_check check = (enum simt_check)i;

        simt_check_text(line, sizeof line, checks, check);
        simt_sentence_say(said, sizeof said, line);
        snprintf(row, sizeof row, "  %-8s %s",
                 verdict[simt_checks_answer(checks, check)], said);
        base_wrap(to, "", row);
    }
    if (checks->found[SIMT_ASSERTION] > 0) {
        fprintf(to, _("  FAIL     assertions of the kernels: %zu failed\n"),
                checks->found[SIMT_ASSERTION]);
    }
    for (int i = SIMT_EARLY; i < SIMT_MISTAKES; i++) {
        if (checks->found[i] > 0) {
            fprintf(to, _("  FAIL     %s: %zu found\n"), _(simt_check_name[i]),
                    checks->found[i]);
        }
    }
    if (is_empty(checks))
        fprintf(to, _("  FAIL     no access was seen: did a kernel run?\n"));
}

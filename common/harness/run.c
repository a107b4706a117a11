#include "run.h"

#include "diagnose.h"
#include "inputs.h"

#include "base/language.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int is_untouched(const struct lab_buffers *b)
{
    for (size_t i = 0; i < b->count[LAB_C]; i++) {
        if (!lab_is_poison(b->host[LAB_C][i]))
            return 0;
    }
    return 1;
}

int lab_run_judge(const struct course_entry *entry, struct lab_buffers *b,
                  const struct lab_reference *reference,
                  struct lab_outcome *outcome, char *why, size_t size)
{
    int wrong;

    *outcome = (struct lab_outcome){0};
    if (entry->kind != COURSE_HOST && lab_buffers_fetch(b, why, size) != 0)
        return -1;
    outcome->is_beside = !lab_buffers_intact(b, entry->kind, outcome->wrong,
                                             sizeof outcome->wrong);
    if (outcome->is_beside)
        return 1;

    wrong = lab_verify(reference, b->host[LAB_C], &outcome->diff);
    if (wrong < 0) {
        snprintf(why, size, _("C cannot be compared: %s"), strerror(errno));
        return -1;
    }
    outcome->compared = 1;
    if (wrong) {
        outcome->nothing_written = is_untouched(b);
        if (lab_diagnose(reference, b->host[LAB_C], outcome->diagnosis,
                         sizeof outcome->diagnosis) != 0)
            outcome->diagnosis[0] = '\0'; /* a guess less, no error */
    }
    return wrong;
}

int lab_run(const struct course_entry *entry, struct lab_buffers *b,
            const struct lab_reference *reference, struct lab_outcome *outcome,
            char *why, size_t size)
{
    *outcome = (struct lab_outcome){0};
    if (lab_buffers_reset(b, entry->kind, why, size) != 0)
        return -1;
    if (lab_run_call(entry, b, outcome) != 0)
        return 1;
    return lab_run_judge(entry, b, reference, outcome, why, size);
}

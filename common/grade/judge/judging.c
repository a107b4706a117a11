#define _GNU_SOURCE
#include "grade/judge/judging.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void grade_decide(struct grade_judging *j, enum grade_verdict verdict,
                  const char *format, ...)
{
    struct grade_result *const result = j->result;
    va_list list;

    free(result->text);
    va_start(list, format);
    if (vasprintf(&result->text, format, list) < 0) {
        result->text = NULL;
        base_memory_fail();
    }
    va_end(list);
    result->verdict = verdict;
    j->failed |= verdict == GRADE_GRADER_ERROR;
}

void grade_flag(struct grade_judging *j, const char *format, ...)
{
    char text[500];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    grade_result_flag(j->result, text);
    j->flags++;
}

const char grade_machines_fault[] =
    "The machine ended it or gave it no time: it is too busy, or has too "
    "little memory. Grade again, with fewer JOBS.";

int grade_is_machines_fault(const struct grade_box_outcome *box)
{
    return (box->end == GRADE_SIGNALED && box->code == SIGKILL &&
            !box->over[GRADE_RESULT] && !box->over[GRADE_REPORT] &&
            box->cpu_seconds < 0.5 * GRADE_CPU_SECONDS) ||
           (box->end == GRADE_OUT_OF_TIME &&
            box->wall_seconds >= GRADE_WALL_SECONDS &&
            box->cpu_seconds < 0.8 * GRADE_CPU_SECONDS);
}

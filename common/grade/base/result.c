#define _POSIX_C_SOURCE 200809L
#include "grade/base/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const grade_verdict_word[GRADE_VERDICTS] = {
    "PASS",   "FLAG", "UNCLEAN", "FAIL",     "UNFINISHED", "CRASH",
    "MEMORY", "TIME", "COMPILE", "REJECTED", "MISSING",    "GRADER_ERROR"};

void grade_result_free(struct grade_result *result)
{
    for (size_t i = 0; i < result->case_count; i++)
        free(result->cases[i].text);
    for (size_t i = 0; i < result->flag_count; i++)
        free(result->flags[i]);
    free(result->cases);
    free(result->measures);
    free(result->flags);
    free(result->text);
    free(result->findings);
    free(result->costs);
    *result = (struct grade_result){.verdict = GRADE_PASS};
}

struct grade_case *grade_result_case(struct grade_result *result)
{
    return base_list_add(&result->cases, &result->case_count,
                         sizeof *result->cases);
}

struct grade_measure *grade_result_measure(struct grade_result *result)
{
    return base_list_add(&result->measures, &result->measure_count,
                         sizeof *result->measures);
}

void grade_result_flag(struct grade_result *result, const char *text)
{
    char **const flag = base_list_add(&result->flags, &result->flag_count,
                                      sizeof *result->flags);

    if (flag != NULL)
        *flag = base_text("%s", text);
}

double grade_result_points(const struct grade_result *result)
{
    double sum = 0.0;

    for (int i = 0; i < GRADE_PARTS; i++)
        sum += result->points[i];
    return sum;
}

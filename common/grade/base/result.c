#define _POSIX_C_SOURCE 200809L
#include "grade/base/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const grade_verdict_word[GRADE_VERDICTS] = {
    "PASS",   "FLAG", "UNCLEAN", "FAIL",     "UNFINISHED", "CRASH",
    "MEMORY", "TIME", "COMPILE", "REJECTED", "MISSING",    "GRADER_ERROR"};

void grade_result_init(struct grade_result *result)
{
    *result = (struct grade_result){.verdict = GRADE_PASS};
}

void grade_result_free(struct grade_result *result)
{
    for (int i = 0; i < result->case_count; i++)
        free(result->cases[i].text);
    for (int i = 0; i < result->flag_count; i++)
        free(result->flags[i].text);
    free(result->cases);
    free(result->measures);
    free(result->flags);
    free(result->text);
    free(result->findings);
    free(result->costs);
    grade_result_init(result);
}

struct grade_case *grade_result_case(struct grade_result *result)
{
    const size_t count = (size_t)result->case_count;
    struct grade_case *const larger =
        base_list_room(result->cases, count, sizeof *larger);

    if (larger == NULL)
        return NULL;
    result->cases = larger;
    larger[count] = (struct grade_case){.verdict = GRADE_PASS};
    result->case_count++;
    return &larger[count];
}

struct grade_measure *grade_result_measure(struct grade_result *result)
{
    const size_t count = (size_t)result->measure_count;
    struct grade_measure *const larger =
        base_list_room(result->measures, count, sizeof *larger);

    if (larger == NULL)
        return NULL;
    result->measures = larger;
    larger[count] = (struct grade_measure){.points = 0.0};
    result->measure_count++;
    return &larger[count];
}

void grade_result_flag(struct grade_result *result, const char *text)
{
    const size_t count = (size_t)result->flag_count;
    struct grade_flag *const larger =
        base_list_room(result->flags, count, sizeof *larger);

    if (larger == NULL)
        return;
    result->flags = larger;
    larger[count].text = base_text("%s", text);
    result->flag_count += larger[count].text != NULL;
}

double grade_result_points(const struct grade_result *result)
{
    double sum = 0.0;

    for (int i = 0; i < GRADE_PARTS; i++)
        sum += result->points[i];
    return sum;
}

#include "measure.h"

#include <math.h>
#include <string.h>

/* Counts are divided: the quotient may be off by a rounding error. */
static const double rounding = 1e-9;

enum unit {
    NUMBER,
    COUNT,
    PERCENT
};

/* Every counter that may be a measure, in words and with its unit. */
static const struct {
    const char *text;
    enum unit unit;
} label[LAB_COUNTERS] = {
    [LAB_GLOBAL_LOAD_REQUESTS] = {"global load requests", COUNT},
    [LAB_GLOBAL_LOAD_SECTORS] = {"sectors of global loads", COUNT},
    [LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST] = {"sectors per global load request",
                                             NUMBER},
    [LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY] = {"sector efficiency of global loads",
                                           PERCENT},
    [LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_A] = {"sectors per request, loads of "
                                               "A",
                                               NUMBER},
    [LAB_GLOBAL_LOAD_SECTORS_PER_REQUEST_B] = {"sectors per request, loads of "
                                               "B",
                                               NUMBER},
    [LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_A] = {"sector efficiency, loads of A",
                                             PERCENT},
    [LAB_GLOBAL_LOAD_SECTOR_EFFICIENCY_B] = {"sector efficiency, loads of B",
                                             PERCENT},
    [LAB_GLOBAL_LOADS_PER_FMA] = {"global loads per multiply-add", NUMBER},
    [LAB_GLOBAL_STORE_REQUESTS] = {"global store requests", COUNT},
    [LAB_GLOBAL_STORE_SECTORS] = {"sectors of global stores", COUNT},
    [LAB_SHARED_LOAD_REQUESTS] = {"shared load requests", COUNT},
    [LAB_SHARED_LOAD_WAVEFRONTS] = {"wavefronts of shared loads", COUNT},
    [LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST] = {"wavefronts per shared load",
                                                NUMBER},
    [LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_AS] = {"wavefronts per load of As",
                                                   NUMBER},
    [LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_BS] = {"wavefronts per load of Bs",
                                                   NUMBER},
    [LAB_SHARED_STORE_REQUESTS] = {"shared store requests", COUNT},
    [LAB_SHARED_STORE_WAVEFRONTS] = {"wavefronts of shared stores", COUNT},
    [LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST] = {"wavefronts per shared store",
                                                 NUMBER},
    [LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_AS] = {"wavefronts per store of "
                                                    "As",
                                                    NUMBER},
    [LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_BS] = {"wavefronts per store of "
                                                    "Bs",
                                                    NUMBER},
    [LAB_SHARED_LOADS_PER_FMA] = {"shared loads per multiply-add", NUMBER},
    [LAB_BARRIERS_PER_THREAD] = {"barriers per thread", NUMBER},
    [LAB_BACKWARD_JUMPS_PER_FMA] = {"backward jumps per multiply-add", NUMBER},
    [LAB_RIGHT_CELLS] = {"right predictions", PERCENT},
    [LAB_GLOBAL_LOAD_LANES_PER_REQUEST] = {"active lanes of a global load",
                                           NUMBER},
    [LAB_SHARED_LOAD_LANES_PER_REQUEST] = {"active lanes of a shared load",
                                           NUMBER},
    [LAB_CONSTANT_LOAD_REQUESTS] = {"constant load requests", COUNT},
    [LAB_CONSTANT_LOAD_WAVEFRONTS_PER_REQUEST] =
        {"wavefronts per constant load", NUMBER},
    [LAB_FLOPS] = {"floating-point operations", COUNT},
    [LAB_FLOP_PER_BYTE] = {"FLOP per byte of global loads", NUMBER},
    [LAB_GLOBAL_LOAD_ASYNC_SHARE_B] = {"asynchronous loads of B", PERCENT},
    [LAB_FETCH_OVERLAP] = {"work while a tile is fetched", PERCENT},
};

const char *lab_measure_label(const char *column)
{
    const int i = lab_counter_find(column);

    return i >= 0 ? label[i].text : column;
}

struct lab_score lab_measure_score(const struct course_measure *measure,
                                   const double counter[LAB_COUNTERS])
{
    const int i = lab_counter_find(measure->column);
    const double full = measure->full;
    struct lab_score score = {.value = i >= 0 ? counter[i] : (double)NAN};

    /* No measure of any lab can rightly be 0, but for a share of which nothing
       is there yet: a 0 says that nothing was seen. */
    score.seen = i == LAB_RIGHT_CELLS || i == LAB_FETCH_OVERLAP ||
                         i == LAB_GLOBAL_LOAD_ASYNC_SHARE_B
                     ? score.value >= 0.0
                     : score.value > 0.0;
    if (!score.seen)
        return score;
    if (full < measure->zero) {
        score.reached = score.value <= full * (1.0 + rounding);
    } else {
        score.reached = score.value >= full * (1.0 - rounding);
    }
    return score;
}

int lab_measures_reached(const struct course_lab *lab,
                         const double counter[LAB_COUNTERS])
{
    return lab->measures == 0 ? -1 : lab_measure_missed(lab, counter) == NULL;
}

const struct course_measure *
lab_measure_missed(const struct course_lab *lab,
                   const double counter[LAB_COUNTERS])
{
    for (int i = 0; i < lab->measures; i++) {
        if (!lab_measure_score(&lab->measure[i], counter).reached)
            return &lab->measure[i];
    }
    return NULL;
}

int lab_measure_entry(const struct course_lab *lab)
{
    for (int i = 0; i < lab->entries; i++) {
        if (lab->entry[i].kind != COURSE_HOST)
            return i;
    }
    return -1;
}

/* Writes a value with its unit: "0.125", "122880", "25 %". */
static void write_value(char *text, size_t size, enum unit unit, double value)
{
    if (unit == PERCENT) {
        snprintf(text, size, "%.3g %%", 100.0 * value);
    } else if (unit == COUNT) {
        snprintf(text, size, "%.0f", value);
    } else if (value >= 10.0) {
        snprintf(text, size, "%.4g", value);
    } else {
        snprintf(text, size, "%.*f", value < 0.1 ? 4 : 3, value);
    }
}

void lab_measure_value(char *text, size_t size, const char *column,
                       double value)
{
    const int i = lab_counter_find(column);

    write_value(text, size, i >= 0 ? label[i].unit : NUMBER, value);
}

void lab_measures_print(FILE *stream, const char *title,
                        const struct course_lab *lab,
                        const double counter[LAB_COUNTERS], const char *no_goal)
{
    if (lab->measures > 0) {
        fprintf(stream, "  %-31s %10s %10s%s\n", title, "before", "now",
                no_goal == NULL ? "       goal" : "");
    }
    for (int i = 0; i < lab->measures; i++) {
        const struct course_measure *measure = &lab->measure[i];
        const struct lab_score score = lab_measure_score(measure, counter);
        const int at = lab_counter_find(measure->column);
        const enum unit unit = at >= 0 ? label[at].unit : NUMBER;
        char before[32] = "-", value[32] = "none seen", goal[32];

        if (measure->before >= 0.0)
            write_value(before, sizeof before, unit, measure->before);
        if (score.seen)
            write_value(value, sizeof value, unit, score.value);
        write_value(goal, sizeof goal, unit, measure->full);
        fprintf(stream, "  %-31s %10s %10s", lab_measure_label(measure->column),
                before, value);
        if (no_goal != NULL) {
            fputc('\n', stream);
        } else {
            fprintf(stream, " %10s  %s\n", goal,
                    score.reached ? "reached" : "not yet");
        }
    }
    if (lab->measures > 0 && no_goal != NULL && no_goal[0] != '\0')
        fprintf(stream, "  (no goal: %s)\n", no_goal);
}

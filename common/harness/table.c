#define _POSIX_C_SOURCE 200809L
#include "table.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 80,
    NO_ROW = -1
};

/* A column of results.csv in words that fit. */
static const struct {
    const char *column, *words;
    int percent;
} words_of[] = {
    {"global_loads_per_fma", "global loads/fma", 0},
    {"global_load_requests", "global requests", 0},
    {"global_load_sector_efficiency", "sectors used", 1},
    {"global_load_sector_efficiency_A", "A's sectors used", 1},
    {"global_load_sector_efficiency_B", "B's sectors used", 1},
    {"right_cells", "right answers", 1},
    {"shared_load_wavefronts_per_request_As", "wavefronts of As", 0},
    {"shared_load_wavefronts_per_request_Bs", "wavefronts of Bs", 0},
    {"shared_store_wavefronts_per_request_As", "As's stores", 0},
    {"shared_store_wavefronts_per_request_Bs", "Bs's stores", 0},
    {"shared_loads_per_fma", "shared loads/fma", 0},
    {"barriers_per_thread", "barriers/thread", 0},
    {"basic_blocks_per_fma", "basic blocks/fma", 0},
};

/* --- looking up ----------------------------------------------------------- */

static int is_of(const struct lab_csv *csv, size_t row, const char *lab)
{
    return strcmp(lab_csv_text(csv, row, "lab"), lab) == 0;
}

static int is_right(const struct lab_csv *csv, size_t row)
{
    return strcmp(lab_csv_text(csv, row, "verdict"), "PASS") == 0;
}

/* The first row of a lab, on a device ("gpu") or on any (NULL); or NO_ROW. */
static long first_row(const struct lab_csv *csv, const char *lab,
                      const char *device)
{
    for (size_t i = 0; i < csv->rows; i++) {
        if (is_of(csv, i, lab) &&
            (device == NULL ||
             strcmp(lab_csv_text(csv, i, "device"), device) == 0))
            return (long)i;
    }
    return NO_ROW;
}

/* 0 is the best. A word that is not known is the worst. */
static int badness(const char *verdict)
{
    static const char *const word[] = {"PASS", "SKIPPED", "UNFINISHED", "FAIL"};
    int i = 0;

    while (i < 4 && strcmp(verdict, word[i]) != 0)
        i++;
    return i;
}

/* The worst verdict among a lab's rows. */
static const char *verdict_of(const struct lab_csv *csv, const char *lab)
{
    const char *worst = NULL;

    for (size_t i = 0; i < csv->rows; i++) {
        const char *const verdict = lab_csv_text(csv, i, "verdict");

        if (is_of(csv, i, lab) &&
            (worst == NULL || badness(verdict) > badness(worst)))
            worst = verdict;
    }
    return worst != NULL ? worst : "not run";
}

/* A number of a lab's first row, or NaN if that row is not right. */
static double number_of(const struct lab_csv *csv, const char *lab,
                        const char *device, const char *column)
{
    const long row = first_row(csv, lab, device);

    if (row == NO_ROW || !is_right(csv, (size_t)row))
        return (double)NAN;
    return lab_csv_number(csv, (size_t)row, column);
}

/* The lab before, passing over those without a matrix product. NULL: none. */
static const struct course_lab *before(const struct course_index *index, int i)
{
    while (--i >= 0) {
        if (index->lab[i].entry[0].kind != COURSE_BANKS)
            return &index->lab[i];
    }
    return NULL;
}

/* --- words ---------------------------------------------------------------- */

/* Writes a number, or "-" for NaN. */
static void say(char *text, size_t size, const char *format, double number)
{
    if (isnan(number))
        snprintf(text, size, "-");
    else if (strcmp(format, "%%") == 0)
        snprintf(text, size, "%.0f %%", 100.0 * number);
    else if (fabs(number) >= 1000.0)
        snprintf(text, size, "%.0f", number);
    else
        snprintf(text, size, "%.3g", number);
}

static void say_size(char *text, size_t size, const struct lab_csv *csv,
                     long row)
{
    const char *m, *n, *k;

    snprintf(text, size, "-");
    if (row == NO_ROW)
        return;
    m = lab_csv_text(csv, (size_t)row, "m");
    n = lab_csv_text(csv, (size_t)row, "n");
    k = lab_csv_text(csv, (size_t)row, "k");
    if (*m != '\0' && strcmp(m, n) == 0 && strcmp(n, k) == 0)
        snprintf(text, size, "%s^3", m);
    else if (*m != '\0')
        snprintf(text, size, "%sx%sx%s", m, n, k);
}

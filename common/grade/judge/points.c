/* What did right runs count, and what does all of it earn? */
#define _GNU_SOURCE
#include "grade/judge/judging.h"

#include "harness/counters.h"
#include "harness/predictions.h"
#include "simt/report_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Counts are divided: a quotient may be off by a rounding error. */
static const double rounding = 1e-9;

/* How far a number must come from before to full to be called changed: half as
   large a tile comes half of the way, and a line here or there a few per
   cent. */
static const double a_change = 0.3;

/* --- the lab's number ----------------------------------------------------- */

/* Of what should be little, half is twice as good: the way from zero to full is
   measured in its reciprocal, as speed is in that of time. */
static double share_of_way(double full, double zero, double value)
{
    const double share =
        full > 0.0 && full < zero
            ? (1.0 / value - 1.0 / zero) / (1.0 / full - 1.0 / zero)
            : (value - zero) / (full - zero);

    if (!(share > 0.0)) /* a NaN too */
        return 0.0;
    return share < 1.0 - rounding ? share : 1.0;
}

double grade_number_share(const struct grade_judging *j, int i, double value)
{
    return share_of_way(j->rubric->full[i], j->rubric->zero[i], value);
}

int grade_keep_worst(const struct grade_judging *j, const double *counter,
                     double *worst)
{
    int reached = 1;

    for (int i = 0; i < j->lab->measures; i++) {
        const int at = lab_counter_find(j->lab->measure[i].column);
        const double value = at >= 0 ? counter[at] : (double)NAN;

        const double share = grade_number_share(j, i, value);

        if (isnan(worst[i]) || !(share >= grade_number_share(j, i, worst[i])))
            worst[i] = value;
        reached &= share >= 1.0;
    }
    return reached;
}

/* Grows with the matrices, so it can be told at the counting size alone. */
static int depends_on_size(int counter)
{
    return counter == LAB_BARRIERS_PER_THREAD ||
           lab_counters[counter].unit == LAB_UNIT_COUNT;
}

/* Is one of the numbers better than that of the kernel that the lab begins
   with? 1 too if nobody can tell. */
static int is_better_than_before(const struct grade_judging *j,
                                 const double *counter, int counting)
{
    int known = 0;

    for (int i = 0; i < j->lab->measures; i++) {
        const struct course_measure *m = &j->lab->measure[i];
        const int at = lab_counter_find(m->column);

        if (at < 0 || m->before < 0.0 ||
            !(m->before < m->full || m->before > m->full) ||
            (!counting && depends_on_size(at)))
            continue;
        known = 1;
        if ((counter[at] - m->before) / (m->full - m->before) > a_change)
            return 1;
    }
    return !known;
}

/* What tells two kernels apart, whatever they are called: what each of their
   lines did. */
static uint64_t mark_of(const struct simt_count *count)
{
    uint64_t mark = count->rows;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *const row = &count->row[i];
        const uint64_t what[] = {
            row->space, row->kind,  (uint64_t)row->size, row->requests,
            row->lanes, row->bytes, row->sectors,        row->wavefronts};

        for (size_t k = 0; k < sizeof what / sizeof *what; k++)
            mark = (mark ^ what[k]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    for (size_t i = 0; i < count->kernels; i++) {
        mark = (mark ^ count->kernel[i].flops ^
                count->kernel[i].backward_jumps << 32) *
               UINT64_C(0x9e3779b97f4a7c15);
    }
    return mark;
}

/* 1 from the lab on that asks for fewer requests than before, of the same
   words: wide loads are its idea. */
static int asks_for_wide_loads(const struct grade_judging *j)
{
    const struct course_lab *lab = j->setting->index->lab;

    if (j->lab->problem != NULL)
        return 0; /* a pass over all is one, however wide its loads are */
    for (;; lab++) {
        for (int i = 0; i < lab->measures; i++) {
            const struct course_measure *m = &lab->measure[i];

            if (strcmp(m->column, "global_load_requests") == 0 &&
                m->full < m->before)
                return 1;
        }
        if (lab == j->lab)
            return 0;
    }
}

/* Words that loads bring beside the first of each. */
static uint64_t more_words(const struct simt_count *count,
                           enum simt_space space)
{
    uint64_t words = 0;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *const row = &count->row[i];

        if (row->space == space && row->kind == SIMT_LOAD)
            words += row->lanes * ((uint64_t)(row->size + 3) / 4 - 1);
    }
    return words;
}

/* What is a sum over the elements of C, unless the lab's blocks share them. */
static void derive_results(const struct grade_judging *j,
                           const struct simt_count *count, double elements,
                           double *counter)
{
    if (j->lab->problem == NULL && !j->lab->parts)
        lab_counters_of_results(count, elements, counter);
}

void grade_derive_counts(const struct grade_judging *j,
                         const struct simt_count *count, double fmas,
                         double *counter)
{
    lab_counters_derive(count, fmas, counter);
    derive_results(
        j, count, fmas / course_counting(j->setting->index, j->lab).k, counter);
    if (asks_for_wide_loads(j))
        return;
    counter[LAB_GLOBAL_LOADS_PER_FMA] +=
        (double)more_words(count, SIMT_GLOBAL) / fmas;
    counter[LAB_SHARED_LOADS_PER_FMA] +=
        (double)more_words(count, SIMT_SHARED) / fmas;
    if (j->lab->problem != NULL) { /* the same from a copy of the array */
        const struct simt_sum constant =
            simt_sum_rows(count, (struct simt_rows){.space = SIMT_CONSTANT,
                                                    .kind = SIMT_LOAD});

        counter[LAB_GLOBAL_LOADS_PER_FMA] +=
            (double)constant.asked / 4.0 / fmas;
    }
}

/* 1 if a later lab begins with this number of an earlier one at its worst. */
static int is_given_up(const struct grade_judging *j,
                       const struct course_lab *lab,
                       const struct course_measure *m)
{
    const struct course_index *const index = j->setting->index;

    for (lab++; lab < index->lab + index->labs; lab++) {
        for (int i = 0; i < lab->measures; i++) {
            const struct course_measure *const later = &lab->measure[i];

            if (strcmp(later->column, m->column) == 0 && later->before >= 0.0 &&
                share_of_way(m->full, m->zero, later->before) <= 0.0)
                return 1;
        }
    }
    return 0;
}

/* The column of the other tile, if 8 wavefronts and more are the worst of one:
   neither takes them, whichever of the two a lab is about. -1: none. */
static int column_of_twin(const struct course_measure *m)
{
    const size_t length = strlen(m->column);
    char twin[80];

    if (m->zero < 8.0 || length >= sizeof twin ||
        (strcmp(m->column + length - 3, "_As") != 0 &&
         strcmp(m->column + length - 3, "_Bs") != 0))
        return -1;
    snprintf(twin, sizeof twin, "%s", m->column);
    twin[length - 2] = m->column[length - 2] == 'A' ? 'B' : 'A';
    return lab_counter_find(twin);
}

/* How well requests are made: what nobody has to undo for another number. Twice
   the wavefronts may be a fair price for something else. */
static int is_of_requests(const struct course_measure *m)
{
    return strstr(m->column, "_efficiency_") != NULL ||
           (strstr(m->column, "_per_request_") != NULL &&
            m->zero >= 4.0 * m->full);
}

/* Is what a lab was about, this one or one before, no better now than it was
   then before that lab? Returns 1 if so. */
static int look_at_measure(struct grade_judging *j,
                           const struct course_lab *lab,
                           const struct course_measure *m,
                           const double *counter)
{
    const int column[] = {lab_counter_find(m->column), column_of_twin(m)};
    const int is_kept =
        lab < j->lab ? is_of_requests(m) && !is_given_up(j, lab, m)
                     : m->before >= 0.0 &&
                           share_of_way(m->full, m->zero, m->before) >= 1.0;

    for (int i = 0; i < 2; i++) {
        if (column[i] < 0 || ((i == 0 || lab < j->lab) && !is_kept) ||
            isnan(counter[column[i]]) ||
            share_of_way(m->full, m->zero, counter[column[i]]) > 0.0)
            continue;
        grade_flag(j,
                   "%s is %.4g, which is as bad as it can be where lab %.2s is "
                   "about it: is the kernel that of an earlier lab?",
                   lab_counters[column[i]].name, counter[column[i]], lab->name);
        return 1;
    }
    return 0;
}

/* What the labs before have done is not undone: a number that was as good as it
   can be, and is none at all now, is that of a kernel which is older. */
static void look_at_lost(struct grade_judging *j, const double *counter)
{
    const struct course_lab *lab =
        j->lab->problem == NULL ? j->setting->index->lab : j->lab;

    for (;; lab++) {
        for (int i = 0; i < lab->measures; i++) {
            if (look_at_measure(j, lab, &lab->measure[i], counter))
                return;
        }
        if (lab == j->lab)
            return;
    }
}

/* A sum whose few barriers are paid is one of all lanes: those who add up one
   at a time make no more loads than would bring all that there is to add. */
static void look_at_single_lanes(struct grade_judging *j,
                                 const struct simt_count *count,
                                 double elements)
{
    const int barriers = LAB_BARRIERS_PER_THREAD;
    double requests = 0.0;
    int is_asked = 0;

    for (int i = 0; i < j->lab->measures; i++)
        is_asked |= lab_counter_find(j->lab->measure[i].column) == barriers;
    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *const row = &count->row[i];

        if (row->kind == SIMT_LOAD && row->lanes < 4 * row->requests)
            requests += (double)row->requests;
    }
    if (is_asked && j->lab->problem != NULL && 32.0 * requests > elements) {
        grade_flag(j,
                   "%.0f requests load for fewer than 4 lanes each: does one "
                   "thread add up what others could?",
                   requests);
    }
}

void grade_keep_counts(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report)
{
    const struct course_shape s = plan->shape;
    const double fmas = (double)s.m * s.n * s.k;
    const ptrdiff_t e = plan->entry - j->lab->entry;
    double counter[LAB_COUNTERS];

    grade_derive_counts(j, &report->count, fmas, counter);
    if (plan->entry->kind == COURSE_LAUNCH) {
        const int reached = grade_keep_worst(j, counter, j->value);

        grade_explain_costs(j, plan, report, counter, reached);
        grade_believe(j, &report->count, s);
        if (!reached && j->is_aligned && asks_for_wide_loads(j)) {
            grade_flag(j, "It has an aligned structure of its own, which is "
                          "copied in parts here and at once at home: what "
                          "does its own program count?");
        }
        look_at_lost(j, counter);
        look_at_single_lanes(j, &report->count, fmas);
    }
    j->is_counted[e] = 1;
    j->is_changed[e] = is_better_than_before(j, counter, 1);
    j->mark[e] = mark_of(&report->count);
}

void grade_keep_kernel(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report)
{
    uint64_t most = 0;

    for (size_t i = 0; i < report->count.kernels; i++) {
        if (report->count.kernel[i].flops > most) {
            const ptrdiff_t e = plan->entry - j->lab->entry;

            most = report->count.kernel[i].flops;
            j->function[e] = report->count.kernel[i].function;
            snprintf(j->kernel[e], sizeof j->kernel[e], "%s",
                     report->count.kernel[i].kernel);
        }
    }
}

/* Where the counting size is wrong or not run, another one tells less exactly
   whether anything has changed: its tiles are cut at the edges. */
void grade_keep_change(struct grade_judging *j, const struct grade_plan *plan,
                       const struct grade_report *report)
{
    const double fmas = (double)plan->shape.m * plan->shape.n * plan->shape.k;
    const int e = (int)(plan->entry - j->lab->entry);
    double counter[LAB_COUNTERS];

    if (j->is_counted[e])
        return;
    grade_derive_counts(j, &report->count, fmas, counter);
    derive_results(j, &report->count, fmas / plan->shape.k, counter);
    j->is_changed[e] = is_better_than_before(j, counter, 0);
}

void grade_keep_table(struct grade_judging *j,
                      const struct grade_report *report)
{
    struct lab_bank_table table;
    struct lab_prediction_score score;
    double counter[LAB_COUNTERS];

    if (!report->has_table)
        return;
    lab_bank_table_fill(&table);
    score = lab_predictions_score(
        (const int(*)[LAB_STRIDES][LAB_BANK_RULES])report->table, &table);
    lab_counters_clear(counter);
    counter[LAB_RIGHT_CELLS] = (double)score.right / LAB_CELLS;
    grade_keep_worst(j, counter, j->value);
    fprintf(j->costs.file,
            "%d of %d predictions are right, %d wrong, %d not filled in.\n",
            score.right, LAB_CELLS, score.wrong, score.unfilled);
    if (score.wrong > 0)
        lab_predictions_nudge(j->costs.file, &score);
}

/* --- points --------------------------------------------------------------- */

/* The kernel of an entry is still the one that the lab begins with. */
static int is_as_before(const struct grade_judging *j, int e)
{
    const struct course_lab *lab = j->lab;

    if (j->setting->rubric->before_earns || !course_is_launch(&lab->entry[e]) ||
        lab->measures == 0)
        return 0;
    for (int i = 0; i < lab->measures; i++) {
        if (lab->measure[i].before >= 0.0)
            return !j->is_changed[e];
    }
    return 0;
}

/* All products are right, and what else a number is made of. That each failing
   call is noticed, and all memory given back, is a case of its own. */
static int is_right_but_for_calls(const struct grade_judging *j)
{
    int right = j->plans > 0;

    for (int i = 0; i < j->plans; i++)
        right &= j->is_right[i] || j->plan[i].task == GRADE_TASK_CALLS;
    return right;
}

int grade_number_earns(const struct grade_judging *j)
{
    int earns = is_right_but_for_calls(j) && j->flags == 0 && j->unclean == 0;

    /* A number of several that was reached before is no merit alone. */
    for (int e = 0; e < j->lab->entries; e++)
        earns &= !is_as_before(j, e);
    return earns;
}

static void give_number(struct grade_judging *j)
{
    const double of = j->rubric->points[GRADE_NUMBER];
    const int count = j->lab->measures;
    const int earns = grade_number_earns(j);

    for (int i = 0; i < count; i++) {
        struct grade_measure *m = grade_result_measure(j->result);

        if (m == NULL)
            return;
        snprintf(m->column, sizeof m->column, "%s", j->lab->measure[i].column);
        m->value = j->value[i];
        m->full = j->rubric->full[i];
        m->zero = j->rubric->zero[i];
        m->of = of / count;
        if (earns)
            m->points = m->of * grade_number_share(j, i, j->value[i]);
        j->result->points[GRADE_NUMBER] += m->points;
    }
}

/*
 * The entry's kernel is that of an entry before it: there is no second one.
 * One template can make both. Two that are asked for the same numbers may do
 * the same, line for line; one that is shown beside is another way.
 */
static int is_kernel_of_another(const struct grade_judging *j, int e)
{
    for (int i = 0; i < e; i++) {
        if (j->lab->entry[e].kind == COURSE_SHOWN && j->is_counted[i] &&
            j->is_counted[e] && j->mark[i] == j->mark[e])
            return 1;
        if (j->kernel[i][0] != '\0' &&
            (j->function[i] != 0 && j->function[e] != 0
                 ? j->function[i] == j->function[e]
                 : strcmp(j->kernel[i], j->kernel[e]) == 0))
            return 1;
    }
    return 0;
}

/* How many right cases earn: not those of a kernel that is as it was before,
   and that failing CUDA calls are looked at only where a product is right. */
static int count_earning(const struct grade_judging *j)
{
    int earning = 0;

    for (int i = 0; i < j->plans && !j->by_host; i++) {
        const int e = (int)(j->plan[i].entry - j->lab->entry);
        int products = j->plan[i].task != GRADE_TASK_CALLS;

        for (int k = 0; k < j->plans && !products; k++) {
            products = j->is_right[k] && j->plan[k].entry == j->plan[i].entry &&
                       j->plan[k].task == GRADE_TASK_PRODUCT;
        }
        earning += j->is_right[i] && products && !is_as_before(j, e) &&
                   !is_kernel_of_another(j, e);
    }
    return earning;
}

static void tell_as_before(struct grade_judging *j)
{
    for (int e = 0; e < j->lab->entries; e++) {
        const char *const variant = j->lab->entry[e].variant;
        enum grade_verdict verdict = j->result->verdict;
        int right = 0, wrong = 0;

        for (int i = 0; i < j->plans; i++) {
            const int mine = j->plan[i].entry == &j->lab->entry[e];

            right |= mine && j->is_right[i];
            wrong |= mine && !j->is_right[i];
        }
        if (!right || !(is_kernel_of_another(j, e) || is_as_before(j, e)))
            continue;
        verdict = verdict > GRADE_FAIL ? verdict : GRADE_FAIL;
        if (is_kernel_of_another(j, e)) {
            grade_decide(j, verdict,
                         "'%s' launches a kernel that the lab's first entry "
                         "launches, too, or one that does the same line for "
                         "line: %s. This lab has two.",
                         variant, j->kernel[e]);
            continue;
        }
        grade_decide(
            j, verdict,
            "The number of '%s' is what it was before this lab: what the "
            "lab is about is not there yet.%s",
            variant,
            wrong || j->unclean > 0
                ? ""
                : " That the kernel is right was the work of the labs "
                  "before, and earns nothing here.");
    }
}

void grade_give_points(struct grade_judging *j)
{
    struct grade_result *result = j->result;
    const double *of = j->rubric->points;
    const int all_right = is_right_but_for_calls(j);
    const int earning = count_earning(j);

    if (j->plans > 0 &&
        (earning == j->plans || j->setting->rubric->right_by_share))
        result->points[GRADE_RIGHT] = of[GRADE_RIGHT] * earning / j->plans;
    if (all_right && earning == j->right && j->unclean == 0 && !j->unnoticed)
        result->points[GRADE_CLEAN] = of[GRADE_CLEAN];
    give_number(j);
    tell_as_before(j);
    if (all_right && j->flags > 0 && result->verdict < GRADE_FLAG)
        result->verdict = GRADE_FLAG;
}

#define _GNU_SOURCE
#include "verdict.h"

#include "case.h"
#include "explain.h"
#include "lower_bounds.h"
#include "traffic.h"

#include "course/todo.h"
#include "harness/counters.h"
#include "harness/inputs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CASES = 128,
    MOST_TIMES = 2 /* cases out of time, after which no more are run */
};

/* Counts are divided: a quotient may be off by a rounding error. */
static const double rounding = 1e-9;

/* How far a number must come from before to full to be called changed. */
static const double a_change = 0.01;

/* One lab of one student, while it is judged. */
struct judging {
    const struct grade_setting *setting;
    const struct course_lab *lab;
    const struct grade_rubric_lab *rubric;
    struct grade_program program;
    struct grade_plan plan[MOST_CASES];
    int plans;
    struct grade_result *result;
    struct grade_growing findings, costs;
    int is_right[MOST_CASES]; /* of each plan */
    /* Of each entry of the lab: its counts were seen; they are better than
       before the lab's work. */
    int is_counted[COURSE_ENTRIES], is_changed[COURSE_ENTRIES];
    int right, unclean, hidden_unclean, times, flags;
    int failed; /* 1: the grader's own fault, in why; 2: no memory */
    char why[400];
    double value[COURSE_MEASURES]; /* the worst of all entries; NaN: none */
};

/* --- which cases -------------------------------------------------------------------- */

/* A number that depends on the secret seed, the lab and what it is for. */
static uint64_t draw(const struct judging *j, uint64_t what)
{
    uint64_t state = j->setting->seed;

    for (const char *c = j->lab->name; *c != '\0'; c++)
        state = lab_random(&state) ^ (unsigned char)*c;
    state ^= lab_random(&state) + what * UINT64_C(0x9e3779b97f4a7c15);
    return lab_random(&state);
}

/* Three sides: not square, and no multiples of a tile. Two of three are
   primes. */
static struct course_shape hidden_shape(uint64_t seed)
{
    static const int side[] = {19, 23, 29, 31, 35, 41, 43, 47, 51, 53,
                               59, 61, 67, 71, 73, 77, 79, 83, 89, 97};
    enum {
        SIDES = sizeof side / sizeof *side
    };
    const int m = (int)(lab_random(&seed) % SIDES);
    const int n = (m + 1 + (int)(lab_random(&seed) % (SIDES - 1))) % SIDES;
    const int k = (int)(lab_random(&seed) % SIDES);

    return (struct course_shape){side[m], side[n], side[k]};
}

static int is_same(const struct course_shape *a, const struct course_shape *b)
{
    return a->m == b->m && a->n == b->n && a->k == b->k;
}

static int is_launch(const struct course_entry *entry)
{
    return entry->kind == COURSE_LAUNCH || entry->kind == COURSE_SHOWN;
}

/* The lab has a kernel of which a number is asked. */
static int has_launch(const struct course_lab *lab)
{
    for (int i = 0; i < lab->entries; i++) {
        if (is_launch(&lab->entry[i]))
            return 1;
    }
    return 0;
}

static struct grade_plan *add_plan(struct judging *j,
                                   const struct course_entry *entry,
                                   enum grade_task task)
{
    struct grade_plan *plan = &j->plan[j->plans];

    if (j->plans == MOST_CASES)
        return NULL;
    *plan = (struct grade_plan){.task = task,
                                .entry = entry,
                                .shape = {1, 1, 1},
                                .random_order = j->setting->random_order,
                                .seed = draw(j, (uint64_t)j->plans)};
    j->plans++;
    return plan;
}

static void plan_shape(struct judging *j, const struct course_entry *entry,
                       struct course_shape shape)
{
    const int counting = is_same(&shape, &j->setting->index->counting);
    struct grade_plan *plan;

    /* The size that is counted takes a second. Where another entry of the lab
       has it, host code and what is only shown do without. */
    if (counting && entry->kind != COURSE_LAUNCH && has_launch(j->lab))
        return;
    plan = add_plan(j, entry, GRADE_TASK_PRODUCT);
    if (plan == NULL)
        return;
    plan->shape = shape;
    plan->counting = counting && entry->kind == COURSE_LAUNCH;
    plan->launches = is_launch(entry);
    snprintf(plan->name, sizeof plan->name, "%.14s, %d x %d x %d",
             entry->variant, shape.m, shape.n, shape.k);
}

static void plan_entry(struct judging *j, const struct course_entry *entry)
{
    const struct course_index *index = j->setting->index;
    struct grade_plan *plan;

    if (entry->kind == COURSE_BANKS) {
        plan = add_plan(j, entry, GRADE_TASK_BANKS);
        if (plan != NULL) {
            snprintf(plan->name, sizeof plan->name,
                     "%.14s, each type and stride", entry->variant);
        }
        return;
    }
    for (int i = 0; i < index->shapes; i++)
        plan_shape(j, entry, index->shape[i]);
    for (int i = 0; i < j->setting->rubric->hidden_cases; i++) {
        plan = add_plan(j, entry, GRADE_TASK_PRODUCT);
        if (plan == NULL)
            return;
        plan->shape = hidden_shape(~plan->seed);
        plan->hidden = 1;
        plan->launches = is_launch(entry);
        snprintf(plan->name, sizeof plan->name, "%.14s, hidden %d",
                 entry->variant, i + 1);
    }
    if (entry->kind == COURSE_HOST && has_launch(j->lab)) {
        plan = add_plan(j, entry, GRADE_TASK_CALLS);
        if (plan != NULL) {
            snprintf(plan->name, sizeof plan->name,
                     "%.14s, each CUDA call fails once", entry->variant);
        }
    }
}

/* --- the lab's number --------------------------------------------------------------- */

static double share_of(const struct judging *j, int i, double value)
{
    const double full = j->rubric->full[i], zero = j->rubric->zero[i];
    const double share = (value - zero) / (full - zero);

    if (!(share > 0.0)) /* a NaN too */
        return 0.0;
    return share < 1.0 - rounding ? share : 1.0;
}

/* Keeps the worst value of each measure: all entries are asked for it. */
static int keep_values(struct judging *j, const double *counter)
{
    int reached = 1;

    for (int i = 0; i < j->lab->measures; i++) {
        const int at = lab_counter_find(j->lab->measure[i].column);
        const double value = at >= 0 ? counter[at] : (double)NAN;

        if (isnan(j->value[i]) ||
            !(share_of(j, i, value) >= share_of(j, i, j->value[i])))
            j->value[i] = value;
        reached &= share_of(j, i, value) >= 1.0;
    }
    return reached;
}

/* Is one of the numbers better than that of the kernel that the lab begins
   with? 1 too if INDEX knows none. */
static int is_better_than_before(const struct judging *j, const double *counter)
{
    int known = 0;

    for (int i = 0; i < j->lab->measures; i++) {
        const struct course_measure *m = &j->lab->measure[i];
        const int at = lab_counter_find(m->column);

        if (at < 0 || m->before < 0.0 ||
            !(m->before < m->full || m->before > m->full))
            continue;
        known = 1;
        if ((counter[at] - m->before) / (m->full - m->before) > a_change)
            return 1;
    }
    return !known;
}

static void keep_flags(struct judging *j, int count,
                       char text[GRADE_BOUNDS][GRADE_BOUND_TEXT])
{
    for (int i = 0; i < count; i++) {
        if (grade_result_flag(j->result, text[i]) != 0)
            j->failed = 2;
    }
    j->flags += count;
}

static void look_at_counts(struct judging *j, const struct grade_plan *plan,
                           const struct grade_report *report)
{
    const struct course_shape s = plan->shape;
    const double fmas = (double)s.m * s.n * s.k;
    const struct simt_count count = {.row = report->row,
                                     .rows = report->rows,
                                     .kernel = report->kernel,
                                     .kernels = report->kernels};
    char text[GRADE_BOUNDS][GRADE_BOUND_TEXT];
    double counter[LAB_COUNTERS];
    int reached;

    lab_counters_derive(&count, fmas, counter);
    reached = keep_values(j, counter);
    grade_explain_costs(j->setting->index, j->lab, plan->entry->variant, report,
                        fmas, counter, reached, &j->costs);
    keep_flags(j, grade_lower_bounds(&count, s, text), text);
    keep_flags(
        j, grade_traffic(j->setting->index, j->lab, j->rubric, &count, s, text),
        text);
    j->is_counted[plan->entry - j->lab->entry] = 1;
    j->is_changed[plan->entry - j->lab->entry] =
        is_better_than_before(j, counter);
}

static void look_at_table(struct judging *j, const struct grade_report *report)
{
    struct lab_bank_table table;
    double counter[LAB_COUNTERS];

    if (!report->has_table)
        return;
    lab_bank_table_fill(&table);
    lab_counters_clear(counter);
    counter[LAB_RIGHT_CELLS] =
        (double)lab_predictions_score(
            (const int(*)[LAB_STRIDES][LAB_BANK_RULES])report->table, &table)
            .right /
        LAB_CELLS;
    keep_values(j, counter);
    grade_explain_table(report, &j->costs);
}

/* --- cases -------------------------------------------------------------------------- */

/* Keeps a case in the result. */
static void keep_case(struct judging *j, const struct grade_plan *plan,
                      enum grade_verdict verdict, const char *text)
{
    struct grade_case *kept = grade_result_case(j->result);

    if (kept == NULL) {
        j->failed = 2;
        return;
    }
    snprintf(kept->name, sizeof kept->name, "%s", plan->name);
    kept->hidden = plan->hidden;
    kept->verdict = verdict;
    kept->text = strdup(text != NULL ? text : "");
    if (kept->text == NULL)
        j->failed = 2;
    if (verdict > j->result->verdict)
        j->result->verdict = verdict;
}

static void run_case(struct judging *j, const struct grade_plan *plan)
{
    struct grade_ran ran;

    if (j->times >= MOST_TIMES) {
        keep_case(j, plan, GRADE_TIME,
                  "Not run: two cases before it ran out of time.");
        return;
    }
    grade_case_run(j->setting, &j->program, plan, &ran);
    if (ran.text == NULL) {
        j->failed = 2;
    } else if (ran.verdict == GRADE_GRADER_ERROR) {
        j->failed = 1;
        snprintf(j->why, sizeof j->why, "%.300s: %s", plan->name, ran.text);
    } else {
        keep_case(j, plan, ran.verdict, ran.text);
        j->times += ran.verdict == GRADE_TIME;
        j->is_right[plan - j->plan] = ran.verdict <= GRADE_UNCLEAN;
        j->right += ran.verdict <= GRADE_UNCLEAN;
        if (ran.report.findings > 0) {
            j->unclean++;
            if (plan->hidden) {
                j->hidden_unclean++;
            } else {
                grade_explain_findings(&ran.report, &j->findings);
            }
        }
        if (ran.verdict <= GRADE_UNCLEAN && plan->counting)
            look_at_counts(j, plan, &ran.report);
        if (plan->task == GRADE_TASK_BANKS)
            look_at_table(j, &ran.report);
    }
    grade_ran_free(&ran);
}

/* --- points ------------------------------------------------------------------------- */

static void give_number(struct judging *j, int all_right)
{
    const double of = j->rubric->points[GRADE_NUMBER];
    const int count = j->lab->measures;

    for (int i = 0; i < count; i++) {
        struct grade_measure *m = grade_result_measure(j->result);

        if (m == NULL) {
            j->failed = 2;
            return;
        }
        snprintf(m->column, sizeof m->column, "%s", j->lab->measure[i].column);
        m->value = j->value[i];
        m->full = j->rubric->full[i];
        m->zero = j->rubric->zero[i];
        m->of = of / count;
        if (all_right && j->flags == 0)
            m->points = m->of * share_of(j, i, j->value[i]);
        j->result->points[GRADE_NUMBER] += m->points;
    }
}

/* The kernel of an entry is still the one that the lab begins with; or nobody
   knows, because it is wrong where it is counted. */
static int is_as_before(const struct judging *j, int e)
{
    const struct course_lab *lab = j->lab;

    if (j->setting->rubric->before_earns ||
        lab->entry[e].kind != COURSE_LAUNCH || lab->measures == 0)
        return 0;
    for (int i = 0; i < lab->measures; i++) {
        if (lab->measure[i].before >= 0.0)
            return !j->is_counted[e] || !j->is_changed[e];
    }
    return 0;
}

/* How many right cases earn: not those of a kernel that is as it was before,
   and that failing CUDA calls are looked at only where a product is right. */
static int count_earning(const struct judging *j)
{
    int earning = 0;

    for (int i = 0; i < j->plans; i++) {
        const int e = (int)(j->plan[i].entry - j->lab->entry);
        int products = j->plan[i].task != GRADE_TASK_CALLS;

        for (int k = 0; k < j->plans && !products; k++) {
            products = j->is_right[k] && j->plan[k].entry == j->plan[i].entry &&
                       j->plan[k].task == GRADE_TASK_PRODUCT;
        }
        earning += j->is_right[i] && products && !is_as_before(j, e);
    }
    return earning;
}

/* Says so to the student. */
static void tell_as_before(struct judging *j)
{
    for (int e = 0; e < j->lab->entries; e++) {
        if (!j->is_counted[e] || !is_as_before(j, e))
            continue;
        grade_grow(
            &j->costs,
            "The number of '%s' is what it was before this lab: what the "
            "lab is about is not there yet. That the kernel is right "
            "was the work of the labs before, and earns nothing here.\n",
            j->lab->entry[e].variant);
    }
}

static void give_points(struct judging *j)
{
    struct grade_result *result = j->result;
    const double *of = j->rubric->points;
    const int all_right = j->plans > 0 && j->right == j->plans;
    const int earning = count_earning(j);

    if (j->plans > 0 &&
        (earning == j->plans || j->setting->rubric->right_by_share))
        result->points[GRADE_RIGHT] = of[GRADE_RIGHT] * earning / j->plans;
    if (all_right && earning == j->plans && j->unclean == 0)
        result->points[GRADE_CLEAN] = of[GRADE_CLEAN];
    give_number(j, all_right);
    tell_as_before(j);
    if (all_right && j->flags > 0 && result->verdict < GRADE_FLAG)
        result->verdict = GRADE_FLAG;
}

/* --- all of it ---------------------------------------------------------------------- */

/* Counts the TODOs that are as the skeleton has them, and lists them. -1 without memory. */
static int open_todos(const struct judging *j, const char *source, size_t size,
                      char *which, size_t room)
{
    char *text = strndup(source, size);
    struct course_todos todos;
    int open = 0;

    if (text == NULL || course_todos_find(text, &todos) != 0) {
        free(text);
        return -1;
    }
    for (int i = 0; i < todos.count; i++) {
        if (course_todo_is_open(j->setting->todos, j->lab->name,
                                &todos.todo[i])) {
            const size_t used = strlen(which);

            open++;
            snprintf(which + used, room - used, "%s%d.%d", used > 0 ? ", " : "",
                     todos.todo[i].lab, todos.todo[i].number);
        }
    }
    course_todos_free(&todos);
    free(text);
    return open;
}

static void set_text(struct judging *j, const char *text)
{
    free(j->result->text);
    j->result->text = strdup(text);
    if (j->result->text == NULL)
        j->failed = 2;
}

/* A lab that is not right because it is not written yet is told so. */
static void look_at_todos(struct judging *j, const char *source, size_t size)
{
    char which[160] = "", text[240];
    const int open = open_todos(j, source, size, which, sizeof which);

    if (open < 0)
        j->failed = 2;
    if (open <= 0 || j->result->verdict <= GRADE_FLAG ||
        j->result->verdict > GRADE_CRASH)
        return;
    j->result->verdict = GRADE_UNFINISHED;
    snprintf(text, sizeof text, "%d TODO%s not written yet: %s.", open,
             open == 1 ? " is" : "s are", which);
    set_text(j, text);
}

static void run_all(struct judging *j)
{
    for (int i = 0; i < j->lab->entries; i++)
        plan_entry(j, &j->lab->entry[i]);
    for (int i = 0; i < j->plans && !j->failed; i++)
        run_case(j, &j->plan[i]);
    if (j->hidden_unclean > 0) {
        grade_grow(&j->findings,
                   "In %d hidden case%s the checks found "
                   "something.\n",
                   j->hidden_unclean, j->hidden_unclean == 1 ? "" : "s");
    }
    if (!j->failed)
        give_points(j);
}

/* The texts that grew become the result's; NULL becomes "". */
static char *take(struct judging *j, struct grade_growing *growing)
{
    char *text = growing->text != NULL ? growing->text : strdup("");

    if (text == NULL || growing->failed)
        j->failed = 2;
    growing->text = NULL;
    return text;
}

/* An error of the grader's decides nothing: no points, no cases. */
static void give_up(struct grade_result *result, const char *lab,
                    const char *why)
{
    grade_result_free(result);
    snprintf(result->lab, sizeof result->lab, "%s", lab);
    result->verdict = GRADE_GRADER_ERROR;
    result->text = strdup(why);
    result->findings = strdup("");
    result->costs = strdup("");
}

static void judge_lab(struct judging *j, const char *source, size_t size)
{
    for (int i = 0; i < COURSE_MEASURES; i++)
        j->value[i] = NAN;
    memcpy(j->result->of, j->rubric->points, sizeof j->result->of);
    grade_build(j->setting, j->lab, source, size, &j->program);
    if (j->program.verdict == GRADE_GRADER_ERROR) {
        j->failed = 1;
        snprintf(j->why, sizeof j->why, "%.390s", j->program.text);
    } else if (j->program.verdict != GRADE_PASS) {
        j->result->verdict = j->program.verdict;
        set_text(j, j->program.text);
    } else {
        run_all(j);
        if (!j->failed)
            look_at_todos(j, source, size);
    }
    grade_program_remove(&j->program);
    j->result->findings = take(j, &j->findings);
    j->result->costs = take(j, &j->costs);
    if (j->result->text == NULL)
        set_text(j, "");
}

int grade_source(const struct grade_setting *setting, const char *lab,
                 const char *source, size_t size, struct grade_result *result)
{
    struct judging *j = calloc(1, sizeof *j);
    int status = 0;

    grade_result_init(result);
    if (j == NULL)
        return -1;
    j->setting = setting;
    j->lab = course_index_find(setting->index, lab);
    j->rubric = grade_rubric_find(setting->rubric, lab);
    j->result = result;
    snprintf(result->lab, sizeof result->lab, "%s", lab);
    if (j->lab == NULL || j->rubric == NULL) {
        give_up(result, lab, "labs/INDEX has no such lab");
        status = result->text == NULL ? -1 : 0;
    } else {
        judge_lab(j, source, size);
        if (j->failed == 1)
            give_up(result, lab, j->why);
        if (j->failed == 2 || result->text == NULL ||
            result->findings == NULL || result->costs == NULL) {
            grade_result_free(result);
            status = -1;
        }
    }
    free(j);
    if (status != 0)
        errno = ENOMEM;
    return status;
}

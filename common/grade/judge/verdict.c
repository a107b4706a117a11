#define _GNU_SOURCE
#include "grade/judge/verdict.h"

#include "grade/judge/judging.h"

#include "base/words.h"
#include "course/todo.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TIMES = 2 /* cases out of time, after which no more are run */
};

/* --- cases ---------------------------------------------------------------- */

static void keep_case(struct grade_judging *j, const struct grade_plan *plan,
                      enum grade_verdict verdict, const char *text)
{
    struct grade_case *kept = grade_result_case(j->result);

    if (kept == NULL)
        return;
    snprintf(kept->name, sizeof kept->name, "%s", plan->name);
    kept->hidden = plan->hidden;
    kept->verdict = verdict;
    /* Not for students: how it is run again, on the same inputs, and all of
       that is shown. */
    kept->text =
        plan->hidden
            ? base_text("%s%sAgain: make lab-%.2s M=%d N=%d K=%d SEED=%llu "
                        "VERBOSE=1",
                        text, *text != '\0' ? "\n" : "", j->lab->name,
                        plan->shape.m, plan->shape.n, plan->shape.k,
                        (unsigned long long)plan->seed)
            : base_text("%s", text);
    if (verdict > j->result->verdict)
        j->result->verdict = verdict;
}

static void run_case(struct grade_judging *j, const struct grade_plan *plan)
{
    struct grade_ran ran;

    if (j->times >= MOST_TIMES) {
        keep_case(j, plan, GRADE_TIME,
                  "Not run: two cases before it ran out of time.");
        return;
    }
    grade_case_run(j->setting, plan, &ran);
    if (ran.verdict == GRADE_GRADER_ERROR) {
        grade_decide(j, GRADE_GRADER_ERROR, "%s: %s", plan->name, ran.text);
    } else {
        keep_case(j, plan, ran.verdict, ran.text);
        j->times += ran.verdict == GRADE_TIME;
        j->is_right[plan - j->plan] = ran.verdict <= GRADE_UNCLEAN;
        j->right += ran.verdict <= GRADE_UNCLEAN;
        j->by_host |= ran.verdict == GRADE_FAIL &&
                      strncmp(ran.text, GRADE_REPORT_BY_HOST,
                              strlen(GRADE_REPORT_BY_HOST)) == 0;
        /* One case tells what the others would tell again. */
        if (ran.report.doubt != NULL && !j->is_doubtful++)
            grade_flag(j, "%s: %s", plan->name, ran.report.doubt);
        /* Memory that is left behind costs its case, an error that nobody
           notices what is clean as well. */
        j->unnoticed |= plan->task == GRADE_TASK_CALLS &&
                        ran.verdict > GRADE_UNCLEAN &&
                        strstr(ran.text, "leaves device memory behind") == NULL;
        if (ran.report.findings.count > 0) {
            j->unclean++;
            if (plan->hidden) {
                j->hidden_unclean++;
            } else {
                grade_explain_findings(j, &ran.report);
            }
        }
        if (ran.verdict <= GRADE_UNCLEAN && course_is_launch(plan->entry))
            grade_keep_kernel(j, plan, &ran.report);
        if (ran.verdict <= GRADE_UNCLEAN && plan->counting) {
            grade_keep_counts(j, plan, &ran.report);
        } else if (ran.verdict <= GRADE_UNCLEAN &&
                   course_is_launch(plan->entry)) {
            grade_keep_change(j, plan, &ran.report);
        }
        if (plan->task == GRADE_TASK_BANKS)
            grade_keep_table(j, &ran.report);
    }
    grade_report_free(&ran.report);
}

/* --- all of it ------------------------------------------------------------ */

/* Counts the TODOs that are as the skeleton has them, and lists them. */
static int open_todos(const struct grade_judging *j, const char *source,
                      size_t size, char *which, size_t room)
{
    char *text = strndup(source, size);
    struct course_todos todos;
    int open;

    if (text == NULL || course_todos_find(text, &todos) != 0) {
        base_memory_fail();
        free(text);
        return 0;
    }
    course_todos_keep_open(j->setting->todos, j->lab->name, &todos);
    for (size_t i = 0; i < todos.count; i++) {
        base_append(which, room, "%s%d.%d", i > 0 ? ", " : "",
                    todos.todo[i].lab, todos.todo[i].number);
    }
    open = (int)todos.count;
    course_todos_free(&todos);
    free(text);
    return open;
}

/* A lab that is not right because it is not written yet is told so. */
static void look_at_todos(struct grade_judging *j, const char *source,
                          size_t size)
{
    char which[160] = "";
    const int open = open_todos(j, source, size, which, sizeof which);

    if (open == 0 || j->result->verdict <= GRADE_FLAG ||
        j->result->verdict > GRADE_CRASH)
        return;
    grade_decide(j, GRADE_UNFINISHED, "%d TODO%s not written yet: %s.", open,
                 open == 1 ? " is" : "s are", which);
}

static void run_cases(struct grade_judging *j)
{
    grade_plan_cases(j);
    for (int i = 0; i < j->plans && !j->failed; i++)
        run_case(j, &j->plan[i]);
    if (j->hidden_unclean > 0) {
        fprintf(j->findings.file,
                "In %d hidden case%s the checks found "
                "something.\n",
                j->hidden_unclean, j->hidden_unclean == 1 ? "" : "s");
    }
    if (!j->failed)
        grade_give_points(j);
}

static void judge_lab(struct grade_judging *j, const char *source, size_t size)
{
    struct grade_result *const result = j->result;

    if (base_memory_open(&j->findings) == NULL ||
        base_memory_open(&j->costs) == NULL)
        return;
    for (int i = 0; i < COURSE_MEASURES; i++)
        j->value[i] = NAN;
    memcpy(result->of, j->rubric->points, sizeof result->of);
    grade_decide(j, GRADE_PASS, "%s", "");
    if (grade_build(j, source, size)) {
        run_cases(j);
        if (!j->failed)
            look_at_todos(j, source, size);
    }
    result->findings = base_memory_close(&j->findings);
    result->costs = base_memory_close(&j->costs);
}

/* An error of the grader's decides nothing: no points, no cases. */
static void keep_error(struct grade_result *result)
{
    struct grade_result error = {.verdict = GRADE_GRADER_ERROR,
                                 .text = result->text,
                                 .findings = base_text("%s", ""),
                                 .costs = base_text("%s", "")};

    memcpy(error.lab, result->lab, sizeof error.lab);
    result->text = NULL;
    grade_result_free(result);
    *result = error;
}

static int grade_once(const struct grade_setting *setting, const char *lab,
                      const char *source, size_t size,
                      struct grade_result *result)
{
    const unsigned before = base_memory_failures();
    struct grade_judging *j = calloc(1, sizeof *j);

    *result = (struct grade_result){.verdict = GRADE_PASS};
    if (j == NULL)
        return -1;
    j->setting = setting;
    j->lab = course_index_find(setting->index, lab);
    j->rubric = grade_rubric_find(setting->rubric, lab);
    j->result = result;
    snprintf(result->lab, sizeof result->lab, "%s", lab);
    judge_lab(j, source, size);
    if (j->failed)
        keep_error(result);
    free(j);
    if (base_memory_failures() == before)
        return 0;
    grade_result_free(result);
    errno = ENOMEM;
    return -1;
}

/* What the machine did to one box, as when it had no memory, it need not do to
   the next. */
int grade_source(const struct grade_setting *setting, const char *lab,
                 const char *source, size_t size, struct grade_result *result)
{
    int status = grade_once(setting, lab, source, size, result);

    if (status == 0 && result->verdict == GRADE_GRADER_ERROR) {
        grade_result_free(result);
        status = grade_once(setting, lab, source, size, result);
    }
    return status;
}

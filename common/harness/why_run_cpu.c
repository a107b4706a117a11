/* One run at one size, and those that follow its threads: see why.h. */
#include "why.h"

#include "device_kind.h"
#include "inputs.h"
#include "measure.h"
#include "base/language.h"
#include "simt/report.h"
#include "simt/report_sums.h"
#include "source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The same lab anew, at the same size, to be ended. Returns 0, or -1. */
static int begin_again(struct lab_trial *t, const struct lab_trial *old)
{
    *t = (struct lab_trial){
        .program = old->program, .entry = old->entry, .shape = old->shape};
    return lab_trial_begin(t);
}

/* Runs it and keeps what passes the filter. NULL if that is not all. */
static const struct simt_access *
run_followed(struct lab_trial *t, struct simt_filter filter, size_t *steps)
{
    const struct simt_access *step;
    int cut;

    t->log = simt_log_begin(&filter);
    if (lab_trial_run(t) != 0)
        return NULL;
    step = simt_log_read(t->log, steps, &cut);
    return cut || *steps == 0 ? NULL : step;
}

/* Those of its thread, in its order; to be freed. */
static const struct simt_access *steps_of(const struct lab_account *a,
                                          size_t *steps)
{
    struct simt_access *step = malloc((a->alls + 1) * sizeof *step);

    *steps = 0;
    for (size_t i = 0; step != NULL && i < a->alls; i++) {
        if (a->all[i].thread == a->thread)
            step[(*steps)++] = a->all[i];
    }
    return step;
}

/* Runs once more and follows who stored the element, with all threads of its
   block if these are not too much; NULL: host code. */
static void follow(const struct lab_trial *old,
                   const struct simt_access *stored, struct lab_account *a)
{
    struct simt_filter filter = {.launch = 0};
    struct lab_trial t;

    if (begin_again(&t, old) != 0)
        goto done;
    if (stored != NULL) {
        const unsigned *size = stored->block_size;
        const unsigned x = (unsigned)stored->thread % size[0];
        const unsigned y = (unsigned)stored->thread / size[0];

        snprintf(a->who, sizeof a->who, _("its %s"), lab_thread_name(stored));
        if (stored->grid[0] * stored->grid[1] * stored->grid[2] > 1) {
            snprintf(
                a->block, sizeof a->block, _("block (%u,%u%s)"),
                (unsigned)(stored->block % stored->grid[0]),
                (unsigned)(stored->block / stored->grid[0] % stored->grid[1]),
                stored->grid[2] > 1 ? ",.." : "");
        } else {
            snprintf(a->block, sizeof a->block, "%s", _("the block"));
        }
        a->kernel = stored->kernel;
        a->thread = stored->thread;
        a->own_row = (int)(stored->block / stored->grid[0] * size[1] + y);
        a->own_col = (int)(stored->block % stored->grid[0] * size[0] + x);
        filter.launch = stored->launch;
        filter.block = (long)stored->block;
        filter.thread = SIMT_EACH;
    } else {
        snprintf(a->who, sizeof a->who, _("the program"));
        for (int i = 0; i < LAB_MATRICES; i++) {
            filter.host[i].from = t.b.host[i];
            filter.host[i].to = t.b.host[i] + t.b.count[i] +
                                (i < LAB_C ? lab_buffers_margin(&t.b, i) : 0);
        }
        a->c_array = LAB_C;
    }
    a->all = run_followed(&t, filter, &a->alls);
    if (a->all == NULL && stored != NULL) {
        lab_trial_end(&t);
        filter.thread = stored->thread;
        if (begin_again(&t, old) != 0)
            goto done;
        a->all = run_followed(&t, filter, &a->alls);
    }
    if (a->all == NULL)
        goto done;
    a->step = steps_of(a, &a->steps);
    if (a->step == NULL)
        goto done;
    if (stored == NULL || filter.thread != SIMT_EACH ||
        stored->kind == SIMT_ATOMIC)
        a->alls = 0;
    a->d = t.identity;
    a->C = t.b.host[LAB_C];
    for (size_t i = 0; i < a->steps && stored != NULL; i++) {
        /* Numbers of arrays are not used again. */
        if (a->step[i].kind != SIMT_LOAD && a->step[i].space == SIMT_GLOBAL)
            a->c_array = a->step[i].array;
    }
    lab_cause_find(a);
done:
    free((void *)(size_t)a->step);
    lab_trial_end(&t);
}

/* Says first which elements of C were never stored, if there are any. */
static void say_unset_first(const struct lab_trial *t, struct lab_story *story)
{
    const float *C = t->b.host[LAB_C];
    const size_t count = t->b.count[LAB_C], n = (size_t)t->shape.n;
    size_t first = 0, unset = 0;
    char said[LAB_STORY_TEXT];

    for (size_t at = count; at-- > 0;) {
        if (lab_is_poison(C[at])) {
            first = at;
            unset++;
        }
    }
    if (unset == 0)
        return;
    snprintf(said, sizeof said, "%s", story->text);
    lab_why_unset(t, (int)(first / n), (int)(first % n), unset < count, story);
    lab_say(story, " %s", said);
}

/* Host code has stored past the end of C: runs once more, for the line; and
   says which row it has stored last, if it is the last of a matrix that has n
   or k of them. */
static void follow_past_the_end(const struct lab_trial *old,
                                struct lab_story *story)
{
    const struct course_shape s = old->shape;
    const struct simt_access *step;
    const float *end;
    size_t steps = 0, past = 0;
    struct lab_trial t;
    int rows;
    char side;

    if (begin_again(&t, old) != 0)
        goto done;
    end = t.b.host[LAB_C] + t.b.count[LAB_C];
    step = run_followed(
        &t,
        (struct simt_filter){
            .host = {{end, end + lab_buffers_margin(&t.b, LAB_C)}}},
        &steps);
    if (step == NULL)
        goto done;
    for (size_t i = 0; i < steps; i++) {
        const size_t behind = step[i].offset / sizeof *end + 1;

        if (step[i].kind == SIMT_LOAD)
            continue;
        if (past == 0)
            story->here = LAB_PLACE(&step[i]);
        past = behind > past ? behind : past;
    }
    rows = s.m + ((int)past + s.n - 1) / s.n;
    side = lab_side(s.m, s.n, s.k, rows);
    if (past > 0 && side != '\0') {
        lab_say(story,
                " The last row that it stores is %d, as if C had %d = %c rows, "
                "and not %d = m.",
                rows - 1, rows, side, s.m);
    }
    say_unset_first(&t, story);
    story->is_bound = 1;
done:
    lab_trial_end(&t);
}

/* A finding about A, B or C: runs once more and follows its thread, for which
   row and column it meant. */
static void follow_finding(const struct lab_trial *old,
                           const struct simt_finding *finding,
                           struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(old);
    const struct lab_element c = {.t = old, .array = lab_why_array_of_c(old)};
    const struct simt_access *step;
    struct lab_trial t;
    size_t steps;

    if (launch == NULL || lab_trial_is_host(old) || finding->thread < 0)
        return;
    if (begin_again(&t, old) != 0)
        goto done;
    step = run_followed(&t,
                        (struct simt_filter){.launch = launch->launch,
                                             .block = (long)finding->block,
                                             .thread = finding->thread},
                        &steps);
    if (step != NULL && !lab_why_narrow(&t, finding, step, steps, story) &&
        story->rank == LAB_FOUND &&
        (finding->check != SIMT_RACE_GLOBAL || lab_why_is_whole(&c)) &&
        strlen(finding->array) == 1 && strchr("ABC", finding->array[0]) != NULL)
        lab_why_index(&t, finding, step, steps, story);
done:
    lab_trial_end(&t);
}

/* Does the element hold what belongs to another of its row or its column? Not
   the last ones: what is past the edge may have been taken for them. */
static int holds_another(const struct lab_trial *t, int row, int col)
{
    const double got = (double)lab_trial_c(t, row, col);
    int exact, holds = 0;

    for (int r = 0; r < t->shape.m - 1; r++) {
        holds |=
            r != row && lab_identity_want(t->identity, r, col, &exact) == got;
    }
    for (int c = 0; c < t->shape.n - 1; c++) {
        holds |=
            c != col && lab_identity_want(t->identity, row, c, &exact) == got;
    }
    return holds;
}

/* Looks into a wrong element. */
static void look_into(const struct lab_trial *t, int row, int col,
                      struct lab_story *story)
{
    const struct lab_element e = {t, lab_why_array_of_c(t), row, col};
    const int is_plain_host =
        lab_trial_is_host(t) && lab_measure_entry(lab_info.lab) < 0;
    struct lab_story cause = {.text = ""};
    struct lab_account a = {.row = row,
                            .col = col,
                            .own_row = -1,
                            .own_col = -1,
                            .is_by_warp = t->entry->precision != LAB_FP32,
                            .story = &cause};
    int threads = 0;
    const struct simt_access *last = lab_why_last_store(&e, &threads);

    if (last == NULL && !is_plain_host) {
        if (story->rank < LAB_FOUND ||
            (story->rank == LAB_FOUND && story->is_message))
            lab_why_not_stored(&e, story);
        return;
    }
    follow(t, last, &a);
    /* The last of them tells little, unless its store is what is wrong. */
    if (last != NULL && threads > 1 && (a.several || last->grid[2] > 1) &&
        last->kind != SIMT_ATOMIC &&
        (cause.rank < LAB_PROVEN || cause.here.line != last->line ||
         !holds_another(t, row, col)))
        cause.rank = LAB_NOTHING;
    if (is_plain_host && !a.stored) {
        lab_why_unset(t, row, col, a.stored_any, story);
        story->here = cause.here;
        return;
    }
    if (threads > 1 && story->rank < LAB_PROVEN && lab_why_outside(&e, story))
        return;
    if (last != NULL && threads > 1 && cause.rank < LAB_PROVEN &&
        last->kind != SIMT_ATOMIC) {
        lab_tell(&cause, a.several ? LAB_FOUND : LAB_PROVEN,
                 "C[%d][%d] is stored by %d threads, the last of them %s "
                 "(%s:%d): %s.",
                 row, col, threads, lab_thread_name(last),
                 simt_base_name(last->file), last->line,
                 last->grid[2] > 1
                     ? _("either all of them must add to it, or one "
                         "thread must store it")
                     : _("each element of C wants one thread"));
        cause.here = LAB_PLACE(last);
        cause.other.line = cause.fetch.line = 0;
        lab_source_made(last->file, last->line, "C", last->kernel,
                        &cause.beside);
    }
    if (cause.here.line == 0 && last != NULL) {
        const struct simt_host_call *launch = lab_trial_launch(t);

        if (launch != NULL && lab_why_left_out(launch->file, NULL, story))
            return;
        cause.here = LAB_PLACE(last);
    }
    if (cause.rank > story->rank)
        *story = cause;
}

/* Two threads of several elements each have stored it: then none has stored
   another, which tells more. */
static int is_stored_by_two(const struct lab_trial *t, int row, int col)
{
    const struct lab_element e = {t, lab_why_array_of_c(t), row, col};
    int threads;
    const struct simt_access *last = lab_why_last_store(&e, &threads);

    for (size_t i = 0; threads > 1 && i < t->stores; i++) {
        const struct simt_access *s = &t->stored[i];

        if (s->array == e.array && s->thread == last->thread &&
            s->block == last->block && s->launch == last->launch &&
            (s->offset != last->offset || s->size > 4))
            return last->kind != SIMT_ATOMIC;
    }
    return 0;
}

static void look_into_wrong(const struct lab_trial *t, struct lab_why *why)
{
    const int m = t->shape.m, n = t->shape.n;
    struct lab_story *story = &why->story;
    size_t wrong = 0, nan = 0;
    int first[2] = {0, 0}, last[2] = {0, 0}, unset[2] = {-1, -1};

    for (int row = 0; row < m; row++) {
        for (int col = 0; col < n; col++) {
            const float got = lab_trial_c(t, row, col);

            if (!lab_identity_is_wrong(t->identity, row, col, got))
                continue;
            nan += isnan(got) != 0;
            if (wrong++ == 0) {
                first[0] = row;
                first[1] = col;
            }
            if (unset[0] < 0 && lab_is_poison(got)) {
                unset[0] = row;
                unset[1] = col;
            }
            /* On the diagonal row and column would look the same. */
            if (row == col && wrong > 1)
                continue;
            last[0] = row;
            last[1] = col;
        }
    }
    if (wrong == 0)
        return;
    snprintf(why->extent, sizeof why->extent,
             _("%zu of %d elements of C are wrong%s"), wrong, m * n,
             nan == wrong ? _(", all of them NaN") : "");
    if (lab_trial_is_host(t) &&
        (lab_why_inputs(t, story) || lab_why_copy_back(t, story)) &&
        story->rank >= LAB_PROVEN)
        return;
    if (unset[0] >= 0 && is_stored_by_two(t, first[0], first[1]))
        look_into(t, unset[0], unset[1], story);
    if (story->rank < LAB_PROVEN)
        look_into(t, first[0], first[1], story);
    if (story->rank < LAB_PROVEN && wrong > 1)
        look_into(t, last[0], last[1], story);
}

/* A shuffle read what is undefined. */
static int say_undefined(struct lab_story *story)
{
    struct lab_place place;
    const char *says = simt_undefined_shuffle(&place.file, &place.line);

    if (says == NULL)
        return 0;
    lab_tell(story, LAB_PROVEN, "%s", says);
    story->here = place;
    return 1;
}

/* What ended the run, or what it wrote beside an array. */
static void take_outcome(const struct lab_trial *t, struct lab_story *story)
{
    const char *said = simt_last_message();

    /* What was written beside an array may follow from a wrong index. */
    lab_tell(story, t->outcome.is_beside ? LAB_FOUND : LAB_ENDING, "%s",
             said[0] != '\0' ? said : t->outcome.wrong);
    lab_why_refused(t, story);
    if (!lab_trial_is_host(t))
        return;
    lab_why_inputs(t, story);
    if (story->rank == LAB_FOUND)
        follow_past_the_end(t, story);
}

/* The first finding of these checks, as bits; text NULL: none. */
static struct simt_finding find_of(const struct simt_findings *findings,
                                   unsigned checks)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (checks >> findings->finding[i].check & 1)
            return findings->finding[i];
    }
    return (struct simt_finding){.text = NULL};
}

/* What the analyse build has seen of a run that was wrong. */
static void look_further(const struct lab_trial *t,
                         const struct simt_findings *findings,
                         struct lab_why *why)
{
    /* Further runs have findings of their own. */
    const struct simt_finding followed =
        find_of(findings, 1U << SIMT_BOUNDS | 1U << SIMT_RACE_GLOBAL |
                              1U << SIMT_ADDRESS);
    const struct simt_finding unwritten =
        find_of(findings, 1U << SIMT_UNWRITTEN_SHARED);
    const int is_address =
        followed.text != NULL && followed.check == SIMT_ADDRESS;
    const int is_compared = t->outcome.compared && t->wrong;
    const int is_product = lab_info.lab->problem == NULL;
    struct lab_story *story = &why->story;

    lab_tell(story, LAB_WRONG, "%s is wrong.", lab_result_name());
    if (findings->count > 0) {
        lab_why_finding(t, why, findings);
    } else if (t->outcome.wrong[0] != '\0') {
        take_outcome(t, story);
    }
    if (is_address && lab_why_null(t, story))
        return;
    if (is_product && story->rank < LAB_ENDING && lab_why_arguments(t, story))
        return;
    if (is_compared && story->rank < LAB_FOUND && say_undefined(story))
        return;
    if (unwritten.text != NULL && story->rank == LAB_FOUND &&
        lab_why_kept_away(t, unwritten.block, unwritten.thread, story))
        return;
    if (is_compared && story->rank < LAB_ENDING && t->identity != NULL)
        look_into_wrong(t, why);
    if (is_compared && story->rank < LAB_ENDING && is_product &&
        t->identity == NULL)
        lab_why_moved(t, why);
    if (is_compared && story->rank < LAB_FOUND && !is_product)
        lab_why_result(t, why);
    if (is_product && followed.text != NULL &&
        (story->rank == LAB_FOUND || is_address))
        follow_finding(t, &followed, story);
}

/* The same, and what the source says. */
static void look(const struct lab_trial *t,
                 const struct simt_findings *findings, struct lab_why *why)
{
    const int is_found = findings->count > 0;
    const struct simt_finding told =
        is_found ? *lab_why_told(findings) : (struct simt_finding){.line = 0};

    look_further(t, findings, why);
    if (is_found && why->story.is_message)
        lab_why_race(t, &told, &why->story);
    lab_why_own_array(t, is_found || !t->outcome.compared, &why->story);
    lab_why_launch_bounds(t, &why->story);
}

int lab_why_at(struct lab_program *program, const struct course_entry *entry,
               struct course_shape shape, struct lab_why *why)
{
    struct lab_trial t = {.program = program, .entry = entry, .shape = shape};
    struct simt_findings findings;
    struct lab_tally tally;
    int status = -1;

    *why = (struct lab_why){.entry = entry, .shape = shape};
    if (lab_trial_begin(&t) != 0)
        goto done;
    t.log = simt_log_begin(&(struct simt_filter){.launch = SIMT_ANY,
                                                 .block = SIMT_ANY,
                                                 .thread = SIMT_ANY,
                                                 .stores_only = 1,
                                                 .memory_only = 1});
    if (lab_trial_run(&t) != 0 || lab_trial_keep(&t) != 0)
        goto done;
    if (lab_can_count() && lab_tally_read(program, &tally) != 0)
        goto done;
    lab_findings_read(&findings);
    why->wrong = t.wrong || findings.count > 0;
    why->is_unwritten = lab_trial_is_unwritten(&t);
    t.is_loaded =
        lab_can_count() &&
        simt_sum_rows(&tally.count, (struct simt_rows){.space = SIMT_GLOBAL,
                                                       .kind = SIMT_LOAD})
                .asked > 0;
    status = 0;
    if (lab_can_count() && why->wrong) {
        look(&t, &findings, why);
    } else if (!lab_can_count() && findings.count > 0) {
        lab_why_finding(&t, why, &findings);
    }
done:
    lab_trial_end(&t);
    return status;
}

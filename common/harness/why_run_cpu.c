#define _POSIX_C_SOURCE 200809L
#include "base/wrap.h"
#include "device_kind.h"
#include "why.h"
#include "why_trial.h"

#include "inputs.h"
#include "measure.h"
#include "simt/report.h"
#include "simt/report_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what the checks found ------------------------------------------------ */

static int rank_of(enum simt_check check)
{
    switch (check) {
    case SIMT_UNWRITTEN_SHARED:
    case SIMT_UNWRITTEN_GLOBAL:
    case SIMT_RACE_GLOBAL:
    case SIMT_BOUNDS:
        return 3;
    default:
        return 5;
    }
}

/* "now" of As[now][i][r] in that line, an array of several tiles; 0 if the line
   has none. */
static int tile_index(char *index, size_t size, const char *array,
                      const char *file, int line)
{
    char text[300];
    const char *at = text;
    const size_t length = strlen(array);

    simt_source_line(text, sizeof text, file, line);
    while ((at = strstr(at, array)) != NULL && at[length] != '[')
        at += length;
    if (at == NULL)
        return 0;
    at += length + 1;
    snprintf(index, size, "%.*s", (int)strcspn(at, "]"), at);
    for (int i = 0; i < 2; i++) { /* the rows, the columns */
        at = strchr(at, ']');
        if (at == NULL || at[1] != '[')
            return 0;
        at += 2;
    }
    return 1;
}

/* Of a race in one of several tiles: which tiles do the two lines use? Asked
   before what follows of a barrier. */
static void ask_for_buffer(const struct simt_finding *f, struct lab_why *why)
{
    char index[2][60], words[300], rest[LAB_WHY_TEXT];
    char *behind = strstr(why->text, "\n    Seen ");
    FILE *to;

    behind = behind != NULL ? strchr(behind + 1, '\n') : NULL;
    if (behind == NULL || strstr(f->text, " reads ") == NULL ||
        !tile_index(index[0], sizeof index[0], f->array, f->file, f->line) ||
        !tile_index(index[1], sizeof index[1], f->array, f->other_file,
                    f->other_line))
        return;
    snprintf(
        words, sizeof words,
        "Line %d writes %s[%s], and line %d reads %s[%s] in the same step: "
        "does each line use the right buffer?",
        f->line, f->array, index[0], f->other_line, f->array, index[1]);
    snprintf(rest, sizeof rest, "%s", behind + 1);
    to = fmemopen(behind + 1,
                  sizeof why->text - (size_t)(behind + 1 - why->text), "w");
    if (to == NULL)
        return;
    base_wrap(to, "    ", words);
    fputs(rest, to);
    fclose(to);
}

static void take_finding(struct lab_why *why,
                         const struct simt_findings *findings)
{
    const struct simt_finding *f = &findings->finding[0];

    for (size_t i = 1; i < findings->count; i++) {
        if (rank_of(findings->finding[i].check) > rank_of(f->check))
            f = &findings->finding[i];
    }
    why->rank = rank_of(f->check);
    why->is_endless = f->check == SIMT_ENDLESS;
    why->is_index = f->check == SIMT_BOUNDS && simt_has_bad_index();
    why->is_message = 1;
    why->more = findings->count - 1;
    snprintf(why->text, sizeof why->text, "%s", f->text);
    lab_why_place(why, f->file, f->line);
    if (f->check == SIMT_DIVERGENCE && strstr(f->text, "ended without")) {
        lab_why_other_place(why, f->file,
                            lab_why_return_line(f->file, f->line));
    }
    if (f->other_line != f->line && f->other_line > 0) {
        snprintf(why->other_file, sizeof why->other_file, "%s", f->other_file);
        why->other_line = f->other_line;
        if (f->check == SIMT_RACE_SHARED)
            ask_for_buffer(f, why);
    }
}

/* --- a wrong element ------------------------------------------------------ */

/* Runs once more and follows who stored the element. */
static void follow(const struct lab_trial *old,
                   const struct simt_access *stored, int row, int col,
                   struct lab_cause *cause)
{
    struct lab_trial t = {
        .program = old->program, .entry = old->entry, .shape = old->shape};
    struct lab_suspect suspect = {
        .row = row, .col = col, .own_row = -1, .own_col = -1};
    char name[70];
    int cut;

    *cause = (struct lab_cause){.file = "", .other_file = "", .fetch_file = ""};
    if (lab_trial_begin(&t) != 0)
        goto done;
    if (stored != NULL) {
        lab_why_thread(name, sizeof name, stored);
        snprintf(suspect.who, sizeof suspect.who, "Its %s", name);
        suspect.kernel = stored->kernel;
        suspect.thread = stored->thread;
        suspect.own_row =
            (int)(stored->block / stored->grid[0] * stored->block_size[1] +
                  (unsigned)stored->thread / stored->block_size[0]);
        suspect.own_col =
            (int)(stored->block % stored->grid[0] * stored->block_size[0] +
                  (unsigned)stored->thread % stored->block_size[0]);
        t.log =
            simt_log_begin(&(struct simt_filter){.launch = (long)stored->launch,
                                                 .block = (long)stored->block,
                                                 .thread = stored->thread});
    } else {
        struct simt_filter host = {.launch = SIMT_ANY};

        snprintf(suspect.who, sizeof suspect.who, "The program");
        for (int i = 0; i < LAB_MATRICES; i++) {
            host.host[i].from = t.b.host[i];
            host.host[i].to = t.b.host[i] + t.b.count[i] +
                              (i < LAB_C ? lab_buffers_margin(&t.b, i) : 0);
        }
        t.log = simt_log_begin(&host);
        suspect.c_array = LAB_C;
    }
    if (lab_trial_run(&t) != 0)
        goto done;
    suspect.identity = t.identity;
    suspect.C = t.b.host[LAB_C];
    suspect.step = simt_log_read(t.log, &suspect.steps, &cut);
    if (stored != NULL) { /* numbers of arrays are not used again */
        for (size_t i = 0; i < suspect.steps; i++) {
            const struct simt_access *step = &suspect.step[i];

            if (step->kind != SIMT_LOAD && step->space == SIMT_GLOBAL)
                suspect.c_array = step->array;
        }
    }
    if (!cut && suspect.steps > 0)
        lab_cause_find(&suspect, cause);
done:
    lab_trial_end(&t);
}

/* Says first which elements of C were never stored, if there are any. */
static void say_unset_first(const struct lab_trial *t, struct lab_why *why)
{
    const float *C = t->b.host[LAB_C];
    const size_t count = t->b.count[LAB_C], n = (size_t)t->shape.n;
    size_t first = 0, unset = 0;
    char said[LAB_WHY_TEXT];

    for (size_t at = count; at-- > 0;) {
        if (lab_is_poison(C[at])) {
            first = at;
            unset++;
        }
    }
    if (unset == 0)
        return;
    snprintf(said, sizeof said, "%s", why->text);
    lab_why_unset(C, t->shape, (int)(first / n), (int)(first % n),
                  unset < count, why);
    snprintf(why->text + strlen(why->text),
             sizeof why->text - strlen(why->text), " %s", said);
}

/* Says which row host code has stored last, as many elements past the end of C,
   if it is the last of a matrix that has n or k of them. */
static void say_last_row(const struct course_shape s, size_t past,
                         struct lab_why *why)
{
    const int rows = s.m + ((int)past + s.n - 1) / s.n;
    const char side = lab_side(s.m, s.n, s.k, rows);
    const size_t used = strlen(why->text);

    if (side != '\0') {
        snprintf(why->text + used, sizeof why->text - used,
                 " The last row that it stores is %d, as if C had %d = %c "
                 "rows, and not %d = m.",
                 rows - 1, rows, side, s.m);
    }
}

/* Host code has stored past the end of C: runs once more, for the line. */
static void follow_past_the_end(const struct lab_trial *old,
                                struct lab_why *why)
{
    struct lab_trial t = {
        .program = old->program, .entry = old->entry, .shape = old->shape};
    const struct simt_access *step;
    const float *end;
    size_t steps, past = 0;
    int cut;

    if (lab_trial_begin(&t) != 0)
        goto done;
    end = t.b.host[LAB_C] + t.b.count[LAB_C];
    t.log = simt_log_begin(&(struct simt_filter){
        .host = {{end, end + lab_buffers_margin(&t.b, LAB_C)}}});
    if (lab_trial_run(&t) != 0)
        goto done;
    step = simt_log_read(t.log, &steps, &cut);
    for (size_t i = 0; i < steps; i++) {
        const size_t behind = step[i].offset / sizeof *end + 1;

        if (step[i].kind == SIMT_LOAD)
            continue;
        if (past == 0)
            lab_why_place(why, step[i].file, step[i].line);
        past = behind > past ? behind : past;
    }
    if (past > 0)
        say_last_row(t.shape, past, why);
    say_unset_first(&t, why);
    why->is_bound = 1;
done:
    lab_trial_end(&t);
}

/* A finding about A, B or C: runs once more and follows its thread, for which
   row and column it meant. */
static void follow_finding(const struct lab_trial *old,
                           const struct simt_finding *finding,
                           struct lab_why *why)
{
    struct lab_trial t = {
        .program = old->program, .entry = old->entry, .shape = old->shape};
    const struct simt_host_call *call;
    size_t calls, steps;
    const struct simt_access *step;
    long launches = 0;
    int cut;

    call = simt_host_calls_read(&calls);
    for (size_t i = 0; i < calls; i++)
        launches += call[i].kind == SIMT_CALL_LAUNCH;
    if (launches == 0 || lab_trial_is_host(old) || finding->thread < 0 ||
        lab_trial_begin(&t) != 0)
        goto done;
    t.log = simt_log_begin(&(struct simt_filter){.launch = launches - 1,
                                                 .block = (long)finding->block,
                                                 .thread = finding->thread});
    if (lab_trial_run(&t) != 0)
        goto done;
    step = simt_log_read(t.log, &steps, &cut);
    call = simt_host_calls_read(&calls);
    for (size_t i = 0; i < calls; i++) {
        if (call[i].kind != SIMT_CALL_LAUNCH || call[i].launch != launches - 1)
            continue;
        if (!lab_why_narrow(&old->shape, finding, &call[i], t.b.device, step,
                            steps, why) &&
            why->rank == 3 && strlen(finding->array) == 1 &&
            finding->array[0] >= 'A' && finding->array[0] <= 'C') {
            lab_why_index(&old->shape, finding, &call[i],
                          t.b.device[finding->array[0] - 'A'], step, steps,
                          why);
        }
    }
done:
    lab_trial_end(&t);
}

/* Keeps the texts of a finding, which belong to the device. */
static struct simt_finding keep_finding(const struct simt_finding *finding,
                                        char text[3][200])
{
    struct simt_finding kept = *finding;

    snprintf(text[0], 200, "%s", finding->array);
    snprintf(text[1], 200, "%s", finding->file);
    snprintf(text[2], 200, "%s", finding->other_file);
    kept.array = text[0];
    kept.file = text[1];
    kept.other_file = text[2];
    kept.text = "";
    return kept;
}

/* The last store to the element, and how many threads stored it. */
static const struct simt_access *last_store(const struct simt_access *stored,
                                            size_t count, unsigned array,
                                            size_t at, int *threads)
{
    const struct simt_access *last = NULL;

    *threads = 0;
    for (size_t i = 0; i < count; i++) {
        const struct simt_access *s = &stored[i];

        if (s->array != array || s->offset > 4 * at ||
            4 * at >= s->offset + (size_t)s->size)
            continue;
        *threads += last == NULL || last->thread != s->thread ||
                    last->block != s->block || last->launch != s->launch;
        last = s;
    }
    return last;
}

/* The array of the stores that C is, or was copied from; 0: none. */
static unsigned array_of_c(const struct lab_trial *t,
                           const struct simt_access *stored, size_t count)
{
    const void *base =
        lab_trial_is_host(t)
            ? lab_why_source(&t->p, t->b.count[LAB_C] * sizeof(float))
            : t->b.device[LAB_C];

    for (size_t i = 0; i < count; i++) {
        if (stored[i].base == (uintptr_t)base)
            return stored[i].array;
    }
    return 0;
}

/* Keeps the cause if it says more than what is known. */
static void take_cause(struct lab_why *why, const struct lab_cause *cause)
{
    const int rank = cause->rank == 3 ? 4 : cause->rank;

    if (rank <= why->rank)
        return;
    why->rank = rank;
    why->is_message = 0;
    why->is_bound = cause->is_bound;
    snprintf(why->text, sizeof why->text, "%s", cause->says);
    lab_why_place(why, cause->file, cause->line);
    why->other_line = 0;
    if (cause->other_line > 0 && cause->other_line != cause->line) {
        snprintf(why->other_file, sizeof why->other_file, "%s",
                 cause->other_file);
        why->other_line = cause->other_line;
    }
    if (cause->fetch_line != cause->line &&
        cause->fetch_line != cause->other_line) {
        snprintf(why->fetch_file, sizeof why->fetch_file, "%s",
                 cause->fetch_file);
        why->fetch_line = cause->fetch_line;
    }
}

/* Looks into the nth wrong element. */
static void look_into(const struct lab_trial *t, int row, int col,
                      const struct simt_access *stored, size_t stores,
                      struct lab_why *why)
{
    const size_t at = (size_t)row * (size_t)t->shape.n + (size_t)col;
    const unsigned array = array_of_c(t, stored, stores);
    const int is_plain_host =
        lab_trial_is_host(t) && lab_measure_entry(lab_info.lab) < 0;
    struct lab_cause cause;
    int threads = 0;
    const struct simt_access *last =
        last_store(stored, stores, array, at, &threads);

    if (last == NULL && !is_plain_host) {
        if (why->rank < 3 || (why->rank == 3 && why->is_message)) {
            lab_why_not_stored(t->entry->function, t->shape, stored, stores,
                               array, row, col, t->is_loaded, why);
        }
        return;
    }
    follow(t, last, row, col, &cause);
    if (is_plain_host && !cause.stored) {
        lab_why_unset(t->b.host[LAB_C], t->shape, row, col, cause.stored_any,
                      why);
        lab_why_place(why, cause.file, cause.line);
        return;
    }
    if (threads > 1 && why->rank < 4 &&
        lab_why_outside(t->shape, stored, stores, array, row, col, why))
        return;
    if (threads > 1 && cause.rank < 3 && last != NULL &&
        last->kind != SIMT_ATOMIC) {
        char name[70];

        lab_why_thread(name, sizeof name, last);
        snprintf(cause.says, sizeof cause.says,
                 "C[%d][%d] is stored by %d threads, the last of them %s "
                 "(%s:%d): each element of C wants one thread.",
                 row, col, threads, name, simt_base_name(last->file),
                 last->line);
        cause.rank = 3;
        cause.file = last->file;
        cause.line = last->line;
    }
    if (cause.line == 0 && last != NULL) {
        const struct simt_host_call *call;
        size_t calls;

        call = simt_host_calls_read(&calls);
        for (size_t i = 0; i < calls; i++) {
            if (call[i].kind == SIMT_CALL_LAUNCH &&
                lab_why_vanished(call[i].file, NULL, why))
                return;
        }
        cause.file = last->file;
        cause.line = last->line;
    }
    take_cause(why, &cause);
}

static void look_into_wrong(const struct lab_trial *t, struct lab_why *why)
{
    const int m = t->shape.m, n = t->shape.n;
    size_t stores, wrong = 0, nan = 0;
    int first[2] = {0, 0}, last[2] = {0, 0}, cut;
    const struct simt_access *stored = simt_log_read(t->log, &stores, &cut);

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
             "%zu of %d elements of C are wrong%s", wrong, m * n,
             nan == wrong ? ", all of them NaN" : "");
    if (lab_trial_is_host(t) &&
        lab_why_host(&t->b, &t->p, stored, stores, why) && why->rank >= 4)
        return;
    look_into(t, first[0], first[1], stored, stores, why);
    if (why->rank < 4 && wrong > 1)
        look_into(t, last[0], last[1], stored, stores, why);
}

/* A shuffle read what is undefined. */
static int say_undefined(struct lab_why *why)
{
    const char *file, *says;
    int line;

    says = simt_undefined_shuffle(&file, &line);
    if (says == NULL)
        return 0;
    lab_why_tell(why, 4, "%s", says);
    lab_why_place(why, file, line);
    return 1;
}

/* What ended the run, or what it wrote beside an array. */
static void take_outcome(struct lab_trial *t, struct lab_why *why)
{
    const int is_host = lab_trial_is_host(t);
    const char *said = simt_last_message();

    /* What was written beside an array may follow from a wrong index. */
    lab_why_tell(why, strncmp(t->outcome.wrong, "It ", 3) == 0 ? 3 : 5, "%s",
                 said[0] != '\0' ? said : t->outcome.wrong);
    lab_why_refused(why->text, is_host, why);
    if (!is_host)
        return;
    lab_why_host(&t->b, &t->p, NULL, 0, why);
    if (why->rank == 3)
        follow_past_the_end(t, why);
}

/* Keeps the first finding that is worth following its thread: 1, or 0. */
static int find_followed(const struct simt_findings *findings,
                         struct simt_finding *kept, char text[3][200])
{
    for (size_t i = 0; i < findings->count; i++) {
        const enum simt_check check = findings->finding[i].check;

        if (check == SIMT_BOUNDS || check == SIMT_RACE_GLOBAL ||
            check == SIMT_ADDRESS) {
            *kept = keep_finding(&findings->finding[i], text);
            return 1;
        }
    }
    return 0;
}

/* What the analyse build has seen of a run that was wrong. */
static void look(struct lab_trial *t, const struct simt_findings *findings,
                 struct lab_why *why)
{
    struct simt_finding finding = {.array = ""};
    char text[3][200];
    int followed;

    lab_why_tell(why, 1, "C is wrong.");
    if (findings->count > 0) {
        take_finding(why, findings);
    } else if (t->outcome.wrong[0] != '\0') {
        take_outcome(t, why);
    }
    followed = find_followed(findings, &finding, text);
    if (finding.check == SIMT_ADDRESS && followed && lab_why_null(why))
        return;
    if (why->rank < 5 &&
        lab_why_arguments(&t->b, &t->p, lab_trial_is_host(t), why))
        return;
    if (t->outcome.compared && t->wrong && why->rank < 3 && say_undefined(why))
        return;
    if (t->outcome.compared && t->wrong && why->rank < 5)
        look_into_wrong(t, why);
    if (followed && (why->rank == 3 || finding.check == SIMT_ADDRESS))
        follow_finding(t, &finding, why);
}

int lab_why_at(struct lab_program *program, const struct course_entry *entry,
               struct course_shape shape, struct lab_why *why)
{
    struct lab_trial t = {.program = program, .entry = entry, .shape = shape};
    struct simt_findings findings;
    struct lab_seen seen;
    int status = -1;

    *why = (struct lab_why){.entry = entry, .shape = shape};
    if (lab_trial_begin(&t) != 0)
        goto done;
    t.log = simt_log_begin(&(struct simt_filter){.launch = SIMT_ANY,
                                                 .block = SIMT_ANY,
                                                 .thread = SIMT_ANY,
                                                 .stores_only = 1,
                                                 .memory_only = 1});
    if (lab_trial_run(&t) != 0)
        goto done;
    if (lab_can_count() && lab_seen_read(program, &seen) != 0)
        goto done;
    lab_findings_read(&findings);
    why->wrong = t.wrong || findings.count > 0;
    why->is_unwritten = lab_trial_is_unwritten(&t);
    t.is_loaded =
        lab_can_count() &&
        simt_sum_rows(&seen.count, (struct simt_rows){.space = SIMT_GLOBAL,
                                                      .kind = SIMT_LOAD})
                .asked > 0;
    status = 0;
    if (lab_can_count() && why->wrong) {
        look(&t, &findings, why);
    } else if (!lab_can_count() && findings.count > 0) {
        take_finding(why, &findings);
    }
done:
    lab_trial_end(&t);
    return status;
}

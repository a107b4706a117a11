/* One run at one size, and those that follow its threads: see why.h. */
#define _POSIX_C_SOURCE 200809L
#include "why.h"

#include "base/wrap.h"
#include "device_kind.h"
#include "inputs.h"
#include "measure.h"
#include "simt/report.h"
#include "simt/report_sums.h"
#include "source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what the checks found ------------------------------------------------ */

static enum lab_rank rank_of(enum simt_check check)
{
    switch (check) {
    case SIMT_UNWRITTEN_SHARED:
    case SIMT_UNWRITTEN_GLOBAL:
    case SIMT_RACE_GLOBAL:
    case SIMT_BOUNDS:
        return LAB_FOUND;
    default:
        return LAB_ENDING;
    }
}

/* Do the two lines stand in one loop? */
static int share_loop(const char *path, int line, int other)
{
    for (line = lab_source_loop(path, line, 0); line > 0;
         line = lab_source_loop(path, line, 0)) {
        for (int at = lab_source_loop(path, other, 0); at > 0;
             at = lab_source_loop(path, at, 0)) {
            if (at == line)
                return 1;
        }
    }
    return 0;
}

/* Of a race in one of several tiles, in one pass: which tiles do the two lines
   use? Asked before what follows of a barrier. */
static void ask_for_buffer(const struct simt_finding *f,
                           struct lab_story *story)
{
    char index[2][60], words[300], rest[LAB_STORY_TEXT];
    char *behind = strstr(story->text, "\n    Seen ");
    FILE *to;

    behind = behind != NULL ? strchr(behind + 1, '\n') : NULL;
    if (behind == NULL || !f->in_pass || strstr(f->text, " reads ") == NULL ||
        !share_loop(f->file, f->line, f->other_line) ||
        !lab_source_tile(f->file, f->line, f->array, index[0], sizeof index[0],
                         &story->beside) ||
        !lab_source_tile(f->other_file, f->other_line, f->array, index[1],
                         sizeof index[1], &story->beside))
        return;
    snprintf(
        words, sizeof words,
        "Line %d writes %s[%s], and line %d reads %s[%s] in the same pass: "
        "does each line use the right buffer?",
        f->line, f->array, index[0], f->other_line, f->array, index[1]);
    snprintf(rest, sizeof rest, "%s", behind + 1);
    to = fmemopen(behind + 1,
                  sizeof story->text - (size_t)(behind + 1 - story->text), "w");
    if (to == NULL)
        return;
    base_wrap(to, "    ", words);
    fputs(rest, to);
    fclose(to);
}

/* The block of the kernel's launch, and its line. */
static void note_block(const struct lab_trial *t, const char *file,
                       const char *kernel, struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(t);
    const int line = lab_source_block(file, kernel);

    if (launch == NULL || line == 0)
        return;
    lab_lines_add(&story->beside, line);
    lab_note(story, "The block is %u x %u threads (line %d).", launch->block[0],
             launch->block[1], line);
}

/* An index of an array of the kernel's own: what sets it, and how long is the
   array? */
static void take_index(const struct lab_trial *t, const struct simt_finding *f,
                       struct lab_story *story)
{
    const char *text = f->text != NULL ? f->text : "";
    const char *index = strstr(text, " uses index ");
    const char *type = strstr(text, " it is ");
    int is_thread = 0;

    index = index != NULL ? strstr(index, " in ") : NULL;
    if (index == NULL || type == NULL)
        return;
    lab_source_index(f->file, f->line, index + 4, type, &story->beside,
                     &is_thread);
    if (is_thread)
        note_block(t, f->file, f->kernel, story);
}

/* A line that races with itself: does each thread choose another element? */
static void take_own_race(const struct lab_trial *t,
                          const struct simt_finding *f, struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(t);
    int is_shared;
    const int declared =
        lab_source_declared(f->file, f->line, f->array, &is_shared);

    if (is_shared && lab_source_is_of_thread(f->file, f->line, f->array) == 0) {
        lab_lines_add(&story->beside, declared);
        lab_note(story,
                 "%s is __shared__ (line %d): the block has one, and its index "
                 "in line %d is not made of threadIdx, so all threads store to "
                 "the same elements.",
                 f->array, declared, f->line);
        return;
    }
    lab_source_made(f->file, f->line, f->array, f->kernel, &story->beside);
    if (launch != NULL && launch->block[1] > 1 &&
        !lab_source_uses(f->file, f->kernel, "threadIdx", 'y')) {
        note_block(t, f->file, f->kernel, story);
        lab_note(story,
                 " %s does not use threadIdx.y, so threads with the same "
                 "threadIdx.x do the same.",
                 f->kernel);
    }
}

/* A line of a race that uses another array by its words, and by what it does
   elsewhere: it has left that one. */
static void note_left_array(const char *file, int line, const char *array,
                            struct lab_story *story)
{
    struct simt_count count;

    if (lab_source_has(file, line, array) || simt_count_read(&count) != 0)
        return;
    for (size_t i = 0; i < count.rows; i++) {
        const struct simt_row *row = &count.row[i];

        if (row->space != SIMT_SHARED || row->line != line ||
            strcmp(row->file, file) != 0 || strcmp(row->array, array) == 0 ||
            !lab_source_has(file, line, row->array))
            continue;
        lab_note(story, "Line %d uses %s: its index leads out of %s, to %s.",
                 line, row->array, row->array, array);
        return;
    }
}

/* An access that lies outside or is misaligned, or of what was never stored:
   what makes its index, and how long is the array? */
static void take_access(const struct simt_finding *f, struct lab_story *story)
{
    if (f->check == SIMT_BOUNDS) {
        if (strstr(f->array, "dynamic") != NULL) {
            lab_source_dynamic(f->file, f->kernel, &story->beside);
        } else {
            lab_source_called(f->file, f->line, f->array, &story->beside);
        }
    }
    if (f->check == SIMT_BOUNDS || f->check == SIMT_ALIGNMENT)
        lab_source_row(f->file, f->line, f->array, &story->beside);
    lab_source_made(f->file, f->line, f->array, f->kernel, &story->beside);
}

/* What nobody stored: the lines that might have. */
static void take_unwritten(const struct simt_finding *f,
                           struct lab_story *story)
{
    int condition;

    lab_source_stores(f->file, f->line, f->array, &story->beside, &condition);
    if (condition > 0) {
        lab_note(story,
                 "Nothing is stored to %s where the condition of line %d does "
                 "not hold.",
                 f->array, condition);
    }
}

/* A barrier that some threads do not come to, or come to another one: what
   keeps them away from either? */
static void take_barrier(const struct simt_finding *f, struct lab_story *story)
{
    static const char other[] = " at that of line ";
    const char *at = strstr(f->text, other);
    char text[300];

    lab_source_kept_away(f->file, f->line, &story->beside, text, sizeof text);
    if (at != NULL) {
        story->other = (struct lab_place){
            f->file, (int)strtol(at + strlen(other), NULL, 10)};
        if (text[0] == '\0') {
            lab_source_kept_away(f->file, story->other.line, &story->beside,
                                 text, sizeof text);
        }
    }
    if (text[0] != '\0') {
        lab_note(story,
                 "%s All threads of a block must come to each of its barriers.",
                 text);
    }
}

/* The one that is told: the first of the highest rank. */
static const struct simt_finding *
told_finding(const struct simt_findings *findings)
{
    const struct simt_finding *f = &findings->finding[0];

    /* Races may come of what ended the kernel, which stands first. */
    for (size_t i = 1; f->check != SIMT_BOUNDS && i < findings->count; i++) {
        if (rank_of(findings->finding[i].check) > rank_of(f->check))
            f = &findings->finding[i];
    }
    return f;
}

static void take_finding(const struct lab_trial *t, struct lab_why *why,
                         const struct simt_findings *findings)
{
    const struct simt_finding *f = told_finding(findings);
    struct lab_story *story = &why->story;

    why->is_endless = f->check == SIMT_ENDLESS;
    why->is_outside = f->check == SIMT_BOUNDS || f->check == SIMT_ADDRESS;
    why->is_index = f->check == SIMT_BOUNDS && simt_has_bad_index();
    why->more = findings->count - 1;
    lab_tell(story, rank_of(f->check), "%s", f->text);
    story->is_message = 1;
    story->here = LAB_PLACE(f);
    if (why->is_index) {
        take_index(t, f, story);
    } else if (why->is_outside || f->check == SIMT_ALIGNMENT ||
               f->check == SIMT_UNWRITTEN_SHARED) {
        take_access(f, story);
    }
    if (f->check == SIMT_UNWRITTEN_SHARED)
        take_unwritten(f, story);
    if (f->check == SIMT_RACE_SHARED && f->other_line == f->line)
        take_own_race(t, f, story);
    if (f->other_line > 0 && f->other_line != f->line) {
        story->other = (struct lab_place){f->other_file, f->other_line};
        if (f->check == SIMT_RACE_SHARED) {
            lab_source_called(f->file, f->line, f->array, &story->beside);
            lab_source_called(f->other_file, f->other_line, f->array,
                              &story->beside);
            ask_for_buffer(f, story);
            note_left_array(f->file, f->line, f->array, story);
            note_left_array(f->other_file, f->other_line, f->array, story);
        }
    } else if (f->check == SIMT_DIVERGENCE) {
        take_barrier(f, story);
    }
}

/* --- a wrong element ------------------------------------------------------ */

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

/* Says which elements the thread, of that name, stores in the line of the race
   between the same two barriers as `first`, the element that it is about. */
static void say_stored_in_line(const struct lab_trial *old,
                               const struct simt_finding *f, int thread,
                               const char *first, struct lab_story *story)
{
    enum {
        MOST = 4
    };
    const struct simt_access *step, *met = NULL;
    char name[120], last[120] = "";
    struct lab_trial t;
    size_t steps;
    int told = 0;

    if (begin_again(&t, old) != 0)
        goto done;
    step = run_followed(
        &t,
        (struct simt_filter){.launch = lab_trial_launch(old)->launch,
                             .block = (long)f->block,
                             .thread = thread,
                             .stores_only = 1},
        &steps);
    for (int pass = 0; step != NULL && pass < 2; pass++) {
        for (size_t i = 0; i < steps && told < MOST; i++) {
            if (step[i].line != f->line || step[i].space != SIMT_SHARED ||
                (met != NULL && step[i].interval != met->interval))
                continue;
            simt_access_name(name, sizeof name, &step[i]);
            if (pass == 0 && met == NULL && strcmp(name, first) == 0)
                met = &step[i];
            if (pass == 0 || met == NULL || strcmp(name, last) == 0)
                continue;
            if (told++ == 0) {
                lab_note(story, "T%s stores %s", lab_thread_name(&step[i]) + 1,
                         name);
            } else {
                lab_note(story, ", %s", name);
            }
            snprintf(last, sizeof last, "%s", name);
        }
    }
    if (told > 0)
        lab_note(story, told < MOST ? ". " : " ... ");
done:
    lab_trial_end(&t);
}

/* Two threads race in one line: which elements does each choose there? */
static void follow_own_race(const struct lab_trial *t,
                            const struct simt_finding *f,
                            struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(t);
    const char *at = f->text;
    char element[80];
    char *y;

    if (launch == NULL || lab_trial_is_host(t) || launch->block[2] > 1 ||
        f->check != SIMT_RACE_SHARED || f->other_line != f->line ||
        story->note[0] != '\0')
        return;
    for (int i = 0; i < 2; i++) {
        unsigned long x;

        at = strstr(at, ": thread (");
        if (at == NULL)
            return;
        at += strlen(": thread (");
        x = strtoul(at, &y, 10);
        if (*y != ',')
            return;
        x += strtoul(y + 1, &y, 10) * launch->block[0];
        if (strncmp(y, ") writes ", 9) != 0)
            return;
        if (i == 0) {
            snprintf(element, sizeof element, "%.*s", (int)strcspn(y + 9, "\n"),
                     y + 9);
        }
        say_stored_in_line(t, f, (int)x, element, story);
    }
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
        const char *name = lab_thread_name(stored);
        const char *block = strstr(name, "block");

        snprintf(a->who, sizeof a->who, "its %s", name);
        snprintf(a->block, sizeof a->block, "%s",
                 block != NULL ? block : "the block");
        a->kernel = stored->kernel;
        a->thread = stored->thread;
        a->own_row = (int)(stored->block / stored->grid[0] * size[1] + y);
        a->own_col = (int)(stored->block % stored->grid[0] * size[0] + x);
        filter.launch = stored->launch;
        filter.block = (long)stored->block;
        filter.thread = SIMT_EACH;
    } else {
        snprintf(a->who, sizeof a->who, "the program");
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
        story->rank == LAB_FOUND && strlen(finding->array) == 1 &&
        strchr("ABC", finding->array[0]) != NULL)
        lab_why_index(&t, finding, step, steps, story);
done:
    lab_trial_end(&t);
}

/* The last store to the element, and how many threads stored it. */
static const struct simt_access *last_store(const struct lab_element *e,
                                            int *threads)
{
    const size_t at =
        4 * ((size_t)e->row * (size_t)e->t->shape.n + (size_t)e->col);
    const struct simt_access *last = NULL;

    *threads = 0;
    for (size_t i = 0; i < e->t->stores; i++) {
        const struct simt_access *s = &e->t->stored[i];

        if (s->array != e->array || s->offset > at ||
            at >= s->offset + (size_t)s->size)
            continue;
        *threads += last == NULL || last->thread != s->thread ||
                    last->block != s->block || last->launch != s->launch;
        last = s;
    }
    return last;
}

/* The array of the stores that C is, or was copied from; 0: none. */
static unsigned array_of_c(const struct lab_trial *t)
{
    const void *base =
        lab_trial_is_host(t) ? lab_why_source(t) : t->b.device[LAB_C];

    for (size_t i = 0; i < t->stores; i++) {
        if (t->stored[i].base == (uintptr_t)base)
            return t->stored[i].array;
    }
    return 0;
}

/* Looks into a wrong element. */
static void look_into(const struct lab_trial *t, int row, int col,
                      struct lab_story *story)
{
    const struct lab_element e = {t, array_of_c(t), row, col};
    const int is_plain_host =
        lab_trial_is_host(t) && lab_measure_entry(lab_info.lab) < 0;
    struct lab_story cause = {.text = ""};
    struct lab_account a = {
        .row = row, .col = col, .own_row = -1, .own_col = -1, .story = &cause};
    int threads = 0;
    const struct simt_access *last = last_store(&e, &threads);

    if (last == NULL && !is_plain_host) {
        if (story->rank < LAB_FOUND ||
            (story->rank == LAB_FOUND && story->is_message))
            lab_why_not_stored(&e, story);
        return;
    }
    follow(t, last, &a);
    if (last != NULL && threads > 1 && (a.several || last->grid[2] > 1) &&
        last->kind != SIMT_ATOMIC)
        cause.rank = LAB_NOTHING; /* the last of them tells little */
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
                     ? "either all of them must add to it, or one "
                       "thread must store it"
                     : "each element of C wants one thread");
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
    const struct lab_element e = {t, array_of_c(t), row, col};
    int threads;
    const struct simt_access *last = last_store(&e, &threads);

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
             "%zu of %d elements of C are wrong%s", wrong, m * n,
             nan == wrong ? ", all of them NaN" : "");
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
    lab_tell(story,
             strncmp(t->outcome.wrong, "It ", 3) == 0 ? LAB_FOUND : LAB_ENDING,
             "%s", said[0] != '\0' ? said : t->outcome.wrong);
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

/* An array that each thread has for itself, and that it fills as if all threads
   had it together: what else is known follows from it. */
static void say_own_array(const struct lab_trial *t, int is_found,
                          struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(t);
    char name[60], text[300];
    int line;

    if (launch == NULL || launch->file[0] == '\0')
        return;
    line = lab_source_own_array(launch->file, launch->name, name, sizeof name);
    if (line == 0)
        return;
    snprintf(text, sizeof text,
             "%s is not __shared__ (line %d): each thread has one of its own, "
             "and what another thread stores is not in it.",
             name, line);
    if (is_found) {
        story->here.file = launch->file;
        lab_lines_add(&story->beside, line);
        lab_note(story, "%s", text);
        return;
    }
    *story = (struct lab_story){.here = {launch->file, line}};
    lab_tell(story, LAB_PROVEN, "%s", text);
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
    struct lab_story *story = &why->story;

    lab_tell(story, LAB_WRONG, "C is wrong.");
    if (findings->count > 0) {
        take_finding(t, why, findings);
    } else if (t->outcome.wrong[0] != '\0') {
        take_outcome(t, story);
    }
    if (is_address && lab_why_null(t, story))
        return;
    if (story->rank < LAB_ENDING && lab_why_arguments(t, story))
        return;
    if (is_compared && story->rank < LAB_FOUND && say_undefined(story))
        return;
    if (unwritten.text != NULL && story->rank == LAB_FOUND &&
        lab_why_kept_away(t, unwritten.block, unwritten.thread, story))
        return;
    if (is_compared && story->rank < LAB_ENDING)
        look_into_wrong(t, why);
    if (followed.text != NULL && (story->rank == LAB_FOUND || is_address))
        follow_finding(t, &followed, story);
}

/* The same, and what the source says. */
static void look(const struct lab_trial *t,
                 const struct simt_findings *findings, struct lab_why *why)
{
    const int is_found = findings->count > 0;
    const struct simt_finding told =
        is_found ? *told_finding(findings) : (struct simt_finding){.line = 0};

    look_further(t, findings, why);
    if (is_found && why->story.is_message)
        follow_own_race(t, &told, &why->story);
    say_own_array(t, is_found || !t->outcome.compared, &why->story);
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
        take_finding(&t, why, &findings);
    }
done:
    lab_trial_end(&t);
    return status;
}

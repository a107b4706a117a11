/* What do the host's calls have to do with a wrong C? See why.h. */
#include "why.h"

#include "measure.h"
#include "base/language.h"
#include "simt/lines.h"
#include "simt/report.h"
#include "source.h"
#include "source_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The nth of the matrices in host memory; its bytes. */
static const void *host_of(const struct lab_trial *t, int matrix)
{
    return matrix == LAB_A   ? (const void *)t->p.A
           : matrix == LAB_B ? (const void *)t->p.B
                             : t->p.C;
}

static size_t bytes_of(const struct lab_trial *t, int matrix)
{
    return t->b.count[matrix] * sizeof(float);
}

/* The last copy from, or to, that place of calls 0 to end - 1; NULL: none. */
static const struct simt_host_call *last_copy(const struct lab_trial *t,
                                              size_t end, const void *from,
                                              const void *to)
{
    for (size_t i = end; i-- > 0;) {
        if (t->call[i].kind == SIMT_CALL_COPY &&
            (from == NULL || t->call[i].from == from) &&
            (to == NULL || t->call[i].to == to))
            return &t->call[i];
    }
    return NULL;
}

const void *lab_why_source(const struct lab_trial *t)
{
    const char *const C = host_of(t, LAB_C);

    for (size_t i = t->calls; i-- > 0;) {
        if (t->call[i].kind == SIMT_CALL_COPY &&
            (const char *)t->call[i].to >= C &&
            (const char *)t->call[i].to < C + bytes_of(t, LAB_C))
            return t->call[i].from;
    }
    return NULL;
}

const struct simt_access *lab_why_last_store(const struct lab_element *e,
                                             int *threads)
{
    const int width = lab_problem_cols(lab_info.problem, LAB_C, e->t->shape);
    const size_t at = 4 * ((size_t)e->row * (size_t)width + (size_t)e->col);
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

unsigned lab_why_array_of_c(const struct lab_trial *t)
{
    const void *base =
        lab_trial_is_host(t) ? lab_why_source(t) : t->b.device[LAB_C];

    for (size_t i = 0; i < t->stores; i++) {
        if (t->stored[i].base == (uintptr_t)base)
            return t->stored[i].array;
    }
    return 0;
}

/* --- C on its way back ---------------------------------------------------- */

/* Did a kernel store to the array that begins there, in a launch before that
   call? NULL: in any. */
static int is_stored(const struct lab_trial *t, const void *base,
                     const struct simt_host_call *before)
{
    unsigned launches = 0;

    for (const struct simt_host_call *c = t->call; c < before; c++)
        launches += c->kind == SIMT_CALL_LAUNCH;
    for (size_t i = 0; i < t->stores; i++) {
        if (t->stored[i].base == (uintptr_t)base &&
            (before == NULL || t->stored[i].launch < launches))
            return 1;
    }
    return 0;
}

/* What came back to C is an array that no kernel has written. */
static void say_never_written(const struct lab_trial *t,
                              const struct simt_host_call *back,
                              struct lab_story *story)
{
    const struct simt_host_call *from =
        last_copy(t, t->calls, NULL, back->from);
    int matrix = 0;

    while (from != NULL && matrix < LAB_MATRICES &&
           from->from != host_of(t, matrix))
        matrix++;
    lab_tell(story, LAB_PROVEN, "What was copied to the host's C (%s:%d) is ",
             simt_base_name(back->file), back->line);
    if (from != NULL && matrix < LAB_MATRICES) {
        lab_say(story,
                "the device's copy of %c (%s:%d): no kernel ever wrote to it.",
                "ABC"[matrix], simt_base_name(from->file), from -> line);
    } else {
        lab_say(story, "an array that no kernel ever wrote to.");
    }
}

int lab_why_copy_back(const struct lab_trial *t, struct lab_story *story)
{
    const struct simt_host_call *back =
        last_copy(t, t->calls, NULL, host_of(t, LAB_C));
    const struct simt_host_call *launch = lab_trial_launch(t), *later = back;
    const size_t bytes = bytes_of(t, LAB_C);

    if (t->calls == 0)
        return 0; /* plain host code */
    while (later != NULL && later < t->call + t->calls &&
           later->kind != SIMT_CALL_LAUNCH)
        later++; /* the next launch */
    if (later == NULL || later == t->call + t->calls)
        later = launch;
    if (launch == NULL) {
        lab_tell(story, LAB_PROVEN,
                 "The kernel was never launched: lab_host returned without a "
                 "launch, so nobody calculated C.");
        return 1;
    }
    if (back == NULL &&
        (back = last_copy(t, t->calls, host_of(t, LAB_C), NULL)) != NULL) {
        lab_tell(story, LAB_PROVEN,
                 "Nothing was copied to the host's C: it is the source in "
                 "%s:%d, and cudaMemcpy takes the destination first.",
                 simt_base_name(back->file), back->line);
        story->here = LAB_PLACE(back);
        return 1;
    }
    if (back == NULL) {
        lab_tell(story, LAB_PROVEN,
                 "Nothing was copied to the host's C: the kernel ran (%s:%d), "
                 "and what it made stayed on the device.",
                 simt_base_name(launch->file), launch->line);
        story->here = LAB_PLACE(launch);
        return 1;
    }
    if (!is_stored(t, back->from, NULL)) {
        say_never_written(t, back, story);
    } else if (!is_stored(t, back->from, back)) {
        lab_tell(story, LAB_PROVEN,
                 "C was copied to the host (%s:%d) before the kernel ran "
                 "(%s:%d).",
                 simt_base_name(back->file), back->line,
                 simt_base_name(later->file), later->line);
        story->other = LAB_PLACE(later);
    } else if (back->size < bytes) {
        lab_tell(story, LAB_PROVEN,
                 "C has %zu floats (%zu bytes), and %zu bytes are copied to "
                 "the host (%s:%d): the rest of C stays as it was.",
                 t->b.count[LAB_C], bytes, back->size,
                 simt_base_name(back->file), back->line);
    } else {
        return 0;
    }
    story->here = LAB_PLACE(back);
    return 1;
}

/* --- A and B on their way ------------------------------------------------- */

/* A copy of input j is too short, or too late. */
static int say_copy(const struct lab_trial *t,
                    const struct simt_host_call *copy, int j, int is_late,
                    struct lab_story *story)
{
    const size_t bytes = bytes_of(t, j), others = bytes_of(t, 1 - j);
    const char *file = simt_base_name(copy->file);

    if (is_late) {
        lab_tell(story, LAB_PROVEN,
                 "%c was copied to the device (%s:%d) after the kernel had "
                 "run.",
                 "AB"[j], file, copy -> line);
    } else if (copy->size < bytes && copy->size == others) {
        lab_tell(story, LAB_PROVEN,
                 "%c was copied with the size of %c (%s:%d): %zu bytes of %zu.",
                 "AB"[j], "AB"[1 - j], file, copy -> line, copy -> size, bytes);
    } else if (copy->size < bytes) {
        lab_tell(story, LAB_PROVEN,
                 "Of %c, which has %zu floats (%zu bytes), %zu bytes are "
                 "copied to the device (%s:%d).%s",
                 "AB"[j], t -> b.count[j], bytes, copy->size, file, copy->line,
                 copy->size == t->b.count[j]
                     ? _(" cudaMemcpy counts bytes: floats * sizeof(float).")
                     : "");
    } else {
        return 0;
    }
    story->here = LAB_PLACE(copy);
    return 1;
}

int lab_why_inputs(const struct lab_trial *t, struct lab_story *story)
{
    int copied[2] = {0, 0}, launched = 0;

    for (size_t i = 0; i < t->calls; i++) {
        launched |= t->call[i].kind == SIMT_CALL_LAUNCH;
        for (int j = 0; j < 2; j++) {
            if (t->call[i].kind != SIMT_CALL_COPY ||
                t->call[i].from != host_of(t, j))
                continue;
            if (say_copy(t, &t->call[i], j, launched && !copied[j], story))
                return 1;
            copied[j]++;
        }
    }
    for (int j = 0; j < 2 && launched; j++) {
        const struct simt_host_call *other =
            last_copy(t, t->calls, host_of(t, 1 - j), NULL);

        if (copied[j])
            continue;
        if (copied[1 - j] > 1) {
            lab_tell(story, LAB_PROVEN,
                     "%c was copied to the device twice (last in %s:%d), and "
                     "%c never.",
                     "AB"[1 - j], simt_base_name(other->file), other -> line,
                     "AB"[j]);
            story->here = LAB_PLACE(other);
        } else {
            lab_tell(story, LAB_PROVEN,
                     "%c was never copied to the device: the kernel calculated "
                     "with what happened to be there.",
                     "AB"[j]);
        }
        return 1;
    }
    return 0;
}

/* --- what a kernel gets --------------------------------------------------- */

/* Which matrix the array holds that a kernel gets: LAB_A or LAB_B, or -1. */
static int content_of(const struct lab_trial *t, size_t launch,
                      const void *array)
{
    const struct simt_host_call *copy = last_copy(t, launch, NULL, array);

    for (int j = 0; j < LAB_C; j++) {
        if (lab_trial_is_host(t) ? copy != NULL && copy->from == host_of(t, j)
                                 : array == t->b.device[j])
            return j;
    }
    return -1;
}

/* Are A and B exchanged? */
static int say_exchanged(const struct lab_trial *t,
                         const struct simt_host_call *launch,
                         struct lab_story *story)
{
    for (int j = 0; j < 2; j++) {
        const char *name = simt_parameter_name(launch->name, (size_t)j);

        if (name == NULL || name[0] != "AB"[j] || name[1] != '\0' ||
            content_of(t, (size_t)(launch - t->call), launch->pointer[j]) !=
                1 - j)
            return 0;
    }
    lab_tell(story, LAB_PROVEN,
             "A and B are exchanged: %s gets B in the place of A, and A in the "
             "place of B.",
             launch->name);
    story->here = LAB_PLACE(launch);
    return 1;
}

/* The kernel's ints named m, n and k: got. Of a kernel that has not all of them
   nothing is known: 0. */
static int read_lengths(const struct simt_host_call *launch, int got[3])
{
    int seen = 0;

    for (size_t i = 0; i < SIMT_CALL_ARGUMENTS; i++) {
        const char *name =
            launch->ints >> i & 1 ? simt_parameter_name(launch->name, i) : NULL;
        const char *is = name != NULL && name[0] != '\0' && name[1] == '\0'
                             ? strchr("mnk", name[0])
                             : NULL;

        if (is == NULL)
            continue;
        seen |= 1 << (is - "mnk");
        got[is - "mnk"] = launch->number[i];
    }
    return seen == 7;
}

/* The function that launches the kernel; NULL: the lab has none. */
static const char *launcher(void)
{
    const int entry = lab_measure_entry(lab_info.lab);

    return entry < 0 ? NULL : lab_info.lab->entry[entry].function;
}

/*
 * Does the kernel get other lengths than its launcher, or lab_host, has got? Of
 * lab_host the kernel has been launched by the checks before, and was right.
 */
static int say_lengths(const struct lab_trial *t,
                       const struct simt_host_call *launch,
                       struct lab_story *story)
{
    const int want[3] = {t->p.m, t->p.n, t->p.k};
    const int is_host = lab_trial_is_host(t);
    int got[3] = {0}, handed = 0;
    const char *between = "";

    if (!read_lengths(launch, got) || memcmp(got, want, sizeof got) == 0 ||
        launcher() == NULL)
        return 0;
    lab_tell(story, LAB_PROVEN, "%s gets ", launch->name);
    for (int of_product = 0; of_product < 2; of_product++) {
        for (int j = 0; j < 3; j++) {
            if (got[j] == want[j])
                continue;
            lab_say(story, "%s%c = %d", between, "mnk"[j],
                    of_product ? want[j] : got[j]);
            between = ", ";
        }
        if (!of_product) {
            lab_say(story, " (%s:%d), where the product has ",
                    simt_base_name(launch->file), launch->line);
        }
        between = "";
    }
    lab_say(story, "%s.",
            is_host ? _(": lab_host passes on the wrong ones") : "");
    if (is_host)
        handed = lab_source_handed(launch->file, launcher());
    story->here =
        (struct lab_place){launch->file, handed > 0 ? handed : launch->line};
    story->other =
        (struct lab_place){launch->file, handed > 0 ? launch->line : 0};
    return 1;
}

/* Is an array of the device too small? */
static int say_small(const struct lab_trial *t,
                     const struct simt_host_call *launch,
                     struct lab_story *story)
{
    for (int j = 0; j < LAB_MATRICES; j++) {
        const int rows = j == LAB_B ? t->p.k : t->p.m;
        const int cols = j == LAB_A ? t->p.k : t->p.n;
        const size_t bytes = bytes_of(t, j);

        for (const struct simt_host_call *c = t->call; c < launch; c++) {
            if (c->kind != SIMT_CALL_MALLOC || c->to != launch->pointer[j] ||
                c->size >= bytes)
                continue;
            lab_tell(story, LAB_PROVEN,
                     "The device's %c has %zu bytes (%s:%d), and %c has %zu: "
                     "%d x %d floats.",
                     "ABC"[j], c -> size, simt_base_name(c->file), c -> line,
                     "ABC"[j], bytes, rows, cols);
            story->here = LAB_PLACE(c);
            return 1;
        }
    }
    return 0;
}

int lab_why_arguments(const struct lab_trial *t, struct lab_story *story)
{
    for (size_t i = 0; i < t->calls; i++) {
        const struct simt_host_call *launch = &t->call[i];

        if (launch->kind == SIMT_CALL_LAUNCH && launch->pointers == 3 &&
            (say_exchanged(t, launch, story) || say_lengths(t, launch, story) ||
             (lab_trial_is_host(t) && say_small(t, launch, story))))
            return 1;
    }
    return 0;
}

int lab_why_null(const struct lab_trial *t, struct lab_story *story)
{
    for (size_t i = 0; i < t->calls; i++) {
        const struct simt_host_call *c = &t->call[i];

        for (size_t j = 0; c->kind == SIMT_CALL_LAUNCH && c->nulls >> j; j++) {
            const char *name =
                c->nulls >> j & 1 ? simt_parameter_name(c->name, j) : NULL;

            if (name == NULL)
                continue;
            lab_tell(story, LAB_ENDING,
                     "%s gets a null pointer for %s (%s:%d): no cudaMalloc has "
                     "set it.",
                     c->name, name, simt_base_name(c->file), c->line);
            story->other = LAB_PLACE(c);
            return 1;
        }
    }
    return 0;
}

void lab_why_launch_bounds(const struct lab_trial *t, struct lab_story *story)
{
    const struct simt_host_call *launch = lab_trial_launch(t);
    int line, block, threads, most;

    if (launch == NULL)
        return;
    threads = (int)(launch->block[0] * launch->block[1] * launch->block[2]);
    most = lab_source_most_threads(launch->file, launch->name, &line);
    block = lab_source_block(launch->file, launch->name);
    if (most > 0 && threads > most) {
        *story = (struct lab_story){.here = {launch->file, block},
                                    .other = {launch->file, line},
                                    .fetch = LAB_PLACE(launch)};
        lab_tell(story, LAB_ENDING,
                 "The block has %d threads, and __launch_bounds__ in line %d "
                 "allows %d: a GPU does not start this kernel.",
                 threads, line, most);
    } else if (threads < most && block > 0 && story->rank > LAB_NOTHING) {
        lab_lines_first(&story->beside, block);
        lab_note(story,
                 "The block has %d threads (line %d), and __launch_bounds__ "
                 "in line %d allows %d.",
                 threads, block, line, most);
    }
}

void lab_why_refused(const struct lab_trial *t, struct lab_story *story)
{
    static const char taken[] = "(cudaMalloc in line ";
    static const char launched[] = ": launch of ";
    static char file[200]; /* a place keeps it */
    const char *const said = story->text, *const other = strstr(said, taken);
    const char *const launch = strstr(said, launched);
    const size_t length = strcspn(said, ":");
    char kernel[80];
    char *end;
    int line, handed = 0;

    if (said[length] == '\0' || length >= sizeof file)
        return;
    line = (int)strtol(said + length + 1, &end, 10);
    if (line <= 0 || *end != ':')
        return;
    memcpy(file, said, length);
    file[length] = '\0';
    story->here = (struct lab_place){file, line};
    if (other != NULL)
        handed = (int)strtol(other + strlen(taken), NULL, 10);
    if (launch != NULL && strstr(launch, ": the block is ") != NULL) {
        snprintf(kernel, sizeof kernel, "%.*s",
                 (int)strcspn(launch + strlen(launched), ":<"),
                 launch + strlen(launched));
        lab_lines_add(&story->beside, lab_source_block(file, kernel));
    }
    if (launch != NULL && strstr(launch, ": the grid is ") != NULL)
        lab_lines_add(&story->beside, lab_source_grid(file, line));
    if (lab_trial_is_host(t) && launcher() != NULL && launch != NULL)
        handed = lab_source_handed(file, launcher());
    story->other = (struct lab_place){file, handed};
}

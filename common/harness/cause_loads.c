/* What one thread has loaded, as multiply-adds. */
#include "cause_parts.h"
#include "access_name.h"

#include "base/language.h"

#include "simt/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- loads ---------------------------------------------------------------- */

/* The loads of a thread that may become part of a sum: those that it stores to
   shared memory come back from there. */
static void mark_staged(struct lab_load *load, size_t loads,
                        const struct simt_access *store)
{
    for (int word = 0; word < store->size / 4; word++) {
        for (size_t i = loads; i-- > 0;) {
            if (load[i].step->space == SIMT_GLOBAL && !load[i].staged &&
                load[i].what <= LAB_OF_B &&
                load[i].value == (double)store->value[word]) {
                load[i].staged = 1;
                break;
            }
        }
    }
}

/* Reads the steps from `from` to `to` into loads. Returns 0 or -1. */
static int read_loads(struct lab_account *a, size_t from, size_t to)
{
    size_t count = 0;

    free(a->load);
    a->loads = 0;
    a->load = calloc((to - from) * SIMT_VALUES + 1, sizeof *a->load);
    if (a->load == NULL)
        return -1;
    for (size_t i = from; i < to; i++) {
        const struct simt_access *step = &a->step[i];

        if (step->kind == SIMT_STORE && step->space == SIMT_SHARED &&
            step->known)
            mark_staged(a->load, count, step);
        if (step->kind != SIMT_LOAD || step->size < 4 || step->size > 16 ||
            step->array == a->c_array)
            continue;
        for (int word = 0; word < step->size / 4; word++) {
            struct lab_load *load = &a->load[count++];

            *load = (struct lab_load){.what = LAB_UNKNOWN,
                                      .value = NAN,
                                      .step = step,
                                      .word = word,
                                      .staged = step->is_async};
            if (step->known)
                lab_cause_identify(a->d, step->value[word], load);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!a->load[i].staged)
            a->load[a->loads++] = a->load[i];
    }
    return 0;
}

static int is_of_array(const struct lab_load *load, const struct lab_load *of)
{
    return load->step->array == of->step->array &&
           load->step->space == of->step->space;
}

/* What stands in its array, mostly: LAB_OF_A, LAB_OF_B, or LAB_UNKNOWN. */
static enum lab_content content_of(const struct lab_account *a,
                                   const struct lab_load *load)
{
    int seen = 0; /* bits of LAB_OF_A and LAB_OF_B */

    for (size_t i = 0; i < a->loads; i++) {
        if (a->load[i].what <= LAB_OF_B && is_of_array(&a->load[i], load))
            seen |= 1 << a->load[i].what;
    }
    return seen == 1 ? LAB_OF_A : seen == 2 ? LAB_OF_B : LAB_UNKNOWN;
}

/* Nothing but zeros came from one array, and from all others elements of one
   matrix: what was multiplied with these stands for the other matrix. */
static void type_zeros(struct lab_account *a)
{
    const struct lab_load *zero = NULL;
    int seen = 0; /* bits of LAB_OF_A and LAB_OF_B */

    for (size_t i = 0; i < a->loads; i++) {
        const struct lab_load *load = &a->load[i];

        if (load->stands <= LAB_OF_B) {
            seen |= 1 << load->stands;
            continue;
        }
        if (load->what != LAB_ZERO ||
            (zero != NULL && !is_of_array(zero, load)))
            return;
        zero = load;
    }
    for (size_t i = 0; zero != NULL && i < a->loads; i++) {
        if (a->load[i].stands > LAB_OF_B && (seen == 1 || seen == 2))
            a->load[i].stands = seen == 1 ? LAB_OF_B : LAB_OF_A;
    }
}

/* Says of each load in the place of what it was taken, and leaves out those of
   which that is not known. */
static void type_loads(struct lab_account *a)
{
    size_t kept = 0;

    for (size_t i = 0; i < a->loads; i++) {
        struct lab_load *load = &a->load[i];

        load->stands =
            load->what <= LAB_OF_B ? load->what
            : a->kernel == NULL && load->step->array <= LAB_OF_B
                ? (enum lab_content)load->step->array /* host code: A, B */
                : content_of(a, load);
    }
    type_zeros(a);
    for (size_t i = 0; i < a->loads; i++) {
        const struct lab_load *load = &a->load[i];

        if (load->stands <= LAB_OF_B) {
            a->load[kept++] = *load;
            continue;
        }
        a->unset |= load->what == LAB_UNSET;
        if (load->what == LAB_UNKNOWN && load->step->known && a->odd == NULL) {
            a->odd = load->step;
            a->odd_word = load->word;
        }
    }
    a->loads = kept;
}

/* --- groups --------------------------------------------------------------- */

static int make_groups(struct lab_account *a)
{
    a->group = calloc(a->loads + 1, sizeof *a->group);
    if (a->group == NULL)
        return -1;
    a->plain = 1;
    for (size_t i = 0; i < a->loads;) {
        struct lab_load_group *g = &a->group[a->groups++];
        const enum lab_content first = a->load[i].stands;

        g->first = i;
        while (i < a->loads && a->load[i].stands == first)
            i++;
        g->middle = i;
        while (i < a->loads && a->load[i].stands != first)
            i++;
        g->end = i;
        if (g->middle - g->first != 1 || g->end - g->middle != 1)
            a->plain = 0;
    }
    return 0;
}

/* The orders in which a thread with several sums makes the products of a group:
   of the nth of the first kind and the mth of the other; of several steps at a
   time those of sum n; of one that is kept and all others. */
enum order {
    NTH_AND_MTH,
    OF_SUM_N,
    ONE_AND_ALL,
    ORDERS
};

/* Fills pair with the products of that order. Returns how many loads these
   are. */
static size_t choose_pairs(const struct lab_account *a, enum order order,
                           size_t n, size_t m, struct lab_load *pair)
{
    size_t pairs = 0;

    for (int g = 0; g < a->groups; g++) {
        const struct lab_load_group *group = &a->group[g];
        const size_t first = group->middle - group->first;
        const size_t second = group->end - group->middle;
        /* x are more than y. */
        const int turned = first < second;
        const struct lab_load *x =
            &a->load[turned ? group->middle : group->first];
        const struct lab_load *y =
            &a->load[turned ? group->first : group->middle];
        const size_t xs = turned ? second : first, ys = turned ? first : second;
        size_t begin = 0, end = 0;

        if (order == NTH_AND_MTH && n < xs && m < ys) {
            begin = n;
            end = n + 1;
        } else if (order == OF_SUM_N) {
            begin = n * ys;
            end = begin + ys < xs ? begin + ys : xs;
        } else if (order == ONE_AND_ALL && ys == 1) {
            end = xs;
        }
        for (size_t i = begin; i < end; i++) {
            pair[pairs++] = x[i];
            pair[pairs++] = y[order == OF_SUM_N ? i - begin : m];
        }
    }
    return pairs;
}

static double sum_of_pairs(const struct lab_load *pair, size_t count)
{
    double sum = 0.0;

    for (size_t i = 0; i + 1 < count; i += 2)
        sum += pair[i].value * pair[i + 1].value;
    return sum;
}

/*
 * Finds what a thread with several sums took for this one: the products of one
 * of the usual orders that add up to the element's value, to the bit. Leaves
 * the account as it is if there are none.
 */
static int find_pairs(struct lab_account *a)
{
    struct lab_load *pair = calloc(2 * a->loads + 2, sizeof *pair);
    size_t most = 0, count = 0;
    int found = 0;

    if (pair == NULL)
        return -1;
    for (int g = 0; g < a->groups; g++) {
        const struct lab_load_group *group = &a->group[g];
        const size_t x = group->middle - group->first;
        const size_t y = group->end - group->middle;

        most = x > most ? x : most;
        most = y > most ? y : most;
    }
    for (int order = 0; !found && order < ORDERS; order++) {
        for (size_t n = 0; !found && n < (order == ONE_AND_ALL ? 1 : most);
             n++) {
            for (size_t m = 0; !found && m < (order == NTH_AND_MTH ? most : 1);
                 m++) {
                count = choose_pairs(a, (enum order)order, n, m, pair);
                found = count > 0 && sum_of_pairs(pair, count) == a->got;
            }
        }
    }
    if (!found) {
        free(pair);
        return 0;
    }
    a->left_out = count < a->loads;
    free(a->load);
    free(a->group);
    a->load = pair;
    a->loads = count;
    a->groups = 0;
    a->group = calloc(count + 1, sizeof *a->group);
    if (a->group == NULL)
        return -1;
    for (size_t i = 0; i < count; i += 2)
        a->group[a->groups++] = (struct lab_load_group){i, i + 1, i + 2};
    a->plain = 1;
    return 0;
}

int lab_cause_read(struct lab_account *a, size_t from, size_t to)
{
    int is_shared;

    if (read_loads(a, from, to) != 0)
        return -1;
    is_shared = to - from < a->steps && a->loads < 2;
    if (is_shared && read_loads(a, 0, a->steps) != 0) /* all may belong to it */
        return -1;
    type_loads(a);
    if (make_groups(a) != 0)
        return -1;
    if (is_shared && a->several) /* are they the products of one sum? */
        a->plain &= sum_of_pairs(a->load, a->loads) == a->got;
    return 0;
}

int lab_cause_pair(struct lab_account *a)
{
    return a->plain ? 0 : find_pairs(a);
}

int lab_cause_is_padding(const struct lab_account *a, int group)
{
    const struct lab_load *x = &a->load[a->group[group].first];

    return x[0].what == LAB_ZERO && x[1].what == LAB_ZERO;
}

/* --- their words ---------------------------------------------------------- */

void lab_cause_say_load(struct lab_account *a, const struct lab_load *load)
{
    struct lab_story *story = a->story;
    struct simt_access step = *load->step;
    const int of_a = load->stands == LAB_OF_A;
    char place[200];

    switch (load->what) {
    case LAB_OF_A:
    case LAB_OF_B:
        lab_say(story, "%c[%d][%d]", load->what == LAB_OF_A ? 'A' : 'B',
                load->row, load->col);
        break;
    case LAB_ZERO:
        lab_say(story, "0");
        break;
    case LAB_UNSET:
        if (a->kernel == NULL) {
            lab_say(story, "element %zu of %c, which has %d", step.offset / 4,
                    of_a ? 'A' : 'B',
                    of_a ? a->d->m * a->d->k : a->d->k * a->d->n);
        } else {
            lab_say(story, "what nobody stored");
        }
        break;
    case LAB_UNKNOWN:
        lab_say(story, "%g, which is no element of A or B,", load->value);
        break;
    }
    if (a->kernel == NULL || step.space != SIMT_SHARED)
        return;
    step.offset += 4 * (uintptr_t)load->word;
    step.size = 4;
    lab_access_name(place, sizeof place, &step);
    lab_say(story, " from %s", place);
}

const char *lab_cause_file(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

void lab_cause_say_line(struct lab_account *a, const struct lab_load *load)
{
    if (load != NULL && load->step->line > 0) {
        lab_say(a->story, " (%s:%d)", lab_cause_file(load->step->file),
                load->step->line);
    }
}

int lab_cause_is_element(const struct lab_load *load, enum lab_content what,
                         int row, int col)
{
    return load->what == what && load->row == row && load->col == col;
}

const char *lab_cause_who(const struct lab_account *a)
{
    static char who[sizeof a->who];

    snprintf(who, sizeof who, "%s", a->who);
    base_capital(who);
    return who;
}

void lab_cause_place(struct lab_account *a, const struct lab_load *load)
{
    if (load == NULL)
        return;
    a->taken = load->step;
    a->story->here = LAB_PLACE(load->step);
    a->story->other =
        (struct lab_place){load->step->writer_file, load->step->writer_line};
}

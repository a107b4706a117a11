#include "cause_parts.h"

#include <math.h>
#include <stdlib.h>

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
int lab_cause_read_loads(struct lab_account *a, size_t from, size_t to)
{
    const struct lab_suspect *s = a->s;
    size_t count = 0;

    a->load = calloc((to - from) * SIMT_VALUES + 1, sizeof *a->load);
    if (a->load == NULL)
        return -1;
    for (size_t i = from; i < to; i++) {
        const struct simt_access *step = &s->step[i];

        if (step->kind == SIMT_STORE && step->space == SIMT_SHARED &&
            step->known)
            mark_staged(a->load, count, step);
        if (step->kind != SIMT_LOAD || step->size < 4 || step->size > 16 ||
            step->array == s->c_array)
            continue;
        for (int word = 0; word < step->size / 4; word++) {
            struct lab_load *load = &a->load[count++];

            load->step = step;
            load->word = word;
            load->staged = step->is_async;
            load->what = LAB_UNKNOWN;
            load->value = NAN;
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

/* What stands in an array, mostly: LAB_OF_A, LAB_OF_B, or LAB_UNKNOWN. */
static enum lab_content content_of(const struct lab_account *a, unsigned array,
                                   enum simt_space space)
{
    size_t of_a = 0, of_b = 0;

    for (size_t i = 0; i < a->loads; i++) {
        if (a->load[i].step->array != array || a->load[i].step->space != space)
            continue;
        of_a += a->load[i].what == LAB_OF_A;
        of_b += a->load[i].what == LAB_OF_B;
    }
    return of_a > 0 && of_b == 0   ? LAB_OF_A
           : of_b > 0 && of_a == 0 ? LAB_OF_B
                                   : LAB_UNKNOWN;
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
            (zero != NULL && (zero->step->array != load->step->array ||
                              zero->step->space != load->step->space)))
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
void lab_cause_type_loads(struct lab_account *a)
{
    size_t kept = 0;

    for (size_t i = 0; i < a->loads; i++) {
        struct lab_load *load = &a->load[i];

        load->stands =
            load->what <= LAB_OF_B ? load->what
            : a->s->kernel == NULL && load->step->array <= LAB_OF_B
                ? (enum lab_content)load->step->array /* host code: A, B */
                : content_of(a, load->step->array, load->step->space);
    }
    type_zeros(a);
    for (size_t i = 0; i < a->loads; i++) {
        if (a->load[i].stands > LAB_OF_B && a->load[i].what == LAB_UNKNOWN &&
            a->load[i].step->known && a->odd == NULL) {
            a->odd_load = a->load[i];
            a->odd = &a->odd_load;
        }
        a->unset |=
            a->load[i].stands > LAB_OF_B && a->load[i].what == LAB_UNSET;
        if (a->load[i].stands <= LAB_OF_B)
            a->load[kept++] = a->load[i];
    }
    a->loads = kept;
}

int lab_cause_make_groups(struct lab_account *a)
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

/* Fills pair with the products that belong together if a thread with several
   sums makes them in one of the usual orders: of the nth of the group's first
   kind and the mth of the other; or, of several steps at a time, of those of
   sum n; or (2) of one that is kept and all others. Returns how many there
   are. */
static size_t choose_pairs(const struct lab_account *a, int unrolled, size_t n,
                           size_t m, struct lab_load *pair)
{
    size_t pairs = 0;

    for (int g = 0; g < a->groups; g++) {
        const struct lab_load_group *group = &a->group[g];
        const struct lab_load *x = &a->load[group->first];
        const struct lab_load *y = &a->load[group->middle];
        size_t xs = group->middle - group->first;
        size_t ys = group->end - group->middle;

        if (xs < ys) {
            const struct lab_load *kept = x;
            const size_t count = xs;

            x = y;
            y = kept;
            xs = ys;
            ys = count;
        }
        for (size_t j = 0; unrolled == 2 && ys == 1 && j < xs; j++) {
            pair[pairs++] = x[j];
            pair[pairs++] = y[0];
        }
        if (unrolled == 2)
            continue;
        if (!unrolled && n < xs && m < ys) {
            pair[pairs++] = x[n];
            pair[pairs++] = y[m];
        }
        for (size_t j = 0; unrolled && j < ys && n * ys + j < xs; j++) {
            pair[pairs++] = x[n * ys + j];
            pair[pairs++] = y[j];
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
int lab_cause_find_pairs(struct lab_account *a)
{
    struct lab_load *pair = calloc(2 * a->loads + 2, sizeof *pair);
    size_t most = 0, count = 0;
    int found = 0;

    if (pair == NULL)
        return -1;
    for (int g = 0; g < a->groups; g++) {
        const struct lab_load_group *group = &a->group[g];

        most = group->middle - group->first > most
                   ? group->middle - group->first
                   : most;
        most = group->end - group->middle > most ? group->end - group->middle
                                                 : most;
    }
    for (int unrolled = 0; !found && unrolled <= 2; unrolled++) {
        for (size_t n = 0; !found && n < (unrolled == 2 ? 1 : most); n++) {
            for (size_t m = 0; !found && m < (unrolled ? 1 : most); m++) {
                count = choose_pairs(a, unrolled, n, m, pair);
                found = count > 0 && sum_of_pairs(pair, count) == a->got;
            }
        }
    }
    if (found) {
        a->left_out = count < a->loads;
        free(a->load);
        a->load = pair;
        a->loads = count;
        free(a->group);
        a->groups = 0;
        a->group = calloc(count + 1, sizeof *a->group);
        if (a->group == NULL)
            return -1;
        for (size_t i = 0; i < count; i += 2)
            a->group[a->groups++] = (struct lab_load_group){i, i + 1, i + 2};
        a->plain = 1;
    } else {
        free(pair);
    }
    return 0;
}

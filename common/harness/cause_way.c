/*
 * What did the block do with the elements of A and B? Its log, read into words:
 * an element is fetched from global memory, mostly stored to shared memory, and
 * taken from there.
 */
#include "cause_parts.h"

#include <stdlib.h>

enum lab_way lab_cause_way(const struct simt_access *x)
{
    const int is_load = x->kind == SIMT_LOAD;

    return x->space == SIMT_GLOBAL ? (is_load ? LAB_FETCH : LAB_NO_WAY)
           : is_load               ? LAB_TAKE
           : x->kind == SIMT_STORE ? LAB_STAGE
                                   : LAB_NO_WAY;
}

const struct simt_access *lab_cause_source(const struct lab_account *a,
                                           const struct simt_access *x)
{
    return lab_cause_way(x) == LAB_STAGE && x > a->all && x[-1].is_async &&
                   x[-1].thread == x->thread && x[-1].size == x->size
               ? x - 1
               : x;
}

int lab_cause_read_block(struct lab_account *a)
{
    a->word = calloc(a->alls + 1, SIMT_VALUES * sizeof *a->word);
    if (a->word == NULL)
        return -1;
    for (size_t i = 0; i < a->alls; i++) {
        const struct simt_access *x = &a->all[i];
        const struct simt_access *source = lab_cause_source(a, x);

        if (lab_cause_way(x) == LAB_NO_WAY || x->array == a->c_array ||
            x->size > 16)
            continue;
        for (int n = 0; n < x->size / 4; n++) {
            struct lab_load *word = &a->word[a->words++];

            *word = (struct lab_load){.what = LAB_UNKNOWN};
            if (source->known)
                lab_cause_identify(a->d, source->value[n], word);
            word->step = x;
            word->word = n;
        }
    }
    return 0;
}

int lab_cause_is_some(const struct lab_load *word, struct lab_some some)
{
    return word->what == some.of && lab_cause_way(word->step) == some.way &&
           (some.thread == LAB_ANYBODY || word->step->thread == some.thread);
}

const struct lab_load *lab_cause_find_word(const struct lab_account *a,
                                           struct lab_some some, int row,
                                           int col)
{
    for (size_t i = 0; i < a->words; i++) {
        if (lab_cause_is_some(&a->word[i], some) &&
            lab_cause_is_element(&a->word[i], some.of, row, col))
            return &a->word[i];
    }
    return NULL;
}

const struct lab_load *lab_cause_find_any(const struct lab_account *a,
                                          struct lab_some some)
{
    size_t i = 0;

    while (i < a->words && !lab_cause_is_some(&a->word[i], some))
        i++;
    return i < a->words ? &a->word[i] : NULL;
}

int lab_cause_step(const struct lab_load *load)
{
    return load->what == LAB_OF_A ? load->col : load->row;
}

int lab_cause_is_own(const struct lab_account *a, const struct lab_load *word)
{
    return word->what == LAB_OF_A ? word->row == a->row : word->col == a->col;
}

struct lab_some lab_cause_taken(const struct lab_account *a,
                                enum lab_content of)
{
    const struct lab_some shared = {LAB_TAKE, of, a->thread};

    return lab_cause_find_any(a, shared) != NULL
               ? shared
               : (struct lab_some){LAB_FETCH, of, a->thread};
}

size_t lab_cause_sequence(const struct lab_account *a, enum lab_content of,
                          const struct lab_load **sequence)
{
    const struct lab_some some = lab_cause_taken(a, of);
    size_t count = 0;

    for (size_t i = 0; i < a->words; i++) {
        if (lab_cause_is_some(&a->word[i], some) &&
            lab_cause_is_own(a, &a->word[i]))
            sequence[count++] = &a->word[i];
    }
    return count;
}

const struct lab_load *lab_cause_fetched(const struct lab_account *a,
                                         const struct lab_load *word)
{
    return lab_cause_find_word(
        a, (struct lab_some){LAB_FETCH, word->what, LAB_ANYBODY}, word->row,
        word->col);
}

/* What became of each term of the sum. */
#include "cause_parts.h"

int lab_cause_is_element(const struct lab_load *load, enum lab_content what,
                         int row, int col)
{
    return load->what == what && load->row == row && load->col == col;
}

static const struct lab_load *find_in(const struct lab_account *a, int group,
                                      enum lab_content what, int row, int col)
{
    const struct lab_load_group *g = &a->group[group];

    for (size_t i = g->first; i < g->end; i++) {
        if (lab_cause_is_element(&a->load[i], what, row, col))
            return &a->load[i];
    }
    return NULL;
}

/* The first load of that kind of the group. */
static const struct lab_load *first_of(const struct lab_account *a, int group,
                                       enum lab_content stands)
{
    const struct lab_load_group *g = &a->group[group];

    for (size_t i = g->first; i < g->end; i++) {
        if (a->load[i].stands == stands)
            return &a->load[i];
    }
    return NULL;
}

/* Fills a term of which both elements were met together, or else one. The
   groups of a plain thread belong to one term each. */
static void find_term(struct lab_account *a, struct lab_term *term)
{
    const int i = term->i;

    for (int pass = 0; pass < 2 && term->times == 0; pass++) {
        for (int g = 0; g < a->groups; g++) {
            const struct lab_load *x = find_in(a, g, LAB_OF_A, a->row, i);
            const struct lab_load *y = find_in(a, g, LAB_OF_B, i, a->col);

            if (pass == 0) {
                term->times += x != NULL && y != NULL;
                a->used[g] |= x != NULL && y != NULL;
            } else if ((x != NULL || y != NULL) && !(a->plain && a->used[g])) {
                term->a_right = x != NULL;
                term->b_right = y != NULL;
                term->a = x != NULL ? x : first_of(a, g, LAB_OF_A);
                term->b = y != NULL ? y : first_of(a, g, LAB_OF_B);
                a->used[g] = 1;
                break;
            }
        }
    }
}

void lab_cause_find_terms(struct lab_account *a)
{
    int g = 0;

    for (int i = 0; i < a->d->k; i++) {
        a->term[i].i = i;
        find_term(a, &a->term[i]);
    }
    /* Of a thread with one sum: terms of which neither element was met belong
       to the groups that nothing else belongs to, in their order. */
    for (int i = 0; i < a->d->k && a->plain; i++) {
        struct lab_term *term = &a->term[i];

        if (term->times > 0 || term->a != NULL || term->b != NULL)
            continue;
        while (g < a->groups && (a->used[g] || lab_cause_is_padding(a, g)))
            g++;
        if (g == a->groups)
            return;
        a->used[g] = 1;
        term->a = first_of(a, g, LAB_OF_A);
        term->b = first_of(a, g, LAB_OF_B);
    }
}

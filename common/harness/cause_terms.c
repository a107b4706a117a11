#include "cause_parts.h"

#include <stdlib.h>

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

/* Fills term i. used marks the groups of a plain thread that are accounted
   for. */
void lab_cause_find_term(const struct lab_account *a, int i,
                         unsigned char *used, struct lab_term *term)
{
    const int row = a->s->row, col = a->s->col;

    *term = (struct lab_term){.i = i};
    for (int g = 0; g < a->groups; g++) {
        const struct lab_load *x = find_in(a, g, LAB_OF_A, row, i);
        const struct lab_load *y = find_in(a, g, LAB_OF_B, i, col);

        if (x != NULL && y != NULL) {
            term->times++;
            used[g] = 1;
        }
    }
    if (term->times > 0)
        return;
    for (int g = 0; g < a->groups && term->a == NULL && term->b == NULL; g++) {
        const struct lab_load *x = find_in(a, g, LAB_OF_A, row, i);
        const struct lab_load *y = find_in(a, g, LAB_OF_B, i, col);

        if ((a->plain && used[g]) || (x == NULL && y == NULL))
            continue;
        term->a_right = x != NULL;
        term->b_right = y != NULL;
        term->a = x != NULL ? x : first_of(a, g, LAB_OF_A);
        term->b = y != NULL ? y : first_of(a, g, LAB_OF_B);
        used[g] = 1;
    }
}

int lab_cause_is_padding(const struct lab_account *a, int group)
{
    const struct lab_load *x = &a->load[a->group[group].first];

    return x[0].what == LAB_ZERO && x[1].what == LAB_ZERO;
}

/* Of a thread with one sum: terms of which neither element was met belong to
   the groups that nothing else belongs to, in their order. */
void lab_cause_pair_rest(const struct lab_account *a, unsigned char *used,
                         struct lab_term *term)
{
    int g = 0;

    for (int i = 0; i < a->d->k; i++) {
        if (term[i].times > 0 || term[i].a != NULL || term[i].b != NULL)
            continue;
        while (g < a->groups && (used[g] || lab_cause_is_padding(a, g)))
            g++;
        if (g == a->groups)
            return;
        used[g] = 1;
        term[i].a = first_of(a, g, LAB_OF_A);
        term[i].b = first_of(a, g, LAB_OF_B);
    }
}

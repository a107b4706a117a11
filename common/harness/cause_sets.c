/* Which rows, columns or steps are loaded, stored or taken? See cause_parts.h.
 */
#include "cause_parts.h"

#include "base/language.h"

#include <stdlib.h>

void lab_set_add(struct lab_set *set, int number)
{
    if (set->count > 0 && number > set->last + 1)
        set->gap = set->last + 1;
    set->is_odd |=
        set->count > 1 && number - set->last != set->second - set->first;
    set->count++;
    set->first = set->count == 1 ? number : set->first;
    set->second = set->count == 2 ? number : set->second;
    set->third = set->count == 3 ? number : set->third;
    set->last = number;
}

struct lab_set lab_cause_set(const struct lab_account *a, struct lab_some some,
                             enum lab_axis axis, int number, int *has)
{
    const int most = a->d->m + a->d->n + a->d->k;
    unsigned char *in = calloc((size_t)most, 1);
    struct lab_set set = {0};

    for (size_t i = 0; in != NULL && i < a->words; i++) {
        const struct lab_load *w = &a->word[i];

        if (lab_cause_is_some(w, some) &&
            (axis != LAB_OWN_STEPS || lab_cause_is_own(a, w))) {
            in[axis == LAB_ROWS   ? w->row
               : axis == LAB_COLS ? w->col
                                  : lab_cause_step(w)] = 1;
        }
    }
    for (int i = 0; in != NULL && i < most; i++) {
        if (in[i])
            lab_set_add(&set, i);
    }
    *has = in != NULL && in[number];
    free(in);
    return set;
}

void lab_cause_say_set(struct lab_account *a, enum lab_axis axis,
                       struct lab_set s)
{
    const char *const one[] = {_("row"), _("column")};
    const char *const all[] = {_("rows"), _("columns")};
    const char *const what = (s.count == 1 ? one : all)[axis];

    if (s.count == 1) {
        lab_say(a->story, "%s %d", what, s.first);
    } else if (s.count == 2) {
        lab_say(a->story, "%s %d and %d", what, s.first, s.last);
    } else if (s.last - s.first == s.count - 1) {
        lab_say(a->story, "%s %d to %d", what, s.first, s.last);
    } else if (s.count == 3) {
        lab_say(a->story, "%s %d, %d and %d", what, s.first, s.second, s.last);
    } else if (s.last - s.first == s.count) {
        lab_say(a->story, "%s %d to %d without %d", what, s.first, s.last,
                s.gap);
    } else if (s.is_odd && s.count > 4) {
        lab_say(a->story, "%d of the %s %d to %d", s.count, what, s.first,
                s.last);
    } else {
        lab_say(a->story, "%s %d, %d, %d%s %d", what, s.first, s.second,
                s.third, s.count == 4 ? _(" and") : ", ..,", s.last);
    }
}

/* A loop's variable, from pass to pass: see source_number.h. */
#include "source_number_parts.h"

#include "source_text.h"

/* The token behind the next semicolon. */
static size_t behind_semicolon(const struct base_tokens *t, size_t i)
{
    return lab_text_end_of_line(t, i) + 1;
}

int lab_number_first(struct lab_walk *w, const struct lab_call *in)
{
    const struct base_tokens *t = w->t;
    const size_t set = w->loop[w->loops - 1].at,
                 open = lab_number_loop_of(t, set);
    struct lab_value v;
    char word[80];

    base_token_copy(t, set, word, sizeof word);
    v = lab_number_converted(t, open + 1, set,
                             lab_number_to(w, in, set + 2, ";"));
    if (v.is != LAB_NUMBER ||
        lab_number_is_changed(t, word, lab_text_closing(t, open),
                              lab_text_end(t, open - 1), LAB_NONE))
        return -1;
    w->loop[w->loops - 1].n = v.n;
    return 0;
}

int lab_number_goes_on(struct lab_walk *w, const struct lab_call *in)
{
    const struct lab_value v = lab_number_to(
        w, in, behind_semicolon(w->t, w->loop[w->loops - 1].at), ";");

    return v.is == LAB_NUMBER ? v.n != 0 : -1;
}

int lab_number_next(struct lab_walk *w, const struct lab_call *in)
{
    const struct base_tokens *t = w->t;
    const size_t set = w->loop[w->loops - 1].at;
    const size_t close = lab_text_closing(t, lab_number_loop_of(t, set));
    const size_t i = behind_semicolon(t, behind_semicolon(t, set));
    struct lab_value by = lab_number(1, 0);
    size_t behind = i;
    char word[80], sign;

    base_token_copy(t, set, word, sizeof word);
    if (base_token_is(t, i, word))
        behind++;
    sign = base_mark(t, behind);
    if (behind > i && base_mark(t, i + 2) == '=') {
        by = lab_number_all(w, in, i + 3, close);
    } else if (close != i + 3 || base_mark(t, behind + 1) != sign ||
               !base_token_is(t, behind > i ? i : i + 2, word)) {
        return -1;
    }
    if (by.is != LAB_NUMBER || (sign != '+' && sign != '-'))
        return -1;
    w->loop[w->loops - 1].n += sign == '+' ? by.n : -by.n;
    return 0;
}

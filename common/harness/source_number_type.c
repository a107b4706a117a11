/* What the tokens say before any value is known: types, casts, and whether a
   name is changed. See source_number_parts.h. */
#include "source_number_parts.h"

#include "source_text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define TYPES " const int unsigned size_t long float float2 float4 bool auto "

const struct lab_value lab_unknown;

struct lab_value lab_number(long long n, int is_unsigned)
{
    if (n < INT_MIN || n > (is_unsigned ? (long long)UINT_MAX : INT_MAX))
        return lab_unknown;
    return (struct lab_value){
        .is = LAB_NUMBER, .n = n, .is_unsigned = is_unsigned};
}

int lab_number_has_word(const struct base_tokens *t, size_t from, size_t to,
                        const char *words)
{
    char word[80], sought[84];

    for (; from < to; from++) {
        base_token_copy(t, from, word, sizeof word);
        snprintf(sought, sizeof sought, " %s ", word);
        if (strstr(words, sought) != NULL)
            return 1;
    }
    return 0;
}

int lab_number_is_type(const struct base_tokens *t, size_t i)
{
    return lab_number_has_word(t, i, i + 1, TYPES);
}

/* Is it the bracket of a cast? */
int lab_number_is_cast(const struct base_tokens *t, size_t i)
{
    const size_t close = lab_text_closing(t, i);

    return lab_number_is_type(t, i + 1) &&
           !lab_number_has_word(t, i + 1, close, " ( , ");
}

int lab_number_stand_together(const struct base_tokens *t, size_t i)
{
    return i + 1 < t->count && t->token[i].end == t->token[i + 1].begin;
}

/* Is the name at that token set, changed, or can its address change it? */
static int is_changed_at(const struct base_tokens *t, size_t i)
{
    const char next = base_mark(t, i + 1), last = base_mark(t, i + 2);
    const char before = base_mark(t, i - 1);

    if (before == '&' && next != '[' && base_mark(t, i - 2) != '\0' &&
        strchr("(,=", base_mark(t, i - 2)) != NULL)
        return 1;
    if (lab_text_is_set(t, i + 1)) {
        /* Of *to and of *(float4 *)to what it points to is set. */
        return before == ')'
                   ? !lab_number_is_cast(t, lab_text_matching(t, i - 1, -1))
               : before == '*' ? t->token[i - 2].kind == BASE_WORD
                               : 1;
    }
    if (next != '\0' && strchr("+-*/%&|^", next) != NULL && last == '=' &&
        lab_number_stand_together(t, i + 1))
        return 1;
    if ((next == '<' || next == '>') && last == next &&
        base_mark(t, i + 3) == '=')
        return 1;
    return ((next == '+' || next == '-') && last == next &&
            lab_number_stand_together(t, i + 1)) ||
           ((before == '+' || before == '-') && base_mark(t, i - 2) == before &&
            lab_number_stand_together(t, i - 2) &&
            lab_number_stand_together(t, i - 1));
}

/* Is it anywhere between the two tokens, but for the one at `but`? */
int lab_number_is_changed(const struct base_tokens *t, const char *word,
                          size_t from, size_t to, size_t but)
{
    for (size_t i = from; (i = lab_text_find(t, i, to, word)) != LAB_NONE;
         i++) {
        if (i != but && is_changed_at(t, i))
            return 1;
    }
    return 0;
}

/* The bracket of the for loop in whose head the variable at that token begins,
   or LAB_NONE. */
size_t lab_number_loop_of(const struct base_tokens *t, size_t i)
{
    while (i > 0 &&
           (base_mark(t, i) == '\0' || strchr(";{}(", base_mark(t, i)) == NULL))
        i--;
    return i > 0 && base_mark(t, i) == '(' && base_token_is(t, i - 1, "for")
               ? i
               : LAB_NONE;
}

/* What becomes of the value in a variable whose type stands between these. */
struct lab_value lab_number_converted(const struct base_tokens *t, size_t from,
                                      size_t to, struct lab_value v)
{
    const int is_whole =
        lab_number_has_word(t, from, to, " int unsigned size_t long ");

    if (lab_number_has_word(t, from, to, " * "))
        return v.is == LAB_POINTER ? v : lab_unknown;
    if (v.is != LAB_NUMBER ||
        lab_number_has_word(t, from, to, " short char static "))
        return lab_unknown;
    if (lab_number_has_word(t, from, to, " bool "))
        return lab_number(v.n != 0, 0);
    if (lab_number_has_word(t, from, to, " unsigned size_t "))
        return lab_number(v.n, 1);
    if (is_whole && v.n <= INT_MAX)
        return lab_number(v.n, 0);
    return lab_number_has_word(t, from, to, " auto ") ? v : lab_unknown;
}

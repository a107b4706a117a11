/* Statements such as __syncthreads(); are left out, put in and moved. See
   copy.h. */
#include "copy.h"

#include <string.h>

/* The ; of a call such as __syncthreads(); or __pipeline_wait_prior(0); that
   begins at i; 0: it is none. */
static size_t call_end(const struct simt_copy *c, size_t i)
{
    const size_t open = behind(c, i), close = c->partner[open];
    const size_t last = before(c, i);

    if (!is_word(c, i) || mark(c, open) != '(' || close <= open ||
        (c->t.token[i].end - c->t.token[i].begin) < 2 ||
        strncmp(c->t.text + c->t.token[i].begin, "__", 2) != 0 ||
        mark(c, behind(c, close)) != ';' ||
        (mark(c, last) != ';' && mark(c, last) != '{' && mark(c, last) != '}' &&
         mark(c, last) != ')' && !is(c, last, "else")))
        return 0;
    return behind(c, open) == close || (is_number(c, behind(c, open)) &&
                                        behind(c, behind(c, open)) == close)
               ? behind(c, close)
               : 0;
}

int simt_copy_is_call(const struct simt_copy *c, size_t i)
{
    return call_end(c, i) > 0;
}

static void add_call(struct simt_copy *c, const char *text)
{
    for (int i = 0; i < c->calls; i++) {
        if (strcmp(c->call[i].text, text) == 0)
            return;
    }
    if (c->calls < MOST_CALLS)
        snprintf(c->call[c->calls++].text, WORD, "%s", text);
}

/* The text of the tokens from i to end, without blanks. */
static void copy_call(const struct simt_copy *c, size_t i, size_t end,
                      char *text)
{
    size_t used = 0;

    for (; i <= end; i = behind(c, i)) {
        char word[WORD];

        base_token_copy(&c->t, i, word, sizeof word);
        used += (size_t)snprintf(text + used, WORD - used, "%s", word);
        if (used >= WORD)
            break;
    }
}

/* 1 if a statement may be put in behind token i: beside a line that is changed.
 */
static int is_place(const struct simt_copy *c, size_t i, size_t body)
{
    const size_t next = behind(c, i);

    if (is(c, next, "else") || next >= c->partner[body])
        return 0;
    if (!is_changed(c, i) && !is_changed(c, next))
        return 0;
    if (mark(c, i) == ';')
        return !simt_copy_is_in_head(c, i);
    if (mark(c, i) == '{') {
        const size_t last = before(c, i);

        return mark(c, last) == ')' || mark(c, last) == ';' ||
               (mark(c, last) == '{' && is_place(c, last, body)) ||
               mark(c, last) == '}' || is(c, last, "else") || is(c, last, "do");
    }
    return mark(c, i) == '}' && is_place(c, c->partner[i], body) &&
           mark(c, next) != ';' && mark(c, next) != ',' &&
           mark(c, next) != ')' && !is(c, next, "while");
}

/* 1 if the function of which the body begins there runs on the device. */
int simt_copy_is_device(const struct simt_copy *c, size_t body)
{
    size_t i = before(c, body);

    while (i > 0 && mark(c, i) != ';' && mark(c, i) != '}') {
        if (is(c, i, "__global__") || is(c, i, "__device__"))
            return 1;
        i = before(c, i);
    }
    return 0;
}

/* In a function that runs on the device: each call is left out, put in and
   moved. */
void simt_change_calls(struct simt_copy *c, size_t body)
{
    const size_t end = c->partner[body];

    if (!simt_copy_is_device(c, body))
        return;
    for (int k = 0; k < c->calls; k++) {
        const char *const text = c->call[k].text;
        int places = 0, sites = 0, place = 0, site = 0, put, moved;
        char here[WORD];

        for (size_t i = body; i < end; i = behind(c, i)) {
            places += is_place(c, i, body);
            if (call_end(c, i) > 0) {
                copy_call(c, i, call_end(c, i), here);
                sites += strcmp(here, text) == 0;
            }
        }
        if (places == 0)
            continue;
        put = c->next;
        moved = put + places;
        c->next = moved + sites * places + sites;
        for (size_t i = body; i < end; i = behind(c, i)) {
            if (is_place(c, i, body)) {
                fprintf(c->list, "    {%d, 1, 1, %d, %d, \"%s\"},\n",
                        put + place, line_of(c, i), SIMT_PUT, text);
                simt_copy_add(c, &c->behind[i],
                              " if (simt_put(%d, %d, %d, %d, %d)) %s",
                              put + place, moved, sites, places, place, text);
                place++;
            }
            if (call_end(c, i) == 0)
                continue;
            copy_call(c, i, call_end(c, i), here);
            if (strcmp(here, text) != 0)
                continue;
            fprintf(c->list,
                    "    {%d, %d, %d, %d, %d, \"%s\"},\n"
                    "    {%d, 1, 1, %d, %d, \"%s\"},\n",
                    moved + site * places, places, places, line_of(c, i),
                    SIMT_MOVED, text, moved + sites * places + site,
                    line_of(c, i), SIMT_REMOVED, text);
            simt_copy_add(c, &c->before[i], "if (simt_stays(%d, %d, %d)) ",
                          moved + sites * places + site, moved + site * places,
                          places);
            site++;
        }
    }
}

void simt_copy_find_calls(struct simt_copy *c)
{
    char text[WORD];

    add_call(c, "__syncthreads();");
    for (size_t i = 0; i < c->t.count; i++) {
        if (call_end(c, i) > 0) {
            copy_call(c, i, call_end(c, i), text);
            add_call(c, text);
        }
    }
}

/* How does extern __shared__ T s[]; become memory of the block? */
#define _GNU_SOURCE
#include "rewriter.h"

#include <stdio.h>
#include <string.h>

/* Behind __shared__ or an alignment at i, i itself if neither stands there. */
static size_t behind_attribute(const struct rewriter *r, size_t i)
{
    if (simt_is(r, i, "extern") || simt_is(r, i, "__shared__"))
        return i + 1;
    if (simt_is(r, i, "__align__") || simt_is(r, i, "alignas") ||
        simt_is(r, i, "__attribute__")) {
        const size_t open = simt_skip(r, i + 1);
        const size_t close =
            simt_mark(r, open) == '(' ? simt_closing(r, open) : SIMT_NO_TOKEN;

        return close == SIMT_NO_TOKEN ? i : close + 1;
    }
    return i;
}

/* The type in tokens `from` to `to`: what is no attribute, on one line. */
static void copy_type(const struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to;) {
        const size_t behind = behind_attribute(r, i);

        if (behind == i)
            simt_copy_on_one_line(r, i, i + 1);
        i = behind > i ? simt_skip(r, behind) : i + 1;
    }
}

/*
 * extern __shared__ T name[]; from the word extern at i. Within a function the
 * name is a pointer, outside an object that turns into one. Whatever else
 * begins with extern is left alone.
 */
void simt_rewrite_dynamic_shared(struct rewriter *r, size_t i)
{
    size_t first = i, name, bracket, rest, end;
    int is_shared = 0;

    if (simt_is(r, simt_before(r, i), "__shared__")) {
        first = simt_before(r, i);
        is_shared = 1;
    }
    for (bracket = i; bracket < r->end && simt_mark(r, bracket) != '[';) {
        const size_t behind = behind_attribute(r, bracket);

        if (bracket > i && simt_is(r, bracket, "extern"))
            return;
        is_shared |= simt_is(r, bracket, "__shared__");
        if (behind == bracket &&
            strchr(";{}()=", simt_mark(r, bracket)) != NULL &&
            simt_mark(r, bracket) != '\0')
            return;
        bracket = behind > bracket ? behind : bracket + 1;
    }
    name = simt_before(r, bracket);
    rest = simt_skip(r, bracket + 1);
    if (!is_shared || bracket >= r->end || !simt_is_name(r, name) ||
        name <= i || simt_mark(r, rest) != ']' || first < r->written)
        return;
    rest++;
    for (end = rest; end < r->end && simt_mark(r, end) != ';'; end++) {
        if (simt_mark(r, end) == ',')
            return;
    }
    simt_catch_up(r, first);
    if (r->in_macro || r->braces.others > 0) {
        /* Of s[][16] the elements are arrays, and the pointer needs (). */
        const int plain = simt_mark(r, simt_skip(r, rest)) != '[';

        copy_type(r, first, name);
        fputs(plain ? "*" : "(*", r->output);
        simt_copy(r, name, name + 1);
        if (!plain)
            putc(')', r->output);
        simt_copy_on_one_line(r, rest, end);
        fputs(" = (", r->output);
        copy_type(r, first, name);
        fputs(plain ? "*" : "(*)", r->output);
        simt_copy_on_one_line(r, rest, end);
        fputs(")::simt_device::dynamic_shared()", r->output);
    } else {
        fputs("static ::simt_device::dynamic_shared_array<", r->output);
        copy_type(r, first, name);
        simt_copy_on_one_line(r, rest, end);
        fputs("> ", r->output);
        simt_copy(r, name, name + 1);
    }
    simt_copy_newlines(r, first, end);
    r->written = end;
}

void simt_rewrite_alignment(struct rewriter *r, size_t i)
{
    const size_t end = behind_attribute(r, i);
    size_t first = i, at;

    for (at = simt_before(r, i);
         at != SIMT_NO_TOKEN && at >= r->written &&
         (simt_is(r, at, "static") || simt_is(r, at, "__shared__") ||
          simt_is(r, at, "const") || simt_is(r, at, "volatile"));
         at = simt_before(r, at))
        first = at;
    if (first == i || end == i)
        return;
    simt_catch_up(r, first);
    simt_copy_on_one_line(r, i, end);
    putc(' ', r->output);
    simt_copy(r, first, i);
    simt_copy_newlines(r, i, end);
    r->written = end;
}

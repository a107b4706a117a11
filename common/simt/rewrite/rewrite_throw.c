/*
 * Exceptions of host code. Labs are compiled without them: with them a kernel's
 * blocks, and so its counts, would hang on destructors. A lab that throws ends
 * as by exit(), so that what stands in catch would never run, and is left out.
 */
#define _GNU_SOURCE
#include "functions.h"
#include "rewriter.h"

#include <stdio.h>

/* 1 if nvcc would take an exception there, too. */
static int is_of_host(const struct rewriter *r, size_t i)
{
    const struct simt_body *const body = simt_body_of(r->functions, i);

    return r->is_lab &&
           (r->in_macro || (body != NULL && body->runs & SIMT_ON_HOST));
}

/* throw x as lab_exit((sizeof(x), 134), file, line): 134 is what a shell tells
   of a program that an exception ended. x is looked at and not calculated. */
static void rewrite_throw(struct rewriter *r, size_t i)
{
    size_t end;
    int depth = 0;

    for (end = i + 1; end < r->end; end++) {
        const char c = simt_mark(r, end);

        depth += simt_is_opening(c) - simt_is_closing(c);
        if (depth < 0 || (depth == 0 && (c == ';' || c == ',' || c == '}')))
            break;
    }
    simt_catch_up(r, i);
    fputs("::lab_exit((", r->output);
    if (simt_skip(r, i + 1) < end) {
        fputs("(void)sizeof(", r->output);
        simt_copy_on_one_line(r, i + 1, end);
        fputs("), ", r->output);
    }
    fputs("134), __FILE__, __LINE__)", r->output);
    simt_copy_newlines(r, i, end);
    r->written = end;
}

/* catch (T &x) {} as nothing. */
static void drop_catch(struct rewriter *r, size_t i)
{
    const size_t open = simt_skip(r, i + 1);
    size_t end =
        simt_mark(r, open) == '(' ? simt_closing(r, open) : SIMT_NO_TOKEN;

    if (end == SIMT_NO_TOKEN)
        return;
    end = simt_skip(r, end + 1);
    if (simt_behind_braces(r, end) == end)
        return;
    end = simt_behind_braces(r, end);
    simt_catch_up(r, i);
    simt_copy_newlines(r, i, end);
    r->written = end;
}

void simt_rewrite_exception(struct rewriter *r, size_t i)
{
    if (!is_of_host(r, i))
        return;
    if (simt_is(r, i, "throw")) {
        rewrite_throw(r, i);
    } else if (simt_is(r, i, "catch")) {
        drop_catch(r, i);
    } else { /* try */
        simt_catch_up(r, i);
        r->written = i + 1;
    }
}

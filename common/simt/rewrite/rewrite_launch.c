/* How does kernel<<<grid, block>>>(args) become a call that g++ takes? */
#define _GNU_SOURCE
#include "functions.h"
#include "rewriter.h"

#include <stdio.h>

/* A launch, as places in the list of tokens; each end is one past the last. */
struct launch {
    size_t kernel, kernel_end;
    size_t configuration, configuration_end, behind; /* behind >>> */
    size_t arguments, arguments_end;
};

/* Where the name, call, element or (expression) that ends at `at` begins. */
static size_t operand_begin(const struct rewriter *r, size_t at)
{
    while (simt_mark(r, at) == ')' || simt_mark(r, at) == ']') {
        const size_t open = simt_opening(r, at),
                     previous = simt_before(r, open);

        if (open == SIMT_NO_TOKEN)
            return SIMT_NO_TOKEN;
        if (simt_mark(r, at) == ')' && !simt_is_name(r, previous))
            return open;
        at = previous;
    }
    if (simt_mark(r, at) == '>')
        at = simt_before(r, simt_opening_angle(r, at));
    return simt_is_name(r, at) ? at : SIMT_NO_TOKEN;
}

/*
 * The first token of the kernel that ends before i: name, ns::name,
 * name<16, T>, (*pointer), table[2], object.pointer, and in a macro
 * prefix##name. SIMT_NO_TOKEN if there is no such thing.
 */
static size_t kernel_begin(const struct rewriter *r, size_t i)
{
    size_t at = operand_begin(r, simt_before(r, i));

    while (at != SIMT_NO_TOKEN) {
        const size_t previous = simt_before(r, at);

        if (simt_ends(r, previous, ':', ':')) {
            const size_t scope = simt_before(r, previous - 1);

            if (simt_mark(r, scope) != '>' && !simt_is_name(r, scope))
                return previous - 1; /* ::name */
            at = operand_begin(r, scope);
        } else if (simt_ends(r, previous, '-', '>') ||
                   simt_ends(r, previous, '#', '#')) {
            at = operand_begin(r, simt_before(r, previous - 1));
        } else if (simt_mark(r, previous) == '.') {
            at = operand_begin(r, simt_before(r, previous));
        } else if (simt_is(r, previous, "template")) {
            at = previous; /* object.template name<16> */
        } else {
            return at;
        }
    }
    return SIMT_NO_TOKEN;
}

/*
 * The >>> that ends the configuration from i on, or SIMT_NO_TOKEN. *parts
 * becomes the number of its parts, 0 if one is empty. With angles, a < behind a
 * name begins a template's arguments; without, it is a comparison, and of a run
 * of > the last three count.
 */
static size_t find_end(const struct rewriter *r, size_t i, int angles,
                       int *parts)
{
    int depth = 0, angle = 0, empty = 1, any_empty = 0;
    size_t behind;

    *parts = 1;
    for (; i < r->end; i++) {
        const char c = simt_mark(r, i);

        if (simt_is_blank(r, i))
            continue;
        depth += simt_is_opening(c) - simt_is_closing(c);
        if (depth < 0 ||
            (depth == 0 && (c == ';' || simt_behind_triple(r, i, '<') > 0)))
            return SIMT_NO_TOKEN;
        if (depth == 0 && c == '<' && simt_mark(r, i + 1) == '<') {
            i++; /* a shift */
        } else if (depth == 0 && c == '<' && angles) {
            angle += simt_is_name(r, simt_before(r, i));
        } else if (depth == 0 && c == '>' && !simt_ends(r, i, '-', '>')) {
            if (angle > 0) {
                angle--;
            } else if ((behind = simt_behind_triple(r, i, '>')) > 0 &&
                       (angles || simt_mark(r, behind) != '>')) {
                if (any_empty || empty)
                    *parts = 0;
                return i;
            }
        } else if (depth == 0 && angle == 0 && c == ',') {
            ++*parts;
            any_empty |= empty;
            empty = 1;
            continue;
        }
        empty = 0;
    }
    return SIMT_NO_TOKEN;
}

/* Reads the launch whose <<< stands at i. 0, or -1 after a message. */
static int read_launch(const struct rewriter *r, size_t i,
                       struct launch *launch)
{
    size_t name;
    int parts;

    launch->kernel = kernel_begin(r, i);
    launch->kernel_end = i;
    if (launch->kernel == SIMT_NO_TOKEN) {
        return simt_fail(r, i,
                         "cannot read this launch: no kernel's name stands "
                         "before <<< (write kernel<<<grid, block>>>(...))");
    }
    if (launch->kernel < r->written) {
        return simt_fail(r, i,
                         "cannot read this launch: its kernel's name "
                         "belongs to something else");
    }
    launch->configuration = simt_behind_triple(r, i, '<');
    launch->configuration_end = find_end(r, launch->configuration, 1, &parts);
    if (launch->configuration_end == SIMT_NO_TOKEN) {
        launch->configuration_end =
            find_end(r, launch->configuration, 0, &parts);
    }
    if (launch->configuration_end == SIMT_NO_TOKEN) {
        return simt_fail(r, i,
                         "cannot read this launch: its <<< has no >>> (write "
                         "kernel<<<grid, block>>>(...))");
    }
    if (parts < 2 || parts > 4) {
        return simt_fail(r, i,
                         "cannot read this launch: between <<< and >>> stand "
                         "grid, block, and at most shared bytes and stream");
    }
    launch->behind = simt_behind_triple(r, launch->configuration_end, '>');
    launch->arguments = simt_skip(r, launch->behind);
    launch->arguments_end = launch->arguments;
    if (r->in_macro)
        return 0;
    if (simt_mark(r, launch->arguments) != '(') {
        return simt_fail(r, i,
                         "cannot read this launch: behind >>> the arguments "
                         "must follow, in parentheses");
    }
    launch->arguments_end = simt_closing(r, launch->arguments);
    if (launch->arguments_end == SIMT_NO_TOKEN) {
        return simt_fail(r, i,
                         "cannot read this launch: the parenthesis of its "
                         "arguments is not closed");
    }
    launch->arguments++;
    name = simt_skip(r, launch->kernel + 1);
    if (name < launch->kernel_end && simt_mark(r, name) != '<')
        return 0; /* no plain name */
    return simt_check_launch(r, launch->kernel, launch->arguments,
                             launch->arguments_end);
}

/* Of the argument that begins at i: where it ends, at a comma or at `end`. */
static size_t argument_end(const struct rewriter *r, size_t i, size_t end)
{
    int depth = 0;

    for (; i < end; i++) {
        const char c = simt_mark(r, i);

        depth += simt_is_opening(c) - simt_is_closing(c);
        if (depth == 0 && c == ',')
            return i;
    }
    return end;
}

/* 1 if the tokens are the word 0 or NULL and nothing else, or a list in braces,
   whose type only the kernel knows. */
static int is_typeless(const struct rewriter *r, size_t from, size_t to)
{
    const size_t word = simt_skip(r, from);

    if (simt_mark(r, word) == '{')
        return 1;
    return word < to && (simt_is(r, word, "0") || simt_is(r, word, "NULL")) &&
           (word + 1 >= to || simt_skip(r, word + 1) >= to);
}

/* 1 if an argument is one of these: 0 is a pointer only as long as it is
   written so. A comma behind a < may be one within a template's arguments:
   then nobody knows what the arguments are. */
static int has_typeless(const struct rewriter *r, const struct launch *l)
{
    int found = 0;

    for (size_t i = l->arguments; i < l->arguments_end; i++) {
        const size_t end = argument_end(r, i, l->arguments_end);

        for (size_t at = i; at < end; at++) {
            if (simt_mark(r, at) == '<' ||
                r->tokens.token[at].kind == BASE_DIRECTIVE)
                return 0;
        }
        found |= is_typeless(r, i, end);
        i = end;
    }
    return found;
}

/*
 * sizeof(kernel(a, b)), which is not calculated: if the arguments are not the
 * kernel's, it is this call that the compiler complains of, in words of the
 * program. Arguments that are more than names and calculations are left out.
 */
static void write_plain_call(struct rewriter *r, const struct launch *l)
{
    for (size_t i = l->arguments; i < l->arguments_end; i++) {
        if (simt_mark(r, i) == '{' || simt_mark(r, i) == '[' ||
            r->tokens.token[i].kind == BASE_DIRECTIVE ||
            simt_behind_triple(r, i, '<') > 0)
            return;
    }
    fputs("sizeof((", r->output);
    simt_copy_on_one_line(r, l->kernel, l->kernel_end);
    putc('(', r->output);
    simt_copy_on_one_line(r, l->arguments, l->arguments_end);
    fputs("), 0)), ", r->output);
}

/* SIMT_KERNEL_ADDRESS(kernel), behind the function that calls it. */
static void write_address(const struct rewriter *r, const struct launch *l)
{
    fputs("SIMT_KERNEL_ADDRESS(", r->output);
    simt_copy_on_one_line(r, l->kernel, l->kernel_end);
    putc(')', r->output);
}

/* The lambda's parameters, its call of the kernel and the values, where some
   arguments have no type: these stand in the call, and the rest are passed. */
static void write_call_with_typeless(struct rewriter *r, const struct launch *l)
{
    const size_t end = l->arguments_end;
    const char *comma = "";
    int number = 0;

    fputs("), [=](", r->output);
    for (size_t i = l->arguments; i < end; i = argument_end(r, i, end) + 1) {
        if (is_typeless(r, i, argument_end(r, i, end)))
            continue;
        fprintf(r->output, "%sauto simt_%d", comma, ++number);
        comma = ", ";
    }
    fputs(") SIMT_KERNEL_CALL(", r->output);
    simt_copy_on_one_line(r, l->kernel, l->kernel_end);
    comma = "(";
    number = 0;
    for (size_t i = l->arguments; i < end; i = argument_end(r, i, end) + 1) {
        fputs(comma, r->output);
        if (is_typeless(r, i, argument_end(r, i, end))) {
            simt_copy_on_one_line(r, i, argument_end(r, i, end));
        } else {
            fprintf(r->output, "simt_%d", ++number);
        }
        comma = ", ";
    }
    fputs(")), ", r->output);
    write_address(r, l);
    simt_copy_newlines(r, l->behind, l->arguments);
    for (size_t i = l->arguments; i < end; i = argument_end(r, i, end) + 1) {
        if (is_typeless(r, i, argument_end(r, i, end))) {
            simt_copy_newlines(r, i, argument_end(r, i, end));
        } else {
            fputs(", ", r->output);
            simt_copy(r, i, argument_end(r, i, end));
        }
    }
    r->written = end;
}

/*
 * kernel<<<grid, block>>>(a, b) as
 * launch(file, line, "kernel", configuration(grid, block), lambda, a, b): the
 * lambda calls the kernel, which may be a template or overloaded. In a macro
 * nobody knows yet whether arguments will follow, and a comma before none is
 * wrong: there the launch is the body of another lambda, which is then called
 * with what follows.
 */
static void write_launch(struct rewriter *r, const struct launch *l)
{
    simt_catch_up(r, l->kernel);
    if (r->in_macro)
        fputs("([&](auto... simt_values) { ", r->output);
    fputs(" ::simt_device::launch(__FILE__, __LINE__, SIMT_STRING(", r->output);
    simt_copy_on_one_line(r, l->kernel, l->kernel_end);
    fputs("), ", r->output);
    if (!r->in_macro)
        write_plain_call(r, l);
    fputs("::simt_device::configuration(", r->output);
    simt_copy_newlines(r, l->kernel, l->kernel_end);
    simt_copy(r, l->configuration, l->configuration_end);
    if (has_typeless(r, l)) {
        write_call_with_typeless(r, l);
        return;
    }
    fputs("), [=](auto &...simt_arguments) SIMT_KERNEL_CALL(", r->output);
    simt_copy_on_one_line(r, l->kernel, l->kernel_end);
    fputs("(simt_arguments...)), ", r->output);
    write_address(r, l);
    r->written = l->behind;
    if (r->in_macro) {
        fputs(", simt_values...); })", r->output);
        return;
    }
    simt_copy_newlines(r, r->written, l->arguments);
    if (simt_skip(r, l->arguments) < l->arguments_end)
        fputs(", ", r->output);
    r->written = l->arguments;
}

/* Behind the cast (const void *) or reinterpret_cast<const void *> at i, i if
   there is none. */
static size_t behind_cast(const struct rewriter *r, size_t i)
{
    size_t close, angle;

    if (simt_is(r, i, "reinterpret_cast") || simt_is(r, i, "static_cast")) {
        angle = simt_skip(r, i + 1);
        close = simt_behind_angles(r, angle);
        return close > angle ? close : i;
    }
    if (simt_mark(r, i) != '(')
        return i;
    close = simt_closing(r, i);
    return close != SIMT_NO_TOKEN && simt_mark(r, simt_before(r, close)) == '*'
               ? close + 1
               : i;
}

/* cudaLaunchKernel((const void *)kernel, ...): the cast would hide what the
   kernel's arguments are. */
void simt_rewrite_launch_call(struct rewriter *r, size_t i)
{
    const size_t open = simt_skip(r, i + 1);
    size_t close, kernel, end;

    if (simt_mark(r, open) != '(')
        return;
    close = simt_closing(r, open);
    if (close == SIMT_NO_TOKEN)
        return;
    kernel = behind_cast(r, simt_skip(r, open + 1));
    end = argument_end(r, kernel, close);
    simt_catch_up(r, i);
    fputs("::simt_device::", r->output);
    simt_copy_on_one_line(r, i, i + 1);
    fputs("(__FILE__, __LINE__, SIMT_STRING(", r->output);
    simt_copy_on_one_line(r, kernel, end);
    fputs("), ", r->output);
    simt_copy_newlines(r, i, kernel);
    r->written = kernel;
}

int simt_rewrite_launch(struct rewriter *r, size_t i)
{
    struct launch launch = {0};

    if (read_launch(r, i, &launch) != 0)
        return -1;
    write_launch(r, &launch);
    return 0;
}

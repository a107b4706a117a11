/*
 * rewriter.h: what do the parts of simt_rewrite share?
 *
 *   rewrite_tokens.c   looking at tokens, matching brackets, copying
 *   rewrite_launch.c   kernel<<<grid, block>>>(args)
 *   rewrite_unroll.c   #pragma unroll
 *   rewrite_shared.c   extern __shared__ T s[];
 *   rewrite_variable.c __device__ and __constant__ variables
 *   rewrite_throw.c    throw, try and catch
 *   rewrite_refused.c  what is refused
 *   rewrite_ptx.c      asm("...")
 *   rewrite_ptx_plain.c  those of plain instructions
 *   rewrite_functions.c  the declarations of the file (functions.h)
 *   functions.c        what others ask of them
 *   rewrite_calls.c    calls and launches that nvcc refuses
 *   rewrite.c          the walk through the file
 *   rewrite_files.c    the headers that a file includes
 *
 * A token is named by its number in the list. SIMT_NO_TOKEN stands for none;
 * simt_mark, simt_is and simt_is_name answer 0 for it.
 */
#ifndef SIMT_REWRITER_H
#define SIMT_REWRITER_H

#include "base/lexer.h"

#include <stdio.h>

#define SIMT_NO_TOKEN ((size_t)-1)

enum {
    SIMT_DEEPEST_IF = 64 /* #if within #if */
};

/* Braces that are open: those of namespaces, then those within them. */
struct simt_braces {
    int namespaces, others;
};

/* What is on its way from the one text to the other. */
struct rewriter {
    const char *path;
    struct base_tokens tokens; /* of its text */
    FILE *output;
    char *why;
    size_t why_size;

    size_t written;    /* tokens up to here are written */
    size_t begin, end; /* a launch lies within: the file, or a macro's body */
    int in_macro;
    int is_lab;       /* it includes lab.h: its main is the course's */
    int knows_printf; /* it includes what may declare it */
    struct simt_braces braces;
    struct simt_braces before_macro, at_if[SIMT_DEEPEST_IF];
    int conditions; /* open #if */

    /* Between the < and > of the last template<...>, as long as what it
       declares lasts; equal if there is none. */
    size_t template_begin, template_end;
    int template_braces;

    struct simt_functions *functions; /* functions.h */
    const struct simt_unit *unit;     /* rewrite_files.c; NULL: a lone file */
    /* The #include at i: 1 if it is of a file that is rewritten too. NULL: it
       is not asked for. */
    int (*include)(struct rewriter *r, size_t i);
};

/* --- looking: nothing outside r->begin to r->end is seen ------------------ */

/* As base/lexer.h has them: of the mark at i, a token's text, a blank, and a
   preprocessor line. */
static inline char simt_mark(const struct rewriter *r, size_t i)
{
    return base_mark(&r->tokens, i);
}

static inline int simt_is(const struct rewriter *r, size_t i, const char *words)
{
    return base_token_is(&r->tokens, i, words);
}

static inline int simt_is_blank(const struct rewriter *r, size_t i)
{
    return base_token_is_blank(&r->tokens, i);
}

static inline int simt_is_line(const struct rewriter *r, size_t i,
                               const char *name, const char *text)
{
    return base_is_directive(&r->tokens, i, name, text);
}

/* 1 for what may be called: a word, but no number and no keyword. */
int simt_is_name(const struct rewriter *r, size_t i);
/* The next token from i on, or the last before i, that is no blank. */
size_t simt_skip(const struct rewriter *r, size_t i);
size_t simt_before(const struct rewriter *r, size_t i);
/* Behind three of c that begin at i, with blanks between them at most, as some
   formatters leave them; 0 if there are no three. */
size_t simt_behind_triple(const struct rewriter *r, size_t i, char c);
/* 1 if the marks a and b end at token i with nothing in between. */
int simt_ends(const struct rewriter *r, size_t i, char a, char b);
int simt_is_opening(char c);
int simt_is_closing(char c);
/* The bracket that opens the one at i; the same for > of a template's
   arguments; the parenthesis that closes the one at i. SIMT_NO_TOKEN if none
   does. */
size_t simt_opening(const struct rewriter *r, size_t i);
size_t simt_opening_angle(const struct rewriter *r, size_t i);
size_t simt_closing(const struct rewriter *r, size_t i);
/* Behind an attribute at i that has parentheses or brackets, else i; behind the
   > that closes the < at i, else i; behind the brace that closes the one at i,
   i if none stands there, or the end. */
size_t simt_behind_attribute(const struct rewriter *r, size_t i);
size_t simt_behind_angles(const struct rewriter *r, size_t i);
size_t simt_behind_braces(const struct rewriter *r, size_t i);
/* The token to go on with behind the one at i: past what nobody compiles, if
   that is #if 0. */
size_t simt_behind_line(const struct rewriter *r, size_t i);
/* Leaves "path:line: what" in why. Returns -1. */
int simt_fail(const struct rewriter *r, size_t i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- a whole file --------------------------------------------------------- */

/* Makes tokens of the text, which must outlive the rewriter; path, why and
   functions are set before. 0, or -1 after a message. */
int simt_rewriter_begin(struct rewriter *r, const char *text, size_t length);
/* Rewrites all of it: *output is for the caller to free. Likewise. */
int simt_rewriter_run(struct rewriter *r, char **output, size_t *length);
void simt_rewriter_end(struct rewriter *r);

/* --- writing -------------------------------------------------------------- */

void simt_copy(const struct rewriter *r, size_t from, size_t to);
/* Writes all tokens before i that are not written yet. */
void simt_catch_up(struct rewriter *r, size_t i);
/* The tokens on one line, blanks and comments being one blank each. */
void simt_copy_on_one_line(const struct rewriter *r, size_t from, size_t to);
/* Only what the tokens have of line ends, with the backslashes before them. */
void simt_copy_newlines(const struct rewriter *r, size_t from, size_t to);

/* --- rewriting what begins, or has its <<<, at i -------------------------- */

/* 0, or -1 after a message. */
int simt_rewrite_launch(struct rewriter *r, size_t i);
int simt_rewrite_variable(struct rewriter *r, size_t i);
/* Refuse the word or the #include at i if they must. Likewise. */
int simt_check_word(struct rewriter *r, size_t i);
int simt_check_include(struct rewriter *r, size_t i);
/* Refuses what stands at i: here, or within #if by a message that the compiler
   gives if it counts. Likewise. */
int simt_refuse(struct rewriter *r, size_t i, const char *message);
/* 1 if printf may be declared in the header that the #include at i names. */
int simt_has_printf(const struct rewriter *r, size_t i);
/* Refuse the word at i if it is used as nvcc would not have it. Likewise. */
int simt_check_use(const struct rewriter *r, size_t i);
/* Refuse the launch of `name` with the arguments in tokens `from` to `to` if
   that is no kernel, or has other parameters. Likewise. */
int simt_check_launch(const struct rewriter *r, size_t name, size_t from,
                      size_t to);
/* The asm at i. Returns 1 if its instructions are known. */
int simt_rewrite_ptx(struct rewriter *r, size_t i);

enum {
    SIMT_PTX_OPERANDS = 32,
    SIMT_PTX_LONGEST = 1024 /* bytes of a statement */
};

/* Such a statement: its text, and the expressions of %0, %1, ... as tokens, of
   which the first are set by it. */
struct simt_ptx {
    char text[SIMT_PTX_LONGEST];
    size_t from[SIMT_PTX_OPERANDS], to[SIMT_PTX_OPERANDS];
    int operands, outputs;
    size_t end; /* the parenthesis that closes it */
};

/* Writes what its instructions do. 0, or -1: they are not known. */
int simt_write_plain_ptx(const struct simt_ptx *statement, FILE *output);
/* How long the name of a special register is that stands at text, 0: none. */
size_t simt_ptx_register(const char *text);
/* These leave alone what they do not know. */
void simt_rewrite_pragma(struct rewriter *r, size_t i);
void simt_rewrite_pragma_operator(struct rewriter *r, size_t i);
void simt_rewrite_dynamic_shared(struct rewriter *r, size_t i);
/* __shared__ alignas(16): g++ wants the alignment first. */
void simt_rewrite_exception(struct rewriter *r, size_t i);
void simt_rewrite_launch_call(struct rewriter *r, size_t i);
void simt_rewrite_alignment(struct rewriter *r, size_t i);
/* Remembers the parameters of template<...>. */
void simt_note_template(struct rewriter *r, size_t i);

#endif /* SIMT_REWRITER_H */

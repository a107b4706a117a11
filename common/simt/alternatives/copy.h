/*
 * copy.h: what do the parts that write a lab's copy share?
 *
 *   names.c        which names are known where, what ends where, writing
 *   changes.c      names, numbers, operators, expressions, indices, sums
 *   terms.c        products and quotients, how numbers are dealt out, loops
 *   calls.c        statements such as __syncthreads();
 *   pairs.c        two changes that are made together
 *   alternatives.c the walk through the file (alternatives.h)
 *
 * A token is named by its number in the list; past the last there is none.
 */
#ifndef SIMT_ALTERNATIVES_COPY_H
#define SIMT_ALTERNATIVES_COPY_H

#include "alternatives.h"

#include "base/lexer.h"

#include <ctype.h>

enum {
    MOST_VARIABLES = 400,
    MOST_MACROS = 60,
    MOST_OTHERS = 16, /* variables in the place of one */
    MOST_LOOPS = 60,
    MOST_GROUPS = 4000,
    MOST_PAIRS = 4000,
    NUMBERS = 7,    /* besides macros */
    MOST_CALLS = 6, /* forms of statements such as __syncthreads(); */
    WORD = 64,
    SIMT_ADJUSTED = 6, /* as choices.h has it, and these */
    SIMT_SPLIT = 8 * 7,
    SIMT_DEALT = 8 * 7 * 7
};

/* What a name is, of those that changes are about. */
enum simt_type {
    UNKNOWN,
    WHOLE, /* int, unsigned, bool and the like */
    REAL,
    OTHER /* float4 */
};

struct simt_variable_name {
    char name[WORD];
    enum simt_type type;
    int depth;       /* of brackets and stars */
    int is_shared;   /* in shared memory */
    size_t place;    /* of its declaration */
    size_t from, to; /* tokens where it is known */
};

/* A statement that may stand elsewhere: "__syncthreads();" */
struct simt_statement {
    char text[WORD];
};

/* The changes of one kind of what stands in the tokens from begin to end. */
struct simt_group {
    int first, count, kind;
    size_t begin, end;
    char *others; /* ", name" of each that is put there; or NULL */
};

struct simt_copy {
    struct base_tokens t;
    size_t *partner;         /* of a bracket; 0 where there is none */
    char **before, **behind; /* what is written beside a token */
    struct simt_variable_name variable[MOST_VARIABLES];
    int variables;
    struct {
        char name[WORD];
    } macro[MOST_MACROS]; /* those that are whole numbers */
    int macros;
    struct simt_statement call[MOST_CALLS];
    int calls;
    struct simt_changed_lines own, shown;
    int numbers; /* that may stand in the place of others, with the macros' */
    int next;    /* number of the next change */
    struct simt_group group[MOST_GROUPS];
    int groups;
    FILE *list;
    int failed; /* no memory */
};

/* --- looking -------------------------------------------------------------- */

static inline char mark(const struct simt_copy *c, size_t i)
{
    return i < c->t.count ? base_mark(&c->t, i) : 0;
}

static inline int is(const struct simt_copy *c, size_t i, const char *word)
{
    return base_token_is(&c->t, i, word);
}

/* The line of the source, before which the text has one of its own. */
static inline int line_of(const struct simt_copy *c, size_t i)
{
    return c->t.token[i].line - 1;
}

static inline int is_among(const struct simt_changed_lines *lines, int line)
{
    size_t n = 0;

    while (n < lines->count && lines->line[n] != line)
        n++;
    return lines->count == 0 || n < lines->count;
}

/* 1 if what stands at i is changed; and in all ways. */
static inline int is_changed(const struct simt_copy *c, size_t i)
{
    return is_among(&c->own, line_of(c, i));
}

static inline int is_shown(const struct simt_copy *c, size_t i)
{
    return is_among(&c->shown, line_of(c, i));
}

static inline int is_word(const struct simt_copy *c, size_t i)
{
    return i < c->t.count && c->t.token[i].kind == BASE_WORD;
}

static inline int is_number(const struct simt_copy *c, size_t i)
{
    return is_word(c, i) &&
           isdigit((unsigned char)c->t.text[c->t.token[i].begin]);
}

/* The next token behind i that is no blank, and the last before it. */
static inline size_t behind(const struct simt_copy *c, size_t i)
{
    do {
        i++;
    } while (i < c->t.count && base_token_is_blank(&c->t, i));
    return i;
}

static inline size_t before(const struct simt_copy *c, size_t i)
{
    while (i > 0 && base_token_is_blank(&c->t, --i))
        ;
    return i;
}

/* The next token behind i, and behind the bracket that opens there. */
static inline size_t past(const struct simt_copy *c, size_t i)
{
    const char m = mark(c, i);

    return behind(c, (m == '(' || m == '[' || m == '{') && c->partner[i] > i
                         ? c->partner[i]
                         : i);
}

/* 1 if token i is mark a and the next byte mark b. */
static inline int is_pair(const struct simt_copy *c, size_t i, char a, char b)
{
    return mark(c, i) == a && mark(c, i + 1) == b;
}

static inline int is_one_of(const struct simt_copy *c, size_t i,
                            const char *const *words)
{
    for (; *words != NULL; words++) {
        if (is(c, i, *words))
            return 1;
    }
    return 0;
}
/* --- names.c -------------------------------------------------------------- */

enum simt_type simt_copy_type_of(const struct simt_copy *c, size_t i);
void simt_copy_find_partners(struct simt_copy *c);
/* The end of the statement that begins at i: its ; or }. */
size_t simt_copy_statement_end(const struct simt_copy *c, size_t i);
int simt_copy_is_in_head(const struct simt_copy *c, size_t i);
/* The ( of the head of a for in which i stands; 0: in none. */
size_t simt_copy_for_of(const struct simt_copy *c, size_t i);
/* The { of the body of which the parameters are at the ( i; 0: no function. */
size_t simt_copy_body_of(const struct simt_copy *c, size_t i);
void simt_copy_read_names(struct simt_copy *c);
/* The variable that token i names, the nearest; NULL: none that is known. */
const struct simt_variable_name *
simt_copy_find_variable(const struct simt_copy *c, size_t i);
int simt_copy_is_macro(const struct simt_copy *c, size_t i);

/* Adds a text to what is written beside a token. */
__attribute__((format(printf, 3, 4))) void
simt_copy_add(struct simt_copy *c, char **to, const char *format, ...);

/* --- changes.c ------------------------------------------------------------ */

/* 1 for a word behind which ( ) or [ ] hold what the compiler must know. */
int simt_copy_is_constant(const struct simt_copy *c, size_t i);
/* 1 if a declaration begins at i that the compiler must know. */
int simt_copy_is_fixed(const struct simt_copy *c, size_t i);
/* Each of these puts its changes beside the tokens; two return the last token
   that they have dealt with. */
size_t simt_change_operator(struct simt_copy *c, size_t i);
size_t simt_change_operand(struct simt_copy *c, size_t i);
void simt_change_component(struct simt_copy *c, size_t i);
void simt_change_expression(struct simt_copy *c, size_t from, size_t to);
/* A name or member between two tokens that could be a pointer: another. */
void simt_change_pointer(struct simt_copy *c, size_t from, size_t to);
void simt_change_order(struct simt_copy *c, size_t i);
void simt_change_sum(struct simt_copy *c, size_t begin);
void simt_change_step(struct simt_copy *c, size_t i);
void simt_change_statement(struct simt_copy *c, size_t begin);
/* Takes numbers for changes of what stands in the tokens from i to end. Returns
   the first. */
int simt_change_take(struct simt_copy *c, int count, int kind, size_t i,
                     size_t end);
/* Says what the changes of the last group put there. */
void simt_change_keep_others(struct simt_copy *c, const char *others);
/* The names of what could stand at i, each behind a comma; how many. depth 1:
   pointers, 0: whole numbers. */
int simt_change_others(const struct simt_copy *c, size_t i, int depth,
                       char *text, size_t size);
/* Writes a call that takes in what is written there already. */
__attribute__((format(printf, 3, 4))) void
simt_change_put_call(struct simt_copy *c, char **to, const char *format, ...);

/* --- terms.c -------------------------------------------------------------- */

/* A product or quotient that begins at i: something else, or times a number. */
void simt_change_term(struct simt_copy *c, size_t i);
/* An expression of one variable between two tokens: another way to deal its
   values out. */
void simt_change_dealing(struct simt_copy *c, size_t from, size_t to);
/* An if (i < n) at i: a loop over i. */
void simt_change_condition(struct simt_copy *c, size_t i);

/* --- calls.c -------------------------------------------------------------- */

/* 1 if the function of which the body begins there runs on the device. */
int simt_copy_is_device(const struct simt_copy *c, size_t body);
/* 1 if such a statement begins at i. */
int simt_copy_is_call(const struct simt_copy *c, size_t i);
/* The forms of such statements that the file has. */
void simt_copy_find_calls(struct simt_copy *c);
/* In a function that runs on the device, of which the body begins there: each
   is left out, put in and moved. Elsewhere nothing. */
void simt_change_calls(struct simt_copy *c, size_t body);

/* --- pairs.c -------------------------------------------------------------- */

/* Of two declarations side by side, the first at i: what they begin with. */
void simt_change_values(struct simt_copy *c, size_t i);
/* Writes which changes are made together, as what is in simt_pairs[]. */
void simt_write_pairs(const struct simt_copy *c, FILE *output);

#endif /* SIMT_ALTERNATIVES_COPY_H */

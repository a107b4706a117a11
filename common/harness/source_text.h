/*
 * source_text.h: which functions, loops, statements and names are in a source
 * file?
 *
 * The file is a list of tokens without blanks and comments. A place in it is
 * the number of a token, from 0.
 */
#ifndef LAB_SOURCE_TEXT_H
#define LAB_SOURCE_TEXT_H

#include "base/lexer.h"

#include <stddef.h>

#define LAB_NONE ((size_t)-1) /* no such token */

/* The words and marks of the file, without blanks and comments. An empty list
   if it cannot be read. The file that was asked for last is kept. */
const struct base_tokens *lab_text_read(const char *path);

/* The first token behind those before that line. */
size_t lab_text_begin(const struct base_tokens *t, int line);

/* The bracket that belongs to the one at i, in steps of 1 or -1; an end of the
   file if none does. Closing: in steps of 1. */
size_t lab_text_matching(const struct base_tokens *t, size_t i, int step);
size_t lab_text_closing(const struct base_tokens *t, size_t i);

/* The token behind the name at i and behind its indices: of A[row][k] = 0 the
   =. */
size_t lab_text_behind_index(const struct base_tokens *t, size_t i);

/* --- loops and statements ------------------------------------------------- */

int lab_text_is_loop(const struct base_tokens *t, size_t i);

/* What stands behind the head of the loop or condition at i. */
size_t lab_text_body(const struct base_tokens *t, size_t i);

/* The first token of the statement that token i stands in. */
size_t lab_text_statement(const struct base_tokens *t, size_t i);

/* The last token of the statement at i; and only of its line or of its head. */
size_t lab_text_end(const struct base_tokens *t, size_t i);
size_t lab_text_end_of_line(const struct base_tokens *t, size_t at);

/* The brace of the innermost block around token i. */
size_t lab_text_block(const struct base_tokens *t, size_t i);

/* Is it a loop or a condition that has token `at` in its body? */
int lab_text_is_around(const struct base_tokens *t, size_t i, size_t at);

/* Is it the = of an assignment? */
int lab_text_is_set(const struct base_tokens *t, size_t i);

/* --- functions and calls -------------------------------------------------- */

/* The brace that begins the body of the function around token i; LAB_NONE: it
   stands outside of all. */
size_t lab_text_function(const struct base_tokens *t, size_t i);

/* Does the token stand in the body of the function of that name? A template's
   may have its arguments behind it. */
int lab_text_is_in(const struct base_tokens *t, size_t i, const char *function);

/* The return of the function whose name is token i, if it is called there and
   makes a number. LAB_NONE: it is not, or stands elsewhere. */
size_t lab_text_return(const struct base_tokens *t, size_t i);

/* The bracket of the call whose name is token i, in a function; LAB_NONE: it is
   no call, or a launch. */
size_t lab_text_call_at(const struct base_tokens *t, size_t i);

/* The last call before token `end` of the function whose body begins at that
   token, rather one that names the array; LAB_NONE: it is a kernel, or not
   called. */
size_t lab_text_call_of(const struct base_tokens *t, size_t body,
                        const char *array, size_t end);

/* Is it the first mark of <<< ? */
int lab_text_is_launch(const struct base_tokens *t, size_t i);

/* What the kernel's first launch is given between <<< and >>>: the first token
   of that number, from 0; LAB_NONE: it is not given. */
size_t lab_text_launch(const struct base_tokens *t, const char *kernel,
                       int number);

/* --- names ---------------------------------------------------------------- */

/* A name that is neither a number nor called, nor a member of another. */
int lab_text_is_name(const struct base_tokens *t, size_t i);

/* Does that name stand between the two tokens? Returns where, or LAB_NONE. */
size_t lab_text_find(const struct base_tokens *t, size_t from, size_t to,
                     const char *word);

/* Do the two parts of the file have a name in common? */
int lab_text_share_name(const struct base_tokens *t, size_t from, size_t to,
                        size_t other, size_t end);

/* Where the name gets the value that token `at` meets: the name there, in the
   same function or else outside of all; LAB_NONE: nowhere, as a parameter. */
size_t lab_text_definition(const struct base_tokens *t, size_t at,
                           const char *word);

/* Where the array of that name is declared for token `at`: in its function, or
   as its parameter. LAB_NONE: nowhere. */
size_t lab_text_declared(const struct base_tokens *t, size_t at,
                         const char *array);

/* Is what stands between the two tokens made of threadIdx, by `depth`
   definitions at most? */
int lab_text_is_of_thread(const struct base_tokens *t, size_t from, size_t to,
                          int depth);

#endif /* LAB_SOURCE_TEXT_H */

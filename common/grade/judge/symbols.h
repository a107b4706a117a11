/*
 * symbols.h: which functions of a library may a lab call?
 *
 * Those of this list and no others. What writes memory or would leave the lab
 * is bound to a function of the runner's (runner_calls.c), which looks first.
 */
#ifndef GRADE_SYMBOLS_H
#define GRADE_SYMBOLS_H

#include <stddef.h>

enum grade_symbol_kind {
    GRADE_SYMBOL_REFUSED,
    GRADE_SYMBOL_FREE,   /* as it is */
    GRADE_SYMBOL_GUARDED /* bound to "grade_call_" and its name */
};

#define GRADE_GUARDED "grade_call_"

enum grade_symbol_kind grade_symbol_kind(const char *name);

/* The nth guarded symbol, from 0; NULL behind the last. */
const char *grade_symbol_guarded(size_t n);

/* What a lab may define for others: "lab_host" and its like. NULL behind the
   last. */
const char *grade_symbol_offered(size_t n);

#endif /* GRADE_SYMBOLS_H */

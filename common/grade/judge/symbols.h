/*
 * symbols.h: which functions of a library may a lab call?
 *
 * Those of this list, and those that the runner has a function for
 * (runner_calls.c): what writes memory or would leave the lab is bound to that
 * one, which looks first.
 */
#ifndef GRADE_SYMBOLS_H
#define GRADE_SYMBOLS_H

#include <stddef.h>

/* With this begins the runner's function; no source may hold such a name. */
#define GRADE_GUARDED "grade_call_"

/* 1 if a lab may call it: as it is, or because it is bound to the runner's. */
int grade_symbol_is_free(const char *name);

/* What a lab may define for others: "lab_host" and its like. NULL behind the
   last. */
const char *grade_symbol_offered(size_t n);

#endif /* GRADE_SYMBOLS_H */

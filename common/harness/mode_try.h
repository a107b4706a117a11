/*
 * mode_try.h: which small changes of a lab are tried, in which order, and how
 * is it told which of them make it right? Called by mode_try_cpu.c alone.
 */
#ifndef LAB_MODE_TRY_H
#define LAB_MODE_TRY_H

#include "simt/alternatives/alternatives.h"

enum {
    LAB_TRY_PAIRS = 1 << 20, /* from here on the numbers are those of pairs */
    LAB_TRY_MOST = 20000
};

/* The change of that number, or one of two that are made together: which 0 or
   1. */
int lab_try_one_of(int number, int which);

/* The changes of one kind that it is one of; of a pair the first. */
const struct simt_alternatives *lab_try_of(int number);

/* 1 if the change, or the first of a pair, puts a number in the place of an
   operand. */
int lab_try_puts_number(int number);

/* Fills the changes in the order in which they are tried: those of the `lines`
   lines first. number has room for LAB_TRY_MOST. Returns how many. */
int lab_try_choose(int *number, const int *line, int lines);

/* Puts those of the `lines` lines before the others, in their order. */
void lab_try_put_first(int *number, int count, const int *line, int lines);

/* Tells, of the `count` that are right, the first two that differ in place.
   Operands and operators come before what is put in, which is often right at
   several places, and one change before two. tried: how many were. numbers:
   what is known of the lab's number, for the end of a sentence. */
void lab_try_tell(const int *left, int count, int tried, const char *numbers);

#endif /* LAB_MODE_TRY_H */

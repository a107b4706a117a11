/*
 * scratch.h: a folder for what a test writes.
 *
 * Its first call makes the folder, under /tmp. A folder that the set-up of
 * ALL_TESTS made lasts to the end of the program, any other one to the end of
 * its test, behind its tear-down. testing.c sees to that.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stdio.h>

/* The path of a file in the folder, by a name in printf's form; "." is the
   folder, which is kept as long as it is there. Others are until the next call
   but seven. */
const char *scratch(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* A set-up of ALL_TESTS that makes it. */
int scratch_make(void **state);

/* Makes it the working directory, until it goes. Returns 0. */
int scratch_enter(void);

/* Writes a file, and makes the folders above it; a path that begins with no
   slash is one in the folder. Fails the test if it cannot. Returns the whole
   path, as scratch does. */
const char *scratch_write(const char *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What a file holds, for free(); its path as above, or any path. Fail the test
   if it cannot be read. */
char *scratch_read(const char *path);
char *file_text(const char *path);

/* 1 if there is such a file or folder. */
int scratch_has(const char *path);

/* A stream into memory, and what was written to it, which ends it. The text is
   kept until the next writing() or the end of the test. */
FILE *writing(void);
char *written(void);

/* For testing.c: what is made from now on is made by a test, or by none; and
   removes what this test made, or all. */
void scratch_begin_test(void);
void scratch_end(int all);

#endif /* TESTS_SCRATCH_H */

/*
 * host_calls.h: what has host code asked the device for, call by call?
 *
 * Which array was copied to which, in what order copies and launches came, and
 * where each call stands. In both builds. Not safe for several host threads.
 */
#ifndef SIMT_HOST_CALLS_H
#define SIMT_HOST_CALLS_H

#include <stddef.h>

#include "include/simt_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum simt_host_call_kind {
    SIMT_CALL_MALLOC,
    SIMT_CALL_COPY,
    SIMT_CALL_SET,
    SIMT_CALL_FREE,
    SIMT_CALL_LAUNCH
};

enum {
    SIMT_CALLS = 4096, /* that are kept */
    SIMT_CALL_POINTERS = 8,
    SIMT_CALL_ARGUMENTS = 16
};

/* A call that was made, and did not fail. */
struct simt_host_call {
    enum simt_host_call_kind kind;
    const char *name; /* "cudaMemcpy"; of a launch the kernel */
    const char *file; /* "": unknown */
    int line;
    const void *to, *from; /* to: what is allocated, set or freed, too */
    size_t size;           /* bytes */
    long launch;           /* number of the launch, from 0 */
    const void *pointer[SIMT_CALL_POINTERS]; /* arguments of a launch */
    int pointers;
    /* Of its first arguments, by their numbers: a bit for each int, and for
       each pointer that is NULL; and the values of the ints. */
    unsigned ints, nulls;
    int number[SIMT_CALL_ARGUMENTS];
    unsigned grid[3], block[3]; /* of a launch: gridDim and blockDim */
};

/* Forgets what was kept, and keeps what comes. */
void simt_host_calls_begin(void);

/* The first calls since; valid until the next one. */
const struct simt_host_call *simt_host_calls_read(size_t *count);

/* Has a kernel used an index since that lies outside of its array, where the
   compiler knows its size? */
int simt_has_bad_index(void);

/* The first shuffle since that read from a lane that was not there: a sentence,
   and its place; NULL: there was none. */
const char *simt_undefined_shuffle(const char **file, int *line);

/* Explanations of calls that failed go to stderr; with 1 they are kept alone,
   and the last is what simt_last_message gives. */
void simt_keep_message(int on);
const char *simt_last_message(void);

/* Ends the program after a bad access of host code: called with the message in
   place of the signal that would end it. NULL, the default: the signal. */
extern void (*simt_host_fault)(const char *message);

/* --- for the device's own files ------------------------------------------- */

/* Where the call in hand was made from, as a return address; its line. */
void simt_called_from(const void *code);
int simt_caller_line(const char **file, int *line);

void simt_host_calls_add_memory(enum simt_host_call_kind kind, const char *name,
                                const void *to, const void *from, size_t size);
/* The line of the cudaMalloc that gave the array; 0: unknown. */
int simt_host_calls_malloc_line(const void *array);
void simt_host_calls_add_launch(const struct simt_launch *launch);

/* An index lies outside of its array, as g++ has checked. */
void simt_note_bad_index(void);

/* A shuffle gave a lane a value that is undefined; the first is kept. */
void simt_note_undefined_shuffle(const char *file, int line, const char *call,
                                 int lane, int source, unsigned mask);

/* "file:line: " and the text, as a line; line 0: without. */
void simt_say(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif /* SIMT_HOST_CALLS_H */

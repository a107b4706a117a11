/*
 * buffers.h: where are A, B and C while a lab computes, and has it kept its
 * hands off what is not its own?
 *
 * Each matrix exists as the harness filled it, as a copy in host memory for
 * the lab, and as one in device memory. Behind each copy lies a red zone, of
 * NaNs or, of C, of a number: a lab that reads it gets a wrong C, one that
 * writes it is found out. Beside the host's any access faults.
 *
 * All of the host's are floats. Those of LAB_BF16, and ints, are packed on the
 * way to the device and unpacked on the way back.
 *
 * A, B and C are the arrays of a product; those of another problem
 * (problem.h) take their places: its inputs, of which the second may be empty,
 * and its result.
 */
#ifndef LAB_BUFFERS_H
#define LAB_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "course/index.h"
#include "lab.h"
#include "problem/problem.h"

enum {
    LAB_RED_ZONE = 1024 /* elements behind each of the host's, at least */
};

struct lab_buffers {
    struct course_shape shape;
    struct lab_layout layout;
    enum lab_precision precision;
    size_t count[LAB_MATRICES]; /* elements, without the red zone */
    float *filled[2];           /* A and B; a lab never sees these */
    float *host[LAB_MATRICES];  /* with a red zone */
    void *packed[LAB_MATRICES]; /* likewise, or NULL */
    void *device[LAB_MATRICES]; /* with a red zone, or NULL */
    size_t device_red_zone;     /* elements */
};

/*
 * Takes host memory for the arrays of that layout, or if it is NULL of a
 * product, and fills A and B from the seed, rounded as the precision stores
 * them. Device memory too if on_device is 1. Returns 0, or -1 with a
 * line in why and nothing taken.
 */
int lab_buffers_new(struct lab_buffers *b, struct course_shape shape,
                    const struct lab_layout *layout, uint64_t seed,
                    int on_device, enum lab_precision precision, char *why,
                    size_t size);

void lab_buffers_free(struct lab_buffers *b);

/* Elements of the red zone behind the host's matrix. */
size_t lab_buffers_margin(const struct lab_buffers *b, int matrix);

/* Before a run: A and B as they were filled, C NaN, and the red zones, in host
   or in device memory. Returns 0, or -1 with a line in why. */
int lab_buffers_reset(struct lab_buffers *b, enum course_kind kind, char *why,
                      size_t size);

/* What an entry of that kind is called with. */
struct lab_matmul lab_buffers_product(const struct lab_buffers *b,
                                      enum course_kind kind);

/* After a run on the device: copies all of it to host memory. Returns 0, or -1
   with a line in why. */
int lab_buffers_fetch(struct lab_buffers *b, char *why, size_t size);

/* Copies another C, without a red zone, from device to host memory. Returns 0,
   or -1 with a line in why. */
int lab_buffers_fetch_other(struct lab_buffers *b, const void *C, char *why,
                            size_t size);

/* Are A, B and the red zones in host memory as lab_buffers_reset left them?
   1, or 0 with a line for the student in what. */
int lab_buffers_intact(const struct lab_buffers *b, enum course_kind kind,
                       char *what, size_t size);

/* Copies A and B to the device and C back, as timing the copies wants it.
   Returns 0, or -1 with a line in why. */
int lab_buffers_copy(struct lab_buffers *b, char *why, size_t size);

#endif /* LAB_BUFFERS_H */

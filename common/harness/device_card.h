/*
 * device_card.h: on which device does this program run, and what can it do?
 */
#ifndef LAB_DEVICE_CARD_H
#define LAB_DEVICE_CARD_H

#include <stddef.h>
#include <stdio.h>

#include "course/index.h"
#include "lab.h"

struct lab_device {
    struct cudaDeviceProp prop;
    char label[112]; /* "cpu (CPU device, 2 cores)", "gpu (NVIDIA H200)" */
};

/* Finds the device. Returns 0, or -1 with a line in why. */
int lab_device_open(struct lab_device *device, char *why, size_t size);

/* Has this machine the memory for a product of that shape? Returns 0, or -1
   with a line in why. */
int lab_device_check_memory(const struct lab_device *device,
                            struct course_shape shape, char *why, size_t size);

/* Prints what the device is, for a report. */
void lab_device_print(FILE *stream, const struct lab_device *device);

/* Replaces path by the same as CSV: what, value, unit. Returns 0, or -1 with a
   line in why; then the file is as it was. */
int lab_device_write_csv(const char *path, const struct lab_device *device,
                         char *why, size_t size);

#endif /* LAB_DEVICE_CARD_H */

/*
 * origin.h: what made a result, besides the lab and the chip?
 *
 * Each row of a CSV file names these, so that a figure can be traced, and a row
 * that is there already is known again.
 */
#ifndef LAB_ORIGIN_H
#define LAB_ORIGIN_H

#ifdef __cplusplus
extern "C" {
#endif

struct lab_origin {
    char driver[64];   /* "580.159.04"; "" on the CPU device */
    char compiler[64]; /* of the kernels: "nvcc 13.0.88", "gcc 12.2.0" */
    char program[24];  /* a hash of the program's file: the same build has the
                          same; "" if the file cannot be read */
    char date[24];     /* in UTC: "2026-11-21T09:33:00Z" */
};

void lab_origin_read(struct lab_origin *origin);

/* Of lab_origin; which one is linked depends on the device. */
const char *lab_origin_compiler(void);
void lab_origin_driver(char *text, unsigned size);

/* 0 if the driver and the GPU can run what this program was built for, else -1
   with a line in why. */
int lab_origin_fits(char *why, unsigned size);

#ifdef __cplusplus
}
#endif

#endif /* LAB_ORIGIN_H */

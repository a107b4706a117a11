/*
 * chip.h: what can a GPU do?
 *
 * A chip is a CSV file with the columns key, value, unit and source: those in
 * common/chip/chips, or one that `make bench WHAT=ceilings` wrote on a GPU.
 * What nobody has measured is 0, and limits nothing.
 */
#ifndef CHIP_CHIP_H
#define CHIP_CHIP_H

#include <stddef.h>

enum chip_key {
    /* 1: by `make bench WHAT=ceilings`; 0: speeds are only "at most" */
    CHIP_MEASURED,
    /* What each file must have: */
    CHIP_MULTIPROCESSORS,
    CHIP_LANES,     /* multiply-adds of a multiprocessor in a cycle */
    CHIP_CLOCK,     /* MHz, while all multiprocessors multiply and add */
    CHIP_DRAM,      /* GB/s, read and written */
    CHIP_REGISTERS, /* 32-bit ones, of a multiprocessor */
    CHIP_SHARED,    /* bytes, likewise */
    CHIP_WARPS,     /* that it can hold */
    CHIP_BLOCKS,    /* likewise */
    /* What only a measurement tells: */
    CHIP_L2,           /* GB/s, read by all multiprocessors */
    CHIP_L2_SIZE,      /* bytes */
    CHIP_DRAM_LATENCY, /* cycles */
    CHIP_L2_LATENCY,
    CHIP_L1_LATENCY,
    CHIP_SHARED_LATENCY,
    CHIP_BARRIER, /* cycles, __syncthreads() of a block that is ready */
    CHIP_LAUNCH,  /* us, of a kernel that does nothing */
    CHIP_KEYS
};

struct chip {
    char name[64];
    double value[CHIP_KEYS];
};

/* Reads the file. Returns 0, or -1 with a line in why: a key that is not there
   is an error. */
int chip_read(const char *path, struct chip *chip, char *why, size_t size);

#endif /* CHIP_CHIP_H */

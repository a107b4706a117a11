/*
 * chip.h: what does the model of common/chip want to know of this GPU?
 */
#ifndef EXPERIMENTS_CHIP_H
#define EXPERIMENTS_CHIP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Each is 0 if it could not be measured. */
struct chip_limits {
    double clock_mhz; /* while all multiprocessors multiply and add, a second */
    double l2_gbytes; /* a second, read by all multiprocessors */
    /* Cycles: of one load after the other, each from the address that the one
       before has loaded; of a barrier of 256 threads. */
    double dram_latency, l2_latency, l1_latency, shared_latency, barrier;
    double launch_us; /* of a kernel that does nothing, behind another one */
};

/* Returns 0, or -1 if a CUDA call failed. */
int chip_measure(struct chip_limits *limits);

#ifdef __cplusplus
}
#endif

#endif /* EXPERIMENTS_CHIP_H */

/*
 * bandwidth.h: how fast can this GPU move data at all?
 */
#ifndef EXPERIMENTS_BANDWIDTH_H
#define EXPERIMENTS_BANDWIDTH_H

#ifdef __cplusplus
extern "C" {
#endif

/* What is measured; bytes are counted as the kernel asks for them. */
enum bandwidth_kind {
    BANDWIDTH_COPY,  /* b[i] = a[i], arrays far larger than any cache:
                        read and written */
    BANDWIDTH_TRIAD, /* a[i] = b[i] + s * c[i], the same arrays: two read and
                        one written. J. D. McCalpin, STREAM benchmark, 1995 */
    BANDWIDTH_CACHE, /* each block reads 16 KB again and again, which stay in
                        its multiprocessor's first-level cache */
    BANDWIDTH_KINDS
};

/*
 * The best of 20 runs, in GB/s (10^9 bytes). Returns 0 if it cannot be
 * measured, for want of memory or because a CUDA call failed.
 */
double bandwidth_measure(enum bandwidth_kind kind);

#ifdef __cplusplus
}
#endif

#endif /* EXPERIMENTS_BANDWIDTH_H */

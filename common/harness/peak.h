/*
 * peak.h: how fast can this device multiply and add at all?
 */
#ifndef LAB_PEAK_H
#define LAB_PEAK_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Measures single-precision multiply-adds on registers alone, in GFLOP/s, two
 * operations each. On an H200 at 1980 MHz that is 63,630: 95 % of what 132
 * multiprocessors x 128 lanes x 2 x clock promise, and far more than a kernel
 * of the labs reaches. *clock_mhz is the clock of the multiprocessors during
 * the measurement, 0 if unknown. Returns 0 if the peak cannot be measured, as
 * on the CPU device.
 */
double lab_peak_gflops(int *clock_mhz);

#ifdef __cplusplus
}
#endif

#endif /* LAB_PEAK_H */

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
 * operations each. No kernel of a lab can be faster. *clock_mhz is the clock
 * of the multiprocessors during the measurement, 0 if unknown. Returns 0 if
 * the peak cannot be measured, as on the CPU device.
 */
double lab_peak_gflops(int *clock_mhz);

#ifdef __cplusplus
}
#endif

#endif /* LAB_PEAK_H */

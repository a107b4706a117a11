/*
 * nvml.h: what does NVIDIA's management library know about this GPU?
 *
 * The library comes with the driver and is opened at run time. Where it is
 * missing, nothing is known. Names and values: NVML API Reference.
 */
#ifndef LAB_NVML_H
#define LAB_NVML_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The clock of the multiprocessors now, in MHz; 0 if unknown. */
int lab_nvml_clock(int device);

/* Writes the driver's version, "580.159.04"; "" if unknown. */
void lab_nvml_driver(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* LAB_NVML_H */

/*
 * device_kind.h: in what does the CPU device differ from a GPU, for a program
 * that otherwise drives both through the CUDA runtime API?
 *
 * device_kind_cpu.c or device_kind_gpu.c is linked. Of peak.h and origin.h the
 * GPU has files of its own, for nvcc.
 */
#ifndef LAB_DEVICE_KIND_H
#define LAB_DEVICE_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "simt/simt.h"

/* "cpu" or "gpu". */
const char *lab_device_kind(void);
int lab_device_is_gpu(void);

/*
 * Elements of NaN that follow each matrix in device memory. 0 on the CPU
 * device: it guards the end of each allocation itself, to the byte, and a red
 * zone would hide a read past the end from it.
 */
size_t lab_device_red_zone(void);

/* Bytes of the GPU's L2 cache; 0: not a GPU, or not known. */
size_t lab_device_l2_bytes(void);

/* OS threads that run blocks (0: one for each core), the seed of the order in
   which threads take turns, and the compute capability whose rule of the banks
   counts: 1, or 9 for today's. Findings of the device are not printed by
   itself, but left to the harness. Nothing on a GPU. */
void lab_device_settings(int threads, uint64_t seed,
                         int compute_capability_major);

/* The lab's host code is about to run, and may take so many seconds of the
   processor's time; 0: it has come back. The CPU device ends the program, with
   a message, where it does not. Nothing on a GPU. */
void lab_device_watch(int seconds);

/* Names an array in device memory for the device's reports. */
void lab_device_name_array(const void *pointer, const char *name);

/* Lets the device forget that the array was written: what is in it now is
   nobody's value. */
void lab_device_unwritten(const void *pointer);

/* 1 if this program can count. */
int lab_can_count(void);

/* Forgets what was counted. */
void lab_count_begin(void);

/* Tells what was counted since; valid until the next launch. Returns 0, or -1
   with errno (ENOTSUP: this program cannot count). */
int lab_count_end(struct simt_count *count);

/* What the checks have seen and found since lab_count_begin, likewise. */
void lab_findings_read(struct simt_findings *findings);

/* Runs it: where each of the first threads of a block loads from shared memory
   first, in bytes from the array's begin, and the line of the last of these
   loads. Returns 1, or 0 if a thread makes none; always 0 on a GPU, which tells
   nobody. */
struct lab_place;
int lab_device_first_loads(void (*run)(void *argument), void *argument,
                           int threads, long *offset, struct lab_place *line);

/* What only a device can do that records each access and call: the modes of
   program.h, and lab_call_check_run. NULL on a GPU, which tells nobody who
   loads what. */
struct lab_program;
struct lab_call_check;
struct course_entry;

extern const struct lab_recording {
    int (*map)(struct lab_program *program);
    int (*why)(struct lab_program *program);
    int (*tried)(struct lab_program *program);
    int (*check_calls)(const struct course_entry *entry,
                       struct lab_call_check *check, char *why, size_t size);
} lab_recording;

#endif /* LAB_DEVICE_KIND_H */

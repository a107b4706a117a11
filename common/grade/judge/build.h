/*
 * build.h: is a source a program, and where is it?
 */
#ifndef GRADE_BUILD_H
#define GRADE_BUILD_H

#include "grade/judge/verdict.h"

/* What a box has here. */
enum {
    GRADE_CPU_SECONDS = 10,
    GRADE_WALL_SECONDS = 60 /* many times that, for a machine that is busy */
};

/* Killed although no limit was reached, or out of time although it did not get
   the processor for as long as it may: nothing that a lab may call waits. And
   what is said then. */
int grade_is_machines_fault(const struct grade_box_outcome *box);
extern const char grade_machines_fault[];

struct grade_program {
    enum grade_verdict verdict; /* PASS: there is one; COMPILE, REJECTED; or
                                   GRADER_ERROR */
    char text[4000];            /* why there is none, for the student */
    char name[80];              /* "tiling.cu": what messages call the source */
};

/* Vets the source, compiles it in a box and puts it into setting->work, as the
   file "program". */
void grade_build(const struct grade_setting *setting,
                 const struct course_lab *lab, const char *source, size_t size,
                 struct grade_program *program);

/* Copies a text of untrusted bytes: what is no printable ASCII and no line feed
   becomes a question mark; at most `lines` lines. */
void grade_plain_text(const char *bytes, size_t count, int lines, char *text,
                      size_t size);

#endif /* GRADE_BUILD_H */

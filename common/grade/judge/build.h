/*
 * build.h: is a source a program, and where is it?
 */
#ifndef GRADE_BUILD_H
#define GRADE_BUILD_H

#include "grade/judge/verdict.h"

struct grade_program {
    enum grade_verdict verdict; /* PASS: there is one; COMPILE, REJECTED; or
                                   GRADER_ERROR */
    char text[4000];            /* why there is none, for the student */
    char name[80];              /* "tiling.cu": what messages call the source */
    char folder[4096];          /* that holds it, as the file "program" */
};

/* Vets the source, compiles it in a box and puts the program into a folder of
   setting->work. */
void grade_build(const struct grade_setting *setting,
                 const struct course_lab *lab, const char *source, size_t size,
                 struct grade_program *program);

/* Removes the folder and what is in it. */
void grade_program_remove(const struct grade_program *program);

/* Writes a file that any user may read and run, since a box's is another, into
   `folder`, which it makes, with the folders of the file's name. Returns 0, or
   -1 with errno. */
int grade_write_public(const char *folder, const char *name, const char *bytes,
                       size_t size);

/* Copies a text of untrusted bytes: what is no printable ASCII and no line feed
   becomes a question mark; at most `lines` lines. */
void grade_plain_text(const char *bytes, size_t count, int lines, char *text,
                      size_t size);

#endif /* GRADE_BUILD_H */

/*
 * info.h: what does a lab's program know about its lab?
 *
 * What labs/INDEX and labs/TODOS say of it, and which TODOs its source still
 * holds. All is read when the program begins, from the tree in which make built
 * it: build/cpu/labs/03_tiling is the program of labs/03_tiling in the nearest
 * folder above it that has a labs/INDEX, wherever it is started.
 */
#ifndef LAB_INFO_H
#define LAB_INFO_H

#include "course/index.h"
#include "course/todo.h"
#include "problem/problem.h"

struct lab_info {
    struct course_index index;
    struct course_lab *lab; /* of the index; its functions are bound */
    const struct lab_problem *problem; /* the lab's */
    char source[128]; /* "labs/03_tiling/tiling.cu", from the tree's root */
    int is_solution;  /* the source stands in solutions/ */
    struct course_shape shape[2 * COURSE_SHAPES]; /* tested sizes */
    int shapes;
    struct course_todos open; /* TODOs that the source holds untouched */
    size_t written;           /* how many it does not */
    int *own;                 /* lines that the skeleton has not */
    size_t owns;              /* how many */
    int lacks;                /* lines that it has */
};

/* That of this program, once lab_info_read is done. */
extern struct lab_info lab_info;

/* Fills lab_info. Returns 0, or -1 with a line in why. */
int lab_info_read(char *why, size_t size);

/* Fills info for the program at an absolute path, whose functions it does not
   bind. Returns 0, or -1 with a line in why and nothing to free. */
int lab_info_find(const char *program, struct lab_info *info, char *why,
                  size_t size);

/* 1 if the student has written the line of that file: it is the lab's source,
   and the line is none of its skeleton's. */
int lab_info_is_own(const char *file, int line);

/* 1 if the line of that file is the skeleton's, of which no line is missing. */
int lab_info_is_given(const char *file, int line);

/* Frees what info holds; all 0, it holds nothing. */
void lab_info_free(struct lab_info *info);

#endif /* LAB_INFO_H */

/*
 * names.h: do two names mean the same person, or the same lab?
 *
 * Systems write the name of a person in their own ways: an umlaut as one
 * character or as two, apostrophes left out, the family name first.
 */
#ifndef GRADE_NAMES_H
#define GRADE_NAMES_H

#include <stddef.h>
#include <stdio.h>

enum {
    GRADE_NAME = 256
};

/*
 * Writes the name without its accents and apostrophes, in small letters, its
 * words in the order of the alphabet: "Zoe O'Brien" and "OBrien, Zoë" are both
 * "obrien zoe". Of a name that is too long, the beginning.
 */
void grade_name_folded(const char *name, char folded[GRADE_NAME]);

/* Is it "Lab 04", "lab 4: coalescing", "04_coalescing" or "Coalescing", for the
   lab 04_coalescing? */
int grade_name_is_lab(const char *title, const char *lab);

/*
 * How well does the path of a source say that it is this lab's? 0: not at all;
 * 1: it is one of the places of intake.h; 2: by the file's name as the course
 * writes it; 3: by a name like it, as
 * Tiling.cu, "tiling (1).cu", tiling-1.cu or lab03.cu.
 */
int grade_name_of_source(const char *path, const char *lab);

/* Is it answers.txt, or a report as make report calls it, or a name like it, as
   above? */
int grade_name_of_answers(const char *path);
int grade_name_of_report(const char *path);

/* Names as a person reads them, one after the other: what stands before the
   first, commas, and, of more than `most`, how many more there are. */
struct grade_names {
    FILE *to;
    const char *before;
    size_t most, names; /* names: so far */
};
void grade_names_tell(struct grade_names *names, const char *name);
void grade_names_end(const struct grade_names *names, const char *behind);

/* Compares two strings, or two structs whose first member is one. */
int grade_names_compare(const void *a, const void *b);

#endif /* GRADE_NAMES_H */

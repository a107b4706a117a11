/*
 * todo.h: which TODOs does a lab's source hold, and which are still open?
 *
 * A TODO is a comment such as
 *     TODO 3.1 (2 lines): copy one element of A to As[ty][tx].
 * What belongs to it is the code from the comment to the next TODO, or to the
 * end of the file. It is open while its comment stands and that code is still
 * the skeleton's; or begins with the skeleton's, if the comment of the next one
 * is deleted, whose code then follows. Code is compared without its comments
 * and white space, by a 64-bit FNV-1a hash (Fowler, Noll and Vo).
 *
 * labs/TODOS has the hashes of the skeletons, in the form of base/record.h:
 *     lab: 03_tiling
 *     lines: 61ccbd5f 13e4f4d7 ...
 *     3.1: cbf29ce484222325
 */
#ifndef COURSE_TODO_H
#define COURSE_TODO_H

#include <stddef.h>
#include <stdint.h>

#include "base/record.h"

struct course_todo {
    int lab, number;     /* 3 and 1 */
    int lines;           /* asked for; 0 if the comment does not say it */
    int line;            /* where the comment begins, from 1 */
    const char *comment; /* where the comment begins in the source */
    const char *code;    /* and where it ends */
    const char *end;     /* where the code that belongs to it ends */
    int next[2];         /* lab and number of the TODO that is there; 0: none */
    char *text;          /* the sentence on one line, without "TODO ...: " */
    uint64_t hash;       /* of the code that belongs to it */
};

struct course_todos {
    struct course_todo *todo; /* in the order of the source */
    size_t count;
};

/*
 * Finds all TODOs of a source. Their pointers stay valid as long as source
 * does. Returns 0, or -1 with errno ENOMEM.
 */
int course_todos_find(const char *source, struct course_todos *todos);

void course_todos_free(struct course_todos *todos);

/*
 * The record of labs/TODOS for a lab's skeleton, its source, with the hashes of
 * its lines (own.h), of which the solution, or NULL, says which are in the
 * place of a student's. The caller frees the text. Returns NULL with errno
 * ENOMEM.
 */
char *course_todos_list(const char *lab, const char *source,
                        const char *solution, const struct course_todos *todos);

/* Reads labs/TODOS, for base_records_free. Returns 0, or -1 with a line in
   why. */
int course_todos_read_list(const char *path, struct base_records *list,
                           char *why, size_t size);

/* How many TODOs the list has of a lab. */
size_t course_todos_listed(const struct base_records *list, const char *lab);

/* The hashes of the lines of its skeleton; "": it has none. */
const char *course_todos_lines(const struct base_records *list,
                               const char *lab);

/* Is this TODO as untouched as the list has it? */
int course_todo_is_open(const struct base_records *list, const char *lab,
                        const struct course_todo *todo);

/* Drops those that are not. */
void course_todos_keep_open(const struct base_records *list, const char *lab,
                            struct course_todos *todos);

/* Of those that are open, and of all that the lab has, the one to go on with:
   the first behind the last that is written, else the first. NULL: none is
   open. */
const struct course_todo *course_todos_next(const struct course_todos *open,
                                            size_t all);

#endif /* COURSE_TODO_H */

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
 */
#ifndef COURSE_TODO_H
#define COURSE_TODO_H

#include <stddef.h>
#include <stdint.h>

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
    int count;
};

/*
 * The first comment at or after text, with *end behind it; the end of the text
 * (a NUL) if there is none. Strings and character constants are no comments.
 */
const char *course_comment(const char *text, const char **end);

/*
 * Finds all TODOs of a source. Their pointers stay valid as long as source
 * does. Returns 0, or -1 with errno ENOMEM.
 */
int course_todos_find(const char *source, struct course_todos *todos);

void course_todos_free(struct course_todos *todos);

/*
 * The lines of labs/TODOS for a lab's skeleton, "03_tiling 3.1 HASH" each. The
 * caller frees the text. Returns NULL with errno ENOMEM.
 */
char *course_todos_list(const char *lab, const struct course_todos *todos);

/* Is this TODO as untouched as the text of labs/TODOS has it? */
int course_todo_is_open(const char *list, const char *lab,
                        const struct course_todo *todo);

#endif /* COURSE_TODO_H */

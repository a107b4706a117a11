/*
 * gather.h: what lies in a student's folder, wherever in it?
 *
 * Folders that are a program's own, or hold what the course gave, are passed
 * over: names with a dot first, build, common, solutions, tests and the like.
 */
#ifndef GRADE_GATHER_H
#define GRADE_GATHER_H

#include "grade/intake/archive.h"

/* Opens the folder at a path below another one, by each name of it, and follows
   no link. Returns a descriptor, or -1 with errno. */
int grade_open_below(int folder, const char *path);

/*
 * Adds what lies at `path` below folder: a folder's files, an archive's, or a
 * file that was `called` so (NULL: it is a folder or an archive). Returns 0, or
 * -1 without memory.
 */
int grade_gather(struct grade_items *items, int folder, const char *path,
                 const char *called);

/* The same of what the archive of all holds at that path. */
int grade_gather_archived(struct grade_items *items,
                          const struct grade_items *archive, const char *path,
                          const char *called);

#endif /* GRADE_GATHER_H */

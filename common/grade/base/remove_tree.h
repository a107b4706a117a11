/*
 * remove_tree.h: how is a folder removed with all that is in it?
 *
 * Without following a symbolic link, and without a name being a path.
 */
#ifndef GRADE_REMOVE_TREE_H
#define GRADE_REMOVE_TREE_H

/* Removes name below the folder `at` (or AT_FDCWD). Returns 0, or -1 with errno
   of the first thing that could not be removed; the rest is gone then. */
int grade_remove_tree(int at, const char *name);

#endif /* GRADE_REMOVE_TREE_H */

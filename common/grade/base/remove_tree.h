/* remove_tree.h: how is a folder removed with all that is in it? */
#ifndef GRADE_REMOVE_TREE_H
#define GRADE_REMOVE_TREE_H

/* Removes what lies at path, and follows no symbolic link. Returns 0, or -1
   with errno if something is left; all that could be removed is gone then. */
int grade_remove_tree(const char *path);

#endif /* GRADE_REMOVE_TREE_H */

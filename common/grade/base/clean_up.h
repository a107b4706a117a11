/* clean_up.h: how is all removed that a run has made, and all ended? */
#ifndef GRADE_CLEAN_UP_H
#define GRADE_CLEAN_UP_H

/* Kills the children of this process, a thread of its own, with SIGKILL; those
   that become its children by that are left for the next call. Returns how many
   there were. */
int grade_kill_children(void);

/* Removes what lies at path, and follows no symbolic link. Returns 0, or -1
   with errno if something is left; all that could be removed is gone then. */
int grade_remove_tree(const char *path);

#endif /* GRADE_CLEAN_UP_H */

/* children.h: how does a process end all that it has started? */
#ifndef GRADE_CHILDREN_H
#define GRADE_CHILDREN_H

/* Kills the children of this process, a thread of its own, with SIGKILL; those
   that become its children by that are left for the next call. Returns how many
   there were. */
int grade_kill_children(void);

#endif /* GRADE_CHILDREN_H */

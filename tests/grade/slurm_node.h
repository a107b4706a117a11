/*
 * slurm_node.h: a Slurm of one node, for tests, which nobody else sees.
 *
 * Debian's slurm-wlm and munge, with a key, a configuration and a state of their
 * own below a folder; all of it listens on 127.0.0.1 alone. As root or as any
 * other user. The daemons are children of the test and end with it.
 */
#ifndef TESTS_GRADE_SLURM_NODE_H
#define TESTS_GRADE_SLURM_NODE_H

#include <sys/types.h>

enum slurm_daemon {
    SLURM_MUNGED,
    SLURM_CONTROLLER,
    SLURM_NODE,
    SLURM_DAEMONS
};

struct slurm_node {
    char path[200];
    pid_t daemon[SLURM_DAEMONS];
};

/* NULL if Slurm is installed; else what is missing. */
const char *slurm_node_lacks(void);

/* Makes the folder and starts all daemons; sets SLURM_CONF. Waits until the
   node takes jobs. Returns 0, or -1 after saying why. */
int slurm_node_start(struct slurm_node *node, const char *path);

/* Ends a daemon by SIGKILL, and starts it again. */
void slurm_node_kill(struct slurm_node *node, enum slurm_daemon daemon);
int slurm_node_again(struct slurm_node *node, enum slurm_daemon daemon);

/* Makes the node take jobs if it was drained, as after a daemon was killed.
   Returns 1 if it takes jobs. */
int slurm_node_resume(void);

/* Cancels all jobs, ends the daemons and what they left. */
void slurm_node_stop(struct slurm_node *node);

#endif /* TESTS_GRADE_SLURM_NODE_H */

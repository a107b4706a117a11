/*
 * cluster.h: how does a cluster grade a class, so that nothing is lost?
 *
 * Slurm runs an array of tasks, each of which is this same grader, called with
 * the same options and a share of the labs (share.h). The store is how they
 * answer: a task grades what is not there, and writes it as always. This side
 * waits until all results are there. When an array has ended, whatever became
 * of it, what is missing goes into another one.
 *
 * In the store's folder, slurm/NAME holds the manifest of the array NAME, and
 * slurm/NAME-N.log what its task N had to say. They are removed when all went
 * well.
 */
#ifndef GRADE_CLUSTER_H
#define GRADE_CLUSTER_H

#include <stddef.h>

#include "grade/store.h"

enum grade_cluster_answer {
    GRADE_NO_ANSWER,
    GRADE_ANSWER,
    GRADE_POOR_ANSWER /* a GRADER_ERROR: another task may do better */
};

struct grade_cluster {
    const char *partition, *account; /* NULL: the site's */
    int jobs;                        /* tasks at a time; 0: all that Slurm has
                                        room for */
    const char *const *options;      /* of the grader, for each task */
};

/* What is to be done, as in engine.h. */
struct grade_cluster_work {
    const struct grade_cluster *cluster;
    const struct grade_store *store;
    const char *build; /* of all that grades: grade_build_digest */
    size_t tasks;
    void *context;
    int quiet;

    /* 1 if a task must be done, 0 if there is nothing to do for it, -1 to end
       everything. */
    int (*prepare)(void *context, size_t task);

    /* A task's student and lab. */
    void (*name)(void *context, size_t task, const char **student,
                 const char **lab);

    enum grade_cluster_answer (*look)(void *context, size_t task);

    /* Takes the answer; where trouble is not "", there is none to be had. 0, or
       -1 to end everything. */
    int (*done)(void *context, size_t task, const char *trouble);
};

/* How a task of an array ends that could not begin its work: another node may
   do better. The first two are slurm_task.sh's. */
enum {
    GRADE_TASK_NO_COURSE = 66,
    GRADE_TASK_NO_MANIFEST = 67,
    GRADE_TASK_NO_CONTROL = 70,
    GRADE_TASK_NO_ISOLATION = 78
};

/*
 * Does it. Returns 0; -1 with a line in why, or if prepare or done said so; or
 * the number of the signal that came meanwhile. Nothing of an array runs on
 * after this, as far as Slurm can be reached.
 */
int grade_cluster_run(const struct grade_cluster_work *work, char *why,
                      size_t size);

#endif /* GRADE_CLUSTER_H */

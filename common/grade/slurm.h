/*
 * slurm.h: how is Slurm asked for an array of tasks, and how far is it?
 *
 * By its own programs (sbatch, squeue, scancel, sinfo), which are started
 * without a shell. An array is known by its job's name, which is drawn at
 * random: its number may not be known, as when the grader was killed.
 */
#ifndef GRADE_SLURM_H
#define GRADE_SLURM_H

#include <stddef.h>

struct grade_slurm_array {
    const char *name;
    const char *partition, *account; /* NULL: the site's */
    const char *without;             /* nodes, as "a,b"; "": none */
    int tasks;                       /* numbered from 0 */
    int at_a_time;                   /* 0: as many as there is room for */
    const char *script;
    const char *const *arguments; /* NULL behind the last */
};

/* What became of a task. */
struct grade_slurm_task {
    char state[24];   /* "PENDING", "CANCELLED", ...; "": Slurm has forgotten */
    int exit_code;    /* -1: it was ended otherwise */
    char node[256];   /* "n/a" before it runs */
    char reason[128]; /* why it waits, or ended */
};

struct grade_slurm_state {
    int alive;        /* tasks that run or wait */
    int running;      /* of these */
    char reason[128]; /* why one of them waits; "" */
};

/* Are Slurm's programs in PATH? Returns 0, or -1 with a line in why. */
int grade_slurm_find(char *why, size_t size);

/* Processors of the partition, NULL: of the site's default one. 0: nobody
   knows. */
int grade_slurm_processors(const char *partition);

/* Submits the array. Returns 0 with its number as text, or -1 with Slurm's
   words in why. */
int grade_slurm_submit(const struct grade_slurm_array *array, char number[24],
                       char *why, size_t size);

/* Fills *state, and task[0] to task[tasks - 1]. Returns 0, or -1 with Slurm's
   words in why. */
int grade_slurm_look(const char *name, struct grade_slurm_state *state,
                     struct grade_slurm_task *task, int tasks, char *why,
                     size_t size);

/* Cancels the array, if it is there. Returns 0, or -1 with Slurm's words. */
int grade_slurm_cancel(const char *name, char *why, size_t size);

#endif /* GRADE_SLURM_H */

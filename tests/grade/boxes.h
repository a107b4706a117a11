/*
 * boxes.h: runs the programs of boxed/ in boxes of every isolation, as root and
 * as an ordinary user.
 */
#ifndef TESTS_GRADE_BOXES_H
#define TESTS_GRADE_BOXES_H

#include "../testing.h"

#include <stddef.h>
#include <sys/types.h>

#include "grade/box/box.h"

/* Where a test runs: its state says in which of them. */
enum {
    ONCE = 0, /* in none, once */
    BOXED = 1,
    CONTAINER = 2,
    UNSAFE = 4,
    EVERYWHERE = BOXED | CONTAINER | UNSAFE
};

/* A test that runs in each of these, as TEST of testing.h. */
#define BOX_TEST(name, where)                                   \
    static void name(void **state);                             \
    __attribute__((constructor)) static void name##_joins(void) \
    {                                                           \
        boxes_add(#name, name, where);                          \
    }                                                           \
    static void name(__attribute__((unused)) void **state)
void boxes_add(const char *name, CMUnitTestFunction test, int where);

/*
 * A job for a program of boxed/, of the isolation that *state points to: 4
 * processes, 256 MiB, 10 s, an answer of up to 64 KiB. Arguments may be NULL.
 * Skips the test, saying why, if no such box can start here.
 */
struct grade_box_job boxes_job(void *const *state, const char *program,
                               const char *argument, const char *other);

/* The folder of the programs. */
const char *boxes_folder(void);

/* Runs it, with more time where it did not start in the time that it was given.
   Fails the test if it did not start. What comes is kept until the next run. */
struct grade_box_outcome boxes_run(const struct grade_box_job *job);

/* How many processes of this name are there on this machine? */
int boxes_alive(const char *name);

/* The folder in which such a process works. Returns 0, or -1 without one. */
int boxes_folder_of(const char *name, char *folder, size_t size);

/* Waits up to a minute until there are `count` of them; then how many there
   are. */
int boxes_wait(const char *name, int count);

/* Waits up to a minute until nothing has this path. Returns -1, or 0 if
   something still has. */
int boxes_wait_gone(const char *path);

/* A name for processes that no other test uses, with at most 15 bytes. */
const char *boxes_name(void);

/* Such a program runs its tests as the user who started it and, if that is
   root, once more as nobody. */

#endif /* TESTS_GRADE_BOXES_H */

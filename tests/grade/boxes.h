/*
 * boxes.h: runs the programs of boxed/ in boxes of every isolation, as root and
 * as an ordinary user.
 */
#ifndef TESTS_GRADE_BOXES_H
#define TESTS_GRADE_BOXES_H

#include <stddef.h>
#include <sys/types.h>

#include "grade/box/box.h"

/* For the state of a test: where it runs. */
extern const enum grade_isolation boxes_boxed, boxes_container, boxes_unsafe;

/* Entries of a table of tests, with their isolation in their name. */
#define BOXED(test)                                                     \
    {                                                                   \
        "boxed: " #test, test, NULL, NULL, (void *)(size_t)&boxes_boxed \
    }
#define IN_CONTAINER(test)                     \
    {                                          \
        "container: " #test, test, NULL, NULL, \
            (void *)(size_t)&boxes_container   \
    }
#define UNSAFE(test)                                                      \
    {                                                                     \
        "unsafe: " #test, test, NULL, NULL, (void *)(size_t)&boxes_unsafe \
    }
#define EVERYWHERE(test) BOXED(test), IN_CONTAINER(test), UNSAFE(test)

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
   Fails the test if it did not start. grade_box_free afterwards. */
void boxes_run(const struct grade_box_job *job,
               struct grade_box_outcome *outcome);

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

struct CMUnitTest;

/*
 * A test's main: runs its tests as the user who started it and, if that is
 * root, once more as nobody. Returns how many failed.
 */
int boxes_main(int argc, char **argv, const struct CMUnitTest *tests,
               size_t count);

#endif /* TESTS_GRADE_BOXES_H */

/*
 * slot.h: where does one of several graders at work put its files?
 *
 * Into a folder of its slot's own, which only the user of the slot's boxes may
 * read beside the grader itself.
 */
#ifndef GRADE_SLOT_H
#define GRADE_SLOT_H

#include <stddef.h>

/*
 * Takes slots of this machine that no other grader has: their numbers in
 * slot[0] to slot[slots - 1]. A box's user is that of its slot (box.h), and
 * when a box ends all of its user's processes are killed: two graders with one
 * slot would kill each other's. Only root has such users; for anybody else they
 * are 0, 1, ... Returns a descriptor that holds them for as long as it is open,
 * here or in a child process; or -1 with a line in why.
 */
int grade_slots_take(int *slot, int slots, char *why, size_t size);

/* Makes the folder anew below work: its path, for free(). NULL with errno. */
char *grade_slot_begin(const char *work, int slot);

#endif /* GRADE_SLOT_H */

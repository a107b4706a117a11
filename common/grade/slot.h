/*
 * slot.h: where does one of several graders at work put its files?
 *
 * Into a folder of its slot's own, which only the user of the slot's boxes may
 * enter beside the grader itself.
 */
#ifndef GRADE_SLOT_H
#define GRADE_SLOT_H

/* Makes the folder anew below work: its path, for grade_slot_end. NULL with
   errno. */
char *grade_slot_begin(const char *work, int slot);

/* Removes it with all that is in it, and frees the path. */
void grade_slot_end(char *folder);

#endif /* GRADE_SLOT_H */

/*
 * record.h: how does a result lie on the disk?
 *
 * As a CSV file for a student's lab, with the key that it was made for
 * (store.h). Numbers read back as they were.
 */
#ifndef GRADE_RECORD_H
#define GRADE_RECORD_H

#include "grade/base/result.h"

enum {
    GRADE_TEXT_LONGEST = 8192 /* bytes; of each text the rest is left out, so
                                 that no record grows beyond all bounds */
};

/* The text of the file, for free(); NULL with errno ENOMEM. Texts of the result
   are cleaned of what acts on a terminal (text.h). */
char *grade_record_write(const struct grade_result *result, const char *key,
                         const char *student);

/*
 * Reads such a text. Returns 1 and fills *result if it is a whole record with
 * this key; 0 if it is not, or without memory (base/memory.h).
 */
int grade_record_read(const char *text, const char *key,
                      struct grade_result *result);

#endif /* GRADE_RECORD_H */

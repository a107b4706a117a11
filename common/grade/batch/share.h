/*
 * share.h: which labs of which students does a share of a class have?
 *
 * A cluster grades a class by shares, 1/n to n/n, side by side. Each
 * student's lab is in one of them, whatever else is in the class.
 */
#ifndef GRADE_SHARE_H
#define GRADE_SHARE_H

struct grade_share {
    int number, of; /* 1 <= number <= of; of 0: the whole class */
};

enum {
    GRADE_SHARES = 100000 /* the most */
};

/* Reads "2/8". Returns 0, or -1 if it is no share. */
int grade_share_read(struct grade_share *share, const char *text);

/* Is this student's lab in it? */
int grade_share_has(const struct grade_share *share, const char *student,
                    const char *lab);

#endif /* GRADE_SHARE_H */

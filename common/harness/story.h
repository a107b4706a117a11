/*
 * story.h: what is a student told of a wrong lab, how sure is it, and which
 * lines is it about?
 *
 * One story, whoever finds it: the checks of the device (why_run), the host's
 * calls (why_host), the stores (why_stores), an index (why_index) or a sum
 * (cause). Of several the one with the highest rank is told.
 */
#ifndef LAB_STORY_H
#define LAB_STORY_H

#include "simt/log.h"

enum {
    LAB_STORY_TEXT = 3000
};

enum lab_rank {
    LAB_NOTHING,
    LAB_WRONG,  /* it is wrong, and no more is known */
    LAB_SEEN,   /* what was seen to be wrong */
    LAB_FOUND,  /* what a check found */
    LAB_PROVEN, /* a cause, to the bit */
    LAB_ENDING  /* what ended the run, or makes its values chance */
};

/* A line of the source; the name of the file stays valid. */
struct lab_place {
    const char *file;
    int line; /* 0: none */
};

/* That of a structure of the device. */
#define LAB_PLACE(x) ((struct lab_place){(x)->file, (x)->line})

enum {
    LAB_LINES = 40
};

/* Lines of one file, each once. */
struct lab_lines {
    int at[LAB_LINES], count;
};

/* Begins as all 0. */
struct lab_story {
    enum lab_rank rank;
    char text[LAB_STORY_TEXT];
    int is_message; /* 1: text is a message of several lines, as it stands */
    int is_bound;   /* 1: the loops around the place may have wrong bounds */
    /* It is about this line; where what was taken there had been stored, or
       what else it has to do with; and where that had been fetched. */
    struct lab_place here, other, fetch;
    struct lab_lines beside; /* lines of the file of `here` to be shown too */
    char note[800];          /* a sentence behind all others; "" */
};

/* Begins the text anew, with its rank; goes on with it. What does not fit is
   cut. */
void __attribute__((format(printf, 3, 4)))
lab_tell(struct lab_story *story, enum lab_rank rank, const char *format, ...);
void __attribute__((format(printf, 2, 3)))
lab_say(struct lab_story *story, const char *format, ...);

/* Adds to the sentences behind all others. What does not fit is cut. */
void __attribute__((format(printf, 2, 3)))
lab_note(struct lab_story *story, const char *format, ...);

/* Adds the line, if it is one: at the end, if there is room, or first. */
void lab_lines_add(struct lab_lines *lines, int line);
void lab_lines_first(struct lab_lines *lines, int line);

/* "thread (1,0)", and its block if there are several; one of the last four that
   were asked for. */
const char *lab_thread_name(const struct simt_access *s);

/* The same at the beginning of a sentence: "Thread (1,0)". */
const char *lab_thread_begins(const struct simt_access *s);

/* Which of m, n and k has this length: its letter, or 0 if none, or several. */
char lab_side(int m, int n, int k, int length);

#endif /* LAB_STORY_H */

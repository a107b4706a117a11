/*
 * record.h: what does a small text file say, key by key?
 *
 * The one form of the files that people write for the course: labs/INDEX, a
 * rubric, plots/CAPTIONS, hints, questions and their answers.
 *
 *     # A comment: a line whose first character is #.
 *     advanced: 10
 *
 *     lab: 03_tiling
 *     title: Shared-memory tiles
 *     about: a value goes on in lines that
 *         begin with a blank
 *
 *     lab: 04_coalescing
 *
 * A key stands at the beginning of its line: letters, digits and . _ - up to a
 * colon. All behind it is the value, up to the next key. A record begins
 * wherever one key stands that the reader chooses, here lab; what comes before
 * the first is the head. Empty lines are for the eye. The text is UTF-8; line
 * ends may be those of Windows.
 */
#ifndef BASE_RECORD_H
#define BASE_RECORD_H

#include <stddef.h>

struct base_field {
    const char *key;
    char *value; /* without blanks and line ends around it; may be "" */
    int line;    /* of its key, from 1 */
};

struct base_record {
    const struct base_field *field;
    size_t fields; /* of a record the first is its leader */
};

enum base_record_kind {
    BASE_RECORD_WORDS, /* blanks and line ends of a value are single blanks */
    BASE_RECORD_TEXTS  /* a value keeps its lines as they stand, and a key is a
                          number such as 03.1: every other line behind the
                          first one belongs to a value, unless it begins with
                          ?, as questions among answers do */
};

/* A file, while it is read. */
struct base_records {
    /* What the caller sets. */
    const char *path;           /* what messages call it */
    const char *leader;         /* the key that begins a record, or NULL */
    enum base_record_kind kind; /* of its values */
    char *why;                  /* the first mistake: "path:3: what is wrong" */
    size_t why_size;

    /* What is read. */
    struct base_record head; /* the fields before the first record */
    struct base_record *record;
    size_t count;             /* of the records */
    struct base_field *field; /* all fields, in the order of the file; owned */
    char *text;               /* all strings point into it; owned */
};

/* Reads the file at path. Returns 0, or -1 with a message; then there is
   nothing to free. */
int base_records_read(struct base_records *file);

/* The same of a text in memory, which it takes over; NULL is told as want of
   memory. */
int base_records_parse(struct base_records *file, char *text);

void base_records_free(struct base_records *file);

/* Writes "path:line: " and the message into file->why. Returns -1. */
__attribute__((format(printf, 3, 4))) int
base_records_wrong(const struct base_records *file, int line,
                   const char *format, ...);

/* The record's first field of that key, or NULL. */
const struct base_field *base_record_find(const struct base_record *record,
                                          const char *key);

/* The record whose leader has that value, or NULL. */
const struct base_record *base_records_find(const struct base_records *file,
                                            const char *value);

/* --- records of known keys: record_fill.c --------------------------------- */

enum {
    BASE_NEEDED = 1, /* at least once */
    BASE_REPEATS = 2 /* more than once, too */
};

/* A key that a record may have, and where its value goes. */
struct base_key {
    const char *name;
    size_t at;  /* where, in the struct that is filled in */
    int stands; /* 0: once or not at all; or a sum of the above */

    /* What the value is; never "". The first of these that is set says it;
       without any it is a text, a const char * that file->text holds. */

    /* Any other, for that member. Returns 0, or -1 after base_records_wrong. */
    int (*read)(const struct base_records *file, const struct base_field *field,
                void *member);
    const char *choice; /* one of these words, as "no yes": an int, from 0 */
    int least, most;    /* a whole number from least to most: an int */
};

/*
 * Fills in a struct by the fields of a record, in their order. Returns 0, or -1
 * with a message in file->why for a key that is not in the list, stands twice
 * or is missing, or a value that is none.
 */
int base_record_fill(const struct base_records *file,
                     const struct base_record *record,
                     const struct base_key *key, size_t keys, void *to);

#endif /* BASE_RECORD_H */

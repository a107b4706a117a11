/* parts_add.h: how does a splitter tell of a part? */
#ifndef LANGUAGE_PARTS_ADD_H
#define LANGUAGE_PARTS_ADD_H

#include "language/parts.h"

/* The text that is split, line by line. */
struct language_lines {
    const char *text;
    size_t *begin; /* of each line, and behind the last */
    size_t count;
    struct language_parts *parts;
    int failed; /* memory */
};

/* Where the words of some lines stand, in bytes from the beginning of each. */
struct language_place {
    size_t from, to;     /* the lines, to is one behind the last */
    size_t start;        /* where the part begins in the first line */
    size_t head, column; /* where words begin in the first line, in others */
    size_t tail;         /* how many bytes stand behind the last word */
    int keeps_lines;     /* it is drawn; else its lines become one */
    int has_stars;       /* a further line begins like the last one, and not
                            with blanks */
};

/* Adds these lines, if they have words. */
void language_add_part(struct language_lines *lines,
                       const struct language_place *place);

/* Adds bytes [begin, end) of one line, of the whole text. */
void language_add_words(struct language_lines *lines, size_t line, size_t begin,
                        size_t end);

/* The same of a label, which fills its place with blanks. */
void language_add_label(struct language_lines *lines, size_t line, size_t begin,
                        size_t end);

/* Of Markdown; of hints and questions; of C. */
void language_split_markdown(struct language_lines *lines);
void language_split_keyed(struct language_lines *lines);
void language_split_comments(struct language_lines *lines);

/* The length of a line without blanks at its end. */
size_t language_line_length(const struct language_lines *lines, size_t line);

#endif /* LANGUAGE_PARTS_ADD_H */

/*
 * quote.h: does what a handout or a slide quotes still hold?
 *
 * A Markdown file quotes runs, in fenced blocks that begin with ```console. The
 * numbers that it quotes are numbers.awk's matter. README.md beside this file has
 * the rules for those who write.
 */
#ifndef TEACH_QUOTE_H
#define TEACH_QUOTE_H

#include <stddef.h>

/* What the comment above a block says of it. */
enum quote_kind {
    QUOTE_RUN,  /* nothing, or "of PROGRAM": run its commands */
    QUOTE_FROM, /* "from PATH": its lines stand in that file */
    QUOTE_NOT   /* "not run: REASON" */
};

/* A fenced block. The texts point into the document's, which is cut up. */
struct quote_block {
    enum quote_kind kind;
    const char *argument; /* PROGRAM, PATH or REASON; "" */
    const char *language; /* what follows the fence: "console" */
    char *text;           /* the lines between the fences */
    int line;             /* where its text begins, from 1 */
};

struct quote_document {
    struct quote_block *block;
    int blocks;
    char *file; /* what the blocks point into */
};

/*
 * Takes the text of a file apart. Returns 0, or -1 with "path:line: ..." in
 * why: a block that is not closed, a comment that no block follows.
 */
int quote_read(const char *path, const char *text,
               struct quote_document *document, char *why, size_t size);

void quote_free(struct quote_document *document);

/*
 * Is the expected text what was said? Line for line, where
 *     ...       alone stands for any number of lines, and
 *     a ... b   inside of a line for any text.
 * Blank lines, blanks at the ends of lines and what make says of building do
 * not count. With exact == 0 lines may be left out before, between and behind.
 * Returns 0, or -1 with a sentence in why.
 */
int quote_match(const char *expected, const char *said, int exact, char *why,
                size_t size);

#endif /* TEACH_QUOTE_H */

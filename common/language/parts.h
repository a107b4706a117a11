/*
 * parts.h: which parts of a file are translated?
 *
 * Of Markdown: paragraphs, items, headings, cells of tables, and blocks that
 * are drawn (```text, or indented by 4). Of hints.txt and questions.txt: each
 * text. Of a .cu file: its comments. All else, code and what a run prints among
 * it, stays as it is.
 */
#ifndef LANGUAGE_PARTS_H
#define LANGUAGE_PARTS_H

#include <stddef.h>
#include <stdio.h>

struct language_part {
    size_t begin, end;     /* the bytes of the file that it stands for */
    char *text;            /* on one line, unless it keeps its lines */
    char *first, *further; /* what stands before its first line, and others */
    char *behind;          /* and behind the last one */
    int line;              /* of the file, where it begins */
    int keeps_lines;       /* it is drawn */
    int is_wrapped;        /* it may take several lines */
    int is_markdown;
    size_t width; /* of a label, with the blanks behind it; or 0 */
};

struct language_parts {
    struct language_part *part; /* in the order of the file */
    size_t count;
};

/* Finds the parts of a file, whose kind its name tells. Returns 0, or -1
   without memory. */
int language_parts_find(const char *path, const char *text,
                        struct language_parts *parts);

void language_parts_free(struct language_parts *parts);

/* Writes the file anew, with other[i], unless it is NULL, for part i. */
void language_parts_write(const char *text, const struct language_parts *parts,
                          const char *const *other, FILE *file);

/* Has the text a word that could be another in another language? Not in code
   spans and addresses, which stand as they are. */
int language_has_words(const char *text);

#endif /* LANGUAGE_PARTS_H */

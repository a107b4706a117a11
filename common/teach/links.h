/*
 * links.h: do a text's links lead somewhere?
 *
 * Links of Markdown, [text](target) and pictures, with a target in the tree:
 * a file, a heading (#anchor), or both. Addresses with a scheme are left alone.
 */
#ifndef TEACH_LINKS_H
#define TEACH_LINKS_H

#include <stddef.h>

/* Does the text have a heading whose anchor that is, by GitHub's rule: small
   letters, blanks as "-", no punctuation, -1 and so on for a second one? */
int links_has_anchor(const char *text, const char *anchor);

/*
 * Finds the next link at or after `at`, outside of code. Copies its target
 * without a title. Returns where to go on, or NULL if there is none.
 */
const char *links_next(const char *begin, const char *at, char *target,
                       size_t size);

/* Checks a file's links. Returns how many lead nowhere, each told on stderr
   with path and line; -1 if the file cannot be read. */
int links_check(const char *path, int *links);

#endif /* TEACH_LINKS_H */

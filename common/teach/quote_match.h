/* quote_match.h: is what a text quotes of a run or a file still so? */
#ifndef TEACH_QUOTE_MATCH_H
#define TEACH_QUOTE_MATCH_H

#include <stddef.h>

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

#endif /* TEACH_QUOTE_MATCH_H */

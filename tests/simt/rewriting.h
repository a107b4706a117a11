/* rewriting.h: what the tests of the launch rewriter ask of a text. */
#ifndef TESTS_SIMT_REWRITING_H
#define TESTS_SIMT_REWRITING_H

#include <stddef.h>

/* The rewritten text behind its first line, to be freed; NULL and why if it is
   refused. */
char *rewriting_of(const char *text, char *why, size_t size);

/* How often the words stand in the text. */
int rewriting_count(const char *text, const char *words);

/* The text holds `launches` launches, none is left, every line keeps its
   place. Returns the rewritten text, to be freed. */
char *expect_launches(const char *text, int launches);

/* The text is not changed; it is refused with that message. */
void expect_same(const char *text);
void expect_refused(const char *text, const char *message);

#endif /* TESTS_SIMT_REWRITING_H */

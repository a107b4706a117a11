/* texts.h: how is a source changed, whatever bytes are in it? */
#ifndef CORPUS_TEXTS_H
#define CORPUS_TEXTS_H

#include <stddef.h>

/* Bytes with a NUL behind them; bytes is NULL if there was no memory, or if
   there is no text at all. Free it with free(). */
struct text {
    char *bytes;
    size_t size;
};

/* A copy in which each @{E2 80}@ is two bytes, and each @{1000*ab}@ a thousand
   times "ab". */
struct text text_expand(const char *from, size_t size);

/* The two, one behind the other; frees both. */
struct text text_joined(struct text first, struct text second);

/* Puts `to` in the place of the only `from`, and frees `to`. Returns 0, or -1
   if there is not exactly one. */
int text_replace(struct text *text, const struct text *from, struct text to);

/* Each LF becomes CR LF. */
void text_end_lines_as_windows(struct text *text);

#endif /* CORPUS_TEXTS_H */

/*
 * language.h: how is a sentence said in the reader's language?
 *
 * COURSE_LANGUAGE in the environment names the language, as es. Its sentences
 * are in labs/languages/es/screen.po, for a program that runs in the course's
 * folder; a name with / is that of a folder. A sentence that is not there, or
 * stale, is said in English.
 */
#ifndef BASE_LANGUAGE_H
#define BASE_LANGUAGE_H

#include <stddef.h>

/* The sentence, or the format of printf, in that language. It stays valid. */
const char *base_say(const char *english) __attribute__((format_arg(1)));

/* The texts of the sources of a folder, as "common/simt/", that can be said in
   that language: the next one from *at on, which is 0 at first, or NULL. */
const char *base_said_next(const char *folder, size_t *at);

/* For a text that is said where it is written, and for one that is said
   elsewhere by base_say. Both are found by xgettext. */
#define _(text)  base_say(text)
#define N_(text) (text)

/* The same of a text of another file of translations, as "tasks". */
const char *base_say_of(const char *file, const char *english);

/* Makes the first letter of a text a capital one, in place: Latin or
   Cyrillic. */
void base_capital(char *text);

/* From here on that language, "" for English, whatever the environment says. To
   be called before anything is said. */
void base_language_set(const char *name);

/* The language, or "". */
const char *base_language(void);

#endif /* BASE_LANGUAGE_H */

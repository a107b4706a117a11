/*
 * text.h: how is a text that nobody trusts shown?
 *
 * Names of folders and what a student's program or compiler said are bytes of
 * any kind. On a terminal some of them would move the cursor, in a table begin
 * a formula, in a file's name leave the folder. Errors are those of the FILE.
 */
#ifndef GRADE_TEXT_H
#define GRADE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Writes a name on one line. Letters of any language stay; control bytes, marks
 * that turn the direction of writing and what is no UTF-8 become \n, \t or
 * \x1b, and a backslash becomes two, so that no two names are written alike.
 */
void grade_text_name(FILE *to, const char *name);

/* The same in memory, for the caller to free; NULL with errno ENOMEM. */
char *grade_text_shown(const char *name);

/* A text of many lines, without its last newlines: tabs stay and single
   backslashes do; the rest is as above. One of more than `most` bytes, of which
   there must be 24 or more, is cut, and says so. NULL with errno ENOMEM. */
char *grade_text_clean(const char *text, size_t most);

/* Writes such a text, each line behind the indent, in at most 80 columns:
   longer lines are broken between words, and go on as far to the right as they
   began. */
void grade_text_wrapped(FILE *to, const char *text, const char *indent);

/*
 * Writes a cell of CSV as in RFC 4180, in the form of grade_text_name. What a
 * spreadsheet would take as a formula, since it begins with one of = + - @ (or
 * their full-width forms), gets an apostrophe before it.
 */
void grade_text_cell(FILE *to, const char *text);

/* The same for a text that is to stay as it is but for the apostrophe. */
void grade_text_guarded(FILE *to, const char *text);

/* Would a spreadsheet take it as a formula, or drop what it begins with? */
int grade_text_is_formula(const char *text);

/* Writes a name in running Markdown: no character of it means something. */
void grade_text_markdown(FILE *to, const char *name);

enum {
    GRADE_FILE_NAME = 48
};

/* A part of a file's name: letters, digits and . _ - stay, the rest is _. */
void grade_text_file_name(const char *name, char file[GRADE_FILE_NAME]);

#endif /* GRADE_TEXT_H */

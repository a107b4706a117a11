/*
 * folder.h: a temporary folder of a test's own, in which it works, and what a
 * grader says there.
 *
 * Each function fails the test if it cannot do its work.
 */
#ifndef TESTS_GRADE_FOLDER_H
#define TESTS_GRADE_FOLDER_H

/* Its path, and that of the repository; both absolute. */
extern char folder[40], folder_home[4096];

/* Set-up: makes it, by scratch.h, and works in it until it goes. */
int folder_make(void **state);

/* The same as the first, with what a grader reads of a course: labs/INDEX,
   labs/TODOS, common/grade/control.cu; build/tools/grade, which is that of
   fake.c; tmp/ for its own files, and an empty class s/. */
int folder_make_course(void **state);

/* Writes a file, whose folders are made. */
void folder_put(const char *path, const char *text);
void folder_put_as(const char *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes s/STUDENT/FILE. */
void hand_in(const char *student, const char *file, const char *text);

int is_there(const char *path);
int files_in(const char *path);

/* All of a file; kept until the next call but three. */
char *text_of(const char *path);

/* Has the file these words, or not? */
void text_says(const char *path, const char *words);
void text_lacks(const char *path, const char *words);

/* Has the text these words? */
void expect_words(const char *text, const char *words);
void expect_none(const char *text, const char *words);

/* Runs a line of shell in it, or build/tools/grade with these options: it ends
   with that code and prints these words. Returns all that it printed, until the
   next call. */
const char *runs(const char *line, int code, const char *words);
const char *grades(const char *options, int code, const char *words);

#endif /* TESTS_GRADE_FOLDER_H */

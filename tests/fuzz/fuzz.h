/*
 * fuzz.h: what must every parser bear, whatever it is given?
 *
 * A target is a function that takes bytes of any kind, gives them to one parser
 * of what a student, an instructor or a run box hands in, and calls fuzz_must
 * on all that has to be true then: not only that it ends, but that what it
 * read is what was written. `make test WHAT=fuzz TARGET=roster SECONDS=600`
 * looks for bytes that break one; what was found lies in found/TARGET and is
 * given to the target again by test_found.c, which needs no fuzzer.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "course/index.h"

struct fuzz_target {
    const char *name;
    void (*run)(const uint8_t *bytes, size_t size);
};

/* All of them; a NULL name behind the last. */
extern const struct fuzz_target fuzz_targets[];

void fuzz_answers(const uint8_t *bytes, size_t size);
void fuzz_csv(const uint8_t *bytes, size_t size);
void fuzz_tables(const uint8_t *bytes, size_t size);
void fuzz_hints(const uint8_t *bytes, size_t size);
void fuzz_index(const uint8_t *bytes, size_t size);
void fuzz_manual(const uint8_t *bytes, size_t size);
void fuzz_record(const uint8_t *bytes, size_t size);
void fuzz_results(const uint8_t *bytes, size_t size);
void fuzz_rewrite(const uint8_t *bytes, size_t size);
void fuzz_roster(const uint8_t *bytes, size_t size);
void fuzz_rubric(const uint8_t *bytes, size_t size);
void fuzz_text(const uint8_t *bytes, size_t size);
void fuzz_todo(const uint8_t *bytes, size_t size);
void fuzz_vet(const uint8_t *bytes, size_t size);
void fuzz_wire(const uint8_t *bytes, size_t size);

/* Ends the program with a message that names the line, unless it is true. */
#define fuzz_must(is_true) \
    fuzz_expect((is_true) ? 1 : 0, #is_true, __FILE__, __LINE__)
void fuzz_expect(int is_true, const char *words, const char *file, int line);

/* The bytes as a text that ends before the first NUL; for free(). */
char *fuzz_string(const uint8_t *bytes, size_t size);

/* A file in memory with these bytes, and its path; the same file each time. */
const char *fuzz_file(const void *bytes, size_t size);

/* A message must be there, fit its buffer, and be one line that a terminal can
   be given. */
void fuzz_message(const char *why, size_t size);

/* An index of three labs, of which one has two measures and one none. */
const struct course_index *fuzz_course(void);

#endif /* TESTS_FUZZ_H */

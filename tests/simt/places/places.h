/* places.h: calls whose lines are known, for test_lines.c. */
#ifndef PLACES_H
#define PLACES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The address that this call returns to. */
uintptr_t here(void);

/* Says that the call which returns to `code` stands on a line of a file. */
void expect(const char *what, uintptr_t code, const char *file, int line);

/* Each expects its own calls, in one of two compilation units. */
void first_places(void);
void second_places(void);

#ifdef __cplusplus
}
#endif

#endif

/* library.h: how is a library used that may not be there? */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the first of these that is there, for dlclose; NULL stands behind the
   last. NULL: none is. */
void *base_library_open(const char *const *names);

/* Finds a function: *function is a pointer to one of its type. Returns 1, or 0
   with that pointer NULL. */
int base_library_find(void *library, const char *name, void *function);

#ifdef __cplusplus
}
#endif

#endif /* BASE_LIBRARY_H */

#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

void *base_library_open(const char *const *names)
{
    void *library = NULL;

    for (; *names != NULL && library == NULL; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

int base_library_find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);

    /* dlsym gives a data pointer; ISO C wants the copy (POSIX, dlsym). */
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

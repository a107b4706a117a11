/* What has been read of a file's functions, for those who ask: functions.h. */
#include "functions.h"

#include "rewriter.h"

#include <stdlib.h>

const struct simt_function *
simt_functions_find(const struct simt_functions *functions,
                    const struct rewriter *r, size_t i)
{
    for (size_t j = 0; j < functions->count; j++) {
        if (simt_is(r, i, functions->function[j].name))
            return &functions->function[j];
    }
    return NULL;
}

const struct simt_body *simt_body_of(const struct simt_functions *functions,
                                     size_t i)
{
    size_t low = 0, high = functions->bodies;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (functions->body[middle].end <= i) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < functions->bodies && functions->body[low].begin <= i
               ? &functions->body[low]
               : NULL;
}

void simt_functions_free(struct simt_functions *functions)
{
    for (size_t i = 0; i < functions->count; i++)
        free(functions->function[i].name);
    for (size_t i = 0; i < functions->macros; i++)
        free(functions->macro[i].name);
    for (size_t i = 0; i < functions->paths; i++)
        free(functions->path[i]);
    for (size_t i = 0; i < functions->variables; i++)
        free(functions->variable[i]);
    free(functions->variable);
    free(functions->function);
    free(functions->macro);
    free(functions->path);
    free(functions->body);
    *functions = (struct simt_functions){0};
}

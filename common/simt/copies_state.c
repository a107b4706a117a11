/* Is a copy under way, and why? */
#define _GNU_SOURCE
#include "copies.h"

struct simt_under_way simt_copy_state(const struct simt_worker *worker,
                                      int thread, uintptr_t address)
{
    const struct simt_copies *c =
        worker->copies != NULL ? &worker->copies[thread] : NULL;

    for (size_t i = c != NULL ? c->end : 0; c != NULL && i-- > c->first;) {
        const struct simt_copy *copy = &c->copies[i];
        const int is_awaited = copy->number < c->awaited;

        if (address - (uintptr_t)copy->to < copy->size) {
            return (struct simt_under_way){1, copy->batch < c->batch,
                                           is_awaited ? c->line : 0,
                                           (unsigned)c->prior};
        }
    }
    return (struct simt_under_way){0};
}

/*
 * Where the __device__ and __constant__ variables are. simt_rewrite gives each
 * of them a section of the program for itself and its like, and the linker
 * tells where a section begins and ends (GNU ld manual, "Orphan Sections": of
 * a section whose name is one of C's, as __start_NAME and __stop_NAME). A
 * program without such variables has none of these sections: so the names are
 * weak, and then 0.
 *
 * g++ puts no two variables into one section of which one may be written and
 * the other not, or of which one is defined in many files (inline) and the
 * other in one: so there are four sections of each kind.
 */
#define _GNU_SOURCE
#include "device.h"
#include "tables/tables.h"

#include <string.h>

SIMT_TABLE(char, simt_device);
SIMT_TABLE(char, simt_device_const);
SIMT_TABLE(char, simt_device_inline);
SIMT_TABLE(char, simt_device_const_inline);
SIMT_TABLE(char, simt_constant);
SIMT_TABLE(char, simt_constant_const);
SIMT_TABLE(char, simt_constant_inline);
SIMT_TABLE(char, simt_constant_const_inline);

static struct range {
    const char *begin, *end;
    enum simt_variable kind;
    int writable;
} ranges[8];

/* All of them lie between these two. The recorder asks about each access of a
   kernel that is not to its arrays, most of them to its stack. */
static uintptr_t lowest = UINTPTR_MAX, highest;

static __attribute__((constructor)) void find_edges(void)
{
    const struct range found[] = {
        {__start_simt_device, __stop_simt_device, SIMT_DEVICE_VARIABLE, 1},
        {__start_simt_device_const, __stop_simt_device_const,
         SIMT_DEVICE_VARIABLE, 0},
        {__start_simt_device_inline, __stop_simt_device_inline,
         SIMT_DEVICE_VARIABLE, 1},
        {__start_simt_device_const_inline, __stop_simt_device_const_inline,
         SIMT_DEVICE_VARIABLE, 0},
        {__start_simt_constant, __stop_simt_constant, SIMT_CONSTANT_VARIABLE,
         1},
        {__start_simt_constant_const, __stop_simt_constant_const,
         SIMT_CONSTANT_VARIABLE, 0},
        {__start_simt_constant_inline, __stop_simt_constant_inline,
         SIMT_CONSTANT_VARIABLE, 1},
        {__start_simt_constant_const_inline, __stop_simt_constant_const_inline,
         SIMT_CONSTANT_VARIABLE, 0},
    };

    memcpy(ranges, found, sizeof ranges);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const uintptr_t begin = (uintptr_t)ranges[i].begin;
        const uintptr_t end = (uintptr_t)ranges[i].end;

        if (begin != end && begin < lowest)
            lowest = begin;
        if (end > highest)
            highest = end;
    }
}

static const struct range *range_of(const void *address)
{
    if ((uintptr_t)address < lowest || (uintptr_t)address >= highest)
        return NULL;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct range *r = &ranges[i];

        if ((uintptr_t)address - (uintptr_t)r->begin <
            (uintptr_t)r->end - (uintptr_t)r->begin)
            return r;
    }
    return NULL;
}

enum simt_variable simt_variable_kind(const void *address)
{
    const struct range *range = range_of(address);

    return range ? range->kind : SIMT_NO_VARIABLE;
}

int simt_variable_writable(const void *address)
{
    const struct range *range = range_of(address);

    return range != NULL && range->writable;
}

int simt_variable_holds(const void *address, size_t size)
{
    const struct range *range = range_of(address);

    return range != NULL && size <= (uintptr_t)range->end - (uintptr_t)address;
}

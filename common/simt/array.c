/* Which array does an address belong to, and what is it called? */
#define _GNU_SOURCE
#include "lines.h"
#include "recorder.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct simt_array simt_array_at(const struct simt_worker *worker, uint64_t key,
                                uintptr_t address)
{
    struct simt_array array = {0};

    if (!(simt_key_kind(key) & SIMT_EVENT_SHARED) &&
        simt_variable_kind((const void *)address) != SIMT_NO_VARIABLE) {
        array.number = SIMT_VARIABLES +
                       simt_variable_at(address, &array.base, &array.extent);
    } else if (!(simt_key_kind(key) & SIMT_EVENT_SHARED)) {
        const struct simt_allocation *a =
            simt_memory_find((const void *)address);

        array.number = simt_memory_number((const void *)address);
        array.base = a ? (uintptr_t)a->base : address;
        array.extent = a && !a->freed ? a->size : 0;
    } else if (address - (uintptr_t)worker->dynamic_shared >=
               SIMT_MAX_SHARED + SIMT_PAGE) {
        size_t begin;

        array.number =
            SIMT_VARIABLES + simt_symbol_at(address - (uintptr_t)worker->shared,
                                            &begin, &array.extent);
        array.base = (uintptr_t)worker->shared + begin;
    } else {
        array.number = SIMT_DYNAMIC_SHARED;
        array.base = (uintptr_t)simt_dynamic_of(worker);
        array.extent = worker->grid->launch->dynamic_shared;
    }
    return array;
}

/* --- names ---------------------------------------------------------------- */

/* What a kernel takes an array for: the name of its parameter, or "view+8" for
   a pointer at byte 8 of one that is a structure. */
struct parameter {
    const char *kernel;
    unsigned array;
    int element_bytes; /* 0: unknown */
    char name[48];     /* "": unknown */
};

static struct parameter *parameters;
static size_t parameter_count;

static const struct parameter *find_parameter(const char *kernel,
                                              unsigned array)
{
    for (size_t i = 0; i < parameter_count; i++) {
        if (parameters[i].array == array &&
            strcmp(parameters[i].kernel, kernel) == 0)
            return &parameters[i];
    }
    return NULL;
}

/* Keeps what parameter `number` is called, if it is the first that has a
   pointer to that array. */
static void name_array(const struct simt_launch *launch, const char *kernel,
                       size_t number, const void *pointer, size_t offset)
{
    const unsigned array = simt_memory_number(pointer);
    const char *name;
    struct parameter *added;

    if (array == 0 || find_parameter(kernel, array) != NULL)
        return;
    added = base_list_add(&parameters, &parameter_count, sizeof *added);
    if (added == NULL)
        return; /* it stays without a name */
    *added = (struct parameter){.kernel = kernel, .array = array};
    name = simt_parameter_name(launch->kernel, number);
    if (name != NULL && launch->objects[number].size == 0)
        added->element_bytes = simt_parameter_element(launch->kernel, number);
    if (name != NULL && simt_memory_is_named(name, array))
        return; /* it is that of another array */
    if (name != NULL && launch->objects[number].size == 0) {
        snprintf(added->name, sizeof added->name, "%s", name);
    } else if (name != NULL) {
        snprintf(added->name, sizeof added->name, "%s+%zu", name, offset);
    }
}

void simt_name_parameters(const struct simt_launch *launch, const char *kernel)
{
    for (size_t i = 0; i < launch->pointer_count; i++) {
        const struct simt_object *object = &launch->objects[i];
        simt_address address;

        name_array(launch, kernel, i, launch->pointers[i], 0);
        for (size_t at = 0; at + sizeof address <= object->size;
             at += sizeof address) {
            memcpy(&address, object->at + at, sizeof address);
            name_array(launch, kernel, i, (const void *)(uintptr_t)address, at);
        }
    }
}

const char *simt_array_name(const char *kernel, unsigned array)
{
    const struct simt_allocation *a = simt_memory_numbered(array);
    const struct parameter *parameter;

    if (kernel == NULL)
        return "?"; /* host code's */
    if (array == SIMT_DYNAMIC_SHARED)
        return "dynamic shared";
    if (array >= SIMT_VARIABLES) {
        const char *const name = simt_symbol_name(array - SIMT_VARIABLES);

        return simt_symbol_is_shared(array - SIMT_VARIABLES) ||
                       !simt_memory_is_named(name, 0)
                   ? name
                   : "?"; /* it is that of another array */
    }
    if (a != NULL && a->name[0])
        return a->name;
    parameter = find_parameter(kernel, array);
    return parameter != NULL && parameter->name[0] ? parameter->name : "?";
}

int simt_array_element(const char *kernel, unsigned array)
{
    const struct parameter *parameter = find_parameter(kernel, array);

    return parameter != NULL ? parameter->element_bytes : 0;
}

void simt_forget_parameters(void)
{
    free(parameters);
    parameters = NULL;
    parameter_count = 0;
}

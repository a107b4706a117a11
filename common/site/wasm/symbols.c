/* The names of shared and of device variables, from the table that simt_tables
   makes of a lab's assembly. */
#include "simt/recorder.h"
#include "simt/tables/tables.h"

#include <stdint.h>

SIMT_TABLE(struct simt_symbol_entry, simt_symbols);

static size_t symbol_count(void)
{
    return ((uintptr_t)__stop_simt_symbols - (uintptr_t)__start_simt_symbols) /
           sizeof(struct simt_symbol_entry);
}

void simt_symbols_read(void)
{
}

static int is_shared(const struct simt_symbol_entry *symbol)
{
    return (uintptr_t)symbol->begin - (uintptr_t)simt_shared_begin <
           simt_shared_bytes();
}

/* The last symbol of that kind that begins at or before the address; else the
   first of it. 0: there are none. */
static unsigned nearest(int shared, uintptr_t address, uintptr_t *begin,
                        size_t *bytes)
{
    const struct simt_symbol_entry *best = NULL;
    const size_t count = symbol_count();

    for (size_t i = 0; i < count; i++) {
        const struct simt_symbol_entry *const s = &__start_simt_symbols[i];

        if (is_shared(s) != shared)
            continue;
        if (best == NULL ||
            (s->begin <= address
                 ? best->begin > address || s->begin > best->begin
                 : best->begin > address && s->begin < best->begin))
            best = s;
    }
    if (best == NULL)
        return 0;
    *begin = best->begin;
    *bytes = best->bytes;
    return (unsigned)(best - __start_simt_symbols) + 1;
}

unsigned simt_symbol_at(size_t offset, size_t *begin, size_t *bytes)
{
    const uintptr_t shared = (uintptr_t)simt_shared_begin;
    uintptr_t at = shared;
    unsigned number;

    *bytes = simt_shared_bytes();
    number = nearest(1, shared + offset, &at, bytes);
    *begin = at - shared;
    return number;
}

unsigned simt_variable_at(uintptr_t address, uintptr_t *begin, size_t *bytes)
{
    *begin = address / 4 * 4;
    *bytes = 16;
    return nearest(0, address, begin, bytes);
}

int simt_symbol_is_shared(unsigned number)
{
    return is_shared(&__start_simt_symbols[number - 1]);
}

const char *simt_symbol_name(unsigned number)
{
    return number >= 1 && number <= symbol_count()
               ? simt_table_refers(&__start_simt_symbols[number - 1].name)
               : "?";
}

/* --- shared memory's limits ----------------------------------------------- */

size_t simt_shared_bytes(void)
{
    return (size_t)(simt_shared_end - simt_shared_begin);
}

#include "facts.h"

#include "base/csv_read.h"
#include "base/values.h"

#include <string.h>

/* The columns behind lab and kernel. */
enum {
    REGISTERS,
    SHARED,
    ISSUE,
    INSTRUCTIONS,
    PRODUCTS,
    LOADS_4,
    LOADS_8,
    LOADS_16,
    CHAIN_CYCLES,
    CHAIN_GLOBAL,
    CHAIN_SHARED,
    CHAIN_BARRIERS,
    COLUMNS
};

static const char *const column[COLUMNS] = {
    "registers",     "shared_bytes",       "issue_cycles",
    "instructions",  "products",           "loads_4",
    "loads_8",       "loads_16",           "chain_cycles",
    "chain_globals", "chain_shared_loads", "chain_barriers"};

int chip_facts_read(const char *path, const char *lab,
                    struct chip_kernel *kernel, char *why, size_t size)
{
    struct base_csv csv;
    int result = 1;

    if (base_csv_read(path, &csv, why, size) != 0)
        return -1;
    for (size_t row = 0; row < csv.rows && result != 0; row++) {
        double value[COLUMNS];

        if (strcmp(base_csv_text(&csv, row, "lab"), lab) != 0 ||
            strcmp(base_csv_text(&csv, row, "kernel"), kernel->name) != 0)
            continue;
        for (int i = 0; i < COLUMNS; i++)
            value[i] = base_csv_number(&csv, row, column[i]);
        kernel->code = (struct chip_code){
            .is_sass = 1,
            .registers = (int)value[REGISTERS],
            .shared = value[SHARED],
            .issue = value[ISSUE],
            .instructions = value[INSTRUCTIONS],
            .products = value[PRODUCTS],
            .loads = {value[LOADS_4], value[LOADS_8], value[LOADS_16]},
            .chain = {value[CHAIN_CYCLES], value[CHAIN_GLOBAL],
                      value[CHAIN_SHARED], value[CHAIN_BARRIERS]}};
        result = 0;
    }
    base_csv_free(&csv);
    return result;
}

void chip_facts_header(FILE *file)
{
    fputs("lab,kernel", file);
    for (int i = 0; i < COLUMNS; i++)
        fprintf(file, ",%s", column[i]);
    fputc('\n', file);
}

void chip_facts_write(FILE *file, const char *lab,
                      const struct chip_kernel *kernel)
{
    const struct chip_code *code = &kernel->code;
    const double value[COLUMNS] = {code->registers,
                                   code->shared,
                                   code->issue,
                                   code->instructions,
                                   code->products,
                                   code->loads[0],
                                   code->loads[1],
                                   code->loads[2],
                                   code->chain.cycles,
                                   code->chain.global_loads,
                                   code->chain.shared_loads,
                                   code->chain.barriers};

    base_put_csv_text(file, lab);
    fputc(',', file);
    base_put_csv_text(file, kernel->name);
    for (int i = 0; i < COLUMNS; i++) {
        fputc(',', file);
        base_put_csv_number(file, value[i]);
    }
    fputc('\n', file);
}

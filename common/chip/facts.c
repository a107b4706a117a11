#include "facts.h"

#include "base/csv_read.h"
#include "base/print.h"

#include <stddef.h>

#define AT(member) offsetof(struct chip_code, member)
static const struct {
    const char *name;
    size_t at; /* a double */
} column[] = {{"registers", AT(registers)}, {"shared_bytes", AT(shared)},
              {"issue_cycles", AT(issue)},  {"instructions", AT(instructions)},
              {"products", AT(products)},   {"loads_4", AT(loads[0])},
              {"loads_8", AT(loads[1])},    {"loads_16", AT(loads[2])},
              {"stores", AT(stores)},       {"globals", AT(globals)},
              {"steps", AT(steps)},         {"alone_l2", AT(alone[0])},
              {"alone_dram", AT(alone[1])}, {"all_l2", AT(all[0])},
              {"all_dram", AT(all[1])}};
#undef AT

enum {
    COLUMNS = sizeof column / sizeof *column
};

static double *value_of(struct chip_code *code, int i)
{
    return (double *)(void *)((char *)code + column[i].at);
}

int chip_facts_read(const char *path, const char *lab,
                    struct chip_kernel *kernel, char *why, size_t size)
{
    struct base_csv csv;
    int result = 1;

    if (base_csv_read(path, &csv, why, size) != 0)
        return -1;
    for (size_t row = 0; row < csv.rows && result != 0; row++) {
        if (!base_csv_is(&csv, row, "lab", lab) ||
            !base_csv_is(&csv, row, "kernel", kernel->name))
            continue;
        kernel->code = (struct chip_code){.is_sass = 1};
        for (int i = 0; i < COLUMNS; i++) {
            *value_of(&kernel->code, i) =
                base_csv_number(&csv, row, column[i].name);
        }
        result = 0;
    }
    base_csv_free(&csv);
    return result;
}

void chip_facts_header(FILE *file)
{
    fputs("lab,kernel", file);
    for (int i = 0; i < COLUMNS; i++)
        fprintf(file, ",%s", column[i].name);
    fputc('\n', file);
}

void chip_facts_write(FILE *file, const char *lab,
                      const struct chip_kernel *kernel)
{
    struct chip_code code = kernel->code;

    base_print(file, BASE_CSV, "%s,%s", lab, kernel->name);
    for (int i = 0; i < COLUMNS; i++)
        base_print(file, BASE_CSV, ",%g", *value_of(&code, i));
    fputc('\n', file);
}

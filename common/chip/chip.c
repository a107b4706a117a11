#include "chip.h"

#include "base/csv_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const key_name[CHIP_KEYS] = {
    [CHIP_MEASURED] = "measured",
    [CHIP_MULTIPROCESSORS] = "multiprocessors",
    [CHIP_LANES] = "lanes",
    [CHIP_CLOCK] = "clock",
    [CHIP_DRAM] = "dram",
    [CHIP_L2] = "l2",
    [CHIP_L2_SIZE] = "l2_size",
    [CHIP_DRAM_LATENCY] = "dram_latency",
    [CHIP_L2_LATENCY] = "l2_latency",
    [CHIP_L1_LATENCY] = "l1_latency",
    [CHIP_SHARED_LATENCY] = "shared_latency",
    [CHIP_BARRIER] = "barrier",
    [CHIP_LAUNCH] = "launch",
    [CHIP_REGISTERS] = "registers",
    [CHIP_SHARED] = "shared",
    [CHIP_WARPS] = "warps",
    [CHIP_BLOCKS] = "blocks",
};

int chip_read(const char *path, struct chip *chip, char *why, size_t size)
{
    struct base_csv csv;

    if (base_csv_read(path, &csv, why, size) != 0)
        return -1;
    *chip = (struct chip){.name = ""};
    for (int i = 0; i < CHIP_KEYS; i++)
        chip->value[i] = NAN;
    for (size_t row = 0; row < csv.rows; row++) {
        const char *key = base_csv_text(&csv, row, "key");

        if (strcmp(key, "name") == 0) {
            snprintf(chip->name, sizeof chip->name, "%s",
                     base_csv_text(&csv, row, "value"));
        }
        for (int i = 0; i < CHIP_KEYS; i++) {
            if (strcmp(key, key_name[i]) == 0)
                chip->value[i] = base_csv_number(&csv, row, "value");
        }
    }
    base_csv_free(&csv);
    for (int i = 0; i < CHIP_KEYS; i++) {
        if (!(chip->value[i] >= 0.0) ||
            (i < CHIP_L2 && i > CHIP_MEASURED && !(chip->value[i] > 0.0))) {
            snprintf(why, size, "%s: the chip's %s is missing, or no number",
                     path, key_name[i]);
            return -1;
        }
    }
    return 0;
}

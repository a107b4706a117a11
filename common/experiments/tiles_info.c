/* What the program of tiles.cu knows about itself, as a lab's does from
   labs/INDEX. It is no lab: there is no goal. */
#include "lab_info.h"
#include "tiles.h"

static const struct lab_entry entries[] = {
    {"untiled", LAB_ENTRY_LAUNCH, tiles_untiled, 0, LAB_FP32, NULL},
    {"2", LAB_ENTRY_LAUNCH, tiles_2, 0, LAB_FP32, NULL},
    {"4", LAB_ENTRY_LAUNCH, tiles_4, 0, LAB_FP32, NULL},
    {"8", LAB_ENTRY_LAUNCH, tiles_8, 0, LAB_FP32, NULL},
    {"16", LAB_ENTRY_LAUNCH, tiles_16, 0, LAB_FP32, NULL},
    {"32", LAB_ENTRY_LAUNCH, tiles_32, 0, LAB_FP32, NULL},
};

/* Sizes that hang over the edges of every width. */
static const struct lab_shape shapes[] = {
    {1, 1, 1}, {17, 33, 5}, {37, 53, 29}, {129, 65, 257}};

const struct lab_info lab_info = {
    .name = "tiles",
    .title = "Width of a tile",
    .source = "common/experiments/tiles.cu",
    .entries = sizeof entries / sizeof entries[0],
    .shapes = sizeof shapes / sizeof shapes[0],
    .entry = entries,
    .shape = shapes,
    /* Whole tiles of every width. */
    .counting = {128, 192, 256},
};

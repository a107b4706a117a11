/* What the program of tiles.cu knows about itself, in place of harness/info.c:
   it is no lab, so labs/INDEX does not have it, and there is no goal. */
#include "harness/info.h"
#include "tiles.h"

#define WIDTH(name, function)                                   \
    {                                                           \
        .variant = name, .kind = COURSE_LAUNCH, .run = function \
    }

struct lab_info lab_info = {
    .index = {.lab = {{.name = "tiles",
                       .title = "Width of a tile",
                       .entry = {WIDTH("untiled", tiles_untiled),
                                 WIDTH("2", tiles_2), WIDTH("4", tiles_4),
                                 WIDTH("8", tiles_8), WIDTH("16", tiles_16),
                                 WIDTH("32", tiles_32)},
                       .entries = 6,
                       .about = ""}},
              .labs = 1,
              .counting = {128, 192, 256}}, /* whole tiles of every width */
    .lab = &lab_info.index.lab[0],
    .source = "common/experiments/tiles.cu",
    /* Sizes that hang over the edges of every width. */
    .shape = {{1, 1, 1}, {17, 33, 5}, {37, 53, 29}, {129, 65, 257}},
    .shapes = 4,
};

int lab_info_read(char *why, size_t size)
{
    (void)why;
    (void)size;
    return 0;
}

void lab_info_free(struct lab_info *info)
{
    (void)info;
}

/* What the program of tiles.cu knows about itself, in place of harness/info.c:
   it is no lab, so labs/INDEX does not have it, and there is no goal. */
#include "harness/info.h"
#include "tiles.h"

#include <stdio.h>

struct lab_info lab_info = {
    .index =
        {.lab =
             {{.name = "tiles",
               .title = "Width of a tile",
               .entry =
                   {{.variant = "untiled",
                     .kind = COURSE_LAUNCH,
                     .run = tiles_untiled},
                    {.variant = "2", .kind = COURSE_LAUNCH, .run = tiles_2},
                    {.variant = "4", .kind = COURSE_LAUNCH, .run = tiles_4},
                    {.variant = "8", .kind = COURSE_LAUNCH, .run = tiles_8},
                    {.variant = "16", .kind = COURSE_LAUNCH, .run = tiles_16},
                    {.variant = "32", .kind = COURSE_LAUNCH, .run = tiles_32}},
               .entries = 6,
               .about = ""}},
         .labs = 1,
         .counting = {128, 192, 256}}, /* whole tiles of every width */
    .lab = &lab_info.index.lab[0],
    .problem = &lab_product,
    .source = "common/experiments/tiles.cu",
    /* Sizes that hang over the edges of every width. */
    .shape = {{1, 1, 1}, {17, 33, 5}, {37, 53, 29}, {129, 65, 257}},
    .shapes = 4,
};

int lab_info_read(char *why, size_t size)
{
    snprintf(why, size, "%s", "");
    return 0;
}

void lab_info_free(struct lab_info *info)
{
    (void)info;
}

int lab_info_is_own(const char *file, int line)
{
    (void)file;
    (void)line;
    return 0;
}

int lab_info_is_given(const char *file, int line)
{
    (void)file;
    (void)line;
    return 0;
}

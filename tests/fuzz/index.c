/* labs/INDEX: what is accepted holds what its header promises. */
#include "fuzz.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void must_be_a_lab(const struct course_lab *lab)
{
    fuzz_must(strlen(lab->name) > 3 && lab->name[2] == '_');
    fuzz_must(isdigit((unsigned char)lab->name[0]) &&
              isdigit((unsigned char)lab->name[1]));
    fuzz_must(strchr(lab->name, '/') == NULL);
    fuzz_must(lab->title != NULL && lab->about != NULL);
    fuzz_must(lab->entries >= 1 && lab->entries <= COURSE_ENTRIES);
    fuzz_must(lab->measures >= 0 && lab->measures <= COURSE_MEASURES);
    fuzz_must(lab->points.right >= 0 && lab->points.clean >= 0 &&
              lab->points.measure >= 0);
    fuzz_must(lab->points.right + lab->points.clean + lab->points.measure ==
              100);
    for (int i = 0; i < lab->entries; i++)
        fuzz_must(lab->entry[i].variant[0] && lab->entry[i].function[0]);
    for (int i = 0; i < lab->measures; i++) {
        const struct course_measure *const m = &lab->measure[i];

        fuzz_must(m->column[0] != '\0');
        fuzz_must(isfinite(m->full) && isfinite(m->zero));
        fuzz_must(m->full < m->zero || m->full > m->zero);
    }
}

void fuzz_index(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    char why[400] = "";
    struct course_index index;

    if (course_index_parse("INDEX", text, &index, why, sizeof why) != 0) {
        fuzz_message(why, sizeof why);
        free(text);
        return;
    }
    free(text); /* the index has a copy */
    fuzz_must(index.labs >= 0 && index.labs <= COURSE_LABS);
    fuzz_must(index.shapes.count >= 1 && index.shapes.count <= COURSE_SHAPES);
    for (int i = 0; i < index.shapes.count; i++) {
        fuzz_must(index.shapes.shape[i].m >= 1 &&
                  index.shapes.shape[i].n >= 1 && index.shapes.shape[i].k >= 1);
    }
    for (int i = 0; i < index.labs; i++) {
        must_be_a_lab(&index.lab[i]);
        fuzz_must(course_index_find(&index, index.lab[i].name) ==
                  &index.lab[i]);
        if (i > 0)
            fuzz_must(strcmp(index.lab[i - 1].name, index.lab[i].name) < 0);
    }
    course_index_free(&index);
}

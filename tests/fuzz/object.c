/* The second look, at an object that the compiler made: whatever the object is,
   the answer is one of three, with a reason if it is not yes. */
#include "fuzz.h"

#include "grade/judge/vet.h"

#include <stdlib.h>
#include <string.h>

static const struct course_lab lab = {
    .name = "03_tiling",
    .title = "Tiles",
    .entry = {{"kernel", "lab_launch", COURSE_LAUNCH}},
    .entries = 1,
    .points = {60, 20, 20}};

void fuzz_object(const uint8_t *bytes, size_t size)
{
    static const char source[] = "int lab_launch(void);\n";
    char *const object = fuzz_string(bytes, size);
    char why[800] = "";
    const int status =
        grade_vet_object(&lab, "tiling.cu", source, sizeof source - 1, object,
                         size, why, sizeof why);

    fuzz_must(status >= -1 && status <= 1);
    if (status != 0) {
        fuzz_must(memchr(why, '\0', sizeof why) != NULL);
        fuzz_must(strncmp(why, "tiling.cu:", 10) == 0);
    }
    free(object);
}

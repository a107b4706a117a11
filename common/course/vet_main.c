/*
 * vet SOURCE: says what the grader refuses in a lab's source, in its words and
 * before it is handed in. Ends with 1 if there is something.
 * Of labs that need a GPU, which are not graded, it says nothing.
 */
#include "course/vet.h"

#include "base/file.h"
#include "base/wrap.h"
#include "course/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct course_index index;
    const struct course_lab *lab;
    char why[900], name[COURSE_NAME];
    char *source;
    int refused = 0;

    if (argc != 2 || course_lab_of(argv[1], name, why, sizeof why) != 0 ||
        course_index_read("labs/INDEX", &index, why, sizeof why) != 0) {
        fprintf(stderr, "usage: vet labs/NN_NAME/NAME.cu, in the course's "
                        "folder\n");
        return 2;
    }
    lab = course_index_find(&index, name);
    if (lab != NULL && lab->needs.what == NULL) {
        source = base_read_file(argv[1], why, sizeof why);
        refused =
            source == NULL || course_vet_source(argv[1], source, strlen(source),
                                                why, sizeof why) != 0;
        if (refused) {
            base_wrap(stderr, "", why);
            fprintf(stderr, "make grade refuses this.\n");
        }
        free(source);
    }
    course_index_free(&index);
    return refused;
}

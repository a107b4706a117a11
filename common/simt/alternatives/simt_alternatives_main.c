/* simt_alternatives INPUT OUTPUT: a copy of what simt_rewrite has made of a
   lab, with all its small changes (alternatives.h). */
#include "alternatives.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char why[400] = "usage: simt_alternatives INPUT OUTPUT";
    char *text = argc == 3 ? base_read_file(argv[1], why, sizeof why) : NULL;
    FILE *output = text != NULL ? fopen(argv[2], "w") : NULL;
    int code = 2;

    if (text != NULL && output == NULL) {
        perror(argv[2]);
    } else if (text != NULL &&
               simt_alternatives_write(text, strlen(text), output, why,
                                       sizeof why) == 0) {
        code = 0;
    }
    if (output != NULL && fclose(output) != 0)
        code = 2;
    if (code != 0)
        fprintf(stderr, "simt_alternatives: %s\n", why);
    free(text);
    return code;
}

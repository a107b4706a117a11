/*
 * links: checks the relative links and anchors of Markdown files.
 *
 *   links FILE.md...
 *
 * Exit codes: 0 all lead somewhere, 1 some do not, 2 a wrong call or file.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "teach/links.h"

enum {
    FAILED = 1,
    WRONG = 2
};

int main(int argc, char **argv)
{
    int links = 0, bad = 0;

    if (argc < 2) {
        fputs("usage: links FILE.md...\n", stderr);
        return WRONG;
    }
    for (int i = 1; i < argc; i++) {
        const int found = links_check(argv[i], &links);

        if (found < 0)
            return WRONG;
        bad += found;
    }
    printf("links: %d files, %d links, %d lead nowhere\n", argc - 1, links,
           bad);
    return bad > 0 ? FAILED : 0;
}

/*
 * make_deck: makes of a deck what Marp reads.
 *
 *   make_deck DECK.md OUT.md    run at the top of the tree
 *
 * Exit codes: 0 done, 2 a wrong call, or something in the deck is not right.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "deck.h"

int main(int argc, char **argv)
{
    struct deck deck;
    char why[600] = "out of memory";
    char *text = NULL;
    size_t length;
    FILE *out;
    int failed;

    if (argc != 3) {
        fprintf(stderr, "make_deck: call it with DECK.md and OUT.md\n");
        return 2;
    }
    if (deck_read(argv[1], &deck, why, sizeof why) != 0) {
        fprintf(stderr, "make_deck: %s\n", why);
        return 2;
    }
    out = open_memstream(&text, &length);
    failed = !out || deck_write(&deck, out, why, sizeof why) != 0;
    failed = (out && fclose(out) != 0) || failed;
    failed = failed || course_write_file(argv[2], text, why, sizeof why) != 0;
    if (failed)
        fprintf(stderr, "make_deck: %s\n", why);
    free(text);
    deck_free(&deck);
    return failed ? 2 : 0;
}

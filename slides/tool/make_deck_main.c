/*
 * make_deck: makes of a deck what Marp reads.
 *
 *   make_deck DECK.md OUT.md [--answers=no]    run at the top of the tree
 *
 * --answers=no: as students may see it who have yet to do the deck's lab.
 *
 * Exit codes: 0 done, 2 a wrong call, or something in the deck is not right.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

    if (argc != 3 && (argc != 4 || strcmp(argv[3], "--answers=no") != 0)) {
        fprintf(stderr, "make_deck: call it with DECK.md and OUT.md, and "
                        "perhaps --answers=no\n");
        return 2;
    }
    if (deck_read(argv[1], &deck, why, sizeof why) != 0) {
        fprintf(stderr, "make_deck: %s\n", why);
        return 2;
    }
    /* Decks with a letter come before all labs. */
    if (argc == 4) {
        const char *const slash = strrchr(argv[1], '/');

        deck.first_asked = (int)strtol(slash ? slash + 1 : argv[1], NULL, 10);
    }
    out = open_memstream(&text, &length);
    failed = !out || deck_write(&deck, out, why, sizeof why) != 0;
    failed = (out && fclose(out) != 0) || failed;
    failed = failed || base_write_file(argv[2], text, why, sizeof why) != 0;
    if (failed)
        fprintf(stderr, "make_deck: %s\n", why);
    free(text);
    deck_free(&deck);
    return failed ? 2 : 0;
}

/*
 * deck.h: what does a deck of slides hold, and what does Marp get of it?
 *
 * A deck is a Markdown file with a head between two lines "---", which names
 * its title and its minutes, and slides between further lines "---". What
 * stands on a slide beside Markdown:
 *
 *   <!-- 3 min. What the lecturer says ... -->
 *       The notes. Each slide has them once, and they begin with its minutes.
 *
 *   <!-- code FILE "FIRST" "LAST" -->
 *       Lines of a source file, from the first one that contains FIRST to the
 *       next one that contains LAST; without LAST that line alone. A third text
 *       says behind which line FIRST is looked for. TODOs and what belongs to
 *       skeletons are left out, and the indentation that all lines share.
 *
 *   <!-- figure NAME: what is seen -->
 *       A figure, alone on its line: NAME.svg of slides/figures, of
 *       build/slides/figures or of plots/gallery. It becomes part of the deck.
 *
 *   <!-- solution -->
 *       The slide says what the handout asks: students do not see it.
 *
 *   <!-- ... %.1f -->NUMBER, <!-- source: ... -->, <!-- of ... -->,
 *   <!-- from ... -->
 *       Where a number or a run comes from: make check WHAT=quotes checks it,
 *       Marp does not see it.
 *
 * All functions return 0, or -1 with a line in why that names file and line.
 */
#ifndef SLIDES_DECK_H
#define SLIDES_DECK_H

#include <stddef.h>
#include <stdio.h>

enum {
    DECK_SLIDES = 64 /* of a deck, at most */
};

struct deck_slide {
    int line;          /* of the file, where it begins; from 1 */
    char heading[120]; /* "" if it has none */
    double minutes;    /* of its notes; 0 if it has none */
    int notes;         /* how many */
};

struct deck {
    const char *path;
    char *text; /* the whole file; owned */
    char title[120];
    double minutes; /* as the head says */
    int slides;
    struct deck_slide slide[DECK_SLIDES];
    /* The deck is for students who have this lab and later ones to do: no notes
       and no solutions. -1 after deck_read: it is for a lecturer. */
    int first_asked;
};

/* Reads a deck; free it with deck_free. path must outlive it. */
int deck_read(const char *path, struct deck *deck, char *why, size_t size);
void deck_free(struct deck *deck);

/* Writes what Marp gets: code, pictures and numbers in their places. */
int deck_write(const struct deck *deck, FILE *out, char *why, size_t size);

/* The next word of a comment at *at, quoted or not, without its quotes; moves
   *at behind it. Returns 0, or -1 if there is none that fits. */
int deck_word(const char **at, char *word, size_t size);

/* What the deck's comments become. argument is the text of the comment behind
   the word that names it. */
int deck_code(const char *argument, int first_asked, FILE *out, char *why,
              size_t size);
int deck_picture(const char *argument, int number, FILE *out, char *why,
                 size_t size);

#endif /* SLIDES_DECK_H */

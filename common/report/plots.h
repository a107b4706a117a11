/*
 * plots.h: which plots may a report hold, what do they show, and which of them
 * were made?
 *
 * plots/CAPTIONS lists them; its head explains the form.
 */
#ifndef REPORT_PLOTS_H
#define REPORT_PLOTS_H

#include "base/record.h"

enum {
    PLOTS_LARGEST = 1 << 20 /* bytes of an SVG that is looked into */
};

struct plot {
    const char *name;    /* "ladder"; "map*" in CAPTIONS stands for many */
    const char *made_by; /* "make demo"; NULL: comes with another one */
    const char *shows;   /* instead of the picture, for who cannot see it */
    const char *caption;
    const char *of_labs; /* not NULL: a lab's later change makes it old */
    char *path;          /* of the SVG; NULL: not made */
    size_t bytes;        /* of it */
    int of_course;       /* shows the course's solutions or recorded times */
};

struct plots {
    struct plot *plot;
    size_t count;
    struct base_records captions; /* the texts above point into it */
};

/*
 * Reads CAPTIONS and looks for the SVGs in folder, which need not be there. The
 * plots come in the order of CAPTIONS; an SVG that it does not know comes last
 * with an empty caption. Returns 0, or -1 with a line in why; nothing is to be
 * freed then.
 */
int plots_read(const char *captions, const char *folder, struct plots *plots,
               char *why, size_t size);

void plots_free(struct plots *plots);

#endif /* REPORT_PLOTS_H */

/*
 * figures.h: which figures are drawn from data, and from what?
 *
 * Each function writes one SVG to out. Its arguments are what stands behind the
 * figure's name on the command line, NULL behind the last. It returns 0, or -1
 * with a line in why. Figures that no data changes are files beside this one.
 */
#ifndef SLIDES_FIGURES_H
#define SLIDES_FIGURES_H

#include <stddef.h>
#include <stdio.h>

typedef int draw_figure(char *const argument[], FILE *out, char *why,
                        size_t size);

/* The banks, from the model of common/banks. */
draw_figure figure_stride;   /* TYPE STRIDE RULE: which lane at which bank */
draw_figure figure_conflict; /* BANKS.csv RULE: wavefronts by type, stride */

/* What a run recorded. */
draw_figure
    figure_queues; /* MAP.csv: lanes at the banks, wavefront by wavefront */
draw_figure figure_sectors; /* MAP.csv: lanes in sectors of 32 bytes */
draw_figure
    figure_footprint; /* FOOTPRINT.csv: what thread, warp, block touch */

/* What was measured. */
draw_figure
    figure_ladder; /* LADDER.csv LAB FIRST LAST: speed of labs, LAB marked */
draw_figure figure_clocks; /* CLOCKS.csv: clocks of processors by year */

#endif /* SLIDES_FIGURES_H */

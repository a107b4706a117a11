/*
 * figures.h: which figures can be drawn, and from what?
 *
 * Each function writes one SVG to out. Some take arguments: what stands behind
 * the figure's name on the command line, NULL behind the last. These return 0,
 * or -1 with a line in why.
 */
#ifndef SLIDES_FIGURES_H
#define SLIDES_FIGURES_H

#include <stddef.h>
#include <stdio.h>

typedef int draw_figure(char *const argument[], FILE *out, char *why,
                        size_t size);
typedef void draw_plain(FILE *out);

/* Matrices, from the formulas of the labs. */
draw_plain figure_row_major; /* a matrix, and its elements in memory */
draw_plain figure_grid;      /* the blocks that cover C, and its edge */
draw_plain figure_plan;      /* a square of C, and the tiles it is made of */
draw_plain figure_walk;      /* where tiles begin in A and B: indexes */
draw_figure figure_trace;    /* STEP 0..3: a 4 x 4 product in 2 x 2 tiles */
draw_plain figure_outer;     /* b, a column of As, 16 sums */

/* What CUDA is made of. */
draw_plain figure_compile; /* what nvcc makes of a file */
draw_plain figure_spaces;  /* the memory spaces, and who sees them */

/* The banks, from the model of common/banks. */
draw_figure figure_stride;   /* TYPE STRIDE RULE: which lane at which bank */
draw_figure figure_conflict; /* BANKS.csv RULE: wavefronts by type, stride */
draw_figure figure_padding; /* LENGTH...: banks of the rows of a 16 x 16 tile */

/* What a run recorded. */
draw_figure figure_queues;  /* MAP.csv: lanes at the banks, pass by pass */
draw_figure figure_sectors; /* MAP.csv: lanes in sectors of 32 bytes */
draw_figure
    figure_footprint; /* FOOTPRINT.csv: what thread, warp, block touch */

/* What was measured. */
draw_figure figure_ladder; /* LADDER.csv LAB: speed of each lab, LAB marked */
draw_figure figure_clocks; /* CLOCKS.csv: clocks of processors by year */

/* Time and space. */
draw_plain figure_dies;     /* what a CPU and a GPU use their area for */
draw_figure figure_hiding;  /* WARPS...: how many warps hide a latency */
draw_figure figure_overlap; /* TILES: fetching and computing, 1 and 2 buffers */
draw_figure figure_unrolled; /* STEPS: what a loop executes, rolled and not */

/* The number that an argument is; 0 if it is none, or NULL. */
int figure_number(const char *argument);

#endif /* SLIDES_FIGURES_H */

/*
 * blocks.h: which floating-point operations does a basic block of a kernel
 * perform, and on which lines?
 *
 * The table that simt_tables put into the program (tables/tables.h), with the
 * lines that its instructions stand on (lines.h). Any thread may ask.
 */
#ifndef SIMT_BLOCKS_H
#define SIMT_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* One source line of one basic block. */
struct simt_block_line {
    const char *file; /* as by simt_line_of; "": unknown */
    int line;         /* 0: unknown */
    unsigned flops;   /* each time that a thread enters the block */
};

/*
 * The lines with operations of the block whose call of the trace function
 * returns to `code`: returns how many there are and sets *lines to the first of
 * them, in the order of file and line. 0 for a block without operations, and
 * for all blocks of a program without a table.
 */
size_t simt_block_flops(uintptr_t code, const struct simt_block_line **lines);

#endif /* SIMT_BLOCKS_H */

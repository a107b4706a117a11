/*
 * layout.h: where does a module have what the device must know of it? Filled in
 * by module_begin.c, within the module, and read once, before any of its code
 * has run. Addresses are those of its linear memory.
 */
#ifndef MODULE_LAYOUT_H
#define MODULE_LAYOUT_H

#include <stdint.h>

/* Where a section begins and ends; 0: there is none. */
struct module_range {
    uint32_t begin, end;
};

enum {
    MODULE_VARIABLES = 8 /* kinds of device variables: simt/variables.c */
};

struct module_layout {
    uint32_t indices, data; /* where indices begin and end */
    uint32_t site;          /* simt_site: tables/wasm.c */
    uint32_t thread_index, block_index, block_size, grid_size;
    uint32_t prediction; /* lab 05's table; 0: there is none */
    uint32_t product;    /* where a struct lab_matmul may lie */
    struct module_range shared;
    struct module_range symbols, lines, blocks, shapes, parameters, stores;
    struct module_range variable[MODULE_VARIABLES];
};

#endif /* MODULE_LAYOUT_H */

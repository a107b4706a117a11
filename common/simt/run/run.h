/* run.h: what the files of run/ share, besides device.h. */
#ifndef SIMT_RUN_H
#define SIMT_RUN_H

#include "simt/device.h"
#include "simt/include/simt_texture.h"

struct cudaArray {
    char *at; /* device memory */
    struct cudaChannelFormatDesc format;
    size_t bytes;                /* of an element */
    size_t width, height, depth; /* in elements; depth: or layers */
    size_t pitch;                /* bytes from row to row */
};

/* Bytes of an element; 0: no texture may be of such. */
int simt_element_bytes(const struct cudaChannelFormatDesc *format);

/* Opens OpenBLAS, once, and says what there is. */
void simt_blas_open(void);

#endif /* SIMT_RUN_H */

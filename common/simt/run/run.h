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

/* A stream records an event, and waits for one: if it is captured, the event
   and whoever waits for it are too. */
void simt_graph_event(const void *event, cudaStream_t stream);
void simt_graph_wait(cudaStream_t stream, const void *event);

/* Opens OpenBLAS, once, and says what there is. */
void simt_blas_open(void);
/* Of a cudaDataType_t: bytes of an element, 0 if it is none of those that are
   calculated with; element i of an array. */
size_t simt_blas_size(int type);
double simt_blas_load(int type, const void *array, size_t i);
void simt_blas_store(int type, void *array, size_t i, double value);

#endif /* SIMT_RUN_H */

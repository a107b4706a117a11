/* textures.h: what is an array, to those who make one and who read from it? */
#ifndef SIMT_TEXTURES_H
#define SIMT_TEXTURES_H

#include "device.h"
#include "include/simt_texture.h"

struct cudaArray {
    char *at; /* device memory */
    struct cudaChannelFormatDesc format;
    size_t bytes;                /* of an element */
    size_t width, height, depth; /* in elements; depth: or layers */
    size_t pitch;                /* bytes from row to row */
};

/* Bytes of an element; 0: no texture may be of such. */
int simt_element_bytes(const struct cudaChannelFormatDesc *format);

#endif /* SIMT_TEXTURES_H */

/* channel_descriptor.h: formats of textures, in one header here. */
#include "cuda_runtime.h"

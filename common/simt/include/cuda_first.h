/*
 * cuda_first.h: what g++ reads before a .cu file. It has a name of its own so
 * that it can be precompiled: a file that includes cuda_runtime.h once more
 * still finds that header.
 */
#include "cuda_runtime.h"

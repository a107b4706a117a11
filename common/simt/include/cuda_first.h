/*
 * cuda_first.h: what g++ reads before a .cu file. It has a name of its own so
 * that it can be precompiled: a file that includes cuda_runtime.h once more
 * still finds that header.
 */
/* The labs' own, whatever GPU is asked for: from 900 on lab 14 has bulk copies,
   which are a Hopper's. make run says which one it wants. */
#ifndef SIMT_ARCH
#define SIMT_ARCH 800
#endif

/* What nvcc defines: in a .cu file alone, for headers that C++ files include as
   well; the second in code of the device alone, but host code and kernels are
   compiled in one go here. simt_rewrite hides it from functions of the host. */
#define __CUDACC__    1
#define __CUDA_ARCH__ SIMT_ARCH

/* The nvcc that labs are tried with. */
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88

#include "cuda_runtime.h"

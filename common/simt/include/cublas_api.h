/* cublas_api.h: what cublas_v2.h has. */
#include "cublas_v2.h"

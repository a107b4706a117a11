/* nvtx3/nvToolsExt.h: what nvToolsExt.h is. */
#include "../nvToolsExt.h"

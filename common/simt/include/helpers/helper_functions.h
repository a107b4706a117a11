/* helper_functions.h: options and timers; pictures are not here. */
#ifndef SIMT_HELPER_FUNCTIONS_H
#define SIMT_HELPER_FUNCTIONS_H

#include "helper_string.h"
#include "helper_timer.h"

#include <algorithm>
#include <assert.h>
#include <fstream>
#include <iostream>
#include <math.h>
#include <sstream>
#include <vector>

#endif /* SIMT_HELPER_FUNCTIONS_H */

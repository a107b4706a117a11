/* What is each check of the device called in tables? */
#include "simt.h"

const char *const simt_check_name[SIMT_MISTAKES] = {
    "race in shared memory",
    "race in global memory",
    "read of shared memory that nobody wrote",
    "read of global memory that nobody wrote",
    "access outside of an array",
    "misaligned access",
    "access to memory that a kernel cannot reach",
    "barrier that not all threads reach",
    "assertion that fails",
    "kernel that does not end",
    "use of what is not there yet",
    "multiplication of elements that do not belong together",
};

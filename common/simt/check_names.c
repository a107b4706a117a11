/* What is each check of the device called in tables? */
#include "simt.h"

#include "base/language.h"

const char *const simt_check_name[SIMT_MISTAKES] = {
    N_("race in shared memory"),
    N_("race in global memory"),
    N_("read of shared memory that nobody wrote"),
    N_("read of global memory that nobody wrote"),
    N_("access outside of an array"),
    N_("misaligned access"),
    N_("access to memory that a kernel cannot reach"),
    N_("barrier that not all threads reach"),
    N_("assertion that fails"),
    N_("kernel that does not end"),
    N_("use of what is not there yet"),
    N_("multiplication of elements that do not belong together"),
};

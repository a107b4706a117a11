/* entry.c: where libFuzzer begins. TARGET is the target's function. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    TARGET(bytes, size);
    return 0;
}

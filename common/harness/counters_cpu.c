/* The CPU device counts if this program was linked with its analyse build. */
#include "counters.h"

#include <errno.h>

int lab_can_count(void)
{
    return simt_can_count();
}

void lab_count_begin(void)
{
    simt_count_reset();
}

int lab_count_end(struct simt_count *count)
{
    *count = (struct simt_count){0};
    if (!simt_can_count()) {
        errno = ENOTSUP;
        return -1;
    }
    return simt_count_read(count);
}

void lab_findings_read(struct simt_findings *findings)
{
    simt_findings_read(findings);
}

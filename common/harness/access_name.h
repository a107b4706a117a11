/* access_name.h: what an access touches, in the reader's language. */
#ifndef LAB_ACCESS_NAME_H
#define LAB_ACCESS_NAME_H

#include <stddef.h>

#include "simt/log.h"

/* As "element 7 of A" or "As[1][2]". What does not fit is cut. */
void lab_access_name(char *text, size_t size, const struct simt_access *access);

#endif /* LAB_ACCESS_NAME_H */

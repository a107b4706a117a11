/* xml.h: is a page well-formed XML, as far as this course writes any? */
#ifndef TESTS_REPORT_XML_H
#define TESTS_REPORT_XML_H

#include <stddef.h>

/*
 * Elements are closed in their order, attributes are quoted and stand once, '<'
 * and '&' stand nowhere else, each id once, and each link finds its id. Returns
 * 0, or -1 with a line in why.
 */
int xml_check(const char *text, char *why, size_t size);

#endif /* TESTS_REPORT_XML_H */

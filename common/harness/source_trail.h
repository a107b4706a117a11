/*
 * source_trail.h: which lines give the names in a part of a source file their
 * values?
 */
#ifndef LAB_SOURCE_TRAIL_H
#define LAB_SOURCE_TRAIL_H

#include "base/lexer.h"
#include "story.h"

/* Adds the lines for the names between two tokens (source_text.h). */
void lab_trail_values(const struct base_tokens *t, size_t from, size_t to,
                      struct lab_lines *lines);

#endif /* LAB_SOURCE_TRAIL_H */

/*
 * kit.h: where does the compile box find what it needs?
 *
 * In build/grade/kit: the device's headers, compiled once, the runner, and the
 * program that compiles (build_main.c). grade.mk makes it.
 */
#ifndef GRADE_KIT_H
#define GRADE_KIT_H

#include <stddef.h>

/*
 * The kit of the tree that this program was built in: build/grade/kit for
 * build/tools/grade. Returns 0, or -1 with a line in why.
 */
int grade_kit_find(char *path, size_t size, char *why, size_t why_size);

#endif /* GRADE_KIT_H */

/*
 * found.h: what did the checks find in all runs of a program?
 *
 * A device begins anew with each; it keeps their texts.
 */
#ifndef LAB_FOUND_H
#define LAB_FOUND_H

#include <stddef.h>

#include "simt/report.h"

/* Begins as all 0. */
struct lab_found {
    struct simt_finding *finding;
    size_t count;
};

/* Adds what was found. Returns 0, or -1 with errno ENOMEM. */
int lab_found_add(struct lab_found *found,
                  const struct simt_findings *findings);

void lab_found_free(struct lab_found *found);

/*
 * Replaces path by a CSV file with a record for each check and each finding
 * (simt/report.h). Returns 0, or -1 with a line in why; then the file is as it
 * was.
 */
int lab_found_write(const char *path, const struct simt_checks *checks,
                    const struct lab_found *found, char *why, size_t size);

#endif /* LAB_FOUND_H */

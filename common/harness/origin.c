#define _POSIX_C_SOURCE 200809L
#include "origin.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* Of this program's file. */
static void hash_program(char *text, size_t size)
{
    unsigned char piece[65536];
    uint64_t hash = BASE_HASH_OF_NOTHING;
    size_t length;
    FILE *file = fopen("/proc/self/exe", "rb");

    text[0] = '\0';
    if (file == NULL)
        return;
    while ((length = fread(piece, 1, sizeof piece, file)) > 0) {
        for (size_t i = 0; i < length; i++)
            hash = base_hash_add(hash, piece[i]);
    }
    if (!ferror(file))
        snprintf(text, size, "%016" PRIx64, hash);
    fclose(file);
}

void lab_origin_read(struct lab_origin *origin)
{
    const time_t now = time(NULL);
    struct tm utc;

    lab_origin_driver(origin->driver, sizeof origin->driver);
    snprintf(origin->compiler, sizeof origin->compiler, "%s",
             lab_origin_compiler());
    hash_program(origin->program, sizeof origin->program);
    if (gmtime_r(&now, &utc) == NULL ||
        strftime(origin->date, sizeof origin->date, "%Y-%m-%dT%H:%M:%SZ",
                 &utc) == 0)
        origin->date[0] = '\0';
}

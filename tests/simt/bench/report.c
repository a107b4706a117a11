#define _GNU_SOURCE
#include "bench.h"

#include "base/replace_file.h"
#include "simt/simt.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static double accesses_per_second_and_core(const struct bench_row *row)
{
    return (double)row->accesses / (row->median / 1e3) / row->threads;
}

/* How many times as fast as another row, if there is one. */
static void print_against(const struct bench_row *row,
                          const struct bench_row *other)
{
    if (other == NULL) {
        printf("%9s", "-");
    } else {
        printf("%9.2f", other->median / row->median);
    }
}

void bench_print_header(const struct bench *b)
{
    printf("%.80s\n", b->device.name);
    printf("ms, min, max  median, shortest and longest run, of %d\n",
           b->repeat);
    if (simt_can_count()) {
        printf(
            "M/s           million accesses that a core records, counts and "
            "checks in a\n              second; build record: only records\n");
    } else {
        printf("x plain       times as fast as plain C on one core\n");
    }
    printf("x one         times as fast as with one thread\n\n");
    printf("build    kernel  size  threads        ms       min       max%s"
           "    x one\n",
           simt_can_count() ? "      M/s" : "  x plain");
}

void bench_print_row(const struct bench_row *row, const struct bench_row *plain,
                     const struct bench_row *one)
{
    printf("%-9s%-6s%6d%9d%10.2f%10.2f%10.2f", row->build, row->kernel,
           row->size, row->threads, row->median, row->min, row->max);
    if (row->accesses > 0) {
        printf("%9.1f", accesses_per_second_and_core(row) / 1e6);
    } else {
        print_against(row, plain);
    }
    print_against(row, one);
    printf("\n");
    fflush(stdout);
}

int bench_write_csv(struct bench *b, const char *path)
{
    struct base_replacement file;
    char date[32];
    const time_t now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (base_replace_begin(&file, path, b->why, sizeof b->why) != 0)
        return -1;
    fprintf(file.file, "device,compiler,date,build,kernel,size,threads,repeat,"
                       "ms,ms_min,ms_max,accesses,accesses_per_second_core\n");
    for (size_t i = 0; i < b->rows; i++) {
        const struct bench_row *row = &b->row[i];

        fprintf(file.file, "\"%s\",gcc %s,%s,%s,%s,%d,%d,%d,%.4f,%.4f,%.4f,",
                b->device.name, __VERSION__, date, row->build, row->kernel,
                row->size, row->threads, b->repeat, row->median, row->min,
                row->max);
        if (row->accesses > 0) {
            fprintf(file.file, "%" PRIu64 ",%.0f", row->accesses,
                    accesses_per_second_and_core(row));
        } else {
            fprintf(file.file, ",");
        }
        fprintf(file.file, "\n");
    }
    return base_replace_end(&file, !ferror(file.file), b->why, sizeof b->why);
}

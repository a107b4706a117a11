/* results.csv: appending a row keeps what was there byte for byte, or refuses
   with a reason; replacing one leaves at most one of its run. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "base/file.h"
#include "base/csv_read.h"
#include "harness/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A real file: it is replaced by name. */
static char path[] = "/tmp/fuzz_results.XXXXXX";

static void put_bytes(const void *bytes, size_t size)
{
    static int made;
    FILE *file;

    if (!made) {
        const int descriptor = mkstemp(path);

        if (descriptor < 0)
            abort();
        close(descriptor);
        made = 1;
    }
    file = fopen(path, "w");
    if (file == NULL || fwrite(bytes, 1, size, file) != size ||
        fclose(file) != 0)
        abort();
}

static char *get_text(void)
{
    char why[300];
    char *const text = base_read_file(path, why, sizeof why);

    fuzz_must(text != NULL);
    return text;
}

static int rows_of_run(const struct lab_result *run)
{
    struct base_csv csv;
    char why[300];
    int rows = 0;

    if (base_csv_read(path, &csv, why, sizeof why) != 0)
        return 0; /* an old row cannot be read, and stays */
    for (size_t i = 0; i < csv.rows; i++) {
        rows += strcmp(base_csv_text(&csv, i, "lab"), run->lab) == 0 &&
                strcmp(base_csv_text(&csv, i, "variant"), run->variant) == 0 &&
                strcmp(base_csv_text(&csv, i, "device"), run->device) == 0 &&
                *base_csv_text(&csv, i, "kernel_ms") == '1' &&
                strlen(base_csv_text(&csv, i, "kernel_ms")) == 1 &&
                strcmp(base_csv_text(&csv, i, "m"), "16") == 0 &&
                strcmp(base_csv_text(&csv, i, "n"), "16") == 0 &&
                strcmp(base_csv_text(&csv, i, "k"), "16") == 0;
    }
    base_csv_free(&csv);
    return rows;
}

void fuzz_results(const uint8_t *bytes, size_t size)
{
    struct lab_result run;
    char *const text = fuzz_string(bytes, size);
    const size_t length = strlen(text);
    char why[400] = "", date[32] = "", *after;

    lab_result_clear(&run);
    run.lab = "03_tiling";
    run.variant = "kernel";
    run.device = "cpu";
    run.device_name = "a \"device\", named";
    run.verdict = "PASS";
    run.m = run.n = run.k = 16;
    run.kernel_ms = 1.0;
    put_bytes(text, length);
    if (lab_results_known(path, &run, 1, date, why, sizeof why) < 0)
        fuzz_message(why, sizeof why);
    why[0] = '\0';
    if (lab_results_write_csv(path, &run, 1, 0, why, sizeof why) != 0) {
        fuzz_message(why, sizeof why);
        after = get_text();
        fuzz_must(strcmp(after, text) == 0);
    } else {
        after = get_text();
        fuzz_must(strncmp(after, text, length) == 0);
        fuzz_must(strlen(after) > length);
        fuzz_must(lab_results_write_csv(path, &run, 1, 1, why, sizeof why) ==
                  0);
        fuzz_must(rows_of_run(&run) <= 1);
    }
    free(after);
    free(text);
    unlink(path);
}

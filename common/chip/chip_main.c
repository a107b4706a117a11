/*
 * chip: which limit of a chip binds a kernel, and how long would it take there?
 *
 *   chip [OPTION]... --chip FILE LAB SIZES REQUESTS REQUESTS_DEEPER DEEPEST
 *
 * SIZES are sides as 512,4096 or one MxNxK; of several the last is shown.
 * The three files hold the requests of the lab's kernels (SIMT_REQUESTS) at
 * 256 x 256 and the depths below. Exit codes: 0 done, 1 a kernel that the model
 * cannot look at, 2 a wrong call or a file that cannot be read or written.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/replace_file.h"
#include "chip/facts.h"
#include "chip/screen.h"

enum {
    WRONG = 2,
    SIDE = 256, /* of C, while counting */
    MOST_SIZES = 32,
    MOST_KERNELS = 8,
    FILES = 3
};

/* Multiples of all tiles' depths; lab 13 splits k at the last one alone. */
static const int depth[FILES] = {64, 96, 128};

struct call {
    const char *lab, *requests[FILES], *chip, *cubin, *facts, *csv;
    const char *kernel[MOST_KERNELS]; /* mangled, in order of their launches */
    int kernels;
    int line, write_facts;
    struct chip_question question[MOST_SIZES];
    int sizes;
    struct chip on;
    struct sass_file sass;
    char why[400];
};

/* A side, and what stands behind it in *text. 0: none. */
static int read_side(const char **text)
{
    char *end;
    const long side = strtol(*text, &end, 10);

    *text = end;
    return side > 0 && side < 1 << 20 ? (int)side : 0;
}

/* Reads SIZES. Returns 0, or -1. */
static int read_sizes(struct call *c, const char *text)
{
    while (c->sizes < MOST_SIZES) {
        struct chip_question *q = &c->question[c->sizes++];

        q->m = q->n = q->k = read_side(&text);
        if (*text == 'x') {
            text++;
            q->n = read_side(&text);
            if (*text++ != 'x')
                return -1;
            q->k = read_side(&text);
        }
        if (q->m == 0 || q->n == 0 || q->k == 0)
            return -1;
        if (*text == '\0')
            return 0;
        if (*text++ != ',')
            return -1;
    }
    return -1;
}

static int read_call(struct call *c, int argc, char **argv)
{
    enum {
        CHIP,
        CUBIN,
        FACTS,
        CSV,
        KERNEL,
        LINE,
        WRITE_FACTS
    };
    static const struct option known[] = {
        {"chip", required_argument, NULL, CHIP},
        {"cubin", required_argument, NULL, CUBIN},
        {"facts", required_argument, NULL, FACTS},
        {"csv", required_argument, NULL, CSV},
        {"kernel", required_argument, NULL, KERNEL},
        {"line", no_argument, NULL, LINE},
        {"write-facts", no_argument, NULL, WRITE_FACTS},
        {0, 0, 0, 0}};
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case CHIP:
            c->chip = optarg;
            break;
        case CUBIN:
            c->cubin = optarg;
            break;
        case FACTS:
            c->facts = optarg;
            break;
        case CSV:
            c->csv = optarg;
            break;
        case KERNEL:
            if (c->kernels == MOST_KERNELS)
                return -1;
            c->kernel[c->kernels++] = optarg;
            break;
        case LINE:
            c->line = 1;
            break;
        case WRITE_FACTS:
            c->write_facts = 1;
            break;
        default:
            return -1;
        }
    }
    if (argc - optind != 2 + FILES || c->chip == NULL)
        return -1;
    c->lab = argv[optind];
    for (int i = 0; i < FILES; i++)
        c->requests[i] = argv[optind + 2 + i];
    return read_sizes(c, argv[optind + 1]);
}

/* What is known of kernel number nth. Returns 0, 1 if there are fewer, or -1
   with why. */
static int read_kernel(struct call *c, int nth, struct chip_kernel *kernel,
                       const char **code)
{
    struct chip_block block[FILES];
    int result;

    for (int i = 0; i < FILES; i++) {
        result = chip_block_read(c->requests[i], nth, &block[i], c->why,
                                 sizeof c->why);
        if (result != 0)
            return result;
    }
    if (chip_kernel_fit(block, depth, SIDE, SIDE, kernel, c->why,
                        sizeof c->why) != 0)
        return -1;
    kernel->splits = block[FILES - 1].grid[2] > block[0].grid[2];
    *code = "rule";
    if (c->cubin != NULL) {
        *code = "nvcc";
        if (nth < c->kernels)
            snprintf(kernel->name, sizeof kernel->name, "%s", c->kernel[nth]);
        return chip_code_read(&c->sass, kernel->name, kernel, c->why,
                              sizeof c->why);
    }
    if (c->facts != NULL) {
        result =
            chip_facts_read(c->facts, c->lab, kernel, c->why, sizeof c->why);
        *code = result == 0 ? "facts" : "rule";
        return result < 0 ? -1 : 0;
    }
    return 0;
}

/* Each size to the CSV file, and the last to the screen. */
static void tell(struct call *c, const struct chip_kernel *kernel,
                 const char *code, int nth, FILE *csv)
{
    for (int i = 0; i < c->sizes; i++) {
        struct chip_question *q = &c->question[i];
        struct chip_answer answer;

        q->lab = c->lab;
        q->code = code;
        chip_predict(kernel, &c->on, q->m, q->n, q->k, &answer);
        if (csv != NULL)
            chip_csv(csv, q, &c->on, kernel, &answer);
    }
    if (c->sizes > 0 && !c->write_facts) {
        const struct chip_question *q = &c->question[c->sizes - 1];
        struct chip_answer answer;

        chip_predict(kernel, &c->on, q->m, q->n, q->k, &answer);
        if (c->line && nth == 0) {
            chip_print_line(stdout, q, kernel, &answer);
        } else if (!c->line) {
            fputs(nth > 0 ? "\n" : "", stdout);
            chip_print(stdout, q, &c->on, kernel, &answer);
        }
    }
}

/* Returns an exit code. */
static int look_at_kernels(struct call *c, FILE *csv)
{
    struct chip_kernel kernel;
    const char *code;
    int nth = 0, result;

    while ((result = read_kernel(c, nth, &kernel, &code)) == 0) {
        if (c->write_facts && nth == 0)
            chip_facts_header(stdout);
        if (c->write_facts)
            chip_facts_write(stdout, c->lab, &kernel);
        tell(c, &kernel, code, nth++, csv);
    }
    if (result == 1 && nth == 0)
        snprintf(c->why, sizeof c->why, "%s: no kernel was run", c->lab);
    return result < 0 || nth == 0;
}

int main(int argc, char **argv)
{
    struct call c = {0};
    struct base_replacement r = {0};
    int code;

    if (read_call(&c, argc, argv) != 0) {
        fputs("usage: chip --chip FILE [--cubin FILE] [--facts FILE] [--csv "
              "FILE] [--kernel NAME]\n           [--line] LAB SIZES REQUESTS "
              "REQUESTS REQUESTS\n",
              stderr);
        return WRONG;
    }
    if (chip_read(c.chip, &c.on, c.why, sizeof c.why) != 0 ||
        (c.cubin != NULL &&
         sass_read(c.cubin, &c.sass, c.why, sizeof c.why) != 0) ||
        (c.csv != NULL &&
         base_replace_begin(&r, c.csv, c.why, sizeof c.why) != 0)) {
        fprintf(stderr, "chip: %s\n", c.why);
        sass_free(&c.sass);
        return WRONG;
    }
    if (r.file != NULL)
        chip_csv_header(r.file);
    code = look_at_kernels(&c, r.file);
    if (code != 0)
        fprintf(stderr, "chip: %s\n", c.why);
    if (c.csv != NULL &&
        base_replace_end(&r, code == 0, c.why, sizeof c.why) != 0) {
        fprintf(stderr, "chip: %s\n", c.why);
        code = WRONG;
    }
    sass_free(&c.sass);
    return fflush(stdout) == 0 ? code : WRONG;
}

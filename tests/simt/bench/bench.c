#define _GNU_SOURCE
#include "bench.h"

#include "harness/inputs.h"
#include "simt/device.h"
#include "simt/simt.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_SIZES = 16,
    LARGEST = 2048,
    MOST_REPEATS = 1000,
    MOST_ROWS = 8 /* of an algorithm: plain C, then 1, 2, 4, ... 64 threads */
};

struct options {
    int size[MOST_SIZES], sizes;
    int repeat;
    const char *csv; /* NULL: none */
};

static uint64_t accesses_naive(uint64_t n)
{
    return 2 * n * n * n + n * n;
}

/* Each tile is loaded from global memory and stored in shared memory once. */
static uint64_t accesses_tiled(uint64_t n)
{
    return 4 * n * n * n / PRODUCT_TILE + accesses_naive(n);
}

static const struct algorithm algorithms[] = {
    {"naive", plain_naive, launch_naive, accesses_naive},
    {"tiled", plain_tiled, launch_tiled, accesses_tiled},
};

enum {
    ALGORITHMS = sizeof algorithms / sizeof *algorithms
};

/* Adds a row and measures it. Returns it, or NULL with bench->why. */
static const struct bench_row *add_measured(struct bench *b,
                                            const struct algorithm *algorithm,
                                            const char *build, int threads)
{
    struct bench_row *row = &b->row[b->rows];

    *row = (struct bench_row){.build = build,
                              .kernel = algorithm->name,
                              .size = b->n,
                              .threads = threads};
    if (bench_measure(b, algorithm, row) != 0)
        return NULL;
    b->rows++;
    return row;
}

/* One algorithm at one size: plain C or recording alone, then the device with
   1, 2, 4 and so on threads up to one for each core. */
static int bench_algorithm(struct bench *b, const struct algorithm *algorithm,
                           int cores)
{
    const struct bench_row *plain = NULL, *one = NULL, *row;

    algorithm->plain(b->A, b->B, b->right, b->n);
    if (!simt_can_count()) {
        plain = add_measured(b, algorithm, "plain", 1);
        if (plain == NULL)
            return -1;
        bench_print_row(plain, NULL, NULL);
    } else {
        row = add_measured(b, algorithm, "record", 1);
        if (row == NULL)
            return -1;
        bench_print_row(row, NULL, NULL);
    }
    /* No more threads than there are blocks. */
    if (cores > (b->n / PRODUCT_TILE) * (b->n / PRODUCT_TILE))
        cores = (b->n / PRODUCT_TILE) * (b->n / PRODUCT_TILE);
    for (int threads = 1; threads <= cores;) {
        row = add_measured(b, algorithm, simt_can_count() ? "analyse" : "fast",
                           threads);
        if (row == NULL)
            return -1;
        one = one ? one : row;
        bench_print_row(row, plain, one);
        threads = threads < cores && 2 * threads > cores ? cores : 2 * threads;
    }
    return 0;
}

/* All algorithms at one size. */
static int bench_size(struct bench *b, int cores)
{
    const size_t count = (size_t)b->n * (size_t)b->n;
    const size_t bytes = count * sizeof(float);
    int status = -1;

    b->A = malloc(bytes);
    b->B = malloc(bytes);
    b->C = malloc(bytes);
    b->right = malloc(bytes);
    snprintf(b->why, sizeof b->why, "not enough memory for n = %d", b->n);
    if (b->A == NULL || b->B == NULL || b->C == NULL || b->right == NULL ||
        cudaMalloc((void **)&b->dA, bytes) != cudaSuccess ||
        cudaMalloc((void **)&b->dB, bytes) != cudaSuccess ||
        cudaMalloc((void **)&b->dC, bytes) != cudaSuccess)
        goto done;
    lab_fill(b->A, count, 1);
    lab_fill(b->B, count, 2);
    if (cudaMemcpy(b->dA, b->A, bytes, cudaMemcpyHostToDevice) != cudaSuccess ||
        cudaMemcpy(b->dB, b->B, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
        goto done;
    status = 0;
    for (int i = 0; i < ALGORITHMS && status == 0; i++)
        status = bench_algorithm(b, &algorithms[i], cores);
done:
    cudaFree(b->dA);
    cudaFree(b->dB);
    cudaFree(b->dC);
    b->dA = b->dB = b->dC = NULL;
    free(b->A);
    free(b->B);
    free(b->C);
    free(b->right);
    return status;
}

/* A number from least to most; argp's message and end if it is none. */
static int read_number_option(struct argp_state *state, const char *text,
                              long least, long most, const char **end)
{
    char *behind;
    const long number = strtol(text, &behind, 10);

    if (behind == text || number < least || number > most) {
        argp_error(state, "'%s' is not a number from %ld to %ld", text, least,
                   most);
    }
    *end = behind;
    return (int)number;
}

static void read_sizes(struct argp_state *state, const char *text)
{
    struct options *o = state->input;

    for (o->sizes = 0; *text != '\0'; text += strspn(text, " ,")) {
        const int size =
            read_number_option(state, text, PRODUCT_TILE, LARGEST, &text);

        if (size % PRODUCT_TILE != 0) {
            argp_error(state, "size %d is no multiple of %d", size,
                       PRODUCT_TILE);
        }
        if (o->sizes == MOST_SIZES)
            argp_error(state, "more than %d sizes", MOST_SIZES);
        o->size[o->sizes++] = size;
    }
    if (o->sizes == 0)
        argp_error(state, "--sizes: there is none");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *o = state->input;
    const char *end = "";

    switch (key) {
    case 's':
        read_sizes(state, argument);
        return 0;
    case 'r':
        o->repeat = read_number_option(state, argument, 1, MOST_REPEATS, &end);
        if (*end != '\0')
            argp_error(state, "--repeat: '%s' is not a number", argument);
        return 0;
    case 'c':
        o->csv = argument;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is not an option", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp_option known[] = {
        {"sizes", 's', "LIST", 0, "Sides of the matrices (128 256 512)", 0},
        {"repeat", 'r', "N", 0, "Timed runs; the median counts (5)", 0},
        {"csv", 'c', "FILE", 0, "Write the table here as CSV", 0},
        {0}};
    static const struct argp argp = {
        known, parse_option, NULL, "Measures how fast the CPU device is.",
        NULL,  NULL,         NULL};
    struct options o = {{128, 256, 512}, 3, 5, NULL};
    struct bench b = {.repeat = 0};
    const int cores = simt_worker_count();
    int status = 0;

    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    b.repeat = o.repeat;
    b.ms = calloc((size_t)o.repeat, sizeof *b.ms);
    b.row = calloc((size_t)o.sizes * ALGORITHMS * MOST_ROWS, sizeof *b.row);
    if (b.ms == NULL || b.row == NULL) {
        snprintf(b.why, sizeof b.why, "not enough memory");
        status = -1;
    } else if (cudaGetDeviceProperties(&b.device, 0) == cudaSuccess) {
        bench_print_header(&b);
    }
    for (int i = 0; i < o.sizes && status == 0; i++) {
        b.n = o.size[i];
        status = bench_size(&b, cores);
    }
    if (status == 0 && o.csv != NULL)
        status = bench_write_csv(&b, o.csv);
    if (status != 0)
        fprintf(stderr, "%s: %s\n", argv[0], b.why);
    free(b.ms);
    free(b.row);
    return status == 0 ? 0 : 1;
}

#include "shape.h"

#include "base/refuse.h"

#include <math.h>
#include <stdio.h>

enum {
    WARP = 32,
    LINE = 32,  /* elements of 4 bytes in 128 */
    SECTOR = 8, /* likewise in 32 */
    MOST_THREADS = 1024,
    MOST_REGISTERS = 255
};

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* What a thread loads of a tile in shared memory for a step: `count` elements
   side by side. */
static void add_loads(double *per_step, double warps, int count)
{
    const int width = count % 4 == 0 ? 2 : count % 2 == 0 ? 1 : 0;
    const double loads = warps * (count >> width);

    per_step[BLOCK_LOADS + width] += loads;
    per_step[BLOCK_LOAD_PASSES + width] += loads * (width == 2 ? 2.0 : 1.0);
}

static void count_requests(const struct chip_shape *s, double warps,
                           struct chip_kernel *kernel)
{
    const int is_wide = s->sum_rows * s->sum_cols > 1;
    const double rows = s->rows, cols = s->cols;
    /* Elements that a request copies; those of A are stored one by one, as its
       tile is transposed. */
    const double each = is_wide ? 4.0 * WARP : WARP;
    const double a = rows / each, b = cols / each;
    double *const step = kernel->per_step, *const fixed = kernel->fixed;

    step[BLOCK_TILES] = 1.0 / s->depth;
    step[BLOCK_BARRIERS] = (is_wide ? 1.0 : 2.0) / s->depth;
    fixed[BLOCK_BARRIERS] = is_wide;
    step[BLOCK_GLOBAL_LOADS] = a + b;
    step[BLOCK_GLOBAL_LINES] =
        rows * most(1.0, (double)s->depth / LINE) / s->depth +
        most(1.0, cols / LINE);
    step[BLOCK_SECTORS] = (rows + cols) / SECTOR;
    step[BLOCK_DISTINCT] = rows / LINE + most(1.0, cols / LINE);
    step[BLOCK_FRESH] = a * fmin(1.0, (double)s->depth / LINE) + b;
    step[BLOCK_STORES] = rows / WARP + b;
    step[BLOCK_STORE_PASSES] = (rows + cols) / WARP;
    if (is_wide) {
        add_loads(step, warps, s->sum_rows);
        add_loads(step, warps, s->sum_cols);
    } else {
        /* Of A one request has four steps. */
        add_loads(step, warps / 4.0, 4);
        add_loads(step, warps, 1);
    }
    fixed[BLOCK_STORED] = rows * cols;
    fixed[BLOCK_GLOBAL_STORES] = rows * cols / each;
    fixed[BLOCK_STORE_LINES] = rows * most(1.0, cols / LINE);
}

/* No block fits: what is too much? */
static int check(const struct chip_shape *s, const struct chip *chip,
                 const struct chip_kernel *k, char *why, size_t size)
{
    const int needed = s->sum_rows * s->sum_cols + s->sum_rows + s->sum_cols;
    const double registers = ceil(k->code.registers * WARP / 256.0) * 256.0;

    if (k->code.registers < needed) {
        return base_refuse(why, size,
                           "a thread's %d sums and %d operands do not fit into "
                           "%.0f registers",
                           s->sum_rows * s->sum_cols, s->sum_rows + s->sum_cols,
                           k->code.registers);
    }
    if (k->code.registers > MOST_REGISTERS) {
        return base_refuse(why, size,
                           "a thread would need about %.0f registers, and 255 "
                           "is the most",
                           k->code.registers);
    }
    if (k->code.shared > chip->value[CHIP_SHARED]) {
        return base_refuse(why, size,
                           "a block's tiles take %.0f bytes of shared memory, "
                           "and a multiprocessor has %.0f",
                           k->dynamic_shared, chip->value[CHIP_SHARED]);
    }
    if (registers * k->threads / WARP > chip->value[CHIP_REGISTERS]) {
        return base_refuse(why, size,
                           "%d threads of %.0f registers need more than the "
                           "%.0f of a multiprocessor",
                           k->threads, k->code.registers,
                           chip->value[CHIP_REGISTERS]);
    }
    return 0;
}

int chip_shape_fit(const struct chip_shape *s, const struct chip *chip,
                   struct chip_kernel *kernel, char *why, size_t size)
{
    const int sums = s->sum_rows * s->sum_cols;
    const int threads = s->rows * s->cols / sums;
    const int stages = sums > 1 ? 2 : 1;

    *kernel = (struct chip_kernel){
        .threads = threads, .rows = s->rows, .cols = s->cols};
    if (s->rows % s->sum_rows != 0 || s->cols % s->sum_cols != 0 ||
        threads % WARP != 0 || threads > MOST_THREADS) {
        return base_refuse(why, size,
                           "a tile of %d x %d with %d x %d sums in a thread "
                           "takes %d threads; a block has whole warps of 32, "
                           "and 1024 threads at most",
                           s->rows, s->cols, s->sum_rows, s->sum_cols, threads);
    }
    kernel->dynamic_shared = 4.0 * stages * (s->rows + s->cols) * s->depth;
    snprintf(kernel->name, sizeof kernel->name, "%dx%dx%d with %dx%d sums",
             s->rows, s->cols, s->depth, s->sum_rows, s->sum_cols);
    count_requests(s, (double)threads / WARP, kernel);
    if (chip_kernel_guess(kernel) != 0)
        return base_refuse(why, size, "out of memory");
    kernel->code.is_shape = 1;
    if (s->registers > 0)
        kernel->code.registers = s->registers;
    return check(s, chip, kernel, why, size);
}

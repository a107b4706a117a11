/*
 * The model. A block asks for so many cycles of each unit of a multiprocessor;
 * the unit that is asked for most takes that long, and all others wait: the
 * time is the largest of the limits. (Hong and Kim, ISCA 2009, for latency and
 * throughput; Zhang and Owens, HPCA 2011, for a limit by unit; Ding and
 * Williams, "An Instruction Roofline Model for GPUs", PMBS 2019.)
 */
#include "model.h"

#include "base/language.h"
#include "guess.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SCHEDULERS = 4, /* of a multiprocessor (Programming Guide, "Compute
                       Capability 9.0") */
    WARP = 32,
    SECTOR = 32,
    UNROLLED = 4 /* steps of a loop without barriers that nvcc takes at once */
};

const char *const chip_limit_name[CHIP_LIMITS] = {
    [CHIP_LIMIT_ISSUE] = N_("issue and registers"),
    [CHIP_LIMIT_LOAD_STORE] = "load/store",
    [CHIP_LIMIT_L2] = "L2",
    [CHIP_LIMIT_DRAM] = "DRAM",
    [CHIP_LIMIT_LATENCY] = N_("latency"),
};

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* --- what a kernel asks for ----------------------------------------------- */

/* Multiply-adds of a thread for each step of k. */
static double products_of(const struct chip_kernel *kernel)
{
    return kernel->rows * kernel->cols / kernel->threads;
}

static double warps_of(const struct chip_kernel *kernel)
{
    return ceil((double)kernel->threads / WARP);
}

/*
 * The numbers below are none of a chip's: they lie near what nvcc 13 makes of
 * the solutions. A sum needs a register, operands and addresses some more.
 */
int chip_kernel_guess(struct chip_kernel *kernel)
{
    const double *count = kernel->per_step, warps = warps_of(kernel);
    const double each = 1.0 / warps;
    struct chip_code *code = &kernel->code;
    struct guess_counts c = {.steps = UNROLLED};

    *code = (struct chip_code){.shared = 1024.0 + kernel->dynamic_shared};
    code->registers =
        floor(most(32.0, 32.0 + 1.4 * (products_of(kernel) - 1.0)));
    code->products = products_of(kernel);
    code->stores = count[BLOCK_STORES] * each;
    code->globals = count[BLOCK_GLOBAL_LOADS] * each;
    for (int i = 0; i < CHIP_WIDTHS; i++)
        c.loads[i] = code->loads[i] = count[BLOCK_LOADS + i] * each;
    if (count[BLOCK_BARRIERS] > 0.0) {
        const double tiles = most(count[BLOCK_TILES], 1e-3);

        c.steps = 1.0 / tiles;
        c.barriers = (int)lround(count[BLOCK_BARRIERS] / tiles);
    }
    code->is_direct = count[BLOCK_GLOBAL_LOADS] - count[BLOCK_ASYNC_LOADS] >
                      1.2 * count[BLOCK_STORES];
    c.products = code->products;
    c.globals = code->globals;
    c.stores = code->stores;
    if (guess_loop(&c, &kernel->loop) != 0)
        return -1;
    code->steps = c.steps;
    code->instructions = (double)kernel->loop.count / c.steps;
    return 0;
}

/* All loops run along k, so what is counted grows by the same with each step,
   once they are in full swing. */
int chip_kernel_fit(const struct chip_block block[2], const int k[2], int m,
                    int n, struct chip_kernel *kernel, char *why, size_t size)
{
    const struct chip_block *b = &block[0];
    const double steps = k[1] - k[0];
    double more;

    *kernel = (struct chip_kernel){.threads = b->threads,
                                   .rows = (double)m / b->grid[1],
                                   .cols = (double)n / b->grid[0],
                                   .dynamic_shared = (double)b->dynamic_shared};
    memcpy(kernel->name, b->kernel, sizeof kernel->name);
    /* A grid in one dimension: tiles as square as the number of them allows. */
    if (b->grid[1] == 1 && b->grid[0] > 1 && kernel->rows > kernel->cols) {
        kernel->rows = sqrt(kernel->rows * kernel->cols);
        kernel->cols = kernel->rows;
    }
    /* Tiles that do not divide C: its first block is a whole one. */
    more = b->count[BLOCK_STORED] / (kernel->rows * kernel->cols);
    if (more > 1.0 && more < 3.0) {
        kernel->rows *= sqrt(more);
        kernel->cols *= sqrt(more);
    }
    for (int i = 0; i < BLOCK_COUNTS; i++) {
        kernel->per_step[i] = (block[1].count[i] - b->count[i]) / steps;
        kernel->fixed[i] = b->count[i] - k[0] * kernel->per_step[i];
    }
    if (b->threads != block[1].threads ||
        strcmp(b->kernel, block[1].kernel) != 0 ||
        !(kernel->per_step[BLOCK_GLOBAL_LOADS] > 0.0)) {
        snprintf(why, size,
                 "%s: its loads do not grow with k, so there is no loop to "
                 "look at",
                 b->kernel);
        return -1;
    }
    kernel->splits = b->grid[2] > 1;
    if (chip_kernel_guess(kernel) == 0)
        return 0;
    snprintf(why, size, "%s: out of memory", b->kernel);
    return -1;
}

void chip_kernel_free(struct chip_kernel *kernel)
{
    sass_loop_free(&kernel->loop);
}

/* --- occupancy ------------------------------------------------------------ */

/*
 * Registers are given to a warp by 256, and belong to one of the schedulers.
 * (Programming Guide, "Compute Capabilities"; CUDA's occupancy calculator.)
 */
static double resident_blocks(const struct chip_kernel *kernel,
                              const struct chip *chip, const char **holds)
{
    const double warps = warps_of(kernel);
    const double of_warp = ceil(kernel->code.registers * WARP / 256.0) * 256.0;
    const double by[4] = {
        floor(floor(chip->value[CHIP_REGISTERS] / SCHEDULERS / of_warp) *
              SCHEDULERS / warps),
        floor(chip->value[CHIP_SHARED] / most(kernel->code.shared, 1024.0)),
        floor(chip->value[CHIP_WARPS] / warps), chip->value[CHIP_BLOCKS]};
    static const char *const name[4] = {N_("registers"), N_("shared memory"),
                                        N_("warps"), N_("blocks")};
    int at = 3;

    for (int i = 2; i >= 0; i--)
        at = by[i] < by[at] ? i : at;
    *holds = name[at];
    return most(1.0, by[at]);
}

int chip_code_read(const struct sass_file *file, const char *name,
                   struct chip_kernel *kernel, char *why, size_t size)
{
    const struct sass_kernel *sass = sass_find(file, name);
    struct chip_code *code = &kernel->code;
    struct sass_loop *loop = &kernel->loop;
    int fitted;

    sass_loop_free(loop);
    if (sass == NULL ||
        sass_loop_find(sass, products_of(kernel),
                       kernel->per_step[BLOCK_BARRIERS], loop) != 0) {
        snprintf(why, size, "the machine code has no %s %s",
                 sass == NULL ? "kernel" : "loop of multiply-adds in", name);
        return -1;
    }
    fitted = sass_loop_fit(loop, SASS_LOAD_GLOBAL,
                           kernel->per_step[BLOCK_GLOBAL_LOADS] /
                               warps_of(kernel) * loop->steps);
    if (fitted < 0) {
        snprintf(why, size, "%s: out of memory", name);
        return -1;
    }
    *code = (struct chip_code){
        .is_sass = 1, .is_fitted = fitted, .registers = sass->registers};
    code->shared = sass->shared_bytes + kernel->dynamic_shared;
    if (sass->shared_bytes < 1024)
        code->shared += 1024.0;
    code->steps = loop->steps;
    code->instructions = (double)loop->count / loop->steps;
    for (size_t i = 0; i < loop->count; i++) {
        const struct sass_instruction *in = loop->instruction[i];

        code->products += in->opclass == SASS_FMA ? 1.0 / loop->steps : 0.0;
        code->is_local |= in->opclass == SASS_LOCAL;
        code->stores +=
            in->opclass == SASS_STORE_SHARED ? 1.0 / loop->steps : 0.0;
        code->globals +=
            in->opclass == SASS_LOAD_GLOBAL || in->opclass == SASS_COPY_ASYNC
                ? 1.0 / loop->steps
                : 0.0;
        if (in->opclass == SASS_LOAD_SHARED) {
            code->loads[in->width == 16 ? 2 : in->width == 8] +=
                1.0 / loop->steps;
        }
    }
    return 0;
}

/* What each instruction takes of the units, on the average. */
static void find_units(const struct chip_kernel *kernel,
                       const struct chip *chip, struct chip_units *u)
{
    const double *value = chip->value, *count = kernel->per_step;
    const struct chip_code *code = &kernel->code;
    const double warps = warps_of(kernel);
    const double l2_bytes_a_cycle =
        value[CHIP_L2] * 1e3 / value[CHIP_MULTIPROCESSORS] / value[CHIP_CLOCK];
    const char *holds;

    *u = (struct chip_units){.blocks =
                                 (int)resident_blocks(kernel, chip, &holds),
                             .warps = (int)warps,
                             .store = 1.0,
                             .global = 1.0,
                             .near = value[CHIP_L1_LATENCY],
                             .shared = value[CHIP_SHARED_LATENCY],
                             .barrier = value[CHIP_BARRIER]};
    for (int i = 0; i < CHIP_WIDTHS; i++) {
        const double least_passes = i == 2 ? 2.0 : 1.0;

        u->load[i] = most(least_passes, count[BLOCK_LOAD_PASSES + i] /
                                            most(count[BLOCK_LOADS + i], 1e-9));
    }
    if (code->stores > 0.0)
        u->store = count[BLOCK_STORE_PASSES] / (warps * code->stores);
    if (code->globals > 0.0) {
        u->global = count[BLOCK_GLOBAL_LINES] / (warps * code->globals);
        u->l2 = count[BLOCK_SECTORS] * SECTOR / l2_bytes_a_cycle /
                (warps * code->globals);
        u->fresh = least(1.0, count[BLOCK_FRESH] / (warps * code->globals));
    }
}

void chip_kernel_time(struct chip_kernel *kernel, const struct chip *chip)
{
    const double far[2] = {chip->value[CHIP_L2_LATENCY],
                           chip->value[CHIP_DRAM_LATENCY]};
    const double steps = kernel->loop.steps;
    struct chip_code *code = &kernel->code;
    struct chip_units all, free = {0}, alone;

    if (chip->value[CHIP_MEASURED] <= 0.0)
        return; /* nobody knows how long its memory takes */
    find_units(kernel, chip, &all);
    free.blocks = all.blocks;
    free.warps = all.warps;
    code->issue = chip_round(&kernel->loop, &free) / steps * SCHEDULERS /
                  (all.blocks * all.warps);
    for (int i = 0; i < 2; i++) {
        all.far = far[i];
        code->all[i] = chip_round(&kernel->loop, &all) / steps;
        alone = all;
        alone.blocks = 1;
        code->alone[i] = chip_round(&kernel->loop, &alone) / steps;
    }
}

/* --- what a block takes of each unit -------------------------------------- */

/*
 * The load/store unit does one pass a cycle. Shared memory: the passes of the
 * banks (common/banks); loads of 8 or 16 bytes take at least 2, which is what
 * labs 07 to 09 take on an H200, and no document says. Global memory: the L1
 * looks up one line of 128 bytes a cycle.
 */
static void load_store_passes(const struct chip_kernel *kernel,
                              const double *count, double steps, double *loads,
                              double *stores, double *global)
{
    const double warps = warps_of(kernel);

    *loads = 0.0;
    for (int i = 0; i < CHIP_WIDTHS; i++) {
        const double requests = count[BLOCK_LOADS + i];
        double passes = count[BLOCK_LOAD_PASSES + i];
        const double wide = i == 2 ? 2.0 : 1.0;

        /* As many as the machine code has, if that is known; of a width that
           the rule did not foresee, each without a conflict. */
        if (kernel->code.is_sass && steps > 0.0) {
            const double sass = kernel->code.loads[i] * warps * steps;

            passes = requests > 0.0 ? passes * sass / requests : sass;
            *loads += most(passes, wide * sass);
        } else {
            *loads += most(passes, wide * requests);
        }
    }
    *stores = count[BLOCK_STORE_PASSES];
    *global = count[BLOCK_GLOBAL_LINES] + count[BLOCK_STORE_LINES];
}

/* Cycles of one multiprocessor that a block takes of each unit; of the DRAM,
   whose work is none of a block's, the limit is set elsewhere. */
static void block_cycles(const struct chip_kernel *kernel,
                         const struct chip *chip, double k, double alone,
                         double cycles[CHIP_LIMITS], struct chip_answer *answer)
{
    const double *value = chip->value, *each = kernel->per_step;
    const double clock = value[CHIP_CLOCK] * 1e6;
    const double l2_bytes_a_cycle =
        value[CHIP_L2] * 1e9 / value[CHIP_MULTIPROCESSORS] / clock;
    /* A scheduler has a quarter of the lanes: 32, or 16 on some chips, where a
       multiply-add takes two cycles. */
    const double cycles_each = SCHEDULERS * WARP / value[CHIP_LANES];
    double scaled[BLOCK_COUNTS], all[3], once[3], sum;

    for (int i = 0; i < BLOCK_COUNTS; i++)
        scaled[i] = each[i] * k;
    load_store_passes(kernel, scaled, k, &all[0], &all[1], &all[2]);
    load_store_passes(kernel, kernel->fixed, 0.0, &once[0], &once[1], &once[2]);
    sum = all[0] + all[1] + all[2] + most(0.0, once[0] + once[1] + once[2]);
    answer->load_share = all[0] / sum;
    answer->store_share = all[1] / sum;
    answer->global_share = 1.0 - (all[0] + all[1]) / sum;
    cycles[CHIP_LIMIT_LOAD_STORE] = sum;

    cycles[CHIP_LIMIT_ISSUE] =
        most(kernel->code.issue, cycles_each * kernel->code.products) * k *
        warps_of(kernel) / SCHEDULERS;

    /* What a block loads twice it finds in the L1, as long as it is small. */
    cycles[CHIP_LIMIT_L2] = 0.0;
    if (l2_bytes_a_cycle > 0.0) {
        cycles[CHIP_LIMIT_L2] =
            (scaled[BLOCK_SECTORS] + kernel->fixed[BLOCK_SECTORS]) * SECTOR /
            l2_bytes_a_cycle;
    }

    cycles[CHIP_LIMIT_LATENCY] = alone;
    cycles[CHIP_LIMIT_DRAM] = 0.0;
}

/* --- the run -------------------------------------------------------------- */

/*
 * Splits k as lab 14 does while all blocks still run at once, if the kernel
 * splits at all.
 */
static double parts_of(const struct chip_kernel *kernel,
                       const struct chip *chip, double tiles, double k)
{
    double parts = 1.0;

    while (kernel->splits &&
           tiles * parts * 2.0 <= chip->value[CHIP_MULTIPROCESSORS] &&
           k / 16.0 >= parts * 8.0)
        parts *= 2.0;
    return parts;
}

/*
 * The blocks of one multiprocessor, one group after the other of those that run
 * at once; of the last one, as much as it has. Cycles. one >= 0: of that limit
 * alone.
 */
static double run_cycles(const struct chip_answer *a, double multiprocessors,
                         const double cycles[CHIP_LIMITS], double alone,
                         double all, int one)
{
    const double blocks = ceil(a->blocks / multiprocessors);
    const double full = floor(blocks / a->resident);
    const double rest = blocks - full * a->resident;
    double last;

    if (one >= 0 && one != CHIP_LIMIT_LATENCY)
        return blocks * cycles[one];
    if (one == CHIP_LIMIT_LATENCY)
        return ceil(blocks / a->resident) * cycles[one];
    last = rest <= 1.0 ? rest * alone
                       : alone + (all - alone) * (rest - 1.0) /
                                     most(1.0, a->resident - 1.0);
    return full * all + last;
}

/*
 * The share of a run in which loads wait for the DRAM and not for the L2.
 * Blocks of the first wave walk along k side by side, and all they ask for is
 * new. To later waves the rows of A are new, of which a sector has eight steps;
 * and all of B, if it is larger than the half of the L2 that is near: then what
 * one wave leaves there is gone when the next comes.
 */
static double far_share(const struct chip_kernel *kernel,
                        const struct chip *chip, double waves, double n,
                        double k)
{
    const double tiles = kernel->per_step[BLOCK_TILES];
    const double steps = tiles > 0.0 ? 1.0 / tiles : kernel->code.steps;
    const double later = n * k * 4.0 > chip->value[CHIP_L2_SIZE] / 2.0
                             ? 1.0
                             : least(1.0, steps * 4.0 / SECTOR);

    return waves <= 1.0 ? 1.0 : (1.0 + (waves - 1.0) * later) / waves;
}

static double between(const double of[2], double share)
{
    return of[0] + share * (of[1] - of[0]);
}

/*
 * Runs took 4 % longer than their units, on the average of 70 kernels: a clock
 * that falls under load, and the beginning and the end of a block.
 */
static const double LOST = 1.04;

/* What was seen of these kernels, and so that nine of ten others fall into it
   (README.md). */
static void set_range(struct chip_answer *a)
{
    const int few = a->unsure & (CHIP_FEW_WAVES | CHIP_SMALL_BLOCKS |
                                 CHIP_SPLIT_K | CHIP_COPIES);
    const int by_rule = a->unsure & CHIP_BY_RULE;
    const int rough =
        (few && by_rule) || (a->unsure & (CHIP_DIRECT | CHIP_LOCAL));

    if (a->unsure & CHIP_SHAPE) {
        a->low = a->ms * 0.9;
        a->high = a->ms * 3.0;
        return;
    }
    a->low = a->ms * (few || by_rule || rough ? 0.8 : 0.86);
    a->high = a->ms * (rough ? 2.0 : few || by_rule ? 1.4 : 1.18);
}

void chip_predict(const struct chip_kernel *kernel, const struct chip *chip,
                  double m, double n, double k, struct chip_answer *answer)
{
    const double *value = chip->value;
    const double clock = value[CHIP_CLOCK] * 1e6; /* Hz */
    const double tiles = ceil(m / kernel->rows) * ceil(n / kernel->cols);
    const double parts = parts_of(kernel, chip, tiles, k);
    const double deep = k / parts;
    const struct chip_code *code = &kernel->code;
    double cycles[CHIP_LIMITS], far, alone;

    *answer = (struct chip_answer){.blocks = tiles * parts};
    answer->resident = resident_blocks(kernel, chip, &answer->holds);
    answer->waves =
        answer->blocks / value[CHIP_MULTIPROCESSORS] / answer->resident;
    far = far_share(kernel, chip, answer->waves, n, deep);
    alone = between(code->alone, far) * deep;
    block_cycles(kernel, chip, deep, alone, cycles, answer);
    for (int i = 0; i < CHIP_LIMITS; i++) {
        answer->limit[i] =
            1e3 / clock *
            run_cycles(answer, value[CHIP_MULTIPROCESSORS], cycles, 0, 0, i);
    }
    /* Each matrix passes once, since what is asked for again is in the L2. */
    answer->limit[CHIP_LIMIT_DRAM] =
        1e3 * 4.0 * (m * k + k * n + m * n) / (value[CHIP_DRAM] * 1e9);
    for (int i = 0; i < CHIP_LIMITS; i++) {
        if (answer->limit[i] > answer->limit[answer->binds])
            answer->binds = (enum chip_limit)i;
    }
    answer->ms =
        most(answer->limit[answer->binds],
             1e3 / clock *
                 run_cycles(answer, value[CHIP_MULTIPROCESSORS], cycles, alone,
                            between(code->all, far) * deep, -1)) +
        value[CHIP_LAUNCH] / 1e3;
    if (value[CHIP_MEASURED] > 0.0)
        answer->ms *= LOST;
    answer->next =
        answer->binds == 0 ? CHIP_LIMIT_LOAD_STORE : CHIP_LIMIT_ISSUE;
    for (int i = 0; i < CHIP_LIMITS; i++) {
        if (i != (int)answer->binds &&
            answer->limit[i] > answer->limit[answer->next])
            answer->next = (enum chip_limit)i;
    }
    answer->unsure = (value[CHIP_MEASURED] > 0.0 ? 0 : CHIP_UNMEASURED) |
                     (answer->waves < 2.0 ? CHIP_FEW_WAVES : 0) |
                     (kernel->threads < 64 ? CHIP_SMALL_BLOCKS : 0) |
                     (code->is_shape  ? CHIP_SHAPE
                      : code->is_sass ? 0
                                      : CHIP_BY_RULE) |
                     (parts > 1.0 ? CHIP_SPLIT_K : 0) |
                     (code->is_local ? CHIP_LOCAL : 0) |
                     (code->is_fitted ? CHIP_COPIES : 0) |
                     (code->is_direct ? CHIP_DIRECT : 0);
    set_range(answer);
}

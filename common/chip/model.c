/*
 * The model. A block asks for so many cycles of each unit of a multiprocessor;
 * the unit that is asked for most takes that long, and all others wait: the
 * time is the largest of the limits. (Hong and Kim, ISCA 2009, for latency and
 * throughput; Zhang and Owens, HPCA 2011, for a limit by unit; Ding and
 * Williams, "An Instruction Roofline Model for GPUs", PMBS 2019.)
 */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SCHEDULERS = 4, /* of a multiprocessor (Programming Guide, "Compute
                       Capability 9.0") */
    WARP = 32,
    SECTOR = 32
};

const char *const chip_limit_name[CHIP_LIMITS] = {
    [CHIP_LIMIT_ISSUE] = "issue and registers",
    [CHIP_LIMIT_LOAD_STORE] = "load/store",
    [CHIP_LIMIT_L2] = "L2",
    [CHIP_LIMIT_DRAM] = "DRAM",
    [CHIP_LIMIT_LATENCY] = "latency",
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
 * the solutions. A sum needs a register, operands and addresses some more; a
 * global load comes with an instruction for its address, and a tile with some
 * 30 for its loop. Ports of registers and stalls take a fifth more cycles: 6 to
 * 27 % in labs 10 to 13.
 */
static void guess_code(struct chip_kernel *kernel)
{
    const double *count = kernel->per_step, warps = warps_of(kernel);
    const double tiles = count[BLOCK_BARRIERS] > 0.0
                             ? count[BLOCK_BARRIERS]
                             : 1.0 / 16.0; /* an unrolled loop of loads */
    struct chip_code *code = &kernel->code;
    double loads = 0.0;

    *code = (struct chip_code){.shared = 1024.0 + kernel->dynamic_shared};
    for (int i = 0; i < CHIP_WIDTHS; i++) {
        loads += count[BLOCK_LOADS + i] / warps;
        code->loads[i] = count[BLOCK_LOADS + i] / warps;
    }
    code->registers = floor(most(32.0, 24.0 + 1.5 * products_of(kernel)));
    code->instructions = products_of(kernel) + loads +
                         count[BLOCK_STORES] / warps +
                         2.0 * count[BLOCK_GLOBAL_LOADS] / warps + 30.0 * tiles;
    code->products = products_of(kernel);
    code->issue = 1.2 * code->instructions;
    /* One load of each memory waited for, from barrier to barrier. */
    code->chain = (struct chip_chain){.cycles = 1.5 * code->instructions,
                                      .global_loads = tiles,
                                      .shared_loads = loads > 0 ? tiles : 0.0,
                                      .barriers = count[BLOCK_BARRIERS]};
}

/* All loops run along k, so what is counted grows by the same with each step,
   once they are in full swing. */
int chip_kernel_fit(const struct chip_block block[2], const int k[2], int m,
                    int n, struct chip_kernel *kernel, char *why, size_t size)
{
    const struct chip_block *b = &block[0];
    const double steps = k[1] - k[0];

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
    guess_code(kernel);
    return 0;
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
    static const char *const name[4] = {"registers", "shared memory", "warps",
                                        "blocks"};
    int at = 3;

    for (int i = 2; i >= 0; i--)
        at = by[i] < by[at] ? i : at;
    *holds = name[at];
    return most(1.0, by[at]);
}

int chip_code_read(const struct sass_file *file, const char *name,
                   struct chip_kernel *kernel, char *why, size_t size)
{
    /* What every chip of compute capability 9.0 has: the issue rate is that of
       as many warps as there can be. */
    const struct chip hopper = {.value = {[CHIP_REGISTERS] = 65536,
                                          [CHIP_SHARED] = 228 * 1024,
                                          [CHIP_WARPS] = 64,
                                          [CHIP_BLOCKS] = 32}};
    const struct sass_kernel *sass = sass_find(file, name);
    struct chip_code *code = &kernel->code;
    struct sass_loop loop;
    const char *holds;
    double steps;

    if (sass == NULL ||
        sass_loop_find(sass, products_of(kernel),
                       kernel->per_step[BLOCK_BARRIERS], &loop) != 0) {
        snprintf(why, size, "the machine code has no %s %s",
                 sass == NULL ? "kernel" : "loop of multiply-adds in", name);
        return -1;
    }
    steps = loop.steps;
    *code = (struct chip_code){.is_sass = 1, .registers = sass->registers};
    code->shared = sass->shared_bytes + kernel->dynamic_shared;
    if (sass->shared_bytes < 1024)
        code->shared += 1024.0;
    code->issue =
        chip_issue(
            &loop,
            (int)lround(
                most(1.0, least(16.0, resident_blocks(kernel, &hopper, &holds) *
                                          warps_of(kernel) / SCHEDULERS)))) /
        steps;
    code->instructions = (double)loop.count / steps;
    code->chain = chip_latency(&loop);
    code->chain.cycles /= steps;
    code->chain.global_loads /= steps;
    code->chain.shared_loads /= steps;
    code->chain.barriers /= steps;
    for (size_t i = 0; i < loop.count; i++) {
        const struct sass_instruction *in = loop.instruction[i];

        code->products += in->opclass == SASS_FMA ? 1.0 / steps : 0.0;
        code->is_local |= in->opclass == SASS_LOCAL;
        if (in->opclass == SASS_LOAD_SHARED)
            code->loads[in->width == 16 ? 2 : in->width == 8] += 1.0 / steps;
    }
    sass_loop_free(&loop);
    return 0;
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
        const double wide = i == 0 ? 1.0 : 2.0;

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

/*
 * Little's law: a block alone takes its chain of waits. A load finds its line
 * in the L1 as often as the block has asked for it before, else where `far`
 * cycles away.
 */
static double chain_cycles(const struct chip_kernel *kernel,
                           const struct chip *chip, double k, double far)
{
    const double *value = chip->value, *each = kernel->per_step;
    const struct chip_chain *chain = &kernel->code.chain;
    const double share =
        each[BLOCK_DISTINCT] / most(each[BLOCK_GLOBAL_LINES], 1e-9);
    const double load = value[CHIP_L1_LATENCY] +
                        least(1.0, share) * (far - value[CHIP_L1_LATENCY]);

    if (value[CHIP_MEASURED] <= 0.0)
        return 0.0; /* nobody knows */
    return k * (chain->cycles + chain->global_loads * load +
                chain->shared_loads * value[CHIP_SHARED_LATENCY] +
                chain->barriers * value[CHIP_BARRIER]) +
           2.0 * far; /* the first tile, and the store of C */
}

/* Cycles of one multiprocessor that a block takes of each unit; of the DRAM,
   whose work is none of a block's, the limit is set elsewhere. */
static void block_cycles(const struct chip_kernel *kernel,
                         const struct chip *chip, double k,
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

    cycles[CHIP_LIMIT_LATENCY] =
        chain_cycles(kernel, chip, k, value[CHIP_L2_LATENCY]);
    cycles[CHIP_LIMIT_DRAM] = 0.0;
}

/* --- the run -------------------------------------------------------------- */

/*
 * Splits k as lab 13 does while all blocks still run at once, if the kernel
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
 * The waves of blocks, each as long as its slowest unit needs; `one` NULL: of
 * all, else of that limit alone. Cycles. Blocks of the first wave walk along k
 * side by side, so that all of them wait for the DRAM, `first` cycles each; the
 * others find much of it in the L2.
 */
static double run_cycles(const struct chip_answer *a, double multiprocessors,
                         const double cycles[CHIP_LIMITS], double first,
                         const enum chip_limit *one)
{
    const double at_once = multiprocessors * a->resident;
    const double full = floor(a->blocks / at_once);
    const double rest = ceil((a->blocks - full * at_once) / multiprocessors);
    double wave = 0.0, last = 0.0, begin;

    for (int i = 0; i < CHIP_LIMITS; i++) {
        if (i == CHIP_LIMIT_LATENCY || (one != NULL && (int)*one != i))
            continue;
        wave = most(wave, cycles[i] * a->resident);
        last = most(last, cycles[i] * rest);
    }
    begin = full > 0.0 ? wave : last;
    if (one == NULL || *one == CHIP_LIMIT_LATENCY) {
        begin = most(begin, first);
        wave = most(wave, cycles[CHIP_LIMIT_LATENCY]);
        last = rest > 0.0 ? most(last, cycles[CHIP_LIMIT_LATENCY]) : last;
    }
    return full > 0.0 ? begin + (full - 1.0) * wave + last : begin;
}

void chip_predict(const struct chip_kernel *kernel, const struct chip *chip,
                  double m, double n, double k, struct chip_answer *answer)
{
    const double *value = chip->value;
    const double clock = value[CHIP_CLOCK] * 1e6; /* Hz */
    const double tiles = ceil(m / kernel->rows) * ceil(n / kernel->cols);
    const double parts = parts_of(kernel, chip, tiles, k);
    double cycles[CHIP_LIMITS], first;

    *answer = (struct chip_answer){.blocks = tiles * parts};
    answer->resident = resident_blocks(kernel, chip, &answer->holds);
    answer->waves =
        answer->blocks / value[CHIP_MULTIPROCESSORS] / answer->resident;
    block_cycles(kernel, chip, k / parts, cycles, answer);
    first = chain_cycles(kernel, chip, k / parts, value[CHIP_DRAM_LATENCY]);
    for (int i = 0; i < CHIP_LIMITS; i++) {
        const enum chip_limit one = (enum chip_limit)i;

        answer->limit[i] = 1e3 / clock *
                           run_cycles(answer, value[CHIP_MULTIPROCESSORS],
                                      cycles, first, &one);
    }
    /* Each matrix passes once, since what is asked for again is in the L2. */
    answer->limit[CHIP_LIMIT_DRAM] =
        1e3 * 4.0 * (m * k + k * n + m * n) / (value[CHIP_DRAM] * 1e9);
    answer->ms = most(answer->limit[CHIP_LIMIT_DRAM],
                      1e3 / clock *
                          run_cycles(answer, value[CHIP_MULTIPROCESSORS],
                                     cycles, first, NULL)) +
                 value[CHIP_LAUNCH] / 1e3;
    for (int i = 0; i < CHIP_LIMITS; i++) {
        if (answer->limit[i] > answer->limit[answer->binds])
            answer->binds = (enum chip_limit)i;
    }
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
                     (kernel->code.is_sass ? 0 : CHIP_BY_RULE) |
                     (parts > 1.0 ? CHIP_SPLIT_K : 0) |
                     (kernel->code.is_local ? CHIP_LOCAL : 0);
    /* The range: what was seen on solutions and on kernels that were measured
       after the rules were fixed (README.md). */
    answer->low = answer->ms * 0.85;
    answer->high = answer->ms *
                   (answer->unsure & (CHIP_FEW_WAVES | CHIP_SMALL_BLOCKS) ? 2.0
                    : answer->unsure & CHIP_BY_RULE                       ? 1.3
                                                    : 1.15);
}

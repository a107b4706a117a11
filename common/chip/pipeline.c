#include "pipeline.h"

#include <math.h>
#include <stdlib.h>

enum {
    BANKS = 2,     /* of the registers: even and odd */
    WINDOW = 3,    /* cycles in which an instruction's operands are read */
    MOST = 64,     /* warps */
    NONE = 255,    /* no register */
    NO_BOARD = 7,  /* no scoreboard */
    ENOUGH = 20000 /* instructions, after which the rate stays the same */
};

/* --- issue and register ports --------------------------------------------- */

/*
 * Registers that must be read, by bank. One that the instruction before has
 * kept (.reuse) comes from its cache, and the same register is read once.
 */
static void count_reads(const struct sass_instruction *i,
                        const struct sass_instruction *before, int reads[BANKS])
{
    reads[0] = reads[1] = 0;
    if (i->opclass != SASS_FMA && i->opclass != SASS_ARITHMETIC)
        return;
    for (int s = 0; s < SASS_SOURCES; s++) {
        const int r = i->source[s];
        int known = r == NONE;

        for (int other = 0; other < s; other++)
            known |= i->source[other] == r;
        if (before != NULL && (before->reuse >> s & 1) &&
            before->source[s] == r)
            known = 1;
        if (!known)
            reads[r % BANKS]++;
    }
}

/* Cycles of the window, from bit 0 on, in which a bank is read already. Returns
   1 and takes `reads` of the free ones, or 0 if there are not as many. */
static int take_ports(unsigned *busy, int reads)
{
    unsigned taken = *busy;

    for (int cycle = 0; cycle < WINDOW && reads > 0; cycle++) {
        if (!(taken >> cycle & 1)) {
            taken |= 1U << cycle;
            reads--;
        }
    }
    if (reads > 0)
        return 0;
    *busy = taken;
    return 1;
}

/*
 * One scheduler: an instruction a cycle; each bank of registers gives one
 * operand of 32 lanes a cycle; ptxas's stall counts are kept; the warp that
 * issued last goes on as long as it can. (Huerta et al., "Analyzing Modern
 * NVIDIA GPU Cores", MICRO 2025, sections 5.1 and 5.3.)
 */
double chip_issue(const struct sass_loop *loop, int warps)
{
    const int n = (int)loop->count;
    int(*reads)[BANKS] = malloc((size_t)n * sizeof *reads);
    int at[MOST], left[MOST];
    long ready[MOST] = {0}, cycle = 0, todo;
    unsigned busy[BANKS] = {0};
    int rounds, last = 0;

    if (reads == NULL || n <= 0) {
        free(reads);
        return NAN;
    }
    warps = warps < 1 ? 1 : warps > MOST ? MOST : warps;
    rounds = ENOUGH / (n * warps) > 2 ? ENOUGH / (n * warps) : 2;
    todo = (long)rounds * n * warps;
    for (int i = 0; i < n; i++) {
        count_reads(loop->instruction[i],
                    i > 0 ? loop->instruction[i - 1] : NULL, reads[i]);
    }
    /* Warps that run for long are at different places. */
    for (int w = 0; w < warps; w++) {
        at[w] = w * n / warps;
        left[w] = rounds * n;
    }
    for (; todo > 0; cycle++) {
        int w = last, tried = 0;

        while (tried < warps && (ready[w] > cycle || left[w] == 0)) {
            w = tried == last ? (tried + 1) % warps : tried;
            tried++;
        }
        if (ready[w] <= cycle && left[w] > 0) {
            unsigned now[BANKS] = {busy[0], busy[1]};

            /* One that cannot read keeps the others waiting. */
            if (take_ports(&now[0], reads[at[w]][0]) &&
                take_ports(&now[1], reads[at[w]][1])) {
                const int stall = loop->instruction[at[w]]->stall;

                busy[0] = now[0];
                busy[1] = now[1];
                ready[w] = cycle + (stall > 1 ? stall : 1);
                at[w] = at[w] + 1 < n ? at[w] + 1 : 0;
                left[w]--;
                todo--;
                last = w;
            }
        }
        busy[0] >>= 1;
        busy[1] >>= 1;
    }
    free(reads);
    return (double)cycle / ((double)rounds * warps);
}

/* --- latency -------------------------------------------------------------- */

/* Only to tell which of two waits is the longer one: about an H200's. */
static double about(struct chip_chain c)
{
    return c.cycles + 270.0 * c.global_loads + 30.0 * c.shared_loads +
           30.0 * c.barriers;
}

static struct chip_chain later(struct chip_chain a, struct chip_chain b)
{
    return about(a) >= about(b) ? a : b;
}

/* When the result of an instruction that is issued now is there. */
static struct chip_chain result_of(const struct sass_instruction *i,
                                   struct chip_chain now)
{
    enum {
        OTHER = 20 /* cycles: constants, special registers */
    };

    if (i->opclass == SASS_LOAD_GLOBAL || i->opclass == SASS_COPY_ASYNC) {
        now.global_loads++;
    } else if (i->opclass == SASS_LOAD_SHARED) {
        now.shared_loads++;
    } else {
        now.cycles += OTHER;
    }
    return now;
}

/*
 * In order, by ptxas's stall counts and scoreboards: an instruction waits until
 * the scoreboards that it names are free. The rounds after the first count, so
 * that loads which the next round needs are waited for.
 */
struct chip_chain chip_latency(const struct sass_loop *loop)
{
    enum {
        READ = 10 /* cycles until a store has read its registers */
    };
    struct chip_chain now = {0}, first = {0}, copied = {0};
    struct chip_chain board[SASS_SCOREBOARDS] = {{0}};

    for (int round = 0; round < 3; round++) {
        if (round == 1)
            first = now;
        for (size_t n = 0; n < loop->count; n++) {
            const struct sass_instruction *i = loop->instruction[n];
            struct chip_chain read;

            for (int b = 0; b < SASS_SCOREBOARDS; b++) {
                if (i->wait >> b & 1)
                    now = later(now, board[b]);
            }
            if (i->opclass == SASS_WAIT_ASYNC)
                now = later(now, copied);
            if (i->opclass == SASS_COPY_ASYNC)
                copied = later(copied, result_of(i, now));
            if (i->opclass == SASS_BARRIER)
                now.barriers++;
            read = now;
            read.cycles += READ;
            if (i->set_write < SASS_SCOREBOARDS) {
                board[i->set_write] =
                    later(board[i->set_write], result_of(i, now));
            }
            if (i->set_read < SASS_SCOREBOARDS)
                board[i->set_read] = later(board[i->set_read], read);
            now.cycles += i->stall > 1 ? i->stall : 1;
        }
    }
    now.cycles = (now.cycles - first.cycles) / 2.0;
    now.global_loads = (now.global_loads - first.global_loads) / 2.0;
    now.shared_loads = (now.shared_loads - first.shared_loads) / 2.0;
    now.barriers = (now.barriers - first.barriers) / 2.0;
    return now;
}

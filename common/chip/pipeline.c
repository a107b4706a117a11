#include "pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCHEDULERS = 4,
    BANKS = 2,  /* of the registers: even and odd */
    WINDOW = 3, /* cycles in which an instruction's operands are read */
    MOST = 64,  /* warps */
    NONE = 255, /* no register */
    QUEUE = 6,  /* loads and stores that a scheduler has handed over */
    LEAST_ROUNDS = 6,
    MOST_ROUNDS = 40,
    WARM = 2,      /* rounds that do not count */
    ENOUGH = 60000 /* instructions of a scheduler, after which the rate stays */
};

/*
 * A value that was loaded is written for 2 cycles, in which an instruction that
 * writes a register is put off by one in 45 of 100 cases: a load of 16 bytes
 * among multiply-adds takes 3.1 cycles of an H200's scheduler beside its own,
 * one of 4 bytes 0.5 to 0.9.
 */
static const double WRITE = 2.0, CONFLICT = 0.45;

static int is_memory(const struct sass_instruction *i)
{
    return (i->opclass >= SASS_LOAD_GLOBAL && i->opclass <= SASS_COPY_ASYNC) ||
           i->opclass == SASS_LOCAL;
}

/* --- register ports ------------------------------------------------------- */

/*
 * Registers that must be read, by bank. One that the instruction before has
 * kept (.reuse) comes from its cache, and the same register is read once.
 */
static void count_reads(const struct sass_instruction *i,
                        const struct sass_instruction *before, int reads[BANKS])
{
    reads[0] = reads[1] = 0;
    if (i->opclass != SASS_FMA && i->opclass != SASS_ARITHMETIC &&
        !is_memory(i))
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

/* --- the multiprocessor --------------------------------------------------- */

struct warp {
    int at, block;
    int waits;                      /* at a barrier */
    double ready;                   /* the cycle of its next instruction */
    double board[SASS_SCOREBOARDS]; /* when it is free */
    double copied;                  /* ... and its asynchronous copies */
    double fresh; /* of its global loads, the part not yet accounted for */
};

struct scheduler {
    struct warp *warp[MOST];
    int warps, last;
    unsigned busy[BANKS];
    double queue[QUEUE]; /* when the unit takes up each, a ring */
    int next;
    double alu, multiply; /* when these pipes are free */
    double writes;        /* cycles in which loaded values are written */
    double conflict;      /* the part of a conflict that is not accounted for */
};

struct machine {
    const struct sass_loop *loop;
    const struct chip_units *units;
    struct scheduler scheduler[SCHEDULERS];
    struct warp warp[MOST];
    int arrived[MOST];     /* warps of a block at its barrier */
    double store_unit, l2; /* when they are free */
    int (*reads)[BANKS];
    long done; /* rounds, of all warps */
};

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* Sixteen lanes: what is no multiply-add in float takes two cycles. (CUDA
   Programming Guide, "Arithmetic Instructions": 64 results a cycle.) */
static double *pipe_of(struct scheduler *s, const struct sass_instruction *i)
{
    enum {
        FADD = 0x021,
        IMAD = 0x024,
        IMAD_WIDE = 0x025,
        IMAD_HI = 0x027
    };

    if (i->opclass != SASS_ARITHMETIC || i->opcode == FADD)
        return NULL;
    return i->opcode == IMAD || i->opcode == IMAD_WIDE || i->opcode == IMAD_HI
               ? &s->multiply
               : &s->alu;
}

/* Hands a load or store to the unit. Returns when its value is there, or, of a
   store, when it has been read. */
static double hand_over(struct machine *m, struct scheduler *s, struct warp *w,
                        const struct sass_instruction *i, double now)
{
    const struct chip_units *u = m->units;
    double begin = later(now, m->store_unit), takes, value;

    switch (i->opclass) {
    case SASS_LOAD_SHARED:
        takes = u->load[i->width == 16 ? 2 : i->width == 8];
        value = begin + takes - 1.0 + u->shared;
        s->writes += WRITE * i->width / 4.0;
        break;
    case SASS_LOAD_GLOBAL:
    case SASS_COPY_ASYNC:
        takes = u->global;
        if (i->opclass == SASS_LOAD_GLOBAL)
            s->writes += WRITE * i->width / 4.0;
        w->fresh += u->fresh;
        value = begin + takes + u->near;
        m->l2 = later(m->l2, begin + takes) + u->l2;
        if (w->fresh >= 1.0) {
            w->fresh -= 1.0;
            value = later(m->l2, begin + takes) + u->far;
        }
        break;
    case SASS_LOCAL: /* a line, which the L1 has */
        takes = 1.0;
        value = begin + takes + u->near;
        break;
    default:
        takes = i->opclass == SASS_STORE_SHARED ? u->store : 1.0;
        value = begin + takes + 10.0;
        break;
    }
    m->store_unit = begin + takes;
    s->queue[s->next] = begin + takes;
    s->next = (s->next + 1) % QUEUE;
    return value;
}

/* 1 if the warp's next instruction could be issued, ports aside. */
static int is_ready(struct machine *m, struct scheduler *s, struct warp *w,
                    double now)
{
    const struct sass_instruction *i = m->loop->instruction[w->at];
    const double *pipe;

    if (w->waits || w->ready > now)
        return 0;
    for (int b = 0; b < SASS_SCOREBOARDS; b++) {
        if ((i->wait >> b & 1) && w->board[b] > now)
            return 0;
    }
    if (i->opclass == SASS_WAIT_ASYNC && w->copied > now)
        return 0;
    if (is_memory(i) && s->queue[s->next] > now)
        return 0;
    pipe = pipe_of(s, i);
    return pipe == NULL || *pipe <= now;
}

static void arrive(struct machine *m, struct warp *w, double now)
{
    const int block = w->block, warps = m->units->warps;

    w->waits = 1;
    if (++m->arrived[block] < warps)
        return;
    m->arrived[block] = 0;
    for (int other = block * warps; other < (block + 1) * warps; other++) {
        m->warp[other].waits = 0;
        m->warp[other].ready =
            later(m->warp[other].ready, now + m->units->barrier);
    }
}

static void issue(struct machine *m, struct scheduler *s, struct warp *w,
                  double now)
{
    const struct sass_instruction *i = m->loop->instruction[w->at];
    double *const pipe = pipe_of(s, i);
    double value = now + 20.0; /* constants, special registers */

    w->ready = now + (i->stall > 1 ? i->stall : 1);
    if (pipe != NULL)
        *pipe = now + 2.0;
    if (is_memory(i))
        value = hand_over(m, s, w, i, now);
    if (i->opclass == SASS_COPY_ASYNC)
        w->copied = later(w->copied, value);
    if (i->set_write < SASS_SCOREBOARDS)
        w->board[i->set_write] = later(w->board[i->set_write], value);
    if (i->set_read < SASS_SCOREBOARDS) {
        const double read = is_memory(i) ? m->store_unit + 6.0 : now + 10.0;

        w->board[i->set_read] = later(w->board[i->set_read], read);
    }
    if (++w->at == (int)m->loop->count) {
        w->at = 0;
        m->done++;
    }
    if (i->opclass == SASS_BARRIER)
        arrive(m, w, now);
}

/* One cycle of one scheduler. The warp that issued last goes on as long as it
   can. (Huerta et al., "Analyzing Modern NVIDIA GPU Cores", MICRO 2025,
   sections 5.1 and 5.3.) */
static void step(struct machine *m, struct scheduler *s, double now)
{
    int at = s->last;

    /* The one that issued last, or else the first that can. */
    if (s->warps > 0 && !is_ready(m, s, s->warp[at], now)) {
        at = 0;
        while (at < s->warps && !is_ready(m, s, s->warp[at], now))
            at++;
    }
    if (at < s->warps) {
        struct warp *w = s->warp[at];
        const int c = m->loop->instruction[w->at]->opclass;
        unsigned ports[BANKS] = {s->busy[0], s->busy[1]};

        if (s->writes >= 1.0 && (c == SASS_FMA || c == SASS_ARITHMETIC))
            s->conflict += CONFLICT;
        /* One that cannot read keeps the others waiting. */
        if (s->conflict >= 1.0) {
            s->conflict -= 1.0;
        } else if (take_ports(&ports[0], m->reads[w->at][0]) &&
                   take_ports(&ports[1], m->reads[w->at][1])) {
            memcpy(s->busy, ports, sizeof ports);
            issue(m, s, w, now);
            s->last = at;
        }
    }
    s->busy[0] >>= 1;
    s->busy[1] >>= 1;
    s->writes = s->writes >= 1.0 ? s->writes - 1.0 : 0.0;
}

static void place_warps(struct machine *m)
{
    const struct chip_units *u = m->units;

    for (int i = 0; i < u->blocks * u->warps; i++) {
        struct warp *w = &m->warp[i];
        struct scheduler *s = &m->scheduler[i % SCHEDULERS];

        w->block = i / u->warps;
        /* Blocks that run for long are at different places. */
        w->ready = 300.0 * w->block;
        s->warp[s->warps++] = w;
    }
}

double chip_round(const struct sass_loop *loop, const struct chip_units *units)
{
    struct machine *m = calloc(1, sizeof *m);
    const int n = (int)loop->count, warps = units->blocks * units->warps;
    const long most = 4000000; /* cycles: no warp waits for ever */
    long cycle = 0, begin = 0, before = 0;
    double result;
    int rounds;

    if (m == NULL || n <= 0 || warps <= 0 || warps > MOST ||
        (m->reads = malloc((size_t)n * sizeof *m->reads)) == NULL) {
        free(m);
        return NAN;
    }
    m->loop = loop;
    m->units = units;
    rounds = ENOUGH * SCHEDULERS / (n * warps);
    rounds = rounds < LEAST_ROUNDS  ? LEAST_ROUNDS
             : rounds > MOST_ROUNDS ? MOST_ROUNDS
                                    : rounds;
    for (int i = 0; i < n; i++) {
        count_reads(loop->instruction[i],
                    i > 0 ? loop->instruction[i - 1] : NULL, m->reads[i]);
    }
    place_warps(m);
    for (; m->done < (long)rounds * warps && cycle < most; cycle++) {
        for (int s = 0; s < SCHEDULERS; s++)
            step(m, &m->scheduler[s], (double)cycle);
        if (m->done <= (long)WARM * warps) {
            before = m->done;
            begin = cycle;
        }
    }
    result = (double)(cycle - begin) * warps / (double)(m->done - before);
    free(m->reads);
    free(m);
    return result;
}

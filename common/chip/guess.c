/*
 * guess.c: the loop that nvcc would make of a kernel, roughly, where there is
 * no nvcc: a tile's loads and stores between its barriers, then its steps.
 */
#include "guess.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
    NONE = 255,   /* no register */
    NO_BOARD = 7, /* no scoreboard */
    FETCHED =
        5, /* the scoreboard of global loads; 0 and 1 are of shared ones */
    UNROLLED = 4, /* steps of a loop without barriers that nvcc takes at once */
    FOR_LOOP = 30, /* instructions of a tile for its loop and its indices */
    TOGETHER = 8   /* products whose operands are loaded together */
};

struct guess {
    struct sass_instruction *made;
    size_t count;
    int is_full; /* of memory */
};

static struct sass_instruction *add(struct guess *g, uint8_t opclass)
{
    struct sass_instruction *i =
        base_list_add(&g->made, &g->count, sizeof *g->made);

    if (i == NULL) {
        g->is_full = 1;
        return NULL;
    }
    *i = (struct sass_instruction){.opclass = opclass,
                                   .rd = NONE,
                                   .source = {NONE, NONE, NONE},
                                   .stall = 1,
                                   .set_write = NO_BOARD,
                                   .set_read = NO_BOARD};
    return i;
}

static void add_load(struct guess *g, uint8_t opclass, int width, int board)
{
    struct sass_instruction *i = add(g, opclass);

    if (i != NULL) {
        i->width = (uint8_t)width;
        i->set_write = (uint8_t)board;
    }
}

static void add_other(struct guess *g, double count)
{
    for (int i = 0; i < (int)lround(count); i++)
        add(g, SASS_OTHER);
}

/* How many of `each` a step come at the group, of `groups`, of a tile. */
static int share(double each, double steps, int group, int groups)
{
    return (int)(floor(each * steps * (group + 1) / groups + 1e-6) -
                 floor(each * steps * group / groups + 1e-6));
}

/* The shared loads of a group of steps. */
static void add_loads(struct guess *g, const struct guess_counts *c, int group,
                      int groups)
{
    for (int w = 0; w < 3; w++) {
        for (int n = share(c->loads[w], c->steps, group, groups); n > 0; n--)
            add_load(g, SASS_LOAD_SHARED, 4 << w, group % 2);
    }
}

/* ... and its multiply-adds, of which some wait for a register's port. */
static void add_products(struct guess *g, const struct guess_counts *c,
                         int group, int groups)
{
    const int products = share(c->products, c->steps, group, groups);

    for (int n = 0; n < products; n++) {
        struct sass_instruction *i = add(g, SASS_FMA);

        if (i == NULL)
            return;
        i->stall = c->products >= 4.0 ? 1 : (uint8_t)(4.0 / c->products);
        i->wait = n == 0 ? (uint8_t)(1 << group % 2) : 0;
        if (c->globals_first && n == 0)
            i->wait |= 1 << FETCHED;
        if (n % 8 == 7)
            add(g, SASS_OTHER);
    }
}

static void add_fetch(struct guess *g, const struct guess_counts *c)
{
    for (int n = 0; n < (int)lround(c->globals * c->steps); n++) {
        add(g, SASS_ARITHMETIC);
        add_load(g, SASS_LOAD_GLOBAL, 4, FETCHED);
    }
}

static void add_stores(struct guess *g, const struct guess_counts *c)
{
    for (int n = 0; n < (int)lround(c->stores * c->steps); n++) {
        struct sass_instruction *i = add(g, SASS_STORE_SHARED);

        if (i != NULL)
            i->wait = 1 << FETCHED;
    }
}

int guess_loop(const struct guess_counts *counts, struct sass_loop *loop)
{
    struct guess_counts c = *counts;
    struct guess g = {0};
    const int groups =
        (int)fmax(1.0, floor(c.steps * fmin(1.0, c.products / TOGETHER) + 0.5));

    *loop = (struct sass_loop){.steps = c.steps};
    add_other(&g, c.barriers > 0 ? FOR_LOOP : 4.0);
    add_fetch(&g, &c);
    c.globals_first = c.barriers == 0;
    /* With one barrier a tile, the next tile is fetched during this one. */
    if (c.barriers >= 2) {
        add_stores(&g, &c);
        add(&g, SASS_BARRIER);
    }
    add_loads(&g, &c, 0, groups);
    for (int group = 0; group < groups; group++) {
        if (group + 1 < groups)
            add_loads(&g, &c, group + 1, groups);
        add_products(&g, &c, group, groups);
    }
    if (c.barriers == 1)
        add_stores(&g, &c);
    for (int n = c.barriers >= 2 ? 1 : 0; n < c.barriers; n++)
        add(&g, SASS_BARRIER);
    loop->own = g.made;
    loop->count = g.count;
    loop->instruction = malloc((g.count + 1) * sizeof(void *));
    if (g.is_full || loop->instruction == NULL) {
        sass_loop_free(loop);
        return -1;
    }
    for (size_t i = 0; i < g.count; i++)
        loop->instruction[i] = &g.made[i];
    return 0;
}

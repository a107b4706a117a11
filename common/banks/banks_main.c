/*
 * banks: shows which accesses to shared memory conflict, and why.
 *
 *   banks                           the table, its surprises, and padding
 *   banks --type float --stride 2   one access, lane by lane
 *   banks --tile 16 --stride 18     the store to a padded tile, likewise
 *   banks --csv FILE                the table for a plot, or the lanes
 *
 * Exit codes: 0 done, 2 a wrong call, a file that cannot be written, or
 * cells of lab 05's table that were not predicted yet.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "banks/demo.h"
#include "base/csv_read.h"
#include "base/options.h"
#include "base/replace_file.h"

enum {
    WRONG = 2
};

struct options {
    int type;         /* -1: not given */
    int stride, tile; /* 0: not given */
    int rule;         /* -1: not given */
    const char *csv;
};

#define AT(field) .at = offsetof(struct options, field)

static const struct base_option known[] = {
    {.help = "One access s[stride * tid], lane by lane:"},
    {"type", 't', "TYPE", "Of s: char, short, float or double", AT(type),
     .choice = "char short float double"},
    {"stride", 's', "N", "Elements from lane to lane, 1 to 64", AT(stride), 1,
     BANKS_MAX_STRIDE, 0},
    {"rule", 'r', "RULE",
     "1.x, for compute capability 1.x, or today (the default)", AT(rule),
     .choice = "1.x today"},
    {.help = "Or a store tile[tx][ty] of a block that is N threads wide:"},
    {"tile", 'w', "N", "Its width; --stride: floats in a row of the tile",
     AT(tile), 1, BANKS_LANES, 0},
    {.help = "Output:"},
    {"csv", 'c', "FILE",
     "Write the table of all strides, or the lanes, to FILE", AT(csv)}};

static const struct base_command command = {
    known, sizeof known / sizeof *known, NULL, 0,
    "Shows which accesses to shared memory conflict, and why."
    "\vWithout options: the table of all types and strides. Exit status: 0 "
    "done, 2 a wrong call or a file that cannot be written."};

/* Returns as base_options_read. */
static int options_read(struct options *o, int argc, char **argv, char *why,
                        size_t size)
{
    *o = (struct options){.type = -1, .rule = -1};
    const int result = base_options_read(&command, argc, argv, o, why, size);

    if (result != 0)
        return result;
    if (o->tile > 0 && o->type < 0) {
        o->type = 0;
        while (banks_type_size(o->type) != BANKS_WIDTH)
            o->type++;
    } else if (o->tile > 0) {
        snprintf(why, size, "a tile is of float: leave out --type");
        return -1;
    }
    if ((o->type >= 0) != (o->stride > 0) || (o->rule >= 0 && o->type < 0)) {
        snprintf(why, size,
                 "--type or --tile go with --stride, and --rule with both");
        return -1;
    }
    return 0;
}

/* Is it a cell of lab 05's table? A tile as wide as a warp is stored as floats
   are read. */
static int is_cell(int type, int stride, int tile)
{
    static const int strides[] = {1, 2, 3, 4, 5, 8, 16, 32, 33};

    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        if (strides[i] == stride && (tile == 0 || tile == BANKS_LANES))
            return strcmp(banks_type_name(type), "double") != 0;
    }
    return 0;
}

/* May a student see the table: was all of it right when lab 05 last ran? One
   that is full of anything would else show what the lab asks for. Where the
   solutions lie beside it there is nothing to keep. */
static int is_predicted(void)
{
    struct base_csv csv;
    char why[200];
    int result;

    if (access("solutions", F_OK) == 0 || access("labs/INDEX", F_OK) != 0)
        return 1;
    if (base_csv_read("build/results/labs/05_bank_conflicts.csv", &csv, why,
                      sizeof why) != 0)
        return 0;
    result = csv.rows > 0 && base_csv_is(&csv, csv.rows - 1, "verdict", "PASS");
    base_csv_free(&csv);
    return result;
}

/* Returns 0, or -1 with a message. access: NULL for the whole table. */
static int write_csv(const char *path, const struct banks_access *access,
                     char *why, size_t size)
{
    struct base_replacement r;

    if (base_replace_begin(&r, path, why, size) != 0)
        return -1;
    if (access != NULL) {
        banks_demo_lanes_csv(r.file, access);
    } else {
        banks_demo_csv(r.file);
    }
    return base_replace_end(&r, 1, why, size);
}

static int is_coloured(void)
{
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org */

    return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0');
}

/* Does what the options ask for. Returns 0, or -1 with a line in why. */
static int show(const struct options *o, char *why, size_t size)
{
    const struct banks_access access = {o->rule < 0 ? BANKS_TODAY
                                                    : (enum banks_rule)o->rule,
                                        o->type, o->stride, o->tile};

    if ((o->type < 0 || is_cell(o->type, o->stride, o->tile)) &&
        !is_predicted()) {
        snprintf(why, size,
                 "lab 05 asks you to predict this: it opens when make lab-05 "
                 "has found all 54 cells right (--type char --stride 6 is no "
                 "cell)");
        return -1;
    }
    if (o->csv != NULL &&
        write_csv(o->csv, o->type < 0 ? NULL : &access, why, size) != 0)
        return -1;
    if (o->type >= 0) {
        banks_demo_explain(stdout, &access, is_coloured());
    } else if (o->csv != NULL) {
        printf("Wavefronts for %d strides are in %s\n", BANKS_STRIDES, o->csv);
    } else {
        banks_demo_print(stdout, is_coloured());
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct options o;
    char why[512];
    const int call = options_read(&o, argc, argv, why, sizeof why);

    if (call < 0 || (call == 0 && show(&o, why, sizeof why) != 0)) {
        fprintf(stderr, "banks: %s\n", why);
        return WRONG;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "banks: standard output: %s\n", strerror(errno));
        return WRONG;
    }
    return 0;
}

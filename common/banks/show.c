/*
 * The program behind `make banks`: shows which accesses to shared memory
 * conflict, on compute capability 1.x and today, and explains one case lane by
 * lane. All numbers come from the model (banks.h).
 */
#define _GNU_SOURCE
#include "banks.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TYPES = 4,
    LARGEST_STRIDE = 64,
    CSV_STRIDES = 33
};

static const struct {
    const char *name;
    int size; /* bytes */
} types[TYPES] = {{"char", 1}, {"short", 2}, {"float", 4}, {"double", 8}};

struct options {
    int type, stride; /* -1, 0: not given */
    enum banks_rule rule;
    const char *csv;
};

/* Byte addresses of s[stride * lane] for an array s of this type at 0. */
static void make_addresses(uint64_t address[BANKS_LANES], int type, int stride)
{
    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = (uint64_t)(lane * stride * types[type].size);
}

static int passes(enum banks_rule rule, int type, int stride)
{
    uint64_t address[BANKS_LANES];

    make_addresses(address, type, stride);
    return banks_wavefronts(rule, address, UINT32_MAX, types[type].size, 0);
}

/* --- the tables --------------------------------------------------------------- */

static void show_strides(void)
{
    static const int strides[] = {1, 2, 3, 4, 5, 8, 16, 32, 33};

    puts("A warp loads s[stride * lane]: passes of the banks for one request.\n"
         "First on compute capability 1.x (for half a warp), then today.\n");
    printf("  stride");
    for (int type = 0; type < TYPES; type++)
        printf("%14s", types[type].name);
    printf("\n        ");
    for (int type = 0; type < TYPES; type++)
        printf("%14s", "1.x   today");
    putchar('\n');
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        printf("  %6d", strides[i]);
        for (int type = 0; type < TYPES; type++)
            printf("%6d%8d", passes(BANKS_CC1, type, strides[i]),
                   passes(BANKS_TODAY, type, strides[i]));
        putchar('\n');
    }
    puts(
        "\n"
        "  float     Today gcd(32, stride) passes: an odd stride meets all 32\n"
        "            banks.\n"
        "  char      4 passes at stride 1 on 1.x, where a bank handed its word\n"
        "            to one lane unless it was the one word that was broadcast.\n"
        "            Today lanes that want the same word share it: free.\n"
        "  char      Stride 4 is free: each lane has a word of its own, in a\n"
        "            bank of its own. Stride 5 is not: lanes 0 and 26 want the\n"
        "            words 0 and 32, both of bank 0.\n"
        "  short     Stride 4 is 2-way: lanes 0 and 16 want the words 0 and 32.\n"
        "  double    2 passes at best: 32 lanes want 64 words of 32 banks.\n"
        "\n"
        "  One case lane by lane: build/tools/banks --type char --stride 5");
}

static int transposed_store(enum banks_rule rule, int tile, int row)
{
    uint64_t address[BANKS_LANES];

    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = (uint64_t)(4 * (lane % tile * row + lane / tile));
    return banks_wavefronts(rule, address, UINT32_MAX, 4, 1);
}

static void show_padding(void)
{
    static const int rows[][2] = {
        {16, 16}, {16, 17}, {16, 18}, {32, 32}, {32, 33}};

    puts(
        "\nA warp stores a tile of float transposed, t[tx][ty]: passes, by the "
        "length of\na row.\n");
    puts("    tile  row length     1.x   today");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        printf("  %6d  %10d  %6d  %6d\n", rows[i][0], rows[i][1],
               transposed_store(BANKS_CC1, rows[i][0], rows[i][1]),
               transposed_store(BANKS_TODAY, rows[i][0], rows[i][1]));
    puts(
        "\n"
        "  The best padding depends on the number of banks: a tile of 16 wants\n"
        "  rows of 17 on 16 banks and of 18 on 32, where a warp is two rows of\n"
        "  threads. A tile of 32 wants 33 on both.");
}

/* --- one case ----------------------------------------------------------------- */

/* Lanes whose first word lies in the same bank as this lane's, but is another
   word; such lanes wait for each other. Counts among lanes of one group. */
static int rivals(const uint64_t *address, int lane, int lanes, int banks)
{
    const uint64_t word = address[lane] / BANKS_WIDTH;
    const int first = lane / lanes * lanes;
    int count = 0;

    for (int other = first; other < first + lanes; other++) {
        const uint64_t theirs = address[other] / BANKS_WIDTH;
        int seen = 0;

        for (int before = first; before < other; before++)
            seen |= address[before] / BANKS_WIDTH == theirs;
        count += !seen && theirs != word &&
                 theirs % (uint64_t)banks == word % (uint64_t)banks;
    }
    return count;
}

static void explain(const struct options *o)
{
    const int banks = banks_count(o->rule);
    const int size = types[o->type].size;
    const int lanes = o->rule == BANKS_CC1 || size == 8 ? 16 : 32;
    const int colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    uint64_t address[BANKS_LANES];

    make_addresses(address, o->type, o->stride);
    printf("%s s[%d * lane], %d banks of 4 bytes (%s): %d passes\n",
           types[o->type].name, o->stride, banks, banks_rule_name(o->rule),
           passes(o->rule, o->type, o->stride));
    printf("Served together: lanes %d to %d, and so on.%s\n\n", 0, lanes - 1,
           size == 8 ? " Each lane wants two words; the first is shown." : "");
    puts("  lane    byte    word  bank");
    for (int lane = 0; lane < BANKS_LANES; lane++) {
        const uint64_t word = address[lane] / BANKS_WIDTH;
        const int waits = rivals(address, lane, lanes, banks);

        printf("  %4d  %6d  %6d  %4d", lane, (int)address[lane], (int)word,
               (int)(word % (uint64_t)banks));
        if (waits > 0)
            printf("  %sconflict: %d other word%s of this bank%s",
                   colour ? "\033[31m" : "", waits, waits == 1 ? "" : "s",
                   colour ? "\033[0m" : "");
        putchar('\n');
    }
    if (o->rule == BANKS_CC1)
        puts(
            "\nOn 1.x lanes that want the same word conflict as well, unless it "
            "is the one\nword of a pass that is broadcast.");
}

/* --- the file ----------------------------------------------------------------- */

/* A row for each type, stride and rule. Written beside the file first, so that
   nobody sees half of it. 0, or -1 after a message. */
static int write_csv(const char *path)
{
    char part[4096];
    uint64_t address[BANKS_LANES];
    FILE *file;
    int wrong;

    snprintf(part, sizeof part, "%s.part", path);
    file = fopen(part, "w");
    if (file == NULL) {
        fprintf(stderr, "banks: %s: %s (choose another file)\n", path,
                strerror(errno));
        return -1;
    }
    fputs("type,stride,rule,wavefronts,ideal\n", file);
    for (int type = 0; type < TYPES; type++) {
        for (int stride = 1; stride <= CSV_STRIDES; stride++) {
            for (int rule = 0; rule < BANKS_RULES; rule++) {
                make_addresses(address, type, stride);
                fprintf(file, "%s,%d,%s,%d,%d\n", types[type].name, stride,
                        banks_rule_name((enum banks_rule)rule),
                        passes((enum banks_rule)rule, type, stride),
                        banks_ideal((enum banks_rule)rule, address, UINT32_MAX,
                                    types[type].size, 0));
            }
        }
    }
    wrong = fflush(file) != 0 || fsync(fileno(file)) != 0;
    wrong |= fclose(file) != 0;
    if (wrong || rename(part, path) != 0) {
        fprintf(stderr, "banks: %s: %s (nothing was written)\n", path,
                strerror(errno));
        remove(part);
        return -1;
    }
    printf("banks: wrote %s\n", path);
    return 0;
}

/* --- the command line ------------------------------------------------------------ */

static int find_type(const char *name)
{
    for (int type = 0; type < TYPES; type++) {
        if (strcmp(types[type].name, name) == 0)
            return type;
    }
    return -1;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): argp's form */
static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *o = state->input;
    char *end;
    long stride;

    switch (key) {
    case 't':
        o->type = find_type(argument);
        if (o->type < 0)
            argp_failure(state, 2, 0,
                         "--type %s: use char, short, float or double",
                         argument);
        return 0;
    case 's':
        errno = 0;
        stride = strtol(argument, &end, 10);
        if (errno != 0 || end == argument || *end != '\0' || stride < 1 ||
            stride > LARGEST_STRIDE)
            argp_failure(state, 2, 0, "--stride %s: use 1 to %d", argument,
                         LARGEST_STRIDE);
        o->stride = (int)stride;
        return 0;
    case 'r':
        if (strcmp(argument, "1.x") != 0 && strcmp(argument, "today") != 0)
            argp_failure(state, 2, 0, "--rule %s: use 1.x or today", argument);
        o->rule = strcmp(argument, "1.x") == 0 ? BANKS_CC1 : BANKS_TODAY;
        return 0;
    case 'c':
        o->csv = argument;
        return 0;
    case ARGP_KEY_ARG:
        argp_failure(state, 2, 0, "%s: no such option (see --help)", argument);
        return 0;
    case ARGP_KEY_END:
        if ((o->type >= 0) != (o->stride > 0))
            argp_failure(state, 2, 0, "--type and --stride go together");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp_option list[] = {
        {"type", 't', "TYPE", 0, "Explain one case: char, short, float, double",
         0},
        {"stride", 's', "N", 0, "... and its stride in elements, 1 to 64", 0},
        {"rule", 'r', "RULE", 0, "... on 1.x or today; today is the default",
         0},
        {"csv", 'c', "FILE", 0, "Write the passes for strides 1 to 33", 0},
        {0},
    };
    static const struct argp argp = {
        list, parse,
        NULL, "Shows which accesses to shared memory conflict, and why.",
        NULL, NULL,
        NULL};
    struct options options = {-1, 0, BANKS_TODAY, NULL};

    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (options.csv != NULL)
        return write_csv(options.csv) == 0 ? 0 : 2;
    if (options.type >= 0) {
        explain(&options);
    } else {
        show_strides();
        show_padding();
    }
    return 0;
}

#include "demo.h"

#include <stddef.h>

enum {
    CHAR,
    SHORT,
    FLOAT,
    DOUBLE
};

/* --- the request of s[stride * tid] --------------------------------------- */

static int ideal(enum banks_rule rule, int type)
{
    uint64_t address[BANKS_LANES];

    banks_stride_addresses(address, type, 1);
    return banks_ideal(rule, address, UINT32_MAX, banks_type_size(type), 0);
}

void banks_demo_csv(FILE *stream)
{
    fputs("type,stride,rule,wavefronts,ideal\n", stream);
    for (int type = 0; type < BANKS_TYPES; type++) {
        for (int stride = 1; stride <= BANKS_STRIDES; stride++) {
            for (int r = 0; r < BANKS_RULES; r++) {
                const enum banks_rule rule = (enum banks_rule)r;

                fprintf(stream, "%s,%d,%s,%d,%d\n", banks_type_name(type),
                        stride, banks_rule_name(rule),
                        banks_of_stride(rule, type, stride), ideal(rule, type));
            }
        }
    }
}

/* --- the table ------------------------------------------------------------ */

static const char *red(int is_coloured)
{
    return is_coloured ? "\033[31m" : "";
}

static const char *plain(int is_coloured)
{
    return is_coloured ? "\033[0m" : "";
}

/* Nine columns wide: two figures, the second in red if it is a conflict. */
static void print_stride_cell(FILE *stream, int type, int stride,
                              int is_coloured)
{
    const int then = banks_of_stride(BANKS_CC1, type, stride);
    const int today = banks_of_stride(BANKS_TODAY, type, stride);
    const int is_red = is_coloured && today > ideal(BANKS_TODAY, type);

    fprintf(stream, "%5d/%s%d%s%*s", then, red(is_red), today, plain(is_red),
            today < 10 ? 2 : 1, "");
}

static void print_stride_row(FILE *stream, int stride, int is_coloured)
{
    fprintf(stream, "%4d", stride);
    for (int type = 0; type < BANKS_TYPES; type++)
        print_stride_cell(stream, type, stride, is_coloured);
}

/* Strides 1 to 17 on the left and 18 to 33 on the right. */
static void print_table(FILE *stream, int is_coloured)
{
    const int rows = (BANKS_STRIDES + 1) / 2;

    fputs("Wavefronts of the banks for a warp that reads s[stride * tid]: "
          "1.x/today\n\n"
          "        char    short    float   double"
          "          char    short    float   double\n",
          stream);
    for (int row = 1; row <= rows; row++) {
        print_stride_row(stream, row, is_coloured);
        if (row + rows <= BANKS_STRIDES)
            print_stride_row(stream, row + rows, is_coloured);
        fputc('\n', stream);
    }
}

/* --- the sentences -------------------------------------------------------- */

/* Cells that a reader would not guess, each with its reason. */
static const struct {
    int type, stride;
    const char *why;
} surprises[] = {
    {CHAR, 1,
     "four lanes want each word: today any number may read one\n"
     "at once, while 1.x had one such word in a wavefront"},
    {CHAR, 4,
     "one word for each lane, neighbouring words, 32 banks: as\n"
     "float at stride 1"},
    {CHAR, 5,
     "39 words: lanes 0 and 26 want the words 0 and 32, both of\n"
     "bank 0"},
    {CHAR, 17,
     "lanes 1 and 16 want the words 4 and 68, both of bank 4;\n"
     "on 1.x it takes 1, for the two are in different halves"},
    {CHAR, 32, "8 words from lane to lane: four banks serve all 32 lanes"},
    {SHORT, 4,
     "two words from lane to lane: only every second bank is\n"
     "used, as with float at stride 2"},
    {FLOAT, 32, "all lanes meet in bank 0; on 1.x 16, for half a warp"},
    {FLOAT, 33,
     "the bank moves on by one, so no two lanes meet: float at\n"
     "stride s takes gcd(32, s) wavefronts, 1 for every odd s"},
    {DOUBLE, 1,
     "256 bytes, and a wavefront has 128: 2 is the\n"
     "least possible; 1.x took 4, with requests of 4 bytes"}};

/* Prints text; a new line of it begins below the first. */
static void print_indented(FILE *stream, int indent, const char *text)
{
    for (; *text != '\0'; text++) {
        putc(*text, stream);
        if (*text == '\n')
            fprintf(stream, "%*s", indent, "");
    }
    putc('\n', stream);
}

static void print_surprises(FILE *stream)
{
    for (size_t i = 0; i < sizeof surprises / sizeof *surprises; i++) {
        const int type = surprises[i].type, stride = surprises[i].stride;
        int col = fprintf(stream, "%s, stride %d: %d", banks_type_name(type),
                          stride, banks_of_stride(BANKS_TODAY, type, stride));

        fprintf(stream, "%*s", 23 - col, "");
        print_indented(stream, 23, surprises[i].why);
    }
}

/* --- padding -------------------------------------------------------------- */

/* A warp of a block of width x width threads stores tile[tx][ty], with rows of
   `length` floats: threads next to each other in tx, rows apart in memory. */
static void tile_addresses(uint64_t address[BANKS_LANES], int width, int length)
{
    for (int lane = 0; lane < BANKS_LANES; lane++) {
        const int tx = lane % width, ty = lane / width;

        address[lane] = BANKS_WIDTH * (uint64_t)(tx * length + ty);
    }
}

static int padded(enum banks_rule rule, int width, int length)
{
    uint64_t address[BANKS_LANES];

    tile_addresses(address, width, length);
    return banks_wavefronts(rule, address, UINT32_MAX, BANKS_WIDTH, 1);
}

static void print_padding(FILE *stream)
{
    static const int tile[][2] = {
        {16, 16}, {16, 17}, {16, 18}, {32, 32}, {32, 33}};

    fputs("Padding: a warp stores tile[tx][ty], a transposed tile of float\n\n"
          "  tile   row length   16 banks (1.x)   32 banks (today)\n",
          stream);
    for (size_t i = 0; i < sizeof tile / sizeof *tile; i++) {
        fprintf(stream, "%3d x %d %10d %13d %17d\n", tile[i][0], tile[i][0],
                tile[i][1], padded(BANKS_CC1, tile[i][0], tile[i][1]),
                padded(BANKS_TODAY, tile[i][0], tile[i][1]));
    }
    fputs("\nThe row length that is free depends on the number of banks and on "
          "how many\nrows of the tile a warp covers: two of 16, one of 32.\n",
          stream);
}

void banks_demo_print(FILE *stream, int is_coloured)
{
    print_table(stream, is_coloured);
    fputs("\n1.x: compute capability 1.x, 16 banks, half a warp at a time. "
          "Today: 5.x and\nlater, 32 banks, a whole warp. The least possible "
          "is 1, for double 2.\n\nToday:\n",
          stream);
    print_surprises(stream);
    fputc('\n', stream);
    print_padding(stream);
    fputs(
        "\nOne case lane by lane: build/tools/banks --type float --stride 2 [--rule 1.x]\n",
        stream);
}

/* --- one case ------------------------------------------------------------- */

/* What one lane asks for, and who is served in the same turn. */
struct lane {
    int address, word, bank, wavefront;
    int group; /* first lane of those that are served together */
};

/* All lanes of an access. */
struct lanes {
    struct lane lane[BANKS_LANES];
    int size, words, banks;
    int together; /* lanes that are served at a time */
    int wavefronts, ideal;
};

static void find_lanes(const struct banks_access *a, struct lanes *l)
{
    const int is_store = a->tile > 0;
    uint64_t address[BANKS_LANES];
    int wavefront[BANKS_LANES];

    if (is_store) {
        tile_addresses(address, a->tile, a->stride);
    } else {
        banks_stride_addresses(address, a->type, a->stride);
    }
    l->size = banks_type_size(a->type);
    l->words = l->size > BANKS_WIDTH ? l->size / BANKS_WIDTH : 1;
    l->banks = banks_count(a->rule);
    l->together = a->rule == BANKS_CC1 || l->words > 1 ? 16 : 32;
    l->wavefronts = banks_schedule(a->rule, address, UINT32_MAX, l->size,
                                   is_store, wavefront);
    l->ideal = ideal(a->rule, a->type);
    for (int i = 0; i < BANKS_LANES; i++) {
        struct lane *const lane = &l->lane[i];

        lane->address = (int)address[i];
        lane->word = lane->address / BANKS_WIDTH;
        lane->bank = lane->word % l->banks;
        lane->wavefront = wavefront[i];
        lane->group = i / l->together * l->together;
    }
}

void banks_demo_lanes_csv(FILE *stream, const struct banks_access *access)
{
    struct lanes l;

    find_lanes(access, &l);
    fputs("lane,address,word,words,bank,banks,group,wavefront,wavefronts,"
          "ideal\n",
          stream);
    for (int i = 0; i < BANKS_LANES; i++) {
        const struct lane *const lane = &l.lane[i];

        fprintf(stream, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", i, lane->address,
                lane->word, l.words, lane->bank, l.banks, lane->group,
                lane->wavefront, l.wavefronts, l.ideal);
    }
}

/* "7", or "6-7" for an access of two words. */
static void print_span(FILE *stream, int width, int from, int count)
{
    char text[32];

    if (count == 1) {
        snprintf(text, sizeof text, "%d", from);
    } else {
        snprintf(text, sizeof text, "%d-%d", from, from + count - 1);
    }
    fprintf(stream, "%*s", width, text);
}

/* Why a lane is served when it is. Returns 1 if it has to wait. */
static int print_reason(FILE *stream, const struct lane *access, int lane,
                        int is_coloured)
{
    const struct lane *a = &access[lane];
    int same = -1;

    for (int l = a->group; l < BANKS_LANES && access[l].group == a->group;
         l++) {
        if (access[l].bank == a->bank && access[l].wavefront < a->wavefront) {
            fprintf(stream, "   %sconflict: bank %d serves lane %d first%s",
                    red(is_coloured), a->bank, l, plain(is_coloured));
            return 1;
        }
        if (l < lane && same < 0 && access[l].word == a->word)
            same = l;
    }
    if (same >= 0)
        fprintf(stream, "   same word as lane %d", same);
    return 0;
}

void banks_demo_explain(FILE *stream, const struct banks_access *a,
                        int is_coloured)
{
    struct lanes l;
    int waiting = 0;

    find_lanes(a, &l);
    if (a->tile > 0) {
        fprintf(stream, "tile[tx][ty], %d wide, rows of %d", a->tile,
                a->stride);
    } else {
        fprintf(stream, "s[%d * tid], elements of %s, %d byte%s", a->stride,
                banks_type_name(a->type), l.size, l.size == 1 ? "" : "s");
    }
    fprintf(stream,
            "; rule %s: %d banks, %d lanes at a time\n\n"
            "  lane   address    word    bank   wavefront\n",
            banks_rule_name(a->rule), l.banks, l.together);
    for (int i = 0; i < BANKS_LANES; i++) {
        const struct lane *const lane = &l.lane[i];

        if (i > 0 && i == lane->group)
            fputc('\n', stream);
        fprintf(stream, "%6d %9d", i, lane->address);
        print_span(stream, 8, lane->word, l.words);
        print_span(stream, 8, lane->bank, l.words);
        fprintf(stream, "%7d", lane->wavefront);
        waiting += print_reason(stream, l.lane, i, is_coloured);
        fputc('\n', stream);
    }
    fprintf(stream, "\n%d wavefront%s; the least possible is %d. ",
            l.wavefronts, l.wavefronts == 1 ? "" : "s", l.ideal);
    fprintf(stream, "%d of 32 lanes wait for their bank.\n", waiting);
    if (a->rule == BANKS_CC1) {
        fputs("A half warp's wavefronts count from 1. One word in each is read "
              "by any number of\nlanes; each other bank serves one lane.\n",
              stream);
    }
    if (a->rule == BANKS_CC1 && l.words > 1) {
        fputs("The two words are two requests; the second one's wavefront is "
              "shown.\n",
              stream);
    }
}

/*
 * fragments: which elements does a lane hold in lab 15, and where do the rows
 * that ldmatrix brings lie?
 *
 *   fragments --lane 5             its elements of A, B and C
 *   fragments --lane 5 --plain 1   and A's tile as if it were not swizzled
 *   fragments --csv FILE           all lanes
 *
 * A's tile is that of lab 15: 16 rows of it, each of 32 elements, which are 8
 * pieces of 16 bytes; piece p of row r is at place p ^ r % 8. One ldmatrix
 * loads two of the pieces of all 16 rows. Exit codes: 0 done, 2 a wrong call or
 * a file that cannot be written.
 */
#include <stdio.h>

#include "banks/banks.h"
#include "base/options.h"
#include "base/replace_file.h"
#include "simt/fragments.h"

enum {
    WRONG = 2,
    DEPTH = 32, /* elements of a row of A's tile */
    PIECE = 4,  /* elements; PIECES of them are a row */
    PIECES = DEPTH / PIECE,
    ROWS = 16, /* that ldmatrix loads, of two pieces each */
    MATRICES = 3
};

static const struct {
    char name;
    int rows, registers; /* of 8 columns; of a lane */
} matrix[MATRICES] = {{'A', 16, 4}, {'B', 8, 2}, {'C', 16, 4}};

struct call {
    int lane, step, plain;
    const char *csv;
};

#define AT(field) .at = offsetof(struct call, field)
static const struct base_option known[] = {
    {"lane", 'l', "N", "Of the warp, 0 to 31", AT(lane), 0, BANKS_LANES - 1, 0},
    {"step", 's', "N", "Of the tile, 8 columns of A: 0 to 3", AT(step), 0,
     PIECES / 2 - 1, 0},
    {"plain", 'p', "0|1", "1: piece p of a row at place p", AT(plain), 0, 1, 0},
    {"csv", 'c', "FILE", "Write the elements of all lanes to FILE", AT(csv)}};
#undef AT

static const struct base_command command = {
    known, sizeof known / sizeof *known, NULL, 0,
    "Which elements does a lane hold in lab 15?"};

/* What a lane points at for ldmatrix: a piece of a row, and its place. */
struct pointer {
    int row, piece, place;
    uint64_t address; /* bytes */
};

static struct pointer pointer_of(const struct call *c, int lane)
{
    struct pointer p = {lane % ROWS, 2 * c->step + lane / ROWS, 0, 0};

    p.place = c->plain ? p.piece : p.piece ^ p.row % PIECES;
    p.address = 4 * (uint64_t)(p.row * DEPTH + p.place * PIECE);
    return p;
}

/* Returns the wavefronts of the request of all lanes. */
static int wavefronts_of(const struct call *c, int wavefront[BANKS_LANES])
{
    uint64_t address[BANKS_LANES];

    for (int lane = 0; lane < BANKS_LANES; lane++)
        address[lane] = pointer_of(c, lane).address;
    return banks_schedule(BANKS_TODAY, address, UINT32_MAX, 4 * PIECE, 0,
                          wavefront);
}

static int bank_of(struct pointer p)
{
    return (int)(p.address / BANKS_WIDTH) % banks_count(BANKS_TODAY);
}

static void tell(const struct call *c)
{
    const struct pointer p = pointer_of(c, c->lane);
    int wavefront[BANKS_LANES];
    const int wavefronts = wavefronts_of(c, wavefront);

    printf("Lane %d of mma.sync.m16n8k8: g = lane / 4 = %d, t = lane %% 4 = "
           "%d\n\n",
           c->lane, c->lane / 4, c->lane % 4);
    for (int m = 0; m < MATRICES; m++) {
        printf("  %c, %2d x 8 ", matrix[m].name, matrix[m].rows);
        for (int i = 0; i < matrix[m].registers; i++) {
            const struct simt_place at =
                simt_fragment((enum simt_matrix)m, c->lane, i);

            printf("  %c%d [%d][%d]", matrix[m].name - 'A' + 'a', i, at.row,
                   at.col);
        }
        putchar('\n');
    }
    printf("\nFor ldmatrix the lane points at piece %d of row %d of A's tile, "
           "which is at\nplace %d of the row: banks %d to %d, wavefront %d. "
           "All lanes take %d wavefronts;\nthe least possible is 4.\n",
           p.piece, p.row, p.place, bank_of(p), bank_of(p) + PIECE - 1,
           wavefront[c->lane], wavefronts);
}

static void write_csv(const struct call *c, FILE *file)
{
    int wavefront[BANKS_LANES];
    const int wavefronts = wavefronts_of(c, wavefront);

    fputs("what,register,lane,row,col,place,bank,wavefront,wavefronts\n", file);
    for (int lane = 0; lane < BANKS_LANES; lane++) {
        const struct pointer p = pointer_of(c, lane);

        for (int m = 0; m < MATRICES; m++) {
            for (int i = 0; i < matrix[m].registers; i++) {
                const struct simt_place at =
                    simt_fragment((enum simt_matrix)m, lane, i);

                fprintf(file, "%c,%d,%d,%d,%d,,,,\n", matrix[m].name, i, lane,
                        at.row, at.col);
            }
        }
        fprintf(file, "tile,,%d,%d,%d,%d,%d,%d,%d\n", lane, p.row, p.piece,
                p.place, bank_of(p), wavefront[lane], wavefronts);
    }
}

int main(int argc, char **argv)
{
    struct call c = {0};
    struct base_replacement r;
    char why[400];
    int code = base_options_read(&command, argc, argv, &c, why, sizeof why);

    if (code == 0)
        tell(&c);
    if (code == 0 && c.csv != NULL) {
        code = base_replace_begin(&r, c.csv, why, sizeof why);
        if (code == 0) {
            write_csv(&c, r.file);
            code = base_replace_end(&r, 1, why, sizeof why);
        }
    }
    if (code < 0)
        fprintf(stderr, "fragments: %s\n", why);
    return code < 0 || fflush(stdout) != 0 ? WRONG : 0;
}

/*
 * Does a lab's run meet every edge that its code has? The solutions say by what
 * they divide: #define DEPTH 16 is a tile along k, i += 4 a loop by four. Each
 * remainder of it must come up at a size that is tried, alone and behind a
 * whole tile, in rows that begin at 16 bytes and in others.
 */
#define _POSIX_C_SOURCE 200809L

#include "../testing.h"

#include "base/file.h"
#include "base/words.h"
#include "course/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    M,
    N,
    K,
    ALL = 64,   /* of a longer tile */
    ENOUGH = 32 /* these remainders will do */
};

/* What a constant divides; what is no one's name here is none of a lab's. */
static const struct {
    const char *names;
    int sides; /* bits: 1 << M and so on */
} divides[] = {{" TILE ", 1 << M | 1 << N | 1 << K},
               {" BLOCK OWN ", 1 << M | 1 << N},
               {" ROWS OWN_ROWS DOWN WARP_ROWS ", 1 << M},
               {" COLS OWN_COLS ACROSS WARP_COLS ", 1 << N},
               {" DEPTH ", 1 << K},
               /* Lengths of rows in shared memory, moments, and counts of
                  blocks, stages and bytes. */
               {" AS_ROW BS_ROW BEGIN_AT FETCH_AT STORE_AT BLOCKS STAGES GROUP "
                "CONSUMERS ROW ",
                0}};

static struct course_index course;
static char left_out[400]; /* the first edge that the sizes leave out; "" */

/* The sizes of a lab, one after the other; 0 behind the last. */
static int next_size(const struct course_lab *lab, int i,
                     struct course_shape *shape)
{
    const int shapes = course_index_shapes(&course, lab);

    if (i >= shapes + course_small_shapes(lab))
        return 0;
    *shape = i < shapes ? course_index_shape(&course, lab, i)
                        : course_small_shape(lab, i - shapes);
    return 1;
}

static int is_aligned(const struct course_shape *s)
{
    return s->n % 4 == 0 && s->k % 4 == 0;
}

/* Is there a size whose side leaves that remainder? Behind a whole tile or not,
   in rows that are aligned or not. */
static int has_size(const struct course_lab *lab, int side, int by, int rest,
                    int whole, int aligned)
{
    struct course_shape s;

    for (int i = 0; next_size(lab, i, &s); i++) {
        const int length = side == M ? s.m : side == N ? s.n : s.k;

        if (length % by == rest && (length >= by) == whole &&
            is_aligned(&s) == aligned)
            return 1;
    }
    return 0;
}

static void need(const struct course_lab *lab, const char *what, int side,
                 int by)
{
    for (int rest = 0; rest < by && left_out[0] == '\0'; rest++) {
        for (int kind = 0; kind < 4; kind++) {
            const int whole = kind % 2, aligned = kind / 2;

            /* Nothing is left of nothing; n and k are what is aligned; blocks
               know nothing of each other, so that of them one will do. */
            if ((rest == 0 && !whole) ||
                (aligned && (rest % 4 != 0 || by % 4 != 0)) ||
                has_size(lab, side, by, rest, whole, aligned) ||
                (side != K && has_size(lab, side, by, rest, !whole, aligned)))
                continue;
            snprintf(left_out, sizeof left_out,
                     "%s: of %s, no size leaves %d of %d along %c%s%s",
                     lab->name, what, rest, by, "MNK"[side],
                     whole ? " behind a whole one" : "",
                     aligned ? ", with n and k multiples of 4"
                             : ", with n or k no multiple of 4");
        }
    }
}

static void need_constant(const struct course_lab *lab, const char *name,
                          int value)
{
    const int tile[] = {lab->tile.m, lab->tile.n, lab->tile.k};

    for (size_t i = 0; i < sizeof divides / sizeof *divides; i++) {
        if (base_find_word(name, divides[i].names) < 0)
            continue;
        for (int side = M; side <= K; side++) {
            if (divides[i].sides & 1 << side) {
                need(lab, name, side,
                     tile[side] > ALL && value > ENOUGH ? ENOUGH : value);
            }
        }
        return;
    }
    fail_msg("%s: #define %s %d: does it divide a side? (the list in %s)",
             lab->name, name, value, __FILE__);
}

/* A line of the source: a constant, or a loop that goes on by several. */
static void need_line(const struct course_lab *lab, const char *line)
{
    const char *const by = strstr(line, "+= ");
    const size_t begin = strlen("#define ");
    char word[64], *end;
    long value;

    if (strncmp(line, "#define ", begin) == 0) {
        const char *const name = line + begin;

        snprintf(word, sizeof word, "%.*s", (int)strcspn(name, " ("), name);
        value = strtol(name + strlen(word), &end, 10);
        if (value > 0 &&
            (end[strspn(end, " ")] == '\0' || end[strspn(end, " ")] == '/'))
            need_constant(lab, word, (int)value);
    }
    value = by != NULL ? strtol(by + 3, NULL, 10) : 0;
    if (strstr(line, "for (") != NULL && value > 1) {
        for (int side = M; side <= K; side++)
            need(lab, "a loop in steps", side, (int)value);
    }
}

static void need_all(const struct course_lab *lab)
{
    char path[200], why[300], *text, *rest, *line;

    snprintf(path, sizeof path, "solutions/%s/%s.cu", lab->name, lab->name + 3);
    text = base_read_file(path, why, sizeof why);
    if (text == NULL)
        fail_msg("%s", why);
    left_out[0] = '\0';
    for (line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        need_line(lab, line);
    free(text);
}

FIXTURE(read_index)
{
    char why[300];

    if (course_index_read("labs/INDEX", &course, why, sizeof why) != 0)
        fail_msg("%s", why);
    return 0;
}

TEST(test_every_edge_of_the_labs_is_met)
{
    for (int i = 0; i < course.labs; i++) {
        /* What is no product has sizes of its own. */
        if (course_has_launch(&course.lab[i]) && course.lab[i].problem == NULL)
            need_all(&course.lab[i]);
        if (left_out[0] != '\0')
            fail_msg("%s", left_out);
    }
}

TEST(test_an_edge_that_is_left_out_is_told)
{
    struct course_lab lab = *course_index_find(&course, "08_unrolling");

    lab.tile = (struct course_shape){0, 0, 0};
    need_all(&lab);
    assert_string_equal(left_out,
                        "08_unrolling: of ROWS, no size leaves 0 of 16 along M "
                        "behind a whole one, with n or k no multiple of 4");
    lab.tile = (struct course_shape){16, 64, 1};
    need_all(&lab);
    assert_string_equal(left_out,
                        "08_unrolling: of DEPTH, no size leaves 0 of 16 along "
                        "K behind a whole one, with n or k no multiple of 4");
}

ALL_TESTS(read_index, NULL);

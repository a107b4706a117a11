/* What the user is told of a finding: file and line first, then what happened,
   then what it means. Lines have 80 columns at most where names are
   short. */
#define _GNU_SOURCE
#include "base/language.h"
#include "base/wrap.h"
#include "lines.h"
#include "recorder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- the words ------------------------------------------------------------ */

/* A text that grows, up to its end. */
struct text {
    char *at;
    size_t left;
};

static void __attribute__((format(printf, 2, 3)))
say(struct text *text, const char *format, ...)
{
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(text->at, text->left, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= text->left) {
        text->at += text->left ? text->left - 1 : 0;
        text->left = 0;
    } else {
        text->at += length;
        text->left -= (size_t)length;
    }
}

/* The index of a block in its grid: "(0,2)". */
static const char *block_index_text(char text[SIMT_INDEX_TEXT],
                                    const struct simt_grid *grid,
                                    uint64_t block)
{
    const unsigned b = (unsigned)block, x = grid->size.x, y = grid->size.y;

    return simt_index_text(text, grid->size,
                           (struct uint3){b % x, b / x % y, b / x / y});
}

/* "(1,0)", or with its block. */
static const char *thread_text(char *text, size_t size,
                               const struct simt_grid *grid, int thread,
                               const uint64_t *block)
{
    const unsigned x = grid->block.x, y = grid->block.y;
    const unsigned t = (unsigned)thread;
    char index[SIMT_INDEX_TEXT], of[SIMT_INDEX_TEXT];

    simt_index_text(index, grid->block,
                    (struct uint3){t % x, t / x % y, t / x / y});
    if (block == NULL) {
        snprintf(text, size, "%s", index);
    } else {
        snprintf(text, size, N_("%s of block %s"), index,
                 block_index_text(of, grid, *block));
    }
    return text;
}

static const char *found_name(const struct simt_found *found,
                              const struct simt_grid *grid)
{
    const char *name = simt_array_name(grid->launch->kernel, found->array);

    return name[0] == '?' ? N_("an unnamed array") : name;
}

/* 1 for an access that lies near no array. */
static int is_nowhere(const struct simt_found *found)
{
    return found->check == SIMT_BOUNDS && found->extent == 0;
}

/* What the elements of an array are counted in. */
struct unit {
    int bytes; /* of an element */
    int is_guess;
    int dimension[SIMT_DIMENSIONS], dimensions;
};

static int is_variable(unsigned array)
{
    return array >= SIMT_VARIABLES && array != SIMT_DYNAMIC_SHARED;
}

/* `bytes` are those of the access: where no type is known, of an element, but
   for a float2 or a float4 of what is taken for floats. */
static struct unit unit_of(const char *kernel, unsigned array, size_t extent,
                           int bytes)
{
    struct unit unit = {.bytes = simt_array_element(kernel, array)};

    if (is_variable(array)) {
        unit.dimensions =
            simt_variable_shape(simt_array_name(kernel, array), extent,
                                unit.dimension, &unit.bytes);
    }
    if (unit.bytes == 0) {
        unit.bytes = bytes > 4 ? 4 : bytes;
        unit.is_guess = bytes > 4;
    }
    return unit;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): say() writes there */
void simt_element_name(char *text, size_t size, const char *kernel,
                       unsigned array, long long offset, size_t extent,
                       int bytes)
{
    const struct unit unit = unit_of(kernel, array, extent, bytes);
    const long long element = offset / unit.bytes;
    const char *name = simt_array_name(kernel, array);
    struct text to = {text, size};

    if (name[0] == '?')
        name = N_("an unnamed array");
    if (unit.dimensions > 0 && offset >= 0) {
        unsigned long long row = extent / (unsigned)unit.bytes;
        unsigned long long rest = (unsigned long long)element;

        say(&to, "%s", name);
        for (int i = 0; i < unit.dimensions; i++) {
            row /= (unsigned long long)unit.dimension[i];
            say(&to, "[%llu]", rest / row);
            rest %= row;
        }
        return;
    }
    if (is_variable(array) && extent == (size_t)bytes && offset == 0) {
        say(&to, "%s", name);
        return;
    }
    if (array == SIMT_DYNAMIC_SHARED)
        name = N_("the dynamic shared memory");
    if (bytes > unit.bytes && unit.is_guess) {
        say(&to, N_("elements %lld to %lld (of 4 bytes each) of %s"), element,
            element + bytes / unit.bytes - 1, name);
    } else if (bytes > unit.bytes) {
        say(&to, N_("elements %lld to %lld of %s"), element,
            element + bytes / unit.bytes - 1, name);
    } else if (unit.is_guess) {
        say(&to, N_("element %lld (of 4 bytes each) of %s"), element, name);
    } else {
        say(&to, N_("element %lld of %s"), element, name);
    }
}

/* The element that was found, and where it lies outside of the array how large
   that is. */
static void say_element(struct text *text, const struct simt_found *found,
                        const struct simt_grid *grid)
{
    const char *const kernel = grid->launch->kernel;
    const int size = simt_key_size(found->key);
    const struct unit unit = unit_of(kernel, found->array, found->extent, size);
    char element[200];

    if (is_nowhere(found)) {
        say(text, N_("memory that belongs to no array: far from all of them"));
        return;
    }
    simt_element_name(element, sizeof element, kernel, found->array,
                      (long long)(intptr_t)found->offset, found->extent, size);
    if (found->check != SIMT_BOUNDS) {
        say(text, "%s", element);
    } else if (unit.dimensions > 1 && (intptr_t)found->offset >= 0) {
        say(text, N_("%s of %s[%d]"), element, found_name(found, grid),
            unit.dimension[0]);
        for (int i = 1; i < unit.dimensions; i++)
            say(text, "[%d]", unit.dimension[i]);
    } else {
        say(text, N_("%s, which has %zu"), element,
            found->extent / (size_t)unit.bytes);
    }
}

/* What a thread does there, in the line at that place. */
static void say_access(struct text *text, const char *place, const char *thread,
                       uint64_t key, const char *what)
{
    const int kind = simt_key_kind(key);

    say(text, "    ");
    if (kind & SIMT_EVENT_ATOMIC) {
        say(text, N_("%s: thread %s changes %s"), place, thread, what);
    } else if (kind & SIMT_EVENT_STORE) {
        say(text, N_("%s: thread %s writes %s"), place, thread, what);
    } else {
        say(text, N_("%s: thread %s reads %s"), place, thread, what);
    }
    say(text, "\n");
}

/* 1 if both instructions stand on one line of the source. */
static int is_same_line(uint64_t key, uint64_t other_key)
{
    const char *file, *other_file;
    int line, other_line;

    return simt_line_of(simt_key_code(key), &file, &line) == 0 &&
           simt_line_of(simt_key_code(other_key), &other_file, &other_line) ==
               0 &&
           line == other_line && strcmp(file, other_file) == 0;
}

int simt_found_in_warp(const struct simt_found *found)
{
    return found->block == found->other_block &&
           found->thread / SIMT_WARP == found->other_thread / SIMT_WARP;
}

/* --- what to do ----------------------------------------------------------- */

/* What a race means, and what orders the two; NULL: a barrier would. */
static const char *race_advice(const struct simt_found *found)
{
    const int kinds = simt_key_kind(found->key);
    const int other_kinds = simt_key_kind(found->other_key);
    const int both_write = kinds & other_kinds & SIMT_EVENT_STORE;
    const int other_block = found->block != found->other_block;
    const int same_line = is_same_line(found->key, found->other_key);

    if (found->are_equal) {
        return N_(
            "All that is stored there is equal: a race by the rules of CUDA, and harmless on GPUs. Often an index is wrong, and work is done several times.");
    }
    if ((kinds | other_kinds) & SIMT_EVENT_ATOMIC) {
        return N_(
            "An atomic operation orders itself among its like alone, not against a plain read or write: let those be atomic too, or wait in between.");
    }
    if (same_line && !both_write) {
        return N_(
            "One of them can read it before the other has stored it. A sum that several threads add to, as in x += 1, needs atomicAdd.");
    }
    if (other_block && both_write) {
        return N_(
            "Blocks run in any order, so which value stays is undefined, unless all store the same.");
    }
    if (other_block) {
        return N_(
            "Blocks run in any order, and __syncthreads() does not wait for other blocks. What one block reads of another belongs into a second kernel, launched afterwards.");
    }
    if (both_write && same_line) {
        return N_(
            "Both write this element, and which value stays is undefined, unless both store the same.");
    }
    return found->check == SIMT_RACE_GLOBAL
               ? N_("Either a __syncthreads() is missing between the two lines, or one of them uses the wrong element.")
               : NULL;
}

/* Which ways there are between the lines of a race, if these are known. */
static int known_ways(const struct simt_found *found)
{
    const char *file;
    int line;

    if (simt_line_of(simt_key_code(found->key), &file, &line) != 0 ||
        simt_line_of(simt_key_code(found->other_key), &file, &line) != 0)
        return 0;
    return found->ways & SIMT_WAYS;
}

/* "from line 53 to line 60", or back to it. */
static const char *way_text(char *text, size_t size,
                            const struct simt_found *found, int way)
{
    const int is_to_read = way == SIMT_WAY_TO_READ;
    const char *file;
    int from = 0, to = 0;

    simt_line_of(simt_key_code(found->key), &file, is_to_read ? &from : &to);
    simt_line_of(simt_key_code(found->other_key), &file,
                 is_to_read ? &to : &from);
    if (found->order & way * SIMT_WAY_BACK) {
        snprintf(text, size, N_("from line %d back to line %d"), from, to);
    } else {
        snprintf(text, size, N_("from line %d to line %d"), from, to);
    }
    return text;
}

/* Where a race in shared memory wants a barrier. */
static void say_barrier(struct text *text, const struct simt_found *found)
{
    const int ways = known_ways(found);
    char way[60], other[60];

    if (ways == SIMT_WAYS) {
        say(text, N_("No barrier stands on the way %s, nor %s."),
            way_text(way, sizeof way, found, SIMT_WAY_TO_READ),
            way_text(other, sizeof other, found, SIMT_WAY_TO_WRITE));
    } else if (ways != 0) {
        say(text, N_("No barrier stands on the way %s."),
            way_text(way, sizeof way, found, ways));
    }
    say(text, ways == 0 ? "%s" : " %s",
        ways == 0
            ? N_("Either a __syncthreads() is missing between the two, or one of the lines uses the wrong element.")
            : N_("Either a __syncthreads() is missing there, or one of the lines uses the wrong element."));
    if (simt_found_in_warp(found)) {
        say(text, " %s",
            N_("Threads of one warp, as these, need the barrier too."));
    }
    say(text, "\n");
}

/* What an access outside of an array means. */
static const char *bounds_advice(const struct simt_found *found)
{
    if ((intptr_t)found->offset < 0) {
        return N_("The index is negative: it leads in front of the array.");
    }
    if (found->array == SIMT_DYNAMIC_SHARED) {
        return N_(
            "The third number between <<< and >>> is the size of this memory in bytes.");
    }
    if (found->array >= SIMT_VARIABLES)
        return N_("The last index of an array is one less than its size.");
    return N_(
        "Check the index, the condition that keeps threads away, as in `i < n` or `row < m && col < n`, and the array's length. Each matrix has rows and columns of its own.");
}

/* What it means, and what to do. */
static const char *advice(const struct simt_found *found)
{
    switch (found->check) {
    case SIMT_RACE_SHARED:
    case SIMT_RACE_GLOBAL:
        return race_advice(found);
    case SIMT_UNWRITTEN_SHARED:
        return N_(
            "Each block begins with its shared memory unwritten, and no thread of this block has stored that element.");
    case SIMT_UNWRITTEN_GLOBAL:
        if (simt_key_kind(found->key) & SIMT_EVENT_ATOMIC ||
            found->array >= SIMT_VARIABLES) {
            return N_(
                "Neither a kernel nor a cudaMemset has written it: cudaMalloc sets nothing to 0.");
        }
        return N_(
            "No kernel, cudaMemcpy or cudaMemset has written it: cudaMalloc sets nothing to 0, and a copy is as long as its number of bytes, elements * sizeof(float).");
    case SIMT_BOUNDS:
        return bounds_advice(found);
    case SIMT_ALIGNMENT:
        if (simt_key_size(found->key) <= 4) {
            return N_(
                "A value of 2 or 4 bytes is read and written only at a multiple of its size.");
        }
        return N_(
            "A float2 or a float4 is read and written only at a multiple of its size: at an index that 2 or 4 divides.");
    default:
        return "";
    }
}

/* --- the message ---------------------------------------------------------- */

/* "line 55", or with its file if that is not the message's. */
static const char *place_text(char *text, size_t size, uint64_t key,
                              const char *message_file)
{
    const char *file;
    int line;

    if (simt_line_of(simt_key_code(key), &file, &line) != 0) {
        snprintf(text, size, N_("a line that is not known"));
    } else if (strcmp(file, message_file) != 0) {
        snprintf(text, size, "%s:%d", file, line);
    } else {
        snprintf(text, size, N_("line %d"), line);
    }
    return text;
}

static void say_race(struct text *text, const struct simt_found *found,
                     const struct simt_grid *grid, const char *file)
{
    const int other_block = found->block != found->other_block;
    const int ways = known_ways(found);
    const int read_first = ways == SIMT_WAY_TO_WRITE;
    const uint64_t key[2] = {found->key, found->other_key};
    const uint64_t block[2] = {found->block, found->other_block};
    const int thread[2] = {found->thread, found->other_thread};
    char element[300] = "", place[300], name[2 * SIMT_INDEX_TEXT + 20];
    struct text to = {element, sizeof element};
    const char *what = element;

    for (int i = 0; i < 2; i++) {
        const int who = read_first ? 1 - i : i;

        if (i == 0) {
            say_element(&to, found, grid);
        } else if (ways != SIMT_WAYS && found->order & ways * SIMT_WAY_BACK) {
            what = N_("it in its next pass through the loop");
        } else {
            what = other_block || ways != 0
                       ? N_("it")
                       : N_("it, with no barrier in between");
        }
        say_access(text, place_text(place, sizeof place, key[who], file),
                   thread_text(name, sizeof name, grid, thread[who],
                               other_block ? &block[who] : NULL),
                   key[who], what);
    }
}

static void say_single(struct text *text, const struct simt_found *found,
                       const struct simt_grid *grid, const char *file)
{
    const int size = simt_key_size(found->key);
    char element[300] = "", what[500], place[300], name[SIMT_INDEX_TEXT];
    struct text to = {element, sizeof element};

    say_element(&to, found, grid);
    if (found->check == SIMT_ALIGNMENT) {
        snprintf(what, sizeof what,
                 N_("%d bytes at byte %lld of %s, no multiple of %d: at %s"),
                 size, (long long)(intptr_t)found->offset,
                 found_name(found, grid), size, element);
    }
    say_access(text, place_text(place, sizeof place, found->key, file),
               thread_text(name, sizeof name, grid, found->thread, NULL),
               found->key, found->check == SIMT_ALIGNMENT ? what : element);
}

/* Copies a message. Its lines but the first, which names a place, are broken
   where they are too long. */
/* NOLINTNEXTLINE(readability-non-const-parameter): say() writes there */
static void break_lines(char *buffer, size_t size, char *plain)
{
    struct text text = {buffer, size};
    char *line = plain, *end;

    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char lines[600];

        *end = '\0';
        simt_fill_lines(lines, sizeof lines, line + strspn(line, " "));
        say(&text, "%s\n", line == plain ? line : lines);
    }
}

/*
 * The whole message:
 *
 *   tiling.cu:55: race in shared memory on Bs
 *       line 64: thread (6,9) reads Bs[0][6]
 *       line 55: thread (0,6) writes it in its next pass through the loop
 *       Seen 5505024 times in kernel matmul_tiling, as in block (0,0).
 *       No barrier stands on the way from line 64 back to line 55. ...
 */
/* NOLINTNEXTLINE(readability-non-const-parameter): say() writes there */
void simt_found_describe(char *buffer, size_t size,
                         const struct simt_found *found,
                         const struct simt_grid *grid)
{
    char plain[1200];
    struct text text = {plain, sizeof plain};
    char place[20], index[SIMT_INDEX_TEXT], what[200];
    const char *file;
    int line;

    if (is_nowhere(found)) {
        snprintf(what, sizeof what, "%s", simt_check_name[found->check]);
    } else if (found->check == SIMT_BOUNDS) {
        snprintf(what, sizeof what, N_("access outside of an array: %s"),
                 found_name(found, grid));
    } else if (found->are_equal) {
        snprintf(what, sizeof what, N_("warning: %s on %s"),
                 simt_check_name[found->check], found_name(found, grid));
    } else {
        snprintf(what, sizeof what, N_("%s on %s"),
                 simt_check_name[found->check], found_name(found, grid));
    }
    if (simt_line_of(simt_key_code(found->key), &file, &line) == 0) {
        const char *const name = strrchr(file, '/');

        snprintf(place, sizeof place, ":%d: ", line);
        say(&text, "%s%s",
            strlen(file) + strlen(place) + strlen(what) <= BASE_WIDTH ||
                    name == NULL
                ? file
                : name + 1,
            place);
    }
    say(&text, "%s\n", what);
    if (found->other_key != 0) {
        say_race(&text, found, grid, file);
    } else {
        say_single(&text, found, grid, file);
    }
    block_index_text(index, grid, found->block);
    say(&text, "    ");
    if (found->check == SIMT_BOUNDS || found->check == SIMT_ALIGNMENT) {
        say(&text,
            N_("Kernel %s ends there, in block %s: what comes later is not told."),
            grid->launch->kernel, index);
    } else {
        say(&text,
            found->count == 1
                ? N_("Seen %llu time in kernel %s, as in block %s.")
                : N_("Seen %llu times in kernel %s, as in block %s."),
            (unsigned long long)found->count, grid->launch->kernel, index);
    }
    say(&text, "\n    ");
    if (advice(found) != NULL) {
        say(&text, "%s\n", advice(found));
    } else {
        say_barrier(&text, found);
    }
    break_lines(buffer, size, plain);
}

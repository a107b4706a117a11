/*
 * chip: which limit of a chip binds a kernel, and how long would it take there?
 *
 *   chip --chip FILE --requests PREFIX [OPTION]... LAB
 *   chip --chip FILE --shape 128x128x16 --sums 8x8 --sizes 4096
 *   chip --code --cubin FILE
 *
 * The kernels of LAB are known by the requests (SIMT_REQUESTS) that its program
 * makes at 256 x 256 and the depths k below: the files PREFIX.64 and so on. Of
 * several sizes the last is shown. Exit codes: 0 done, 1 a kernel that is wrong
 * or that the model cannot look at, 2 a wrong call or a file that cannot be
 * read or written, 77 a program that the device cannot run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/language.h"
#include "base/options.h"
#include "base/refuse.h"
#include "base/replace_file.h"
#include "chip/facts.h"
#include "chip/screen.h"
#include "chip/shape.h"

enum {
    WRONG = 2,
    SKIPPED = 77,
    NO_PROGRAM = 127,
    SECONDS = 5, /* a run for one line; it may be a block that waits in vain */
    SIDE = 256,  /* of C, while counting */
    MOST_SIZES = 32,
    MOST_SIDE = 1024, /* of a tile */
    MOST_KERNELS = 8,
    FILES = 3
};

/* Multiples of all tiles' depths; lab 14 splits k at the last one alone. */
static const int depth[FILES] = {64, 96, 128};

struct sizes {
    struct chip_question question[MOST_SIZES];
    int count;
};

struct names {
    const char *name[MOST_KERNELS];
    int count;
};

struct call {
    const char *lab, *program, *requests, *chip, *cubin, *facts, *csv;
    struct names kernels; /* mangled, in order of their launches */
    struct sizes sizes;
    int line, write_facts, code;
    struct chip_shape shape;
    struct chip on;
    struct sass_file sass;
    char why[400];
};

/* --- the command line ----------------------------------------------------- */

/* A side, and what stands behind it in *text. 0: none. */
static int read_side(const char **text)
{
    char *end;
    const long side = strtol(*text, &end, 10);

    *text = end;
    return side > 0 && side < 1 << 20 ? (int)side : 0;
}

static int read_sizes(const char *text, void *to, char *why, size_t size)
{
    struct sizes *const sizes = to;
    const char *at = text;

    while (sizes->count < MOST_SIZES) {
        struct chip_question *const q = &sizes->question[sizes->count++];

        q->m = q->n = q->k = read_side(&at);
        if (*at == 'x') {
            at++;
            q->n = read_side(&at);
            q->k = *at++ == 'x' ? read_side(&at) : 0;
        }
        if (q->m == 0 || q->n == 0 || q->k == 0)
            break;
        if (*at == '\0')
            return 0;
        if (*at++ != ',')
            break;
    }
    return base_refuse(
        why, size, "--sizes: '%.40s' is not as in 512,4096 or 64x96x128", text);
}

/* "128x128x16", or "8x8", into as many ints. */
static int read_sides(const char *text, int *to, int count, char *why,
                      size_t size)
{
    const char *at = text;

    for (int i = 0; i < count; i++) {
        to[i] = read_side(&at);
        if (to[i] == 0 || to[i] > MOST_SIDE ||
            *at++ != (i + 1 < count ? 'x' : '\0')) {
            return base_refuse(why, size, "'%.40s' is not as in %s", text,
                               count == 3 ? "128x128x16" : "8x8");
        }
    }
    return 0;
}

static int read_shape(const char *text, void *to, char *why, size_t size)
{
    return read_sides(text, to, 3, why, size);
}

static int read_sums(const char *text, void *to, char *why, size_t size)
{
    return read_sides(text, to, 2, why, size);
}

static int read_kernel_name(const char *text, void *to, char *why, size_t size)
{
    struct names *const names = to;

    if (names->count == MOST_KERNELS) {
        return base_refuse(why, size, "--kernel: more than %d of them",
                           (int)MOST_KERNELS);
    }
    names->name[names->count++] = text;
    return 0;
}

#define AT(field) .at = offsetof(struct call, field)
static const struct base_option known[] = {
    {"chip", 0, "FILE", "What the chip can do", AT(chip)},
    {"requests", 0, "PREFIX", "Of the files of requests", AT(requests)},
    {"program", 0, "FILE", "Run the lab's program to write them", AT(program)},
    {"sizes", 0, "SIZES", "Sides, as 512,4096, or MxNxK", AT(sizes),
     .read = read_sizes},
    {"cubin", 0, "FILE", "What nvcc makes of the kernels", AT(cubin)},
    {"kernel", 0, "NAME", "A kernel's name in it, for each", AT(kernels),
     .read = read_kernel_name},
    {"facts", 0, "FILE", "What was recorded of that", AT(facts)},
    {"shape", 0, "SHAPE", "No lab, but a kernel with tiles of this shape",
     AT(shape.rows), .read = read_shape},
    {"sums", 0, "SHAPE", "Sums in a thread of it", AT(shape.sum_rows),
     .read = read_sums},
    {"registers", 0, "N", "Registers of a thread of it", AT(shape.registers), 1,
     255, 0},
    {"csv", 0, "FILE", "Write a row for each limit", AT(csv)},
    {"line", 0, NULL, "Tell one line, of a block that runs alone", AT(line)},
    {"code", 0, NULL, "Print the machine code of --cubin, nothing else",
     AT(code)},
    {"write-facts", 0, NULL, "Write rows for --facts", AT(write_facts)},
};
#undef AT

static const struct base_command command = {
    .option = known,
    .options = sizeof known / sizeof *known,
    .argument = "LAB",
    .argument_at = offsetof(struct call, lab),
    .about = "Which limit of a chip binds a lab's kernels, and how long would "
             "they take?"};

/* --- what is known of the kernels ----------------------------------------- */

/* Lets the program write its requests at a depth. Returns 0, or an exit code
   with why. */
static int run_program(struct call *c, int k)
{
    char side[12], deep[12], file[1000], *said = NULL;
    const char *const argv[] = {c->program, "--counters", "--quiet", "--m",
                                side,       "--n",        side,      "--k",
                                deep,       NULL};
    struct base_child child;
    struct base_child_end end;
    int is_right;

    snprintf(side, sizeof side, "%d", (int)SIDE);
    snprintf(deep, sizeof deep, "%d", k);
    snprintf(file, sizeof file, "%s.%d", c->requests, k);
    if (setenv("SIMT_REQUESTS", file, 1) != 0 ||
        (c->line && setenv("SIMT_FIRST_BLOCK", "1", 1) != 0) ||
        base_child_start(&child, argv, BASE_CHILD_HEARD) != 0) {
        base_refuse(c->why, sizeof c->why, "%s: %s", c->program,
                    strerror(errno));
        return WRONG;
    }
    end = base_child_wait(&child, c->line ? SECONDS : 0.0, &said);
    /* What one block alone makes of C is not right. */
    is_right = end.how == BASE_CHILD_ENDED &&
               (end.code == 0 || (c->line && end.code == 1));
    if (!is_right)
        fputs(said != NULL ? said : "", stdout);
    free(said);
    if (is_right)
        return 0;
    if (end.how == BASE_CHILD_ENDED && end.code == NO_PROGRAM) {
        base_refuse(c->why, sizeof c->why, "%s: cannot be run", c->program);
        return WRONG;
    }
    base_refuse(c->why, sizeof c->why,
                _("the kernel must be right first: make lab-%.2s"), c->lab);
    return end.how == BASE_CHILD_ENDED && end.code == SKIPPED ? SKIPPED : 1;
}

/* What is known of kernel number nth. Returns 0, 1 if there are fewer, or -1
   with why. */
static int read_kernel(struct call *c, int nth, struct chip_kernel *kernel,
                       const char **code)
{
    struct chip_block block[FILES];
    int result;

    if (c->shape.rows > 0) {
        *code = "shape";
        if (nth > 0)
            return 1;
        result =
            chip_shape_fit(&c->shape, &c->on, kernel, c->why, sizeof c->why);
        if (result == 0)
            chip_kernel_time(kernel, &c->on);
        return result;
    }
    for (int i = 0; i < FILES; i++) {
        char file[1000];

        snprintf(file, sizeof file, "%s.%d", c->requests, depth[i]);
        result = chip_block_read(file, nth, &block[i], c->why, sizeof c->why);
        if (result != 0)
            return result;
    }
    if (chip_kernel_fit(block, depth, SIDE, SIDE, kernel, c->why,
                        sizeof c->why) != 0)
        return -1;
    kernel->splits = block[FILES - 1].grid[2] > block[0].grid[2];
    *code = "rule";
    if (c->cubin != NULL) {
        *code = "nvcc";
        if (nth < c->kernels.count) {
            snprintf(kernel->name, sizeof kernel->name, "%s",
                     c->kernels.name[nth]);
        }
        if (chip_code_read(&c->sass, kernel->name, kernel, c->why,
                           sizeof c->why) != 0)
            return -1;
    }
    if (c->facts != NULL) {
        result =
            chip_facts_read(c->facts, c->lab, kernel, c->why, sizeof c->why);
        *code = result == 0 ? "facts" : "rule";
        if (result <= 0)
            return result;
    }
    chip_kernel_time(kernel, &c->on);
    return 0;
}

/* --- what is told --------------------------------------------------------- */

/* Each size to the CSV file, and the last to the screen. */
static void tell(struct call *c, const struct chip_kernel *kernel,
                 const char *code, int nth, FILE *csv)
{
    for (int i = 0; i < c->sizes.count; i++) {
        struct chip_question *const q = &c->sizes.question[i];
        const int is_shown = i + 1 == c->sizes.count && !c->write_facts;
        struct chip_answer answer;

        q->lab = c->lab;
        q->code = code;
        chip_predict(kernel, &c->on, q->m, q->n, q->k, &answer);
        if (csv != NULL)
            chip_csv(csv, q, &c->on, kernel, &answer);
        if (is_shown && c->line && nth == 0)
            chip_print_line(stdout, q, kernel, &answer);
        if (is_shown && !c->line) {
            fputs(nth > 0 ? "\n" : "", stdout);
            chip_print(stdout, q, &c->on, kernel, &answer);
        }
    }
}

/* Returns an exit code. */
static int look_at_kernels(struct call *c, FILE *csv)
{
    struct chip_kernel kernel;
    const char *code;
    int nth = 0, result;

    while ((result = read_kernel(c, nth, &kernel, &code)) == 0) {
        if (c->write_facts && nth == 0)
            chip_facts_header(stdout);
        if (c->write_facts)
            chip_facts_write(stdout, c->lab, &kernel);
        tell(c, &kernel, code, nth++, csv);
        chip_kernel_free(&kernel);
    }
    if (result == 1 && nth == 0)
        snprintf(c->why, sizeof c->why, "%s: no kernel was run", c->lab);
    return result < 0 || nth == 0;
}

/* Opens what is needed, and tells of it. Returns an exit code, with why if that
   is not 0. */
static int answer(struct call *c)
{
    struct base_replacement r = {0};
    int code = 0;

    if ((c->chip != NULL &&
         chip_read(c->chip, &c->on, c->why, sizeof c->why) != 0) ||
        (c->cubin != NULL &&
         sass_read(c->cubin, &c->sass, c->why, sizeof c->why) != 0))
        return WRONG;
    if (c->code) {
        sass_print(&c->sass);
        return 0;
    }
    for (int i = 0; c->program != NULL && i < FILES && code == 0; i++)
        code = run_program(c, depth[i]);
    if (code != 0 || (c->sizes.count == 0 && !c->write_facts))
        return code;
    if (c->csv != NULL &&
        base_replace_begin(&r, c->csv, c->why, sizeof c->why) != 0)
        return WRONG;
    if (r.file != NULL)
        chip_csv_header(r.file);
    code = look_at_kernels(c, r.file);
    if (c->csv != NULL &&
        base_replace_end(&r, code == 0, c->why, sizeof c->why) != 0)
        code = WRONG;
    return code;
}

int main(int argc, char **argv)
{
    struct call c = {.lab = NULL};
    int code = base_options_read(&command, argc, argv, &c, c.why, sizeof c.why);

    if (code == 1)
        return fflush(stdout) == 0 ? 0 : WRONG;
    if (code == 0 && !(c.code && c.cubin != NULL) &&
        (c.chip == NULL ||
         (c.shape.rows > 0 ? c.shape.sum_rows == 0
                           : c.requests == NULL || c.lab == NULL))) {
        code = base_refuse(c.why, sizeof c.why,
                           "it needs --chip, --requests and a LAB, or --chip, "
                           "--shape and --sums, or --code and --cubin");
    }
    if (c.lab == NULL)
        c.lab = "shape";
    code = code != 0 ? WRONG : answer(&c);
    fflush(stdout);
    if (code != 0)
        fprintf(stderr, "chip: %s\n", c.why);
    sass_free(&c.sass);
    return ferror(stdout) ? WRONG : code;
}

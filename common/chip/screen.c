#include "screen.h"

#include "base/language.h"
#include "base/memory.h"
#include "base/print.h"
#include "base/words.h"
#include "base/wrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAR = 38 /* columns: the run */
};

static double tflops(const struct chip_question *q, double ms)
{
    return 2.0 * q->m * q->n * q->k / ms / 1e9;
}

static int is_only_a_ceiling(const struct chip_answer *a)
{
    return (a->unsure & CHIP_UNMEASURED) != 0;
}

/* --- the bars ------------------------------------------------------------- */

static void print_bars(FILE *file, const struct chip_answer *a)
{
    int order[CHIP_LIMITS] = {0};

    for (int i = 0; i < CHIP_LIMITS; i++) {
        int at = i;

        for (; at > 0 && a->limit[order[at - 1]] < a->limit[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < CHIP_LIMITS; i++) {
        const double share = a->limit[order[i]] / a->ms;
        const int length = (int)lround(share * BAR);

        if (a->limit[order[i]] <= 0.0)
            continue;
        fputs("  ", file);
        base_cell(file, -20, _(chip_limit_name[order[i]]));
        if (is_only_a_ceiling(a)) {
            fprintf(file, "          ");
        } else {
            fprintf(file, "%8.3g ms", a->limit[order[i]]);
        }
        fprintf(file, "  %.*s%*s%3.0f %%\n", length,
                "########################################", BAR - length + 1,
                "", 100.0 * share);
    }
}

/* --- what would help ------------------------------------------------------ */

static void print_issue(FILE *file, const struct chip_kernel *k)
{
    const struct chip_code *code = &k->code;
    const double fma = 100.0 * code->products / code->issue;
    const double other =
        100.0 * (code->instructions - code->products) / code->issue;

    if (code->issue > 0.0) {
        fprintf(
            file,
            _("Of 100 cycles a scheduler issues multiply-adds in %.0f, other "
              "instructions in\n%.0f, and nothing in %.0f: registers' ports, and "
              "results that are not there yet.\n"),
            fma, other, fmax(0.0, 100.0 - fma - other));
    }
    fprintf(file,
            _("Fewer loads and addresses for each multiply-add help: more "
              "sums in a thread.\n"));
}

static void print_load_store(FILE *file, const struct chip_kernel *k,
                             const struct chip_answer *a)
{
    const double lines = k->per_step[BLOCK_GLOBAL_LINES] /
                         fmax(k->per_step[BLOCK_GLOBAL_LOADS], 1e-9);
    double passes = 0.0, requests = 0.0;

    for (int i = 0; i < CHIP_WIDTHS; i++) {
        passes += k->per_step[BLOCK_LOAD_PASSES + i];
        requests += (i == 0 ? 1.0 : 2.0) * k->per_step[BLOCK_LOADS + i];
    }
    fprintf(file,
            _("Of its passes %.0f %% load shared memory, %.0f %% store to it, "
              "%.0f %% are lines of\nglobal memory. "),
            100.0 * a->load_share, 100.0 * a->store_share,
            100.0 - rint(100.0 * a->load_share) - rint(100.0 * a->store_share));
    if (a->load_share >= 0.5 && passes > 1.2 * requests) {
        fprintf(file,
                _("A shared load takes %.1f times the passes that it would\n"
                  "without bank conflicts (labs 05 and 06).\n"),
                passes / requests);
    } else if (a->load_share >= 0.5) {
        fprintf(file,
                _("The loads are free of conflicts, but many: let each\n"
                  "element that is loaded serve more sums (labs 07, 10).\n"));
    } else if (a->global_share >= 0.5 && lines > 4.0) {
        fprintf(
            file,
            _("A request touches %.1f lines of 128 bytes: let\nneighbouring "
              "lanes ask for neighbouring words (lab 04).\n"),
            lines);
    } else if (a->global_share >= 0.5) {
        fprintf(file, _("Tiles in shared memory take them away (lab 03).\n"));
    } else {
        fprintf(file,
                _("Conflicts of the stores are worth a look (lab 06).\n"));
    }
}

static void print_advice(FILE *file, const struct chip *chip,
                         const struct chip_kernel *k,
                         const struct chip_answer *a)
{
    const double all = chip->value[CHIP_MULTIPROCESSORS];

    /* Larger tiles, the cure of other limits, would make this worse. */
    if (a->blocks < 0.9 * all) {
        fprintf(
            file,
            _("But %.0f of %.0f multiprocessors get no block. Smaller tiles of "
              "C or parts of k\n(lab 14) make more blocks.\n"),
            all - a->blocks, all);
        return;
    }
    switch (a->binds) {
    case CHIP_LIMIT_ISSUE:
        print_issue(file, k);
        return;
    case CHIP_LIMIT_LOAD_STORE:
        print_load_store(file, k, a);
        return;
    case CHIP_LIMIT_L2:
        fprintf(file,
                _("Blocks ask the L2 for %.0f bytes for each step of k. A "
                  "larger tile of C uses\neach of them more often.\n"),
                32.0 * k->per_step[BLOCK_SECTORS]);
        return;
    case CHIP_LIMIT_DRAM:
        fprintf(file,
                _("The matrices alone take that long to come. Nothing but "
                  "fewer bytes helps.\n"));
        return;
    case CHIP_LIMIT_LATENCY:
    case CHIP_LIMITS:
        break;
    }
    if (a->waves >= 2.0) {
        fprintf(
            file,
            _("The %.0f warps that a multiprocessor holds wait side by side, "
              "and that is too\nfew for such waits. Loads that begin earlier "
              "wait less (lab 09).\n"),
            a->resident * k->threads / 32.0);
        return;
    }
    fprintf(file,
            _("There are too few warps to wait side by side: %.1f waves of "
              "blocks. Smaller\ntiles or parts of k (lab 14) make more "
              "blocks; loads that begin earlier wait\nless (lab 09).\n"),
            a->waves);
}

static void print_what_binds(FILE *file, const struct chip_answer *a)
{
    const double further = a->limit[a->binds] / a->limit[a->next];

    if (further < 1.05) {
        fprintf(file, _("What binds: %s, and %s all but as much.\n"),
                _(chip_limit_name[a->binds]), _(chip_limit_name[a->next]));
    } else {
        fprintf(file,
                _("What binds: %s. The next limit, %s, is %.1f times\n"
                  "further away.\n"),
                _(chip_limit_name[a->binds]), _(chip_limit_name[a->next]),
                further);
    }
    if (a->limit[a->binds] < 0.8 * a->ms) {
        fprintf(file,
                _("The run takes longer: its limits add up in part, as units "
                  "wait for each other.\n"));
    }
}

/* --- what is not sure ----------------------------------------------------- */

static const struct {
    int bit;
    const char *word, *text;
} doubts[] = {
    {CHIP_UNMEASURED, "chip",
     N_("no make bench WHAT=ceilings ran on this chip: at most that fast")},
    {CHIP_FEW_WAVES, "waves",
     N_("with fewer than two waves of blocks, runs were off by up to 40 %")},
    {CHIP_SMALL_BLOCKS, "threads",
     N_("of blocks of fewer than 64 threads, few have been measured")},
    {CHIP_BY_RULE, "rule",
     N_("without nvcc registers and instructions are guessed")},
    {CHIP_SHAPE, "shape",
     N_("no such kernel was written. On an H200 19 with such tiles took\n"
        "          0.9 to 3 times as long")},
    {CHIP_LOCAL, "local",
     N_("its loop uses local memory, whose passes are not counted")},
    {CHIP_COPIES, "copies",
     N_("copies in a loop of unknown rounds: nvcc unrolls it in its own way")},
    {CHIP_DIRECT, "direct",
     N_("products wait for global memory: how often is for nvcc to choose")},
    {CHIP_SPLIT_K, "split",
     N_("k is split as in lab 14: adding up the parts is not counted")},
};

static void print_doubts(FILE *file, const struct chip_answer *a)
{
    const char *begin = _("Not sure: ");

    for (size_t i = 0; i < sizeof doubts / sizeof doubts[0]; i++) {
        if (a->unsure & doubts[i].bit) {
            fprintf(file, "%s%s\n", begin, _(doubts[i].text));
            begin = "          ";
        }
    }
    if (a->unsure == 0) {
        fprintf(file,
                _("Nine in ten kernels that were measured afterwards lie in "
                  "that range.\n"));
    }
}

/* The number of make lab-NN and make why-NN, and its range. */
static void print_speed(FILE *file, const struct chip_question *q,
                        const struct chip_answer *a)
{
    fprintf(file, _("%.3g TFLOP/s (%.2g to %.2g)"), tflops(q, a->ms),
            tflops(q, a->high), tflops(q, a->low));
}

/* --- all of it ------------------------------------------------------------ */

static void print_all(FILE *file, const struct chip_question *q,
                      const struct chip *chip, const struct chip_kernel *k,
                      const struct chip_answer *a)
{
    fprintf(file, _("%s, %d x %d x %d, on an %s\n"), k->name, q->m, q->n, q->k,
            chip->name);
    fprintf(file, _("  predicted, not run: %s; machine code %s\n\n"),
            strcmp(q->code, "shape") == 0 ? _("a kernel as lab 06 or 12")
                                          : _("counted on the CPU device"),
            strcmp(q->code, "nvcc") == 0    ? _("of nvcc")
            : strcmp(q->code, "facts") == 0 ? _("of nvcc, recorded")
                                            : _("guessed"));
    if (is_only_a_ceiling(a)) {
        fprintf(file,
                _("  limit                         share of the time that "
                  "the tightest one sets\n"));
    } else {
        fprintf(file,
                _("  limit               alone takes  share of the run\n"));
    }
    print_bars(file, a);
    if (is_only_a_ceiling(a)) {
        fprintf(file, _("\nAt most %.3g TFLOP/s.\n"), tflops(q, a->ms));
    } else {
        fprintf(file, _("\nThe run: %.3g ms, "), a->ms);
        print_speed(file, q, a);
        fprintf(file, ".\n");
    }
    print_what_binds(file, a);
    print_advice(file, chip, k, a);
    fprintf(
        file,
        _("%.0f blocks of %d threads. %.0f can run at once, %.0f on each "
          "multiprocessor\n(limited by %s; a thread has %.0f registers): %.1f "
          "waves.\n"),
        a->blocks, k->threads, a->resident * chip->value[CHIP_MULTIPROCESSORS],
        a->resident, _(a->holds), k->code.registers, a->waves);
    print_doubts(file, a);
}

void chip_print(FILE *file, const struct chip_question *q,
                const struct chip *chip, const struct chip_kernel *k,
                const struct chip_answer *a)
{
    struct base_memory memory;
    FILE *const whole = base_memory_open(&memory);
    char *text;

    if (whole == NULL)
        return;
    print_all(whole, q, chip, k, a);
    text = base_memory_close(&memory);
    if (text != NULL)
        base_wrap(file, "", text); /* other languages need more columns */
    free(text);
}

/* Threads for each element of C, if each of them goes through all of k; else
   0. A kernel whose threads share an element loads less in each. */
static double threads_an_element(const struct chip_kernel *k)
{
    double loads = k->per_step[BLOCK_GLOBAL_LOADS];

    for (int i = 0; i < CHIP_WIDTHS; i++)
        loads += k->per_step[BLOCK_LOADS + i];
    return k->splits || loads < k->threads / 32.0
               ? 0.0
               : k->threads / (k->rows * k->cols);
}

void chip_print_line(FILE *file, const struct chip_question *q,
                     const struct chip_kernel *k, const struct chip_answer *a)
{
    const int is_close = a->limit[a->binds] < 1.3 * a->limit[a->next];

    if (threads_an_element(k) >= 4.0) {
        fprintf(
            file,
            _("nothing, as its grid has %.0f threads for each element of C.\n"),
            threads_an_element(k));
        return;
    }
    if ((a->unsure & (CHIP_UNMEASURED | CHIP_LOCAL)) == 0) {
        print_speed(file, q, a);
        fprintf(file, _("; limit: %s%s%s\n"), _(chip_limit_name[a->binds]),
                is_close ? _(" or ") : "",
                is_close ? _(chip_limit_name[a->next]) : "");
    }
}

void chip_csv_header(FILE *file)
{
    fputs("lab,kernel,chip,code,m,n,k,blocks,resident,waves,limit,limit_ms,"
          "binds,predicted_ms,low_ms,high_ms,gflops,unsure\n",
          file);
}

void chip_csv(FILE *file, const struct chip_question *q,
              const struct chip *chip, const struct chip_kernel *k,
              const struct chip_answer *a)
{
    /* Of a shape the share of each limit is told, on every chip. */
    const int is_hidden = is_only_a_ceiling(a) && !k->code.is_shape;
    const double hidden = is_hidden ? (double)NAN : 0.0;
    char unsure[80] = "";

    for (size_t d = 0; d < sizeof doubts / sizeof doubts[0]; d++) {
        if (a->unsure & doubts[d].bit) {
            base_append(unsure, sizeof unsure, "%s%s",
                        unsure[0] != '\0' ? " " : "", doubts[d].word);
        }
    }
    for (int i = 0; i < CHIP_LIMITS; i++) {
        base_print(file, BASE_CSV,
                   "%s,%s,%s,%s,%d,%d,%d,%g,%g,%g,%s,%g,%d,%g,%g,%g,%g,%s\n",
                   q->lab, k->name, chip->name, q->code, q->m, q->n, q->k,
                   a->blocks, a->resident, a->waves, chip_limit_name[i],
                   a->limit[i] + hidden, i == (int)a->binds, a->ms + hidden,
                   a->low + hidden, a->high + hidden, 1e3 * tflops(q, a->ms),
                   unsure);
    }
}

/* Which cost is told, and how it is printed: see advice.h. */
#include "advice_parts.h"

#include "screen.h"
#include "base/wrap.h"
#include "simt/report.h"
#include "simt/report_sums.h"

#include <string.h>

/* From where on a share of all is worth a sentence. A twentieth is more than
   the edges of a matrix cost; a warp loses a quarter of its lanes at every edge
   of a small one. The labs' kernels calculate 16 FLOPs and more between two
   barriers, and with a barrier in the inner loop 2. */
static const double least_share[] = {
    [LAB_COST_COALESCING] = 0.05,
    [LAB_COST_BANK_CONFLICTS] = 0.05,
    [LAB_COST_LANES] = 0.25,
};
static const double least_flops_per_barrier = 8.0;

/* FLOPs of a thread between two barriers; 0: it passes none. */
static double flops_per_barrier(const struct lab_spent *spent)
{
    const double barriers =
        (double)simt_sum_kernels(spent->count, NULL).barriers;

    return barriers > 0.0 ? 2.0 * spent->fmas / barriers : 0.0;
}

/* Tells the first cost of the algorithm that this lab, or one behind it, is
   about. */
static void tell_algorithm(const struct lab_spent *spent,
                           struct lab_advice *advice)
{
    static const enum lab_cost order[] = {LAB_COST_GLOBAL_LOADS,
                                          LAB_COST_SHARED_LOADS, LAB_COST_LOOPS,
                                          LAB_COST_BARRIERS};
    char before[64];
    const char *after = spent->lab->name;

    if (!spent->reached) { /* then this lab's own cost is one to be told */
        snprintf(before, sizeof before, "%.2s", spent->lab->name);
        after = before; /* "04" comes before "04_coalescing" */
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const int sentences = advice->sentences;

        if (!lab_advice_tell_cost(spent, order[i], advice))
            continue;
        if (lab_advice_name_labs(spent, order[i], after, advice))
            return;
        advice->sentences = sentences; /* a lab before this one was */
    }
}

/* The waste to talk about; its row is NULL if there is none. A lab that has not
   reached its goal hears of its own subject, however little that is. */
static struct lab_waste choose_waste(const struct lab_spent *spent)
{
    struct lab_waste worst = {.share = 0.0};

    for (int i = LAB_COST_COALESCING; i <= LAB_COST_LANES; i++) {
        const enum lab_cost cost = (enum lab_cost)i;
        const struct lab_waste waste =
            lab_advice_waste(spent->count, cost, NULL, SIMT_LOAD);

        if (waste.row != NULL && !spent->reached &&
            lab_advice_is_about(spent, spent->lab, cost))
            return waste;
        if (waste.share >= least_share[cost] && waste.share > worst.share)
            worst = waste;
    }
    return worst;
}

void lab_advise(const struct lab_spent *spent, struct lab_advice *advice)
{
    const double between = flops_per_barrier(spent);
    const struct lab_waste worst = choose_waste(spent);

    *advice = (struct lab_advice){.file = ""};
    if (between > 0.0 && between < least_flops_per_barrier) {
        lab_advice_say(
            advice,
            "Each thread waits at %.0f barriers, one for every %.1f FLOPs that "
            "it calculates.",
            spent->counter[LAB_BARRIERS_PER_THREAD], between);
        lab_advice_say(advice,
                       "A barrier belongs between filling a tile and using it, "
                       "not into the loop that adds up.");
        lab_advice_name_labs(spent, LAB_COST_BARRIERS, "", advice);
        return;
    }
    if (spent->missed != NULL && lab_advice_tell_missed(spent, advice))
        return;
    if (worst.row != NULL) {
        lab_advice_tell_waste(spent, &worst, advice);
        return;
    }
    if (spent->reached)
        lab_advice_say(advice, "No line stands out in what was counted.");
    tell_algorithm(spent, advice);
    if (spent->reached && advice->line > 0) { /* one does */
        advice->sentences--;
        memmove(advice->sentence[0], advice->sentence[1],
                (size_t)advice->sentences * sizeof advice->sentence[0]);
    }
}

void lab_advice_print(FILE *stream, const struct lab_advice *advice)
{
    char line[BASE_WIDTH - 6 + 1];

    for (int i = 0; i < advice->sentences; i++) {
        base_wrap(stream, "  ", advice->sentence[i]);
        if (i > 0 || advice->line == 0)
            continue;
        simt_source_line(line, sizeof line, advice->file, advice->line);
        if (line[0] != '\0')
            fprintf(stream, "      %s\n", line);
        for (int n = 0; n < advice->more.count; n++) {
            const int at =
                fprintf(stream, "  %s:%d   ", simt_base_name(advice->file),
                        advice->more.at[n]);

            simt_source_line(line, (size_t)BASE_WIDTH + 1 - (size_t)at,
                             advice->file, advice->more.at[n]);
            fprintf(stream, "%s\n", line);
        }
    }
}

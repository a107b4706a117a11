/* The sentences about one cost, and the labs that are about it: see
   advice_parts.h. */
#include "advice_parts.h"

#include "info.h"
#include "source.h"
#include "base/language.h"
#include "simt/report.h"
#include "simt/report_sums.h"

#include <stdarg.h>
#include <string.h>

const char *const lab_cost_word[LAB_COSTS] = {
    [LAB_COST_COALESCING] = "coalescing",
    [LAB_COST_BANK_CONFLICTS] = "bank_conflicts",
    [LAB_COST_LANES] = "lanes",
    [LAB_COST_BARRIERS] = "barriers",
    [LAB_COST_GLOBAL_LOADS] = "global_loads",
    [LAB_COST_SHARED_LOADS] = "shared_loads",
    [LAB_COST_LOOPS] = "loops",
};

enum {
    WARP = 32,
    SECTOR = 32,   /* bytes */
    MOST_NAMED = 3 /* labs: more would not fit, and help nobody */
};

/* From where on it is worth a sentence. */
static const double most_global_loads = 0.5; /* per multiply-add */
static const double most_shared_loads = 1.01;
static const double most_backward_jumps = 1.0 / 32.0;
/* Then each multiply-add is a pass through a loop. */
static const double jumps_of_each = 0.5;

void lab_advice_say(struct lab_advice *advice, const char *format, ...)
{
    va_list values;

    if (advice->sentences == LAB_SENTENCES)
        return;
    va_start(values, format);
    vsnprintf(advice->sentence[advice->sentences],
              sizeof advice->sentence[advice->sentences], _(format), values);
    va_end(values);
    advice->sentences++;
}

/* Has the lab a handout about that cost, for who does the lab at hand? */
int lab_advice_is_about(const struct lab_spent *spent,
                        const struct course_lab *lab, enum lab_cost cost)
{
    return (!lab->advanced || spent->lab->advanced) &&
           course_is_about(lab, lab_cost_word[cost]);
}

/* --- handouts ------------------------------------------------------------- */

/* Names the labs about a cost: the lab at hand if it is one of them, or else
   those behind `after`; "": all. Returns 0 if there is none to name. */
int lab_advice_name_labs(const struct lab_spent *spent, enum lab_cost cost,
                         const char *after, struct lab_advice *advice)
{
    const char *lab[MOST_NAMED];
    char numbers[80] = "", folders[160] = "";
    int count = 0, at = 0, folder_at = 0;

    for (int i = 0; i < spent->index->labs && count < MOST_NAMED; i++) {
        const struct course_lab *about = &spent->index->lab[i];

        if (!lab_advice_is_about(spent, about, cost) ||
            strcmp(about->name, after) <= 0)
            continue;
        if (strcmp(about->name, spent->lab->name) == 0) {
            lab_advice_say(advice, "That is what this lab is about.");
            return 1;
        }
        lab[count++] = about->name;
    }
    for (int i = 0; i < count; i++) {
        at += snprintf(numbers + at, sizeof numbers - (size_t)at, "%s%.2s",
                       i == 0           ? ""
                       : i == count - 1 ? _(" and ")
                                        : ", ",
                       lab[i]);
        folder_at +=
            snprintf(folders + folder_at, sizeof folders - (size_t)folder_at,
                     "%slabs/%s", i > 0 ? ", " : "", lab[i]);
    }
    if (count == 0)
        return 0;
    lab_advice_say(advice, "Lab%s %s %s about this: %s.", count > 1 ? "s" : "",
                   numbers, count > 1 ? _("are") : _("is"), folders);
    return 1;
}

/* --- what a request takes too much of ------------------------------------- */

/* The row's part of the total, and what would do. */
static double used(const struct simt_row *row, enum lab_cost cost)
{
    switch (cost) {
    case LAB_COST_COALESCING:
        return row->space == SIMT_GLOBAL ? (double)row->sectors : 0.0;
    case LAB_COST_BANK_CONFLICTS:
        return row->space == SIMT_SHARED ? (double)row->wavefronts : 0.0;
    default:
        return (double)row->requests;
    }
}

/*
 * Lanes that read the same word need fewer sectors than 32 neighbours do. That
 * such a request could take still less is no waste worth a word: a block of
 * 16 x 16 threads reads two words of A from two sectors.
 */
static double enough(const struct simt_row *row, enum lab_cost cost)
{
    const double neighbours = (double)row->lanes * row->size / SECTOR;

    switch (cost) {
    case LAB_COST_COALESCING:
        return (double)row->sectors_ideal > neighbours
                   ? (double)row->sectors_ideal
                   : neighbours;
    case LAB_COST_BANK_CONFLICTS:
        return (double)row->wavefronts_ideal;
    default:
        return (double)row->lanes / WARP;
    }
}

/* Of one array's loads or stores alone; array NULL: of all. */
struct lab_waste lab_advice_waste(const struct simt_count *count,
                                  enum lab_cost cost, const char *array,
                                  enum simt_kind kind)
{
    struct lab_waste waste = {.cost = cost};
    double most = 0.0, wasted = 0.0;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];
        const double all = used(row, cost), best = enough(row, cost);

        waste.total += all;
        if (all <= best || (array != NULL && (row->kind != kind ||
                                              strcmp(row->array, array) != 0)))
            continue;
        wasted += all - best;
        if (all - best > most) {
            most = all - best;
            waste.row = row;
        }
    }
    if (waste.total > 0.0)
        waste.share = wasted / waste.total;
    return waste;
}

/* What the table of the arrays calls the row's best. */
static double at_best(const struct lab_waste *w)
{
    return w->cost == LAB_COST_COALESCING ? (double)w->row->sectors_ideal
                                          : (double)w->row->wavefronts_ideal;
}

/* "tiling.cu:46", or "A load of B" where no line is known. */
const char *lab_advice_place(char *text, size_t size,
                             const struct simt_row *row)
{
    if (row->line > 0) {
        snprintf(text, size, "%s:%d", simt_base_name(row->file), row->line);
    } else {
        snprintf(text, size, _("The %s of %s in %s"),
                 _(simt_kind_name(row->kind)), row->array, row->kernel);
    }
    return text;
}

/* The line of which the text is printed. */
void lab_advice_show(struct lab_advice *advice, const char *file, int line)
{
    advice->file = file;
    advice->line = line;
}

/* Lanes are nearly a row of a shared array apart, and not a whole one: how many
   bytes that row has to spare; 0: it is not so. */
static long long lost_padding(const struct simt_row *row)
{
    const long long lost = row->row_bytes - row->apart;

    return row->apart > 0 && lost > 0 && 4 * lost <= row->apart ? lost : 0;
}

/* The grader, which asks for advice, too, has no lab of its own. */
#pragma weak lab_info_is_own
#pragma weak lab_info_is_given

int lab_advice_keep_own(const char *file, struct lab_lines *lines)
{
    int own = 0;

    for (int i = 0; i < lines->count && lab_info_is_own != NULL; i++) {
        if (lab_info_is_own(file, lines->at[i]))
            lines->at[own++] = lines->at[i];
    }
    if (own > 0)
        lines->count = own;
    return own;
}

void lab_advice_tell_waste(const struct lab_spent *spent,
                           const struct lab_waste *w, struct lab_advice *advice)
{
    static const char *const unit[] = {N_("sectors"), N_("wavefronts"),
                                       N_("requests")};
    static const char *const cure[] = {
        N_("Neighbouring lanes should ask for neighbouring words: 8 of them lie "
           "in a sector."),
        N_("Lanes whose words lie in the same bank wait for each other; words in "
           "different banks, and the same word, come at once."),
        N_("A warp takes as long for one lane as for 32.")};
    const double requests = (double)w->row->requests;
    const double all = used(w->row, w->cost);
    char where[120], part[SIMT_GROUPED], total[SIMT_GROUPED], each[80];
    char macro[200], drawn[80];
    struct lab_lines row = {0};
    const int is_drawn =
        spent->missed != NULL && w->cost == LAB_COST_BANK_CONFLICTS;
    const int is_given = spent->reached && lab_info_is_given != NULL &&
                         lab_info_is_given(w->row->file, w->row->line);

    if (w->cost == LAB_COST_LANES) {
        snprintf(each, sizeof each, _("%.1f of 32 lanes are active in them"),
                 (double)w->row->lanes / requests);
    } else {
        snprintf(each, sizeof each, _("%.1f %s a request where %.1f would do"),
                 all / requests, _(unit[w->cost]), at_best(w) / requests);
    }
    lab_advice_say(advice, "%s takes %s of %s %s (%.0f %%): %s.",
                   lab_advice_place(where, sizeof where, w->row),
                   simt_group(part, (uint64_t)all),
                   simt_group(total, (uint64_t)w->total), _(unit[w->cost]),
                   100.0 * all / w->total, each);
    if (is_drawn)
        lab_source_row(w->row->file, w->row->line, w->row->array, &row);
    if (is_drawn && lost_padding(w->row) > 0) {
        lab_advice_say(
            advice,
            "Neighbouring lanes are %lld elements apart there, and a row of %s "
            "is declared with %lld: the index leaves its padding out. make "
            "map-%.2s ARRAY=%s draws it.",
            w->row->apart / w->row->size, w->row->array,
            (long long)w->row->row_bytes / w->row->size, spent->lab->name,
            w->row->array);
    } else if (is_drawn && w->row->apart > 0 &&
               w->row->apart == w->row->row_bytes) {
        const int is_own = lab_advice_keep_own(w->row->file, &row) == 0;

        lab_advice_say(
            advice,
            "Neighbouring lanes are a row of %s apart, and a row has %lld "
            "elements: %s. make map-%.2s ARRAY=%s draws it.",
            w->row->array, (long long)w->row->row_bytes / w->row->size,
            is_own ? _("they are not side by side in one")
                   : _("how long it is decides which banks they meet"),
            spent->lab->name, w->row->array);
    } else if (is_drawn &&
               lab_source_macro(w->row->file, macro, sizeof macro) > 0) {
        lab_advice_say(advice, "%s", macro);
    } else if (is_drawn) {
        /* "dynamic shared" is no name that can be typed. */
        if (strchr(w->row->array, ' ') == NULL) {
            snprintf(drawn, sizeof drawn, "ARRAY=%s", w->row->array);
        } else {
            snprintf(drawn, sizeof drawn, "LINE=%d", w->row->line);
        }
        lab_advice_say(
            advice,
            "Lanes whose words lie in the same bank wait for each other: make "
            "map-%.2s %s draws them.",
            spent->lab->name, drawn);
    } else if (!is_given) {
        lab_advice_say(advice, "%s", _(cure[w->cost]));
    }
    if (is_given) {
        lab_advice_say(advice, "The line was given: leave it as it is.");
    } else {
        lab_advice_name_labs(spent, w->cost, "", advice);
    }
    advice->row = w->row;
    lab_advice_show(advice, w->row->file, w->row->line);
    if (is_drawn) { /* a row that was given is as long as it has to be */
        if (lab_advice_keep_own(w->row->file, &row) > 0)
            advice->more = row;
        lab_source_of_thread(w->row->file, w->row->line, w->row->array,
                             &advice->more);
        lab_advice_keep_own(w->row->file, &advice->more);
    }
}

/* --- what the algorithm asks for ------------------------------------------ */

/* "multiply-add", or "16 multiply-adds", behind "for every". */
static const char *how_many(char *text, size_t size, double fmas)
{
    if (fmas < 1.5) {
        snprintf(text, size, _("multiply-add"));
    } else {
        snprintf(text, size, _("%.0f multiply-adds"), fmas);
    }
    return text;
}

/* Names the loop that most jumps go to. Returns 0 if there is none. */
int lab_advice_tell_loop(const struct lab_spent *spent,
                         struct lab_advice *advice)
{
    const struct simt_kernel *most = NULL;
    char many[40];
    int unroll, loop;

    for (size_t i = 0; i < spent->count->kernels; i++) {
        const struct simt_kernel *k = &spent->count->kernel[i];

        if (2 * k->loop_jumps > k->backward_jumps && k->loop_line > 0 &&
            (most == NULL || k->loop_jumps > most->loop_jumps))
            most = k;
    }
    if (most == NULL)
        return 0;
    unroll = lab_source_unroll(most->loop_file, most->loop_line, &loop);
    if (unroll > 1) {
        lab_advice_say(
            advice,
            "The loop around %s:%d is unrolled in part, by #pragma unroll %d "
            "(line %d): it is not unrolled far enough, and still jumps back. "
            "This number is counted before it is unrolled, as if it were not.",
            simt_base_name(most->loop_file), most->loop_line, unroll, loop);
    } else if (unroll == 0) {
        lab_advice_say(
            advice,
            "The loop around %s:%d still jumps back, although #pragma unroll "
            "stands before it (line %d): without a number that unrolls a loop "
            "only if the compiler knows how often it goes round.",
            simt_base_name(most->loop_file), most->loop_line, loop);
    } else {
        lab_advice_say(
            advice,
            "A thread jumps back to the beginning of a loop for every %s, "
            "and %.0f %% of these jumps are those of the loop around "
            "%s:%d: it is not unrolled far enough.",
            how_many(many, sizeof many,
                     1.0 / spent->counter[LAB_BACKWARD_JUMPS_PER_FMA]),
            100.0 * (double)most->loop_jumps / (double)most->backward_jumps,
            simt_base_name(most->loop_file), most->loop_line);
    }
    lab_advice_show(advice, most->loop_file, most->loop_line);
    if (loop > 0 && unroll < 0) {
        lab_advice_say(advice, "No #pragma unroll stands before line %d.",
                       loop);
    }
    return 1;
}

/* The sentence about a cost of the algorithm if there is one. */
int lab_advice_tell_cost(const struct lab_spent *spent, enum lab_cost cost,
                         struct lab_advice *advice)
{
    const double *c = spent->counter;
    char many[40];

    if (cost == LAB_COST_GLOBAL_LOADS &&
        c[LAB_GLOBAL_LOADS_PER_FMA] > most_global_loads) {
        lab_advice_say(advice,
                       "Each multiply-add takes %.2f loads from global memory.",
                       c[LAB_GLOBAL_LOADS_PER_FMA]);
    } else if (cost == LAB_COST_SHARED_LOADS &&
               c[LAB_SHARED_LOADS_PER_FMA] > most_shared_loads) {
        lab_advice_say(advice,
                       "Each multiply-add takes %.2f loads from shared memory.",
                       c[LAB_SHARED_LOADS_PER_FMA]);
    } else if (cost == LAB_COST_LOOPS &&
               c[LAB_BACKWARD_JUMPS_PER_FMA] > jumps_of_each &&
               lab_advice_tell_loop(spent, advice)) {
        return 1;
    } else if (cost == LAB_COST_LOOPS &&
               c[LAB_BACKWARD_JUMPS_PER_FMA] > most_backward_jumps) {
        lab_advice_say(
            advice,
            "A thread jumps back to the beginning of a loop for every %s: "
            "counting and jumping instead of calculating.",
            how_many(many, sizeof many, 1.0 / c[LAB_BACKWARD_JUMPS_PER_FMA]));
    } else if (cost == LAB_COST_BARRIERS && c[LAB_BARRIERS_PER_THREAD] > 0.0) {
        lab_advice_say(advice, "Each thread waits at %.0f barriers.",
                       c[LAB_BARRIERS_PER_THREAD]);
    } else {
        return 0;
    }
    return 1;
}

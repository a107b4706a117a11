#define _POSIX_C_SOURCE 200809L
#include "advice.h"

#include "measure.h"
#include "screen.h"
#include "source.h"
#include "base/wrap.h"
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

/*
 * From where on a cost is worth a sentence. A twentieth is more than the edges
 * of a matrix cost; a warp loses a quarter of its lanes at every edge of a
 * small one. The labs' kernels calculate 16 FLOPs and more between two
 * barriers, and with a barrier in the inner loop 2.
 */
static const double least_share[] = {
    [LAB_COST_COALESCING] = 0.05,
    [LAB_COST_BANK_CONFLICTS] = 0.05,
    [LAB_COST_LANES] = 0.25,
};
static const double least_flops_per_barrier = 8.0;
static const double most_global_loads = 0.5; /* per multiply-add */
static const double most_shared_loads = 1.01;
static const double most_backward_jumps = 1.0 / 32.0;
/* Then each multiply-add is a pass through a loop. */
static const double jumps_of_each = 0.5;

__attribute__((format(printf, 2, 3))) static void say(struct lab_advice *advice,
                                                      const char *format, ...)
{
    va_list values;

    if (advice->sentences == LAB_SENTENCES)
        return;
    va_start(values, format);
    vsnprintf(advice->sentence[advice->sentences],
              sizeof advice->sentence[advice->sentences], format, values);
    va_end(values);
    advice->sentences++;
}

/* Has the lab a handout about that cost, for who does the lab at hand? */
static int is_about(const struct lab_spent *spent, const struct course_lab *lab,
                    enum lab_cost cost)
{
    return (!lab->advanced || spent->lab->advanced) &&
           course_is_about(lab, lab_cost_word[cost]);
}

/* --- handouts ------------------------------------------------------------- */

/* Names the labs about a cost: the lab at hand if it is one of them, or else
   those behind `after`; "": all. Returns 0 if there is none to name. */
static int name_labs(const struct lab_spent *spent, enum lab_cost cost,
                     const char *after, struct lab_advice *advice)
{
    const char *lab[MOST_NAMED];
    char numbers[80] = "", folders[160] = "";
    int count = 0, at = 0, folder_at = 0;

    for (int i = 0; i < spent->index->labs && count < MOST_NAMED; i++) {
        const struct course_lab *about = &spent->index->lab[i];

        if (!is_about(spent, about, cost) || strcmp(about->name, after) <= 0)
            continue;
        if (strcmp(about->name, spent->lab->name) == 0) {
            say(advice, "That is what this lab is about.");
            return 1;
        }
        lab[count++] = about->name;
    }
    for (int i = 0; i < count; i++) {
        at += snprintf(numbers + at, sizeof numbers - (size_t)at, "%s%.2s",
                       i == 0           ? ""
                       : i == count - 1 ? " and "
                                        : ", ",
                       lab[i]);
        folder_at +=
            snprintf(folders + folder_at, sizeof folders - (size_t)folder_at,
                     "%slabs/%s", i > 0 ? ", " : "", lab[i]);
    }
    if (count == 0)
        return 0;
    say(advice, "Lab%s %s %s about this: %s.", count > 1 ? "s" : "", numbers,
        count > 1 ? "are" : "is", folders);
    return 1;
}

/* --- what a request takes too much of ------------------------------------- */

struct waste {
    enum lab_cost cost;
    double share;               /* of all wavefronts of that kind */
    const struct simt_row *row; /* that wastes most */
    double total;               /* wavefronts of all rows */
};

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
static struct waste find_waste(const struct simt_count *count,
                               enum lab_cost cost, const char *array,
                               enum simt_kind kind)
{
    struct waste waste = {.cost = cost};
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
static double at_best(const struct waste *w)
{
    return w->cost == LAB_COST_COALESCING ? (double)w->row->sectors_ideal
                                          : (double)w->row->wavefronts_ideal;
}

/* "tiling.cu:46", or "A load of B" where no line is known. */
static const char *place(char *text, size_t size, const struct simt_row *row)
{
    if (row->line > 0) {
        snprintf(text, size, "%s:%d", simt_base_name(row->file), row->line);
    } else {
        snprintf(text, size, "The %s of %s in %s", simt_kind_name(row->kind),
                 row->array, row->kernel);
    }
    return text;
}

/* The line of which the text is printed. */
static void show_line(struct lab_advice *advice, const char *file, int line)
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

static void tell_waste(const struct lab_spent *spent, const struct waste *w,
                       struct lab_advice *advice)
{
    static const char *const unit[] = {"sectors", "wavefronts", "requests"};
    static const char *const cure[] = {
        "Neighbouring lanes should ask for neighbouring words: 8 of them lie "
        "in a sector.",
        "Lanes whose words lie in the same bank wait for each other; words in "
        "different banks, and the same word, come at once.",
        "A warp takes as long for one lane as for 32."};
    const double requests = (double)w->row->requests;
    const double all = used(w->row, w->cost);
    char where[120], part[SIMT_GROUPED], total[SIMT_GROUPED], each[80];
    char macro[200];
    const int is_drawn =
        spent->missed != NULL && w->cost == LAB_COST_BANK_CONFLICTS;

    if (w->cost == LAB_COST_LANES) {
        snprintf(each, sizeof each, "%.1f of 32 lanes are active in them",
                 (double)w->row->lanes / requests);
    } else {
        snprintf(each, sizeof each, "%.1f %s a request where %.1f would do",
                 all / requests, unit[w->cost], at_best(w) / requests);
    }
    say(advice, "%s takes %s of %s %s (%.0f %%): %s.",
        place(where, sizeof where, w->row), simt_group(part, (uint64_t)all),
        simt_group(total, (uint64_t)w->total), unit[w->cost],
        100.0 * all / w->total, each);
    if (is_drawn && lost_padding(w->row) > 0) {
        say(advice,
            "Neighbouring lanes are %lld elements apart there, and a row of %s "
            "is declared with %lld: the index leaves its padding out. make "
            "map-%.2s ARRAY=%s draws it.",
            w->row->apart / w->row->size, w->row->array,
            (long long)w->row->row_bytes / w->row->size, spent->lab->name,
            w->row->array);
    } else if (is_drawn &&
               lab_source_macro(w->row->file, macro, sizeof macro) > 0) {
        say(advice, "%s", macro);
    } else if (is_drawn) {
        say(advice,
            "Lanes whose words lie in the same bank wait for each other: make "
            "map-%.2s ARRAY=%s draws them.",
            spent->lab->name, w->row->array);
    } else {
        say(advice, "%s", cure[w->cost]);
    }
    name_labs(spent, w->cost, "", advice);
    advice->row = w->row;
    show_line(advice, w->row->file, w->row->line);
    if (is_drawn) {
        lab_source_row(w->row->file, w->row->line, w->row->array,
                       &advice->more);
    }
}

/* FLOPs of a thread between two barriers; 0: it passes none. */
static double flops_per_barrier(const struct lab_spent *spent)
{
    const double barriers =
        (double)simt_sum_kernels(spent->count, NULL).barriers;

    return barriers > 0.0 ? 2.0 * spent->fmas / barriers : 0.0;
}

/* --- what the algorithm asks for ------------------------------------------ */

/* "multiply-add", or "16 multiply-adds", behind "for every". */
static const char *how_many(char *text, size_t size, double fmas)
{
    if (fmas < 1.5) {
        snprintf(text, size, "multiply-add");
    } else {
        snprintf(text, size, "%.0f multiply-adds", fmas);
    }
    return text;
}

/* Names the loop that most jumps go to. Returns 0 if there is none. */
static int tell_loop(const struct lab_spent *spent, struct lab_advice *advice)
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
        say(advice,
            "The loop around %s:%d is unrolled in part, by #pragma unroll %d "
            "(line %d): it is not unrolled far enough, and still jumps back. "
            "This number is counted before it is unrolled, as if it were not.",
            simt_base_name(most->loop_file), most->loop_line, unroll, loop);
    } else {
        say(advice,
            "A thread jumps back to the beginning of a loop for every %s, "
            "and %.0f %% of these jumps are those of the loop around "
            "%s:%d: it is not unrolled far enough.",
            how_many(many, sizeof many,
                     1.0 / spent->counter[LAB_BACKWARD_JUMPS_PER_FMA]),
            100.0 * (double)most->loop_jumps / (double)most->backward_jumps,
            simt_base_name(most->loop_file), most->loop_line);
    }
    show_line(advice, most->loop_file, most->loop_line);
    if (loop > 0 && unroll < 0)
        say(advice, "No #pragma unroll stands before line %d.", loop);
    return 1;
}

/* The sentence about a cost of the algorithm if there is one. */
static int tell_cost(const struct lab_spent *spent, enum lab_cost cost,
                     struct lab_advice *advice)
{
    const double *c = spent->counter;
    char many[40];

    if (cost == LAB_COST_GLOBAL_LOADS &&
        c[LAB_GLOBAL_LOADS_PER_FMA] > most_global_loads) {
        say(advice, "Each multiply-add takes %.2f loads from global memory.",
            c[LAB_GLOBAL_LOADS_PER_FMA]);
    } else if (cost == LAB_COST_SHARED_LOADS &&
               c[LAB_SHARED_LOADS_PER_FMA] > most_shared_loads) {
        say(advice, "Each multiply-add takes %.2f loads from shared memory.",
            c[LAB_SHARED_LOADS_PER_FMA]);
    } else if (cost == LAB_COST_LOOPS &&
               c[LAB_BACKWARD_JUMPS_PER_FMA] > jumps_of_each &&
               tell_loop(spent, advice)) {
        return 1;
    } else if (cost == LAB_COST_LOOPS &&
               c[LAB_BACKWARD_JUMPS_PER_FMA] > most_backward_jumps) {
        say(advice,
            "A thread jumps back to the beginning of a loop for every %s: "
            "counting and jumping instead of calculating.",
            how_many(many, sizeof many, 1.0 / c[LAB_BACKWARD_JUMPS_PER_FMA]));
    } else if (cost == LAB_COST_BARRIERS && c[LAB_BARRIERS_PER_THREAD] > 0.0) {
        say(advice, "Each thread waits at %.0f barriers.",
            c[LAB_BARRIERS_PER_THREAD]);
    } else {
        return 0;
    }
    return 1;
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

        if (!tell_cost(spent, order[i], advice))
            continue;
        if (name_labs(spent, order[i], after, advice))
            return;
        advice->sentences = sentences; /* a lab before this one was */
    }
}

/* The waste to talk about; its row is NULL if there is none. A lab that has not
   reached its goal hears of its own subject, however little that is. */
static struct waste choose_waste(const struct lab_spent *spent)
{
    struct waste worst = {.share = 0.0};

    for (int i = LAB_COST_COALESCING; i <= LAB_COST_LANES; i++) {
        const enum lab_cost cost = (enum lab_cost)i;
        const struct waste waste =
            find_waste(spent->count, cost, NULL, SIMT_LOAD);

        if (waste.row != NULL && !spent->reached &&
            is_about(spent, spent->lab, cost))
            return waste;
        if (waste.share >= least_share[cost] && waste.share > worst.share)
            worst = waste;
    }
    return worst;
}

/* --- a number that is missed ---------------------------------------------- */

/* More requests than the goal. Those of another line, as a tile's before the
   loop, may be as many as are too much. */
static void tell_requests(const struct lab_spent *spent,
                          struct lab_advice *advice)
{
    const uint64_t all = (uint64_t)spent->counter[LAB_GLOBAL_LOAD_REQUESTS];
    const uint64_t more = all - (uint64_t)spent->missed->full;
    const struct simt_row *same = NULL, *most = NULL;
    char number[SIMT_GROUPED], where[120], other[120];

    for (size_t i = 0; i < spent->count->rows; i++) {
        const struct simt_row *row = &spent->count->row[i];

        if (row->space == SIMT_GLOBAL && row->kind == SIMT_LOAD &&
            row->requests == more)
            same = row;
    }
    for (size_t i = 0; i < spent->count->rows && same != NULL; i++) {
        const struct simt_row *row = &spent->count->row[i];

        if (row != same && row->space == SIMT_GLOBAL &&
            row->kind == SIMT_LOAD && strcmp(row->array, same->array) == 0 &&
            (most == NULL || row->requests > most->requests))
            most = row;
    }
    if (most == NULL) {
        say(advice, "Global loads make %s requests more than the goal.",
            simt_group(number, more));
        return;
    }
    say(advice,
        "Global loads make %s requests more than the goal, as many as %s makes "
        "for one tile of each block: does %s also fetch a tile that nobody "
        "needs?",
        simt_group(number, more), place(other, sizeof other, same),
        place(where, sizeof where, most));
    show_line(advice, most->file, most->line);
    lab_source_hangs_on(most->file, most->line, &advice->more);
}

/* The line that makes most requests for loads from shared memory. Returns 0 if
   there is none. */
static int tell_loads(const struct lab_spent *spent, struct lab_advice *advice)
{
    const struct simt_row *most = NULL;
    char where[120], part[SIMT_GROUPED], total[SIMT_GROUPED];
    uint64_t all = 0;

    for (size_t i = 0; i < spent->count->rows; i++) {
        const struct simt_row *row = &spent->count->row[i];

        if (row->space != SIMT_SHARED || row->kind != SIMT_LOAD)
            continue;
        all += row->requests;
        if (most == NULL || row->requests > most->requests)
            most = row;
    }
    if (most == NULL)
        return 0;
    say(advice,
        "%s makes %s of %s requests for loads from shared memory, each of %d "
        "bytes a lane.",
        place(where, sizeof where, most), simt_group(part, most->requests),
        simt_group(total, all), most->size);
    show_line(advice, most->file, most->line);
    return 1;
}

static void tell_overlap(const struct lab_spent *spent,
                         struct lab_advice *advice)
{
    const struct simt_count *c = spent->count;
    const int copies = spent->counter[LAB_GLOBAL_LOAD_ASYNC_SHARE_B] > 0.0;
    char fetch[60] = "", store[60] = "";

    if (c->own_fetch_line > 0 && c->own_store_line > 0) {
        snprintf(fetch, sizeof fetch, " (line %d)", c->own_fetch_line);
        snprintf(store, sizeof store, " (line %d)", c->own_store_line);
    }
    say(advice,
        "Of what a thread loads from shared memory %.0f %% lies between the "
        "%s of the next tile%s and %s%s: %s.",
        100.0 * spent->counter[LAB_FETCH_OVERLAP], copies ? "copy" : "load",
        fetch, copies ? "the wait for it" : "its store", store,
        copies ? "begin to copy before the sums, and wait after them"
               : "fetch before the sums, and store after them");
}

/* The line that loads most of B without an asynchronous copy. Returns 0 if
   there is none. */
static int tell_copies(const struct lab_spent *spent, struct lab_advice *advice)
{
    const struct simt_row *most = NULL;
    char where[120];

    for (size_t i = 0; i < spent->count->rows; i++) {
        const struct simt_row *row = &spent->count->row[i];

        if (row->space == SIMT_GLOBAL && row->kind == SIMT_LOAD &&
            strcmp(row->array, "B") == 0 && row->lanes > row->lanes_async &&
            (most == NULL ||
             row->lanes - row->lanes_async > most->lanes - most->lanes_async))
            most = row;
    }
    if (most == NULL)
        return 0;
    say(advice,
        "%s loads from B into a register, and the thread waits for it there: "
        "%s of its loads are asynchronous copies.",
        place(where, sizeof where, most),
        most->lanes_async == 0 ? "none" : "not all");
    advice->row = most;
    show_line(advice, most->file, most->line);
    return 1;
}

/* The request of an array that takes most wavefronts, where those lanes could
   not take these words in fewer. Returns 0 if there is none. */
static int tell_lanes(const struct lab_spent *spent, const char *array,
                      enum simt_kind kind, struct lab_advice *advice)
{
    const struct simt_row *most = NULL;
    char where[120];

    for (size_t i = 0; i < spent->count->rows; i++) {
        const struct simt_row *row = &spent->count->row[i];

        if (row->space == SIMT_SHARED && row->kind == kind &&
            strcmp(row->array, array) == 0 &&
            (most == NULL || row->wavefronts > most->wavefronts))
            most = row;
    }
    if (most == NULL)
        return 0;
    say(advice,
        "%s takes %.1f wavefronts a request, and these words need as many: "
        "other lanes of the warp have to ask for them. make map-%.2s ARRAY=%s "
        "draws which lane asks for what.",
        place(where, sizeof where, most),
        (double)most->wavefronts / (double)most->requests, spent->lab->name,
        array);
    advice->row = most;
    show_line(advice, most->file, most->line);
    lab_source_of_thread(most->file, most->line, array, &advice->more);
    return 1;
}

/* Says what the number comes from that is missed, if that is known. */
static int tell_missed(const struct lab_spent *spent, struct lab_advice *advice)
{
    const struct lab_score score =
        lab_measure_score(spent->missed, spent->counter);
    const int counter = lab_counter_find(spent->missed->column);
    enum simt_kind kind = SIMT_LOAD;
    const char *array = "As";
    struct waste waste;

    if (!score.seen)
        return 0;
    switch (counter) {
    case LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_AS:
        kind = SIMT_STORE;
        break;
    case LAB_SHARED_STORE_WAVEFRONTS_PER_REQUEST_BS:
        kind = SIMT_STORE;
        array = "Bs";
        break;
    case LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_BS:
        array = "Bs";
        break;
    case LAB_SHARED_LOAD_WAVEFRONTS_PER_REQUEST_AS:
        break;
    case LAB_GLOBAL_LOAD_REQUESTS:
        tell_requests(spent, advice);
        return 1;
    case LAB_GLOBAL_LOAD_ASYNC_SHARE_B:
        return tell_copies(spent, advice);
    case LAB_SHARED_LOADS_PER_FMA:
        return tell_loads(spent, advice);
    case LAB_FETCH_OVERLAP:
        tell_overlap(spent, advice);
        return 1;
    case LAB_BACKWARD_JUMPS_PER_FMA:
        if (!tell_loop(spent, advice))
            tell_cost(spent, LAB_COST_LOOPS, advice);
        return 1;
    case LAB_BARRIERS_PER_THREAD:
        say(advice, "Each thread waits at %.0f barriers, and %.0f are enough.",
            score.value, spent->missed->full);
        return 1;
    default:
        return 0;
    }
    waste = find_waste(spent->count, LAB_COST_BANK_CONFLICTS, array, kind);
    if (waste.row == NULL)
        return tell_lanes(spent, array, kind, advice);
    tell_waste(spent, &waste, advice);
    return 1;
}

void lab_advise(const struct lab_spent *spent, struct lab_advice *advice)
{
    const double between = flops_per_barrier(spent);
    const struct waste worst = choose_waste(spent);

    *advice = (struct lab_advice){.file = ""};
    if (between > 0.0 && between < least_flops_per_barrier) {
        say(advice,
            "Each thread waits at %.0f barriers, one for every %.1f FLOPs that "
            "it calculates.",
            spent->counter[LAB_BARRIERS_PER_THREAD], between);
        say(advice, "A barrier belongs between filling a tile and using it, "
                    "not into the loop that adds up.");
        name_labs(spent, LAB_COST_BARRIERS, "", advice);
        return;
    }
    if (spent->missed != NULL && tell_missed(spent, advice))
        return;
    if (worst.row != NULL) {
        tell_waste(spent, &worst, advice);
        return;
    }
    if (spent->reached)
        say(advice, "No line stands out in what was counted.");
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

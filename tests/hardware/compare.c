#define _POSIX_C_SOURCE 200809L
#include "compare.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/counters.h"

#define REQUEST "l1tex__t_requests_pipe_lsu_mem_global_op_"
#define SECTOR  "l1tex__t_sectors_pipe_lsu_mem_global_op_"
#define BANKS   "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
#define THREAD  "smsp__sass_thread_inst_executed_op_"

/* What each metric is compared with, besides those of counters.def. README.md
   says what they are. */
static const struct {
    const char *metric, *quantity;
} known[] = {
    {"smsp__inst_executed_op_global_ld.sum", "global_load_requests"},
    {"smsp__inst_executed_op_global_st.sum", "global_store_requests"},
    {"smsp__sass_data_bytes_mem_global_op_ld.sum", "global_load_bytes"},
    {"smsp__sass_data_bytes_mem_global_op_st.sum", "global_store_bytes"},
    {"smsp__sass_data_bytes_mem_shared_op_ld.sum", "shared_load_bytes"},
    {"smsp__sass_data_bytes_mem_shared_op_st.sum", "shared_store_bytes"},
    {THREAD "memory_pred_on.sum", "memory_lanes"},
    {BANKS "atom.sum", "shared_atomic_wavefronts"},
    {"smsp__inst_executed_op_shared_atom.sum", "shared_atomic_requests"},
    /* Sums, see below. */
    {"flops", "flops"},
    {"global_atomic_requests", "global_atomic_requests"},
    {"global_atomic_sectors", "global_atomic_sectors"},
    {"shared_atomic_requests", "shared_atomic_requests"},
};

/* Metrics that are added up before they are compared, and how often each
   counts. A calculating instruction counts by its operations of one thread. */
static const struct {
    const char *metric, *sum;
    int times;
} added[] = {
    {THREAD "fadd_pred_on.sum", "flops", 1},
    {THREAD "fmul_pred_on.sum", "flops", 1},
    {THREAD "ffma_pred_on.sum", "flops", 2},
    {THREAD "dadd_pred_on.sum", "flops", 1},
    {THREAD "dmul_pred_on.sum", "flops", 1},
    {THREAD "dfma_pred_on.sum", "flops", 2},
    {REQUEST "red.sum", "global_atomic_requests", 1},
    {REQUEST "atom.sum", "global_atomic_requests", 1},
    {SECTOR "red.sum", "global_atomic_sectors", 1},
    {SECTOR "atom.sum", "global_atomic_sectors", 1},
    {"smsp__inst_executed_op_shared_atom_dot_alu.sum", "shared_atomic_requests",
     1},
    {"smsp__inst_executed_op_shared_atom_dot_cas.sum", "shared_atomic_requests",
     1},
};

const char *compare_quantity(const char *metric)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].metric, metric) == 0)
            return known[i].quantity;
    }
    for (int i = 0; i < LAB_COUNTERS; i++) {
        const size_t length = strlen(lab_counters[i].ncu);

        if (length > 0 && strncmp(metric, lab_counters[i].ncu, length) == 0 &&
            strcmp(metric + length, ".sum") == 0)
            return lab_counters[i].name;
    }
    return NULL;
}

/* --- reading -------------------------------------------------------------- */

static const char *without_comments(const char *text)
{
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += *text != '\0';
    }
    return text;
}

static int is_launch(const struct compare_row *a, const struct compare_row *b)
{
    return a->launch == b->launch && strcmp(a->program, b->program) == 0 &&
           strcmp(a->label, b->label) == 0;
}

/* Adds row to the table, or its value to a sum that is there already. */
static void add_compared(struct compare_table *table, struct compare_row row)
{
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++) {
        if (strcmp(added[i].metric, row.metric) != 0)
            continue;
        row.metric = added[i].sum;
        row.value *= added[i].times;
        for (size_t j = table->rows; j-- > 0;) {
            struct compare_row *to = &table->row[j];

            if (!is_launch(to, &row))
                break;
            if (strcmp(to->metric, row.metric) == 0) {
                to->value += row.value;
                to->parts++;
                return;
            }
        }
    }
    table->row[table->rows++] = row;
}

int compare_read(struct compare_table *table, const char *path,
                 const char *text, char *why, size_t size)
{
    const char *column;

    *table = (struct compare_table){0};
    if (base_csv_parse(path, without_comments(text), &table->csv, why, size) !=
        0)
        return -1;
    if (table->csv.rows == 0) {
        snprintf(why, size, "%s: holds no row", path);
        goto bad;
    }
    table->row = calloc(table->csv.rows, sizeof *table->row);
    if (table->row == NULL) {
        snprintf(why, size, "%s: out of memory", path);
        goto bad;
    }
    column =
        base_csv_column(&table->csv, "metric") >= 0 ? "metric" : "quantity";
    for (size_t i = 0; i < table->csv.rows; i++) {
        const struct compare_row row = {
            .program = base_csv_text(&table->csv, i, "program"),
            .kernel = base_csv_text(&table->csv, i, "kernel"),
            .label = base_csv_text(&table->csv, i, "label"),
            .launch = atoi(base_csv_text(&table->csv, i, "launch")),
            .metric = base_csv_text(&table->csv, i, column),
            .value = base_csv_number(&table->csv, i, "value"),
            .parts = 1,
        };

        if (row.launch < 1 || row.metric[0] == '\0' || !(row.value >= 0)) {
            snprintf(why, size, "%s: row %zu needs a launch, a %s and a value",
                     path, i + 1, column);
            goto bad;
        }
        add_compared(table, row);
    }
    return 0;
bad:
    compare_free(table);
    return -1;
}

void compare_free(struct compare_table *table)
{
    free(table->row);
    base_csv_free(&table->csv);
    *table = (struct compare_table){0};
}

int compare_differences_read(struct compare_differences *differences,
                             const char *path, const char *text, char *why,
                             size_t size)
{
    struct base_csv *csv = &differences->csv;

    *differences = (struct compare_differences){0};
    if (base_csv_parse(path, without_comments(text), csv, why, size) != 0)
        return -1;
    for (size_t i = 0; i < csv->rows; i++) {
        const double low = base_csv_number(csv, i, "low");
        const double high = base_csv_number(csv, i, "high");

        if (!(low >= 0 && low <= high && (isfinite(high) || !isfinite(low))) ||
            base_csv_text(csv, i, "rows")[0] == '\0' ||
            strlen(base_csv_text(csv, i, "reason")) < 10) {
            snprintf(why, size,
                     "%s: row %zu needs rows, low <= high and a reason", path,
                     i + 1);
            goto bad;
        }
    }
    differences->used = calloc(csv->rows + 1, sizeof *differences->used);
    if (differences->used == NULL) {
        snprintf(why, size, "%s: out of memory", path);
        goto bad;
    }
    return 0;
bad:
    base_csv_free(csv);
    return -1;
}

void compare_differences_free(struct compare_differences *differences)
{
    free(differences->used);
    base_csv_free(&differences->csv);
    *differences = (struct compare_differences){0};
}

/* --- comparing ------------------------------------------------------------ */

/* 1 if a difference allows this row its ratio; that difference is then used. */
static int is_explained(struct compare_differences *differences,
                        const struct compare_row *row, double ratio)
{
    const struct base_csv *csv = &differences->csv;
    char name[512];

    snprintf(name, sizeof name, "%s/%s/%s/%s", row->program, row->kernel,
             row->label, row->metric);
    for (size_t i = 0; i < csv->rows; i++) {
        if (fnmatch(base_csv_text(csv, i, "rows"), name, 0) == 0 &&
            ratio >= base_csv_number(csv, i, "low") &&
            ratio <= base_csv_number(csv, i, "high")) {
            differences->used[i]++;
            return 1;
        }
    }
    return 0;
}

/* The CPU device's row for that launch and quantity, or NULL. */
static const struct compare_row *find_row(const struct compare_table *ours,
                                          int launch, const char *quantity)
{
    for (size_t i = 0; i < ours->rows; i++) {
        if (ours->row[i].launch == launch &&
            strcmp(ours->row[i].metric, quantity) == 0)
            return &ours->row[i];
    }
    return NULL;
}

/* Compares one row. Returns 1, and has written a line, if it is wrong. */
static int compare_row(const struct compare_row *row,
                       const struct compare_table *ours,
                       struct compare_differences *differences, FILE *report)
{
    const char *quantity = compare_quantity(row->metric);
    const struct compare_row *own =
        quantity == NULL ? NULL : find_row(ours, row->launch, quantity);
    char reason[256];

    if (quantity == NULL) {
        snprintf(reason, sizeof reason, "compare.c knows no quantity for it");
    } else if (own == NULL) {
        snprintf(reason, sizeof reason, "the CPU device counts no %s there",
                 quantity);
    } else if (strcmp(own->label, row->label) != 0 ||
               (own->kernel[0] != '\0' &&
                strcmp(own->kernel, row->kernel) != 0)) {
        snprintf(reason, sizeof reason, "here it is %s %s: measure again",
                 own->kernel, own->label);
    } else if (own->value == row->value) {
        differences->equal += row->parts;
        return 0;
    } else if (is_explained(differences, row, row->value / own->value)) {
        differences->explained += row->parts;
        return 0;
    } else {
        snprintf(reason, sizeof reason,
                 "%.0f on the GPU, %.0f here, ratio %.4f", row->value,
                 own->value, row->value / own->value);
    }
    fprintf(report, "%s launch %d, %s %s, %s: %s\n", row->program, row->launch,
            row->kernel, row->label, row->metric, reason);
    return 1;
}

static int is_row_of(const struct compare_row *row, const char *program,
                     const char *label)
{
    return strcmp(row->program, program) == 0 &&
           (label == NULL || strcmp(row->label, label) == 0);
}

/* How many rows of the GPU there are for one launch; 0 is any launch. */
static int rows_of(const struct compare_table *gpu, const char *program,
                   const char *label, int launch)
{
    int rows = 0;

    for (size_t i = 0; i < gpu->rows; i++) {
        rows += is_row_of(&gpu->row[i], program, label) &&
                (launch == 0 || gpu->row[i].launch == launch);
    }
    return rows;
}

int compare_program(const struct compare_table *gpu, const char *program,
                    const char *label, const struct compare_table *ours,
                    struct compare_differences *differences, FILE *report)
{
    const int metrics = rows_of(gpu, program, label, 1);
    int wrong = 0, last = 0;

    if (rows_of(gpu, program, label, 0) == 0)
        return -1;
    for (size_t i = 0; i < gpu->rows; i++) {
        if (is_row_of(&gpu->row[i], program, label))
            wrong += compare_row(&gpu->row[i], ours, differences, report);
    }
    for (size_t i = 0; i < ours->rows; i++) {
        const struct compare_row *own = &ours->row[i];
        int rows;

        if (own->launch == last)
            continue;
        last = own->launch;
        rows = rows_of(gpu, program, label, last);
        if (rows == 0 || rows != metrics) {
            fprintf(report,
                    "%s launch %d, %s %s: %d counts on the GPU, %d in launch "
                    "1: measure again\n",
                    program, last, own->kernel, own->label, rows, metrics);
            wrong++;
        }
    }
    return wrong;
}

int compare_unused(const struct compare_differences *differences, FILE *report)
{
    int unused = 0;

    for (size_t i = 0; i < differences->csv.rows; i++) {
        if (differences->used[i] > 0)
            continue;
        fprintf(report, "no row needs the difference %s\n",
                base_csv_text(&differences->csv, i, "rows"));
        unused++;
    }
    return unused;
}

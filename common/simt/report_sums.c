#include "report_sums.h"

#include <math.h>
#include <string.h>

uint64_t simt_row_sectors_or_wavefronts(const struct simt_row *row)
{
    return row->space == SIMT_GLOBAL ? row->sectors : row->wavefronts;
}

uint64_t simt_row_ideal(const struct simt_row *row)
{
    return row->space == SIMT_GLOBAL ? row->sectors_ideal
                                     : row->wavefronts_ideal;
}

int simt_row_same_array(const struct simt_row *a, const struct simt_row *b)
{
    return a->space == b->space && a->kind == b->kind &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->array, b->array) == 0;
}

void simt_row_add(struct simt_row *to, const struct simt_row *row)
{
    to->requests += row->requests;
    to->lanes += row->lanes;
    to->bytes += row->bytes;
    to->sectors += row->sectors;
    to->sectors_ideal += row->sectors_ideal;
    to->wavefronts += row->wavefronts;
    to->wavefronts_ideal += row->wavefronts_ideal;
    to->apart = to->apart == row->apart ? to->apart : 0;
    to->lanes_async += row->lanes_async;
}

static int is_or_any(const char *asked, const char *name)
{
    return asked == NULL || strcmp(asked, name) == 0;
}

static int is_counted_row(const struct simt_row *row,
                          const struct simt_rows *which)
{
    for (int i = 0; i < 2; i++) {
        if (which->but[i] != NULL && strcmp(which->but[i], row->array) == 0)
            return 0;
    }
    return row->space == which->space && row->kind == which->kind &&
           is_or_any(which->array, row->array) &&
           is_or_any(which->kernel, row->kernel);
}

struct simt_sum simt_sum_rows(const struct simt_count *count,
                              struct simt_rows which)
{
    struct simt_sum sum = {.row = {.space = which.space, .kind = which.kind}};
    uint64_t most = 0;

    for (size_t i = 0; i < count->rows; i++) {
        const struct simt_row *row = &count->row[i];
        const uint64_t size = (uint64_t)row->size, asked = row->lanes * size;

        if (!is_counted_row(row, &which))
            continue;
        simt_row_add(&sum.row, row);
        sum.asked += asked;
        sum.asked_async += row->lanes_async * size;
        if (asked > most) {
            most = asked;
            sum.largest = row;
        }
    }
    return sum;
}

struct simt_kernel simt_sum_kernels(const struct simt_count *count,
                                    const char *kernel)
{
    struct simt_kernel sum = {.kernel = kernel};

    for (size_t i = 0; i < count->kernels; i++) {
        const struct simt_kernel *k = &count->kernel[i];

        if (!is_or_any(kernel, k->kernel))
            continue;
        sum.launches += k->launches;
        sum.threads += k->threads;
        sum.storing_threads += k->storing_threads;
        sum.result_words += k->result_words;
        sum.barrier_words += k->barrier_words;
        sum.barriers += k->barriers;
        sum.backward_jumps += k->backward_jumps;
        sum.flops += k->flops;
        sum.tensor_operations += k->tensor_operations;
        sum.bulk_bytes += k->bulk_bytes;
        sum.products += k->products;
        sum.products_overlapped += k->products_overlapped;
    }
    return sum;
}

double simt_flop_per_byte(const struct simt_count *count, const char *kernel)
{
    const struct simt_sum loads = simt_sum_rows(
        count, (struct simt_rows){
                   .space = SIMT_GLOBAL, .kind = SIMT_LOAD, .kernel = kernel});
    const struct simt_kernel all = simt_sum_kernels(count, kernel);
    const uint64_t bytes = loads.asked + all.bulk_bytes;

    return bytes > 0 ? (double)all.flops / (double)bytes : (double)NAN;
}

#include "report.h"

#include "base/language.h"
#include "base/wrap.h"
#include "report_sums.h"

#include <math.h>
#include <string.h>

enum {
    LAUNCHES_SHOWN = 16
};

const char *simt_group(char text[SIMT_GROUPED], uint64_t number)
{
    char digits[SIMT_GROUPED];
    const int count =
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    int at = 0;

    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

const char *simt_kind_name(enum simt_kind kind)
{
    static const char *const name[] = {"load", "store", "atomic"};

    return name[kind];
}

const char *simt_space_name(enum simt_space space)
{
    static const char *const name[] = {"global", "shared", "constant"};

    return name[space];
}

const char *simt_unit_name(enum simt_space space)
{
    return space == SIMT_GLOBAL ? _("sectors") : _("wavefronts");
}

/* --- by array ------------------------------------------------------------- */

static void print_array(FILE *to, const struct simt_row *sum)
{
    const double requests = (double)sum->requests;
    char grouped[SIMT_GROUPED];
    /* Of "state+48", what is too long is left out before the +. */
    const size_t name = strcspn(sum->array, "+");
    const char *const offset = sum->array + name;
    const int room = 12 - (int)strlen(offset);
    const int shown = (int)name < room ? (int)name : room;

    fprintf(to, "  %.*s%-*s %-8s %-6s %12s  %5.1f  %5.2f ", shown, sum->array,
            12 - shown, offset, simt_space_name(sum->space),
            simt_kind_name(sum->kind), simt_group(grouped, sum->requests),
            (double)sum->lanes / requests,
            (double)simt_row_sectors_or_wavefronts(sum) / requests);
    base_cell(to, -10, simt_unit_name(sum->space));
    fprintf(to, "  %7.2f\n", (double)simt_row_ideal(sum) / requests);
}

/* The kernels of which no access was seen. */
static void report_idle_kernels(FILE *to, const struct simt_count *count)
{
    for (size_t i = 0; i < count->kernels; i++) {
        int is_idle = 1;

        for (size_t r = 0; r < count->rows && is_idle; r++) {
            is_idle =
                count->row[r].requests == 0 ||
                strcmp(count->row[r].kernel, count->kernel[i].kernel) != 0;
        }
        if (is_idle) {
            fprintf(
                to,
                _("  in %.74s:\n  no access; one whose value nobody uses is "
                  "left out by the compiler\n"),
                count->kernel[i].kernel);
        }
    }
}

void simt_report_arrays(FILE *to, const struct simt_count *count)
{
    const char *kernel = NULL;
    size_t next;

    fputs("  ", to);
    base_cell(to, -13, _("array"));
    base_cell(to, -9, _("memory"));
    base_cell(to, -8, _("access"));
    base_cell(to, 11, _("requests"));
    base_cell(to, 7, _("lanes"));
    fputs("  ", to);
    base_cell(to, -16, _("a request takes"));
    base_cell(to, 9, _("at best"));
    fputc('\n', to);
    for (size_t i = 0; i < count->rows; i = next) {
        struct simt_row sum = count->row[i];

        for (next = i + 1;
             next < count->rows && simt_row_same_array(&sum, &count->row[next]);
             next++)
            simt_row_add(&sum, &count->row[next]);
        if (sum.requests == 0)
            continue;
        if (count->kernels > 1 &&
            (kernel == NULL || strcmp(kernel, sum.kernel) != 0))
            fprintf(to, _("  in %.74s:\n"), sum.kernel);
        kernel = sum.kernel;
        print_array(to, &sum);
    }
    report_idle_kernels(to, count);
}

/* --- by kernel and launch ------------------------------------------------- */

void simt_report_kernels(FILE *to, const struct simt_count *count)
{
    char launches[SIMT_GROUPED], jumps[SIMT_GROUPED], flops[SIMT_GROUPED];

    fputs("  ", to);
    base_cell(to, -18, _("kernel"));
    base_cell(to, 9, _("launches"));
    base_cell(to, 10, _("barriers"));
    base_cell(to, 15, _("backward jumps"));
    base_cell(to, 16, "FLOPs");
    base_cell(to, 10, _("FLOP/byte"));
    fputc('\n', to);
    for (size_t i = 0; i < count->kernels; i++) {
        const struct simt_kernel *k = &count->kernel[i];
        const double intensity = simt_flop_per_byte(count, k->kernel);
        const double threads = k->threads > 0 ? (double)k->threads : 1.0;

        fprintf(
            to, "  %-18.18s %8s %9.4g %14s %15s ", k->kernel,
            simt_group(launches, k->launches), (double)k->barriers / threads,
            simt_group(jumps, k->backward_jumps), simt_group(flops, k->flops));
        if (isnan(intensity)) {
            fprintf(to, "%9s\n", "-");
        } else {
            fprintf(to, "%9.3f\n", intensity);
        }
    }
    fputs(_("  (barriers: of each thread; backward jumps and FLOPs: of all "
            "together)\n"),
          to);
}

/* "24 x 16", or "24 x 16 x 2". */
static const char *extent(char text[40], const unsigned side[3])
{
    if (side[2] > 1) {
        snprintf(text, 40, "%u x %u x %u", side[0], side[1], side[2]);
    } else if (side[1] > 1) {
        snprintf(text, 40, "%u x %u", side[0], side[1]);
    } else {
        snprintf(text, 40, "%u", side[0]);
    }
    return text;
}

static uint64_t sectors_or_wavefronts(const struct simt_launch_count *launch,
                                      enum simt_space space)
{
    uint64_t sum = 0;

    for (int kind = SIMT_LOAD; kind <= SIMT_ATOMIC; kind++)
        sum += launch->sectors_or_wavefronts[space][kind];
    return sum;
}

void simt_report_launches(FILE *to, const struct simt_count *count)
{
    char grid[40], block[40], sectors[SIMT_GROUPED], wavefronts[SIMT_GROUPED];
    const size_t shown =
        count->launches < LAUNCHES_SHOWN ? count->launches : LAUNCHES_SHOWN;
    const uint64_t launches = simt_sum_kernels(count, NULL).launches;

    fputs("       ", to);
    base_cell(to, -19, _("launch of"));
    base_cell(to, -13, _("grid"));
    base_cell(to, -11, _("block"));
    base_cell(to, 14, _("sectors"));
    base_cell(to, 14, _("wavefronts"));
    fputc('\n', to);
    for (size_t i = 0; i < shown; i++) {
        const struct simt_launch_count *l = &count->launch[i];

        fprintf(to, "  %-4zu %-18.18s %-12s %-11s %13s %13s\n", i + 1,
                l->kernel, extent(grid, l->grid), extent(block, l->block),
                simt_group(sectors, sectors_or_wavefronts(l, SIMT_GLOBAL)),
                simt_group(wavefronts, sectors_or_wavefronts(l, SIMT_SHARED)));
    }
    if (launches > shown) {
        fprintf(to, _("  and %s more: a CSV or JSON file lists the first %s\n"),
                simt_group(sectors, launches - shown),
                simt_group(wavefronts, SIMT_LAUNCHES));
    }
}

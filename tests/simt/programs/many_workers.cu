/* OS threads come and go between launches, and their memory moves: however many
   there are, the same is counted. There are 72 blocks, one for each worker and
   more. */
/* build: analyse */
/* expect: 0 */
/* says: 4 rows: the same with 1, 3, 16 and 64 workers */
#include "found.h"

__global__ void turn(const float *x, float *y)
{
    __shared__ float tile[16][16];
    const int at = blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x;

    tile[threadIdx.y][threadIdx.x] = x[at];
    __syncthreads();
    y[at] = tile[threadIdx.x][threadIdx.y];
}

/* Writes down what was counted. Returns in how many rows. */
static int run(int workers, char *text, size_t size)
{
    struct simt_count count;
    size_t used = 0;

    simt_set_threads(workers);
    simt_count_reset();
    turn<<<72, dim3(16, 16)>>>(fresh<float>("x", 72 * 256),
                               fresh<float>("y", 72 * 256));
    if (simt_count_read(&count) != 0)
        return -1;
    for (size_t i = 0; i < count.rows; i++) {
        const struct simt_row *r = &count.row[i];

        used += snprintf(text + used, size - used, "%s %d %d %d %llu %llu\n",
                         r->array, r->line, r->space, r->kind,
                         (unsigned long long)r->lanes,
                         (unsigned long long)(r->sectors + r->wavefronts));
    }
    cudaDeviceReset();
    return (int)count.rows;
}

int main()
{
    static const int workers[] = {3, 16, 64};
    static char first[2000], other[2000];
    int rows, same = 1;

    simt_findings_print(0);
    rows = run(1, first, sizeof first);
    for (int w : workers) {
        run(w, other, sizeof other);
        same = same && strcmp(first, other) == 0;
    }
    printf("%d rows: %s with 1, 3, 16 and 64 workers\n%s", rows,
           same ? "the same" : "others", first);
    return 0;
}

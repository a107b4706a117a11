/* The same mistakes are found in whatever order warps and lanes take turns, and
   by however many workers. */
/* build: analyse */
/* expect: 0 */
/* says: 6 findings: the same with 1 and 2 workers */
/* says: 6 findings: the same with 20 seeds */
#include "found.h"

__global__ void tile(const float *x, float *y)
{
    __shared__ float s[64], edge[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;

    s[t] = x[i];
    if (t < 60)
        edge[t] = 1.0f;
    y[i] = s[63 - t];
    __syncthreads();
    y[i] += edge[t];
}

__global__ void sum(const float *x, float *y, float *first)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    y[i] = x[i];
    y[256] += y[255 - i];
    *first = x[300];
}

/* Runs both kernels, and writes down what was found: the whole messages of
   `tile`, whose races are within blocks, and of the others kind and lines.
   Returns how many there were. */
static int run(char *text, size_t size)
{
    struct simt_findings findings;
    float *x = fresh<float>("x", 320);
    size_t used = 0;

    simt_count_reset();
    cudaMemset(x, 0, 256 * sizeof(float));
    tile<<<4, 64>>>(x, floats("y"));
    sum<<<4, 64>>>(x, floats("y"), floats("first"));
    simt_findings_read(&findings);
    for (size_t i = 0; i < findings.count; i++) {
        const struct simt_finding *f = &findings.finding[i];

        used += snprintf(text + used, size - used, "%d %s %s %d %d\n", f->check,
                         f->kernel, f->array, f->line, f->other_line);
        if (f->kernel[0] == 't')
            used += snprintf(text + used, size - used, "%s", f->text);
    }
    cudaDeviceReset();
    return (int)findings.count;
}

/* The same without the messages: example and count are of one order. */
static void leave_out_messages(char *text)
{
    char *to = text;

    for (char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;

        if (line[0] >= '0' && line[0] <= '9' && line[1] == ' ') {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    *to = '\0';
}

int main()
{
    static char first[20000], other[20000];
    int count, same = 1;

    simt_findings_print(0);
    simt_set_threads(1);
    count = run(first, sizeof first);
    simt_set_threads(2);
    run(other, sizeof other);
    printf("%d findings: %s with 1 and 2 workers\n", count,
           strcmp(first, other) == 0 ? "the same" : "others");
    if (strcmp(first, other) != 0)
        printf("%s-----\n%s", first, other);
    leave_out_messages(first);
    for (int seed = 0; seed < 20; seed++) {
        simt_set_seed(seed);
        run(other, sizeof other);
        leave_out_messages(other);
        if (strcmp(first, other) != 0)
            printf("seed %d:\n%s-----\n%s", seed, first, other);
        same = same && strcmp(first, other) == 0;
    }
    printf("%d findings: %s with 20 seeds\n", count,
           same ? "the same" : "others");
    return 0;
}

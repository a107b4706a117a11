/*
 * The bank rule on a GPU: one launch for each pattern of bank_patterns.h, and
 * in it one request to shared memory. Nobody writes what the loads read, so
 * that nothing but the request is counted.
 */
#include "bank_patterns.h"
#include "launches.h"

/* One access of the width of T. Shared memory without a size of its own keeps
   the compiler from knowing what is in it. */
template <class T>
__global__ void load(const uint32_t *offset, uint32_t active, T *C)
{
    extern __shared__ float4 memory[];
    const char *s = (const char *)memory + offset[threadIdx.x];

    if (active >> threadIdx.x & 1)
        C[threadIdx.x] = *(const T *)s;
}

template <class T>
__global__ void store(const uint32_t *offset, uint32_t active, const T *A)
{
    extern __shared__ float4 memory[];
    char *s = (char *)memory + offset[threadIdx.x];
    const T value = A[threadIdx.x];

    if (active >> threadIdx.x & 1)
        *(T *)s = value;
}

template <class T>
static void launch(const struct bank_pattern *pattern, const uint32_t *offset,
                   void *memory)
{
    const size_t bytes = BANK_PATTERN_ELEMENTS * sizeof(float4);

    if (pattern->is_store) {
        store<<<1, BANK_PATTERN_LANES, bytes>>>(offset, pattern->active,
                                                (const T *)memory);
    } else {
        load<<<1, BANK_PATTERN_LANES, bytes>>>(offset, pattern->active,
                                               (T *)memory);
    }
    launched("%s", pattern->name);
}

int main()
{
    static struct bank_pattern table[BANK_PATTERNS_MOST];
    const int count = bank_patterns(table);
    void *memory = zeros(BANK_PATTERN_LANES * sizeof(float4));
    uint32_t *offsets = (uint32_t *)zeros(count * sizeof table[0].offset);

    for (int i = 0; i < count; i++) {
        uint32_t *offset = offsets + i * BANK_PATTERN_LANES;

        need(cudaMemcpy(offset, table[i].offset, sizeof table[i].offset,
                        cudaMemcpyHostToDevice));
        if (table[i].size == 4)
            launch<float>(&table[i], offset, memory);
        else if (table[i].size == 8)
            launch<float2>(&table[i], offset, memory);
        else
            launch<float4>(&table[i], offset, memory);
    }
    return 0;
}

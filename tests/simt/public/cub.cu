/* What CUB is most often asked for. */
/* expect: 0 */
/* says: 0 wrong */
#include <cub/cub.cuh>
#include "check.h"

enum {
    N = 1000,
    THREADS = 128
};

__global__ void of_blocks(const int *in, int *sums, int *most, int *scans,
                          int *warps)
{
    typedef cub::BlockReduce<int, THREADS> reduce;
    typedef cub::BlockScan<int, THREADS> scan;
    typedef cub::WarpReduce<int> warp_reduce;
    __shared__ union {
        typename reduce::TempStorage for_reduce;
        typename scan::TempStorage for_scan;
        typename warp_reduce::TempStorage for_warp[THREADS / 32];
    } s;
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int own = i < N ? in[i] : 0;
    const int sum = reduce(s.for_reduce).Sum(own);
    int before = 0;

    __syncthreads();
    const int largest = reduce(s.for_reduce).Reduce(own, [](int a, int b) {
        return a > b ? a : b;
    });

    __syncthreads();
    scan(s.for_scan).ExclusiveSum(own, before);
    __syncthreads();
    const int of_warp = warp_reduce(s.for_warp[threadIdx.x / 32]).Sum(own);

    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum, most[blockIdx.x] = largest;
    if (threadIdx.x % 32 == 0 && i < N)
        warps[i / 32] = of_warp;
    if (i < N)
        scans[i] = before;
}

struct is_even {
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};

/* Calls it twice, as CUB wants: for how much memory, then to act. */
#define CUB(call)                             \
    do {                                      \
        void *temporary = nullptr;            \
        size_t bytes = 0;                     \
        CHECK(call);                          \
        CHECK(cudaMalloc(&temporary, bytes)); \
        CHECK(call);                          \
        CHECK(cudaFree(temporary));           \
    } while (0)

int main()
{
    const int blocks = (N + THREADS - 1) / THREADS;
    int *in, *out, *order, *sorted, *sums, *most, *scans, *warps, *one;
    int wrong = 0, total = 0, evens = 0, smallest = 1 << 30, largest = -1;
    unsigned state = 1;

    for (int **a : {&in, &out, &order, &sorted, &scans})
        CHECK(cudaMallocManaged(a, N * sizeof **a));
    for (int **a : {&sums, &most, &warps, &one})
        CHECK(cudaMallocManaged(a, 64 * sizeof **a));
    for (int i = 0; i < N; i++) {
        in[i] = (int)(next_random(&state) % 5000);
        order[i] = i;
    }
    of_blocks<<<blocks, THREADS>>>(in, sums, most, scans, warps);
    CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < blocks; b++) {
        int sum = 0, top = 0;

        for (int i = b * THREADS; i < (b + 1) * THREADS && i < N; i++) {
            wrong += scans[i] != sum;
            sum += in[i];
            top = in[i] > top ? in[i] : top;
        }
        wrong += sums[b] != sum || most[b] != top;
    }
    for (int w = 0; w < (N + 31) / 32; w++) {
        int sum = 0;

        for (int i = w * 32; i < (w + 1) * 32 && i < N; i++)
            sum += in[i];
        wrong += warps[w] != sum;
    }

    CUB(cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, (int)N));
    for (int i = 0; i < N; i++) {
        wrong += out[i] != total;
        total += in[i];
        evens += in[i] % 2 == 0;
        smallest = in[i] < smallest ? in[i] : smallest;
        largest = in[i] > largest ? in[i] : largest;
    }
    CUB(cub::DeviceReduce::Sum(temporary, bytes, in, one, (int)N));
    CUB(cub::DeviceReduce::Min(temporary, bytes, in, one + 1, (int)N));
    CUB(cub::DeviceReduce::Max(temporary, bytes, in, one + 2, (int)N));
    CUB(cub::DeviceSelect::If(temporary, bytes, in, out, one + 3, (int)N,
                              is_even()));
    CHECK(cudaDeviceSynchronize());
    wrong += one[0] != total || one[1] != smallest || one[2] != largest;
    wrong += one[3] != evens || out[evens - 1] % 2 != 0;
    CUB(cub::DeviceRadixSort::SortPairs(temporary, bytes, in, out, order,
                                        sorted, (int)N));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        wrong += out[i] != in[sorted[i]] || (i > 0 && out[i] < out[i - 1]);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}

/* Vector addition in pieces: pinned memory, several streams, events. It
   includes no header of CUDA's, since nvcc needs none. */
/* expect: 0 */
/* says: 100000 of 100000 right */
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 100000, pieces = 4, piece = n / pieces;
    const size_t bytes = n * sizeof(float);
    float *a, *b, *c, *d_a, *d_b, *d_c, milliseconds = -1;
    cudaStream_t stream[pieces];
    cudaEvent_t start, stop, half;
    int right = 0;

    CHECK(cudaMallocHost(&a, bytes));
    CHECK(cudaMallocHost((void **)&b, bytes));
    CHECK(cudaHostAlloc(&c, bytes, cudaHostAllocDefault));
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc((void **)&d_c, bytes));
    for (int i = 0; i < n; i++) {
        a[i] = 0.5f * i;
        b[i] = 2.0f * i + 1;
    }
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreateWithFlags(&half, cudaEventDisableTiming));
    CHECK(cudaStreamCreate(&stream[0]));
    for (int i = 1; i < pieces; i++)
        CHECK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));

    CHECK(cudaEventRecord(start));
    for (int i = 0; i < pieces; i++) {
        const int at = i * piece;
        const size_t part = piece * sizeof(float);

        CHECK(cudaMemcpyAsync(d_a + at, a + at, part, cudaMemcpyHostToDevice,
                              stream[i]));
        CHECK(cudaMemcpyAsync(d_b + at, b + at, part, cudaMemcpyHostToDevice,
                              stream[i]));
        add<<<32, 256, 0, stream[i]>>>(d_a + at, d_b + at, d_c + at, piece);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(c + at, d_c + at, part, cudaMemcpyDeviceToHost,
                              stream[i]));
        if (i == pieces / 2) {
            CHECK(cudaEventRecord(half, stream[i]));
            CHECK(cudaStreamWaitEvent(stream[0], half, 0));
        }
    }
    for (int i = 0; i < pieces; i++)
        CHECK(cudaStreamSynchronize(stream[i]));
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventQuery(stop));
    CHECK(cudaStreamQuery(stream[1]));
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));

    for (int i = 0; i < n; i++)
        right += c[i] == a[i] + b[i];
    printf("%d of %d right\n", right, n);

    for (int i = 0; i < pieces; i++)
        CHECK(cudaStreamDestroy(stream[i]));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaEventDestroy(half));
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(b));
    CHECK(cudaFreeHost(c));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    return right == n && milliseconds >= 0 ? 0 : 1;
}

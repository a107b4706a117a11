/* What a launch hands over: structures and lambdas with pointers, references,
 * lists in braces, and classes with a constructor of copies, which are copied
 * once. */
/* expect: 0 */
/* says: structure 33, lambda 34, braces 35, copies 1 1 1, reference 42 */
/* says: each thread changes its own: 41 72, and here 40 */
/* says: the largest: 1 and 8188 */
/* says: argument 1 points to host memory */
#include <cuda_runtime.h>
#include <new>
#include <stdio.h>

namespace views
{
struct view {
    int size;
    float *at;
};

__global__ void add(view in_front_of_it, view to)
{
    to.at[threadIdx.x] =
        in_front_of_it.at[threadIdx.x] + (float)in_front_of_it.size;
}

template <class F> __global__ void run(F f)
{
    f((int)threadIdx.x);
}
} // namespace views

/* With a pointer 32,760 bytes; a launch takes 32,764. */
struct largest {
    int x[8188];
};

__global__ void take_largest(largest all, int *ends)
{
    ends[0] = all.x[0];
    ends[1] = all.x[8187];
}

static void pass_the_largest()
{
    static largest all;
    int *ends;

    cudaMallocManaged(&ends, 2 * sizeof *ends);
    all.x[0] = 1;
    all.x[8187] = 8188;
    take_largest<<<1, 1>>>(all, ends);
    cudaDeviceSynchronize();
    printf("the largest: %d and %d\n", ends[0], ends[1]);
}

struct counted {
    int value;
    static int copies;

    counted() : value(40)
    {
    }
    counted(const counted &other) : value(other.value)
    {
        copies++;
    }
    ~counted()
    {
    }
};
int counted::copies;

__global__ void take(counted c, int *out)
{
    out[threadIdx.x] = c.value;
}

__global__ void change_own(counted c, int *out)
{
    c.value += threadIdx.x + 1;
    out[threadIdx.x] = c.value;
}

template <class T> __global__ void take_any(T c, int *out)
{
    out[threadIdx.x] = c.value;
}

__global__ void change(counted &c, const int &by)
{
    c.value += by;
}

static int copies_so_far()
{
    const int copies = counted::copies;

    counted::copies = 0;
    return copies;
}

int main()
{
    float *a, *b, first[3];
    int *out, *two, copies[3];
    counted here, *there;

    cudaMallocManaged(&a, 64 * sizeof *a);
    cudaMallocManaged(&b, 64 * sizeof *b);
    cudaMallocManaged(&out, 64 * sizeof *out);
    cudaMallocManaged(&two, sizeof *two);
    cudaMallocManaged(&there, sizeof *there);
    new (there) counted();
    *two = 2;
    for (int i = 0; i < 32; i++)
        a[i] = 1;
    const views::view from = {32, a}, to = {32, b};
    views::add<<<1, 32>>>(from, to);
    cudaDeviceSynchronize();
    first[0] = b[0];
    views::run<<<1, 32>>>([=] __device__(int i) { b[i] = b[i] + a[i]; });
    cudaDeviceSynchronize();
    first[1] = b[0];
    views::add<<<1, 32>>>({34, a}, {32, b});
    cudaDeviceSynchronize();
    first[2] = b[0];

    take<<<1, 32>>>(here, out);
    copies[0] = copies_so_far();
    take_any<<<1, 32>>>(here, out);
    copies[1] = copies_so_far();
    take_any<counted><<<1, 32>>>(here, out);
    copies[2] = copies_so_far();
    change<<<1, 1>>>(*there, *two);
    cudaDeviceSynchronize();
    printf("structure %g, lambda %g, braces %g, copies %d %d %d, "
           "reference %d\n",
           first[0], first[1], first[2], copies[0], copies[1], copies[2],
           there->value);
    change_own<<<1, 32>>>(here, out);
    cudaDeviceSynchronize();
    printf("each thread changes its own: %d %d, and here %d\n", out[0], out[31],
           here.value);
    pass_the_largest();
    change<<<1, 1>>>(here, *two);
    return 0;
}

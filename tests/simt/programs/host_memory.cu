/* Memory of the host that a kernel uses without an argument that tells. */
/* build: analyse */
/* expect: 0 */
/* says: in a struct: {A}: access to memory that a kernel cannot reach */
/* says: reads host memory */
/* says: what a pointer within a struct points to must be device memory too */
/* says: In kernel in_a_struct. */
/* says: in a struct: 1 found, cudaErrorIllegalAddress */
/* says: device pointer: 0 found, cudaSuccess */
/* says: host variable: {B}: access to memory that a kernel cannot reach */
/* says: host variable: 1 found, cudaErrorIllegalAddress */
/* says: host stack: {C}: access to memory that a kernel cannot reach */
/* says: writes host memory */
/* says: host stack: 1 found, cudaErrorIllegalAddress */
/* says: freed: {A}: access to memory that a kernel cannot reach */
/* says: reads device memory of x, which was freed */
/* says: freed: 1 found, cudaErrorIllegalAddress */
/* says: not freed: 0 found, cudaSuccess */
/* says: constant table: 0 found, cudaSuccess */
#include "found.h"

struct vector {
    float *data;
    int size;
};

__global__ void in_a_struct(vector v, float *y)
{
    y[threadIdx.x] = v.data[threadIdx.x]; /* A */
}

struct settings {
    static float factor;
};

float settings::factor = 2.0f;

__global__ void host_variable(float *y)
{
    y[threadIdx.x] = settings::factor; /* B */
}

__global__ void write_through(float **to)
{
    **to = 1.0f; /* C */
}

__global__ void constant_table(float *y)
{
    static const float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};

    y[threadIdx.x] = table[threadIdx.x % 4];
}

int main()
{
    float host[64], *on_host = host, **pointers;
    vector v = {host, 64};

    simt_findings_print(0);
    in_a_struct<<<1, 64>>>(v, floats("y"));
    tell("in a struct");
    v.data = floats("x");
    in_a_struct<<<1, 64>>>(v, floats("y"));
    tell("device pointer");
    settings::factor += 1.0f;
    host_variable<<<1, 64>>>(floats("y"));
    tell("host variable");
    pointers = fresh<float *>("pointers", 1);
    cudaMemcpy(pointers, &on_host, sizeof on_host, cudaMemcpyHostToDevice);
    write_through<<<1, 1>>>(pointers);
    tell("host stack");
    v.data = floats("x");
    cudaFree(v.data);
    in_a_struct<<<1, 64>>>(v, floats("y"));
    tell("freed");
    v.data = floats("x");
    in_a_struct<<<1, 64>>>(v, floats("y"));
    tell("not freed");
    constant_table<<<1, 64>>>(floats("y"));
    tell("constant table");
    return 0;
}

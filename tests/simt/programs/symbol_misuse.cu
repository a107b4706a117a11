/* What can be wrong with the variable that a call is given. */
/* expect: 0 */
/* says: host variable: cudaErrorInvalidSymbol */
/* says: address: cudaErrorInvalidSymbol */
/* says: the symbol is no __device__ or __constant__ variable */
/* says: too long: cudaErrorInvalidValue */
/* says: cudaMemcpyToSymbol of 20 bytes at offset 0: the variable has 16 bytes */
/* says: offset too large: cudaErrorInvalidValue */
/* says: wrong direction: cudaErrorInvalidMemcpyDirection */
/* says: const: cudaErrorInvalidSymbol */
/* says: past the end: cudaErrorInvalidValue */
/* says: in the end: cudaSuccess 4 */
#include <stdio.h>

int host_variable;
__device__ int values[4] = {1, 2, 3, 4};
__constant__ const float unchanging[2] = {1, 2};

static void show(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main()
{
    int host[5] = {0}, *address;

    show("host variable",
         cudaMemcpyToSymbol(host_variable, host, sizeof host_variable));
    show("address", cudaMemcpyToSymbol(&values, host, 8));
    show("too long", cudaMemcpyToSymbol(values, host, sizeof host));
    show("offset too large", cudaMemcpyFromSymbol(host, values, 4, 16));
    show("wrong direction",
         cudaMemcpyToSymbol(values, host, 4, 0, cudaMemcpyDeviceToHost));
    show("const", cudaMemcpyToSymbol(unchanging, host, 4));
    cudaGetSymbolAddress((void **)&address, values);
    show("past the end",
         cudaMemcpy(host, address, (size_t)1 << 30, cudaMemcpyDeviceToHost));
    cudaGetLastError();
    cudaError_t error = cudaMemcpyFromSymbol(host, values, 4, 12);
    printf("in the end: %s %d\n", cudaGetErrorName(error), host[0]);
    return 0;
}

/* An asynchronous copy that nobody waits for has not arrived: the place holds
   NaNs from the call to the wait. */
/* expect: 0 */
/* says: waited for: 1 */
/* says: not waited for: nan */
/* says: not committed: nan */
/* says: the last but one: 1, the last: nan */
/* says: all blocks: the same */
#include <cuda_pipeline.h>

#include "found.h"

__global__ void waits(const float *x, float *y)
{
    __shared__ float s[5];

    y += 8 * blockIdx.x;
    s[4] = 2.0f;

    __pipeline_memcpy_async(&s[0], x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    y[0] = s[0];
    y[5] = s[4];

    __pipeline_memcpy_async(&s[1], x, 4);
    __pipeline_commit();
    y[1] = s[1];
    __pipeline_wait_prior(0);

    __pipeline_memcpy_async(&s[2], x, 4);
    __pipeline_wait_prior(0);
    y[2] = s[2];
    __pipeline_commit();
    __pipeline_wait_prior(0);

    __pipeline_memcpy_async(&s[3], x, 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[4], x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    y[3] = s[3];
    y[4] = s[4];
}

int main()
{
    const float one = 1.0f;
    float *x = floats("x"), *y = floats("y"), got[6];
    bool same = true;

    if (cudaMemcpy(x, &one, sizeof one, cudaMemcpyHostToDevice) != cudaSuccess)
        return 2;
    waits<<<100, 1>>>(x, y);
    /* No block begins with a copy of the one before it under way. */
    for (int block = 99; block >= 0; block--) {
        if (cudaMemcpy(got, y + 8 * block, sizeof got,
                       cudaMemcpyDeviceToHost) != cudaSuccess)
            return 2;
        same = same && got[0] == 1.0f && got[1] != got[1] && got[2] != got[2] &&
               got[3] == 1.0f && got[4] != got[4] && got[5] == 2.0f;
    }
    printf("all blocks: %s\n", same ? "the same" : "different");
    for (int i = 0; i < 6; i++)
        got[i] =
            got[i] != got[i] ? -1.0f : got[i]; /* -nan prints as it likes */
    printf("waited for: %g\n", (double)got[0]);
    printf("not waited for: %s\n", got[1] < 0 ? "nan" : "there");
    printf("not committed: %s\n", got[2] < 0 ? "nan" : "there");
    printf("the last but one: %g, the last: %s\n", (double)got[3],
           got[4] < 0 ? "nan" : "there");
    return 0;
}

/* The helpers of NVIDIA's samples, which many programs take for granted; and
 * calls for a second device, as where there is one alone. */
/* expect: 1 */
/* says: GPU Device 0: "CPU device */
/* says: twice 21 is 42, size 0, verbose 0, no file */
/* says: watch: 2 sessions, reset */
/* says: peers: cudaErrorInvalidDevice, cudaErrorPeerAccessNotEnabled */
/* says: copied 42; to device 1: cudaErrorInvalidDevice */
/* says: helpers.cu:63: twice: CUDA error 9 (cudaErrorInvalidConfiguration) */
/* says: helpers.cu:64: cudaSetDevice(7) returned 101 (cudaErrorInvalidDevice) */
#include <helper_cuda.h>
#include <helper_functions.h>

__global__ void twice(int *x)
{
    *x *= 2;
}

static void use_a_watch()
{
    StopWatchInterface *watch = NULL;
    int is_right;

    sdkCreateTimer(&watch);
    for (int i = 0; i < 2; i++) {
        sdkStartTimer(&watch);
        sdkStopTimer(&watch);
    }
    is_right = sdkGetTimerValue(&watch) == 2 * sdkGetAverageTimerValue(&watch);
    sdkResetTimer(&watch);
    is_right = is_right && sdkGetTimerValue(&watch) == 0;
    sdkDeleteTimer(&watch);
    if (is_right && watch == NULL)
        printf("watch: 2 sessions, reset\n");
}

int main(int argc, char **argv)
{
    const char **words = (const char **)argv;
    const int size = getCmdLineArgumentInt(argc, words, "size");
    int x = 21, y = 0, *d_x, *d_y;

    findCudaDevice(argc, words);
    checkCudaErrors(cudaMalloc(&d_x, sizeof x));
    checkCudaErrors(cudaMalloc(&d_y, sizeof y));
    checkCudaErrors(cudaMemcpy(d_x, &x, sizeof x, cudaMemcpyDefault));
    twice<<<1, 1>>>(d_x);
    getLastCudaError("twice");
    checkCudaErrors(cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDefault));
    printf("twice 21 is %d, size %d, verbose %d, %s\n", x, size,
           checkCmdLineFlag(argc, words, "verbose"),
           sdkFindFilePath("no such file", argv[0]) ? "a file" : "no file");
    use_a_watch();
    printf("peers: %s, %s\n",
           cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)),
           cudaGetErrorName(cudaDeviceDisablePeerAccess(0)));
    cudaMemcpyPeer(d_y, 0, d_x, 0, sizeof x);
    cudaMemcpy(&y, d_y, sizeof y, cudaMemcpyDefault);
    printf("copied %d; to device 1: %s\n", y,
           cudaGetErrorName(cudaMemcpyPeerAsync(d_y, 1, d_x, 0, sizeof x)));
    (void)cudaGetLastError();
    twice<<<1, 0>>>(d_x);
    printLastCudaError("twice");
    checkCudaErrors(cudaSetDevice(7));
    return 0;
}

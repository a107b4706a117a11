/*
 * Errors. A call that fails returns its error and keeps it for
 * cudaGetLastError, as CUDA does; after a kernel has gone wrong every call
 * returns that error until cudaDeviceReset (CUDA calls it a sticky error).
 */
#define _GNU_SOURCE
#include "device.h"
#include "host_calls.h"
#include "simt.h"

static _Thread_local cudaError_t last_error; /* CUDA has one a host thread */
static cudaError_t sticky_error;
static unsigned times_asked;     /* for the last error */
static long calls_until_failure; /* fault injection; 0: off */
static const char *failed_call;
static int failed_line, calls_since; /* it failed */
static int failure_told;

void simt_fail_call(long nth)
{
    calls_until_failure = nth;
    failed_call = NULL;
    failed_line = calls_since = failure_told = 0;
}

const char *simt_failed_call(void)
{
    return failed_call;
}

int simt_failed_line(void)
{
    return failed_line;
}

int simt_calls_since_failure(void)
{
    return calls_since;
}

int simt_failure_told(void)
{
    return failure_told;
}

void simt_launch_failed_at(int line)
{
    if (failed_call != NULL && failed_line == 0)
        failed_line = line;
}

/* CUDA Runtime API, "Data types", says of these that the process must end to
   be able to go on. */
static int is_sticky(cudaError_t error)
{
    return error == cudaErrorIllegalAddress || error == cudaErrorAssert ||
           error == cudaErrorMisalignedAddress ||
           error == cudaErrorLaunchFailure;
}

cudaError_t simt_set_error(cudaError_t error)
{
    if (is_sticky(error))
        sticky_error = error;
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

cudaError_t simt_sticky_error(void)
{
    return sticky_error;
}

int simt_enter(const char *call, const void *code)
{
    const char *file;

    simt_called_from(code);
    calls_since += failed_call != NULL;
    if (sticky_error != cudaSuccess)
        return (int)simt_set_error(sticky_error);
    if (calls_until_failure > 0 && --calls_until_failure == 0) {
        failed_call = call;
        if (simt_caller_line(&file, &failed_line) != 0)
            failed_line = 0;
        return (int)simt_set_error(cudaErrorMemoryAllocation);
    }
    return 0;
}

cudaError_t cudaGetLastError(void)
{
    times_asked++;
    const cudaError_t error = last_error;

    last_error = sticky_error;
    return error;
}

unsigned simt_times_asked(void)
{
    return times_asked;
}

cudaError_t cudaPeekAtLastError(void)
{
    times_asked++;
    return last_error;
}

cudaError_t cudaDeviceReset(void)
{
    simt_hold();
    simt_memory_free_all();
    last_error = sticky_error = cudaSuccess;
    simt_let_go(NULL);
    return cudaSuccess;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError",
     "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue",
     "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer",
     "invalid host pointer"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer",
     "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorInvalidFilterSetting, "cudaErrorInvalidFilterSetting",
     "linear filtering not supported for non-float type"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit",
     "limit is not supported on this architecture"},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction",
     "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice",
     "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice",
     "invalid device ordinal"},
    {cudaErrorInvalidKernelImage, "cudaErrorInvalidKernelImage",
     "device kernel image is invalid"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle",
     "invalid resource handle"},
    {cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound",
     "named symbol not found"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout",
     "the launch timed out and was terminated"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorHostMemoryAlreadyRegistered,
     "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorHardwareStackError, "cudaErrorHardwareStackError",
     "hardware stack error"},
    {cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction",
     "an illegal instruction was encountered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress",
     "misaligned address"},
    {cudaErrorInvalidAddressSpace, "cudaErrorInvalidAddressSpace",
     "operation not supported on global/shared address space"},
    {cudaErrorInvalidPc, "cudaErrorInvalidPc", "invalid program counter"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure",
     "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

/* Who asks for an error's words has noticed it. */
static void note_words(cudaError_t error)
{
    failure_told |= failed_call != NULL && calls_since == 0 &&
                    error == cudaErrorMemoryAllocation;
}

const char *cudaGetErrorName(cudaError_t error)
{
    note_words(error);
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].error == error)
            return errors[i].name;
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    note_words(error);
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].error == error)
            return errors[i].text;
    }
    return "unrecognized error code";
}

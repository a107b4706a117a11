/* How fast does the GPU's clock run, and which driver has it? From NVIDIA's
   management library. */
#include "nvml.h"

#include "base/library.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

enum {
    NVML_SUCCESS = 0,
    NVML_CLOCK_SM = 1
};

typedef int plain_function(void);
typedef int find_function(const char *bus, void **handle);
typedef int clock_function(void *handle, int kind, unsigned *mhz);
typedef int version_function(char *text, unsigned size);

/* Opens the library and starts it; NULL if it cannot be used. */
static void *begin_nvml(plain_function **end)
{
    plain_function *init;
    static const char *const names[] = {"libnvidia-ml.so.1", NULL};
    void *const library = base_library_open(names);

    if (library == NULL)
        return NULL;
    if (base_library_find(library, "nvmlInit_v2", &init) &&
        base_library_find(library, "nvmlShutdown", end) &&
        init() == NVML_SUCCESS)
        return library;
    dlclose(library);
    return NULL;
}

int lab_nvml_clock(int device)
{
    plain_function *end;
    find_function *by_bus;
    clock_function *read;
    void *handle, *const library = begin_nvml(&end);
    char bus[32];
    unsigned mhz = 0;

    if (library == NULL)
        return 0;
    if (!base_library_find(library, "nvmlDeviceGetHandleByPciBusId_v2",
                           &by_bus) ||
        !base_library_find(library, "nvmlDeviceGetClockInfo", &read) ||
        cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess ||
        by_bus(bus, &handle) != NVML_SUCCESS ||
        read(handle, NVML_CLOCK_SM, &mhz) != NVML_SUCCESS)
        mhz = 0;
    end();
    dlclose(library);
    return (int)mhz;
}

void lab_nvml_driver(char *text, size_t size)
{
    plain_function *end;
    version_function *read;
    void *const library = begin_nvml(&end);

    text[0] = '\0';
    if (library == NULL)
        return;
    if (!base_library_find(library, "nvmlSystemGetDriverVersion", &read) ||
        read(text, (unsigned)size) != NVML_SUCCESS)
        text[0] = '\0';
    end();
    dlclose(library);
}

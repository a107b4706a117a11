/*
 * thrust/mr/new.h: where Thrust's C++ back end takes a device_vector's memory
 * from, in the place of its own header: kernels must reach it, and so must the
 * algorithms, which run on the host here.
 */
#pragma once

#include <thrust/detail/config.h>
#include <thrust/mr/memory_resource.h>

#include "../../cuda_runtime.h"

#include <new>

THRUST_NAMESPACE_BEGIN
namespace mr
{

class new_delete_resource final : public memory_resource<>
{
  public:
    void *do_allocate(std::size_t bytes, std::size_t) override
    {
        void *memory = nullptr;

        if (bytes > 0 && cudaMallocManaged(&memory, bytes) != cudaSuccess)
            throw std::bad_alloc();
        return memory;
    }
    void do_deallocate(void *memory, std::size_t, std::size_t) override
    {
        cudaFree(memory);
    }
};

} // namespace mr
THRUST_NAMESPACE_END

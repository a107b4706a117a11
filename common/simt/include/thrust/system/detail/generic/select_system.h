/*
 * select_system.h: Thrust's header that all of its algorithms include, and a
 * reference to an element of the device. Both run on the host here, whoever
 * gave the memory: so in a program with them the host may touch what
 * cudaMalloc gives.
 */
#pragma once
#pragma GCC system_header

#include_next <thrust/system/detail/generic/select_system.h>

#include "../../../../cuda_runtime.h"

#include <iostream> /* as NVIDIA's own back end does */

static const bool simt_is_open = (simt_host_reaches_device(), true);

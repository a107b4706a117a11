/*
 * outside.h: how does the device run kernels that cannot reach it?
 *
 * A lab is compiled to WebAssembly and from there by wasm2c to C. Its linear
 * memory begins at address 0 of this process and ends below 4 GB, and nothing
 * of the device lies there but what kernels are to reach: global and shared
 * memory, and the stacks of their variables. So an address of the lab's is one
 * of the device's, too, and no instruction of the lab's makes any other.
 *
 * Read before each file of the device and of the harness, which are the same as
 * elsewhere. What the linker knows there a module tells here (layout.h).
 */
#ifndef MODULE_OUTSIDE_H
#define MODULE_OUTSIDE_H

#include "layout.h"

#include <setjmp.h>

#define SIMT_OUTSIDE

/* The module's layout, its global __stack_pointer, and a copy of its linear
   memory as it was before any of its code ran: module.c. */
extern struct module_layout module_layout;
extern uint32_t *module_stack_pointer;
extern const char *module_image;
extern struct module_range module_constants; /* that any thread may read */

/* A module has no addresses of code but the numbers that are stored before each
   call. They count from where the copy lies, as do the tables in it. */
#define __builtin_return_address(level) \
    ((void *)(uintptr_t)(module_image + \
                         *(volatile uint32_t *)(uintptr_t)module_layout.site))
#define __builtin_dwarf_cfa() ((void *)(uintptr_t)*module_stack_pointer)
#define SIMT_CODE_BEGIN       ((uintptr_t)module_image)
#define SIMT_IS_INDEX(address)                   \
    ((uint64_t)(address)-module_layout.indices < \
     module_layout.data - module_layout.indices)
#define SIMT_CONSTANTS_BEGIN ((uintptr_t)module_constants.begin)
#define SIMT_CONSTANTS_END   ((uintptr_t)module_constants.end)

#define SIMT_TABLE(type, name) struct module_layout
#define MODULE_AT(type, at)                               \
    ((const struct type *)(const void *)((at) == 0 ? NULL \
                                                   : module_image + (at)))
#define MODULE_FROM(at)    ((const char *)(uintptr_t)(at))
#define __start_simt_lines MODULE_AT(simt_line_entry, module_layout.lines.begin)
#define __stop_simt_lines  MODULE_AT(simt_line_entry, module_layout.lines.end)
#define __start_simt_blocks \
    MODULE_AT(simt_block_entry, module_layout.blocks.begin)
#define __stop_simt_blocks MODULE_AT(simt_block_entry, module_layout.blocks.end)
#define __start_simt_shapes \
    MODULE_AT(simt_shape_entry, module_layout.shapes.begin)
#define __stop_simt_shapes MODULE_AT(simt_shape_entry, module_layout.shapes.end)
#define __start_simt_parameters \
    MODULE_AT(simt_parameter_entry, module_layout.parameters.begin)
#define __stop_simt_parameters \
    MODULE_AT(simt_parameter_entry, module_layout.parameters.end)
#define __start_simt_symbols \
    MODULE_AT(simt_symbol_entry, module_layout.symbols.begin)
#define __stop_simt_symbols \
    MODULE_AT(simt_symbol_entry, module_layout.symbols.end)
#define __start_simt_constants                               \
    ((const int32_t *)(const void *)MODULE_AT(module_layout, \
                                              module_layout.stores.begin))
#define __stop_simt_constants                                \
    ((const int32_t *)(const void *)MODULE_AT(module_layout, \
                                              module_layout.stores.end))
#define __start_simt_device        MODULE_FROM(module_layout.variable[0].begin)
#define __stop_simt_device         MODULE_FROM(module_layout.variable[0].end)
#define __start_simt_device_const  MODULE_FROM(module_layout.variable[1].begin)
#define __stop_simt_device_const   MODULE_FROM(module_layout.variable[1].end)
#define __start_simt_device_inline MODULE_FROM(module_layout.variable[2].begin)
#define __stop_simt_device_inline  MODULE_FROM(module_layout.variable[2].end)
#define __start_simt_device_const_inline \
    MODULE_FROM(module_layout.variable[3].begin)
#define __stop_simt_device_const_inline \
    MODULE_FROM(module_layout.variable[3].end)
#define __start_simt_constant       MODULE_FROM(module_layout.variable[4].begin)
#define __stop_simt_constant        MODULE_FROM(module_layout.variable[4].end)
#define __start_simt_constant_const MODULE_FROM(module_layout.variable[5].begin)
#define __stop_simt_constant_const  MODULE_FROM(module_layout.variable[5].end)
#define __start_simt_constant_inline \
    MODULE_FROM(module_layout.variable[6].begin)
#define __stop_simt_constant_inline MODULE_FROM(module_layout.variable[6].end)
#define __start_simt_constant_const_inline \
    MODULE_FROM(module_layout.variable[7].begin)
#define __stop_simt_constant_const_inline \
    MODULE_FROM(module_layout.variable[7].end)

#define SIMT_INDICES_ELSEWHERE
#define MODULE_INDEX(member) (*(struct uint3 *)(uintptr_t)module_layout.member)
#define threadIdx            MODULE_INDEX(thread_index)
#define blockIdx             MODULE_INDEX(block_index)
#define blockDim             MODULE_INDEX(block_size)
#define gridDim              MODULE_INDEX(grid_size)

#define SIMT_SHARED_ELSEWHERE
#define simt_shared_begin ((char *)(uintptr_t)module_layout.shared.begin)
#define simt_shared_end   ((char *)(uintptr_t)module_layout.shared.end)

/* Each basic block of a module calls it, so no call stands between: it has no
   argument, and the one that each call of a module has does no harm. */
void __sanitizer_cov_trace_pc(void) __asm__("Z_envZ___sanitizer_cov_trace_pc");

/* What kernels are to reach lies in the second GB. */
#define SIMT_MAP_LOW MAP_32BIT

/* A fiber that is left by a jump is never entered again: fiber.c. */
void simt_fiber_abandon(void);
#define siglongjmp(buffer, value) \
    (simt_fiber_abandon(), siglongjmp(buffer, value))
#define longjmp(buffer, value) (simt_fiber_abandon(), longjmp(buffer, value))

#endif /* MODULE_OUTSIDE_H */

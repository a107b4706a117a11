/*
 * code.h: which instruction of a lab called?
 *
 * WebAssembly has no addresses of code. simt_tables numbers what a lab calls
 * and has each number stored before the call.
 */
#ifndef SITE_CODE_H
#define SITE_CODE_H

#ifdef __cplusplus
extern "C" const void *simt_site;
/* Of dim3 grid = {(n + 15) / 16}, with an int n, and of register, nvcc and g++
   warn; clang calls them errors. */
#pragma clang diagnostic ignored "-Wc++11-narrowing"
#pragma clang diagnostic ignored "-Wregister"
#else
extern const void *simt_site;
#endif

#define __builtin_return_address(level) (simt_site)

/* Where the stack of the function that called ends. */
static inline void *simt_frame(void)
{
    void *at;

    __asm__ volatile(
        ".globaltype __stack_pointer, i32\n\tglobal.get __stack_pointer\n\tlocal.set %0"
        : "=r"(at));
    return at;
}
#define __builtin_dwarf_cfa() simt_frame()

#endif /* SITE_CODE_H */

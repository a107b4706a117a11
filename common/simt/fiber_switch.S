/*
 * void simt_fiber_switch(void **from, void *to): see fiber.h.
 *
 * What outlives a call: on x86-64 rbx, rbp and r12 to r15 (kernels do not
 * change floating-point modes, so these are left alone); on AArch64 x19 to x30
 * and the low halves of v8 to v15.
 */
#if defined(__x86_64__)
        .text
        .globl simt_fiber_switch
        .type simt_fiber_switch, @function
simt_fiber_switch:
        pushq %rbp
        pushq %rbx
        pushq %r12
        pushq %r13
        pushq %r14
        pushq %r15
        movq %rsp, (%rdi)
        movq %rsi, %rsp
        popq %r15
        popq %r14
        popq %r13
        popq %r12
        popq %rbx
        popq %rbp
        ret
        .size simt_fiber_switch, . - simt_fiber_switch
#elif defined(__aarch64__)
        .text
        .globl simt_fiber_switch
        .type simt_fiber_switch, %function
simt_fiber_switch:
        sub sp, sp, #160
        stp x19, x20, [sp, #0]
        stp x21, x22, [sp, #16]
        stp x23, x24, [sp, #32]
        stp x25, x26, [sp, #48]
        stp x27, x28, [sp, #64]
        stp x29, x30, [sp, #80]
        stp d8, d9, [sp, #96]
        stp d10, d11, [sp, #112]
        stp d12, d13, [sp, #128]
        stp d14, d15, [sp, #144]
        mov x9, sp
        str x9, [x0]
        mov sp, x1
        ldp x19, x20, [sp, #0]
        ldp x21, x22, [sp, #16]
        ldp x23, x24, [sp, #32]
        ldp x25, x26, [sp, #48]
        ldp x27, x28, [sp, #64]
        ldp x29, x30, [sp, #80]
        ldp d8, d9, [sp, #96]
        ldp d10, d11, [sp, #112]
        ldp d12, d13, [sp, #128]
        ldp d14, d15, [sp, #144]
        add sp, sp, #160
        ret
        .size simt_fiber_switch, . - simt_fiber_switch
#endif
        .section .note.GNU-stack, "", %progbits

/*
 * Where the student's pointers to functions may lead: to the beginning of a
 * function of the student's own, or to one of the library's that it may call.
 *
 * g++ -mindirect-branch=thunk-extern makes each indirect call and jump of the
 * student's code one of these, named after the register that holds the target;
 * -fcf-protection=branch begins with endbr64 each function whose address is
 * taken, and g++ makes no such bytes anywhere else.
 */
        .text
        .macro  thunk register
        .globl  __x86_indirect_thunk_\register
__x86_indirect_thunk_\register:
        cmpq    $grade_code_begin, %\register
        jb      1f
        cmpq    $grade_code_end - 4, %\register
        ja      1f
        cmpl    $0xfa1e0ff3, (%\register)
        jne     1f
        jmp     *%\register
1:      andq    $-16, %rsp
        call    grade_guard_jump
        .endm

        .irp    register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
        thunk   \register
        .endr
        .section .note.GNU-stack, "", @progbits

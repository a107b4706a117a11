/*
 * Where the student's pointers to functions may lead: to the beginning of a
 * function of the student's own, or to one of the library's that it may call.
 *
 * g++ -mindirect-branch=thunk-extern makes each indirect call and jump of the
 * student's code one of these, named after the register that holds the target;
 * -fcf-protection=branch begins with endbr64 each function whose address is
 * taken, and judge/vet_object.c lets no such bytes stand anywhere else.
 *
 * g++ -mfunction-return=thunk-extern returns by __x86_return_thunk: to behind
 * an instruction that calls, and nowhere else.
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
        .globl  __x86_return_thunk
__x86_return_thunk:
        movq    (%rsp), %r11            /* which holds nothing at a return */
        cmpb    $0xe8, -5(%r11)         /* call function */
        je      2f
        .irp    length, 2, 3, 4, 6, 7   /* call *register, call *memory */
        cmpb    $0xff, -\length(%r11)
        je      2f
        .endr
        andq    $-16, %rsp
        call    grade_guard_return
2:      ret
        .section .note.GNU-stack, "", @progbits

/*
 * grade_watch: a lab is about to use the address in rdi, which nobody has told
 * of (grade_watch_main.c). It changes nothing that the lab has: registers,
 * flags, and rdi, which waits in grade_watch_rdi.
 *
 * Of a kernel's thread most are its own local arrays, near to the stack
 * pointer: what lies above the stack's end is a guard page. These are let pass
 * at once; a repeated instruction (64, GRADE_WATCH_REPEATED) may go on from
 * there. And so is what the thread has just told of: where it logs next, a row
 * of the log below lies the last key, with its size, and behind all keys its
 * address (runner_guard.c holds the numbers against record.c's).
 */
        .set    LOG_SLOT, 8
        .set    LOG_ROW, 256
        .set    LOG_KEYS, 8192

        .text
        .globl  grade_watch
grade_watch:
        pushfq
        cld
        pushq   %rax
        movq    %rdi, %rax
        subq    %rsp, %rax
        cmpq    $4096, %rax
        jae     1f
        cmpq    $0, %fs:simt_self@tpoff
        je      1f
        testl   $64, %fs:grade_watch_kind@tpoff
        jnz     1f
        popq    %rax
        movq    %fs:grade_watch_rdi@tpoff, %rdi
        popfq
        ret
1:      movq    %fs:simt_self@tpoff, %rax
        testq   %rax, %rax
        jz      3f
        testl   $64, %fs:grade_watch_kind@tpoff
        jnz     3f
        pushq   %rdi
        pushq   %rcx
        movq    LOG_SLOT(%rax), %rax
        testl   $128, %fs:grade_watch_kind@tpoff
        jz      2f
        addq    %fs:0, %rdi
2:      subq    LOG_KEYS-LOG_ROW(%rax), %rdi
        movzbl  1-LOG_ROW(%rax), %ecx
        cmpq    %rcx, %rdi
        popq    %rcx
        popq    %rdi
        jae     3f
        popq    %rax
        movq    %fs:grade_watch_rdi@tpoff, %rdi
        popfq
        ret
3:      popq    %rax
        pushq   %rbp
        movq    %rsp, %rbp
        pushq   %fs:grade_watch_rdi@tpoff
        pushq   %rax
        pushq   %rcx
        pushq   %rdx
        pushq   %rsi
        pushq   %r8
        pushq   %r9
        pushq   %r10
        pushq   %r11
        movl    %fs:grade_watch_kind@tpoff, %esi
        subq    $256, %rsp
        andq    $-16, %rsp
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movups  %xmm\n, (16 * \n)(%rsp)
        .endr
        movq    %rcx, %rdx              /* how often */
        movq    16(%rbp), %rcx          /* where in the lab */
        leaq    24(%rbp), %r8           /* and in its frame */
        call    grade_watched
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movups  (16 * \n)(%rsp), %xmm\n
        .endr
        leaq    -72(%rbp), %rsp
        popq    %r11
        popq    %r10
        popq    %r9
        popq    %r8
        popq    %rsi
        popq    %rdx
        popq    %rcx
        popq    %rax
        popq    %rdi
        popq    %rbp
        popfq
        ret

        .section .tbss, "awT", @nobits
        .globl  grade_watch_rdi, grade_watch_kind
        .align  8
grade_watch_rdi:
        .zero   8
grade_watch_kind:
        .zero   8
        .section .note.GNU-stack, "", @progbits

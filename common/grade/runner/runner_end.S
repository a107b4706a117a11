/* See runner_begin.S. */
        .text
        .globl  grade_code_end
grade_code_end:
        .data
        .globl  grade_data_end
grade_data_end:
        .bss
        .globl  grade_zero_end
grade_zero_end:
        .section .note.GNU-stack, "", @progbits

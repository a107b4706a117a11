/* Linked before the student's code, as runner_end.S is behind it: between these
   labels lie its functions and its variables. */
        .text
        .globl  grade_code_begin
grade_code_begin:
        .data
        .globl  grade_data_begin
grade_data_begin:
        .bss
        .globl  grade_zero_begin
grade_zero_begin:
        .section .note.GNU-stack, "", @progbits

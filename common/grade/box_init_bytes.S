/* box_init_bytes.S: box_init as bytes of the grader, so that there is no file
   that could be missing, old, or in a folder that a box's user may not enter. */
    .section .rodata
    .global box_init_bytes, box_init_bytes_end
    .hidden box_init_bytes, box_init_bytes_end
    .balign 16
box_init_bytes:
    .incbin "build/tools/box_init"
box_init_bytes_end:
    .section .note.GNU-stack, "", @progbits

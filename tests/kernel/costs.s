; What the kernel's routines cost: cycles from the first instruction of invoke to the
; return, row fetches included, the routine's rows not fetched before. test_kernel.sh
; compares the table with costs.txt; kernel/README.md quotes it.
        .include "kernel.inc"
        .extern kernel_heap
        .global main

; routine name, R1, R2, "text": calls it once and prints a row.
        .macro  routine target, first, second, text
        constant \first,r1
        constant \second,r2
        constant HOST_CYCLE_LO,r3
        .align  4               ; so that every figure has the same fetches of its own
        move    [r3,a0],r3
        move    r3,[PROGRAM_LOW,a0]
        invoke_u \target
        .word   INT:HOST_CYCLE_LO
        move    [r0,a0],r1
        move    [PROGRAM_LOW,a0],r2
        sub     r1,r2,r1
        sub     r1,9,r1         ; the measurement's own, see below
        move    r1,[PROGRAM_LOW + 1,a0]
        print   .text\@
        move    [PROGRAM_LOW + 1,a0],r1
        invoke  kernel_print_decimal
        print   newline_text
        .ext
.text\@:
        .asciz  \text
        .text
        .endm

        .text
; main: 9 cycles between the two reads are not the routine's: 7 of the first read with
; its fetch, the store, the constant before the second read.
main:
        load    kernel_rank,r1
        bz      r1,^.node0
        goto    kernel_idle
.node0:
        routine return, 0, 0, "invoke and return: "
        routine kernel_rank_to_node, 0, 0, "kernel_rank_to_node, rank 0: "
        routine kernel_rank_to_node, 511, 0, "kernel_rank_to_node, rank 511 of 8x8x8: "
        routine kernel_node_to_rank, 0x1CE7, 0, "kernel_node_to_rank: "
        routine kernel_next_node, 0, 0, "kernel_next_node, same row: "
        routine kernel_next_node, 7, 0, "kernel_next_node, next row: "
        routine kernel_next_node, 0xE7, 0, "kernel_next_node, next plane: "
        routine kernel_next_node, 0x1CE7, 0, "kernel_next_node, back to 0: "
        routine kernel_random, 100, 0, "kernel_random: "
        routine kernel_new_frame, 0, 0, "kernel_new_frame, from the heap: "
        routine kernel_free_frame, kernel_heap, 0, "kernel_free_frame: "
        routine kernel_new_frame, 0, 0, "kernel_new_frame, freed before: "
        routine kernel_print_text, text_0, 0, "kernel_print_text, empty: "
        routine kernel_print_text, text_1, 0, "x\nkernel_print_text, one character: "
        move    0,r1
        exit    r1
        goto    kernel_idle

return:
        ldip    r3

        .ext
newline_text:
        .asciz  "\n"
text_0:
        .asciz  ""
text_1:
        .asciz  "x"

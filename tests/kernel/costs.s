; What the kernel's routines cost: cycles from the first instruction of invoke to the
; return, row fetches included, the routine's rows not fetched before. test_kernel.sh
; compares the table with costs.txt; kernel/entries.md quotes it.
        .include "kernel.inc"
        .include "costs.inc"
        .extern kernel_heap
        .global main

; timed name, R1, R2, "text": a row of a routine with these arguments.
        .macro  timed target, first, second, text
        constant \first,r1
        constant \second,r2
        routine \target, \text
        .endm

        .text
main:
        load    kernel_rank,r1
        bz      r1,^.node0
        goto    kernel_idle
.node0:
        timed   return, 0, 0, "invoke and return: "
        timed   kernel_rank_to_node, 0, 0, "kernel_rank_to_node, rank 0: "
        timed   kernel_rank_to_node, 511, 0, "kernel_rank_to_node, rank 511 of 8x8x8: "
        timed   kernel_node_to_rank, 0x1CE7, 0, "kernel_node_to_rank: "
        timed   kernel_next_node, 0, 0, "kernel_next_node, same row: "
        timed   kernel_next_node, 7, 0, "kernel_next_node, next row: "
        timed   kernel_next_node, 0xE7, 0, "kernel_next_node, next plane: "
        timed   kernel_next_node, 0x1CE7, 0, "kernel_next_node, back to 0: "
        timed   kernel_random, 100, 0, "kernel_random: "
        timed   kernel_new_frame, 0, 0, "kernel_new_frame, from the heap: "
        timed   kernel_free_frame, kernel_heap, 0, "kernel_free_frame: "
        timed   kernel_new_frame, 0, 0, "kernel_new_frame, freed before: "
        timed   kernel_print_text, text_0, 0, "kernel_print_text, empty: "
        timed   kernel_print_text, text_1, 0, "x\nkernel_print_text, one character: "
        move    0,r1
        exit    r1
        goto    kernel_idle

        .ext
text_0:
        .asciz  ""
text_1:
        .asciz  "x"

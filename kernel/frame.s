; Frames: blocks of FRAME_WORDS words of external memory in which a task leaves data
; that it needs when a reply comes. All routines: link in R3. Only tasks of one priority
; may use them on a node, or callers with I = 1: taking from the list is not atomic.
        .include "kernel.inc"

        .global kernel_new_frame, kernel_free_frame, kernel_heap

        .equ    HEAP_WORDS, 0x10000

        .section kernel_heap_memory,external,fill
        .org    0x80000
kernel_heap:
        .space  HEAP_WORDS

        .data
free_frames:                    ; freed frames, each naming the next in its first word
        .word   NIL
heap_top:                       ; first word never used
        .word   INT:kernel_heap

        .section kernel_code,rom,code

; kernel_new_frame: out R1 INT address of a frame, contents undefined. R0, R2 lost.
; 22 cycles from the list, 27 from the heap. An exhausted heap stops the node.
        .align  4
kernel_new_frame:
        load    free_frames,r1
        bnil    r1,^.fresh
        move    [r1,a0],r2
        move    r2,[r0,a0]
        ldip    r3
.fresh:
        load    heap_top,r1
        move    r1,r2
        add     r2,FRAME_WORDS,r2
        move    r2,[r0,a0]
        .word   INT:kernel_heap + HEAP_WORDS
        le      r2,r0,r2
        bf      r2,^.used_up
        ldip    r3
.used_up:
        constant heap_text,r1
        invoke_uf kernel_print_text
        .ip     kernel_halt,U,F
        ldip    r0

; kernel_free_frame: in R1 INT address of a frame. R0, R2 lost. 21 cycles.
        .align  4
kernel_free_frame:
        load    free_frames,r2
        move    r2,[r1,a0]
        move    r1,[r0,a0]
        ldip    r3

        .ext
heap_text:
        .asciz  "kernel: the heap is used up\n"

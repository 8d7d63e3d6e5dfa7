; Blocks: the heap of contexts, objects and any other data that a program keeps in
; external memory. The size of a block is a power of two words, with a free list for
; each size. All routines: link in R3; only for tasks of priority 0 and background with
; I = 1, because taking from a list is not atomic.
        .include "kernel.inc"

        .global block_new, block_free, block_heap, block_heap_words, block_top

        .equ    HEAP_WORDS, 0x40000
        .equ    SIZES, 11               ; 1, 2, 4 .. 1024 words

        .section block_memory,external,fill
        .org    0xA0000
block_heap:
        .space  HEAP_WORDS

        .data
block_lists:                    ; by the logarithm of the size: NIL or INT first free
        .rept   SIZES           ; block, whose first word names the next
        .word   NIL
        .endr
block_top:                      ; first word never used
        .word   INT:block_heap
block_heap_words:               ; words that may be used; tests lower it
        .word   INT:HEAP_WORDS

        .section kernel_code,rom,code

; block_new: in R1 INT words, 1..1023; out R1 ADDR of a block with that length, contents
; unknown. R0, R2 lost, KERNEL_CURSOR used. Any other number of words, or an exhausted
; heap, stops the node with a report.
        .align  4
block_new:
        bz      r1,^block_refuse
        lsh     r1,-10,r2       ; a negative number has high bits set too
        bnz     r2,^block_refuse
        move    r1,[KERNEL_CURSOR,a0]
        sub     r1,1,r2
        ffb     r2,r2           ; zeros below bit 31: 31 - FFB is the logarithm of the
        .word   INT:block_lists + 31
        sub     r0,r2,r2        ; size, rounded up
        move    [r2,a0],r1
        bnil    r1,^.fresh
        move    [r1,a0],r0
        move    r0,[r2,a0]
.made:
        lsh     r1,10,r1
        or      r1,[KERNEL_CURSOR,a0],r1
        wtag    r1,TAG_ADDR,r1
        ldip    r3
.fresh:
        .word   INT:block_lists
        sub     r2,r0,r2
        move    1,r1
        lsh     r1,r2,r1        ; words of the block
        .word   INT:block_top
        add     r1,[r0,a0],r1
        .word   INT:block_heap
        sub     r1,r0,r2
        .word   INT:block_heap_words
        gt      r2,[r0,a0],r2
        bt      r2,^block_used_up
        .word   INT:block_top
        move    [r0,a0],r2
        move    r1,[r0,a0]
        move    r2,r1
        br      ^.made
block_used_up:
        constant used_up_text,r1
        br      ^block_stop
block_refuse:
        constant refuse_text,r1
block_stop:
        invoke_uf kernel_print_text
        .ip     kernel_halt,U,F
        ldip    r0

; block_free: in R1 ADDR of a block, with the length it was created with; its words are
; lost at once. R0-R2 lost.
        .align  4
block_free:
        wtag    r1,TAG_INT,r1
        and     r1,0x3FF,r2
        sub     r2,1,r2
        ffb     r2,r2
        .word   INT:block_lists + 31
        sub     r0,r2,r2
        lsh     r1,-10,r1
        and     r1,0xFFFFF,r1
        move    [r2,a0],r0
        move    r0,[r1,a0]
        move    r1,[r2,a0]
        ldip    r3

        .ext
used_up_text:
        .asciz  "kernel: the heap of blocks is used up\n"
refuse_text:
        .asciz  "kernel: a block has 1 to 1023 words\n"

; For test_overflow.c: node 1 sends node 0 cost_count messages of cost_length words. The
; first one makes node 0 spin until the queue has overflowed; the others end at once.
; With cost_background node 0 spins in background, with I = 1, and then sends itself a
; message: the first to meet the full queue is a SEND fault, no task is active.
        .include "kernel.inc"
        .global main, cost_count, cost_length, cost_background

;   first, other:  | MSG handler,n (U) | INT 2 | ... | INT n |

        .data
cost_count:
        .word   INT:100
cost_length:                    ; 2 or more
        .word   INT:4

cost_background:
        .word   INT:0

        .equ    SPIN, 5000      ; turns: all messages have arrived or wait
        .equ    WORDS, 40       ; more than buffers and channels hold

        .text
main:
        .ip     .begin,U        ; headers are made up of parts
        ldip    r0
.begin:
        load    kernel_rank,r1
        bz      r1,^.node0
        mask    r1
        .addr   first,0,R       ; with the fields of a MSG
        wtag    r0,MSG,r3
.message:
        load    cost_length,r2
        or      r3,r2,r3        ; header
        move    0,r1            ; node 0
        send2   r1,r3,0
        move    2,r1
.word:
        equal   r1,r2,r0
        bt      r0,^.last
        send    r1,0
        add     r1,1,r1
        br      ^.word
.last:
        sende   r1,0
        mask    r1
        load    cost_count,r1
        sub     r1,1,r1
        move    r1,[r0,a0]
        .addr   other,0,R
        wtag    r0,MSG,r3
        bnz     r1,^.message
.rest:
        goto    kernel_idle
.node0:
        load    cost_background,r1
        bz      r1,^.rest
        constant SPIN,r1
.turn:
        sub     r1,1,r1
        bnz     r1,^.turn
        .msg    other,WORDS
        send2   r1,r0,0         ; R1 is 0: to itself
        .rept   WORDS - 2
        send    r1,0
        .endr
        sende   r1,0
        br      ^.rest

first:
        constant SPIN,r1
.turn:
        sub     r1,1,r1
        bnz     r1,^.turn
other:
        suspend

; The program for the examples of the debugger's help: every node sends messages to
; nodes 0 and 3, which count them slowly, so that their queues overflow. Line 12 holds
; code.
        .include "kernel.inc"
        .global main, arrive, total, turns
main:   move    nnr,r1
        move    12,r3
.next:  .msg    arrive,3
        send2   0,r0,0
        send2e  r3,r1,0
        .msg    arrive,3
        send2   3,r0,0
        send2e  r3,r1,0
        sub     r3,1,r3
        bnz     r3,^.next
        goto    kernel_idle
arrive: load    turns,r1
.wait:  sub     r1,1,r1
        bnz     r1,^.wait
        load    total,r1
        add     r1,1,r1
        store   r1,total
        suspend
        .data
        .org    0x200
total:  .word   INT:0
turns:  .word   INT:30

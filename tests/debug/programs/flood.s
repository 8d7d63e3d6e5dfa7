; A planted bug: an overflow. Every node floods node 0, which is slow: its handler waits
; a hundred turns of a loop before it takes the next message.
        .include "kernel.inc"
        .global main, slow, turns
main:   move    16,r3
        move    0,r2
        load    turns,r1
.next:  .msg    slow,2
        send2   r2,r0,0
        sende   r1,0
        sub     r3,1,r3
        bnz     r3,^.next
        goto    kernel_idle
slow:   move    [1,a3],r1
.wait:  sub     r1,1,r1
        bnz     r1,^.wait
        suspend
        .data
turns:  .word   INT:100

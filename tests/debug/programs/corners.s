; Every node sends messages of both priorities, of four lengths, to two corners of the
; machine; their words carry sender and sequence number. The handler of priority 0 is
; slow, so that priority 1 interrupts it.
        .include "kernel.inc"
        .global main, slow, quick, total, corner, turns
main:   move    nnr,r1
        load    total,r3
.next:  .msg    slow,3
        move    0,r2
        send2   r2,r0,0
        send2e  r1,r3,0
        .msg    quick,7
        send2   r2,r0,1
        send2   r1,r3,1
        send2   r1,r3,1
        send2e  r1,r3,1
        load    corner,r2
        .msg    slow,9
        send2   r2,r0,0
        send2   r1,r3,0
        send2   r1,r3,0
        send2   r1,r3,0
        send2e  r1,r3,0
        .msg    quick,2
        send2   r2,r0,1
        sende   r3,1
        sub     r3,1,r3
        bnz     r3,^.next
        goto    kernel_idle
slow:   load    turns,r1
.wait:  sub     r1,1,r1
        bnz     r1,^.wait
        suspend
quick:  move    [1,a3],r0
        move    9,r1
.wait:  sub     r1,1,r1
        bnz     r1,^.wait
        suspend
        .data
turns:  .word   INT:30
total:  .word   INT:3
corner: .word   INT:0x422

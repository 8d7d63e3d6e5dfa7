; Every node floods node 0 with messages that carry the sender and a sequence number, so
; that a test can compare them with the debugger's. The handler is slow, so node 0's
; queue overflows again and again.
        .include "kernel.inc"
        .global main, slow, turns, total
main:   move    nnr,r1
        move    0,r2
        load    total,r3
.next:  .msg    slow,3
        send2   r2,r0,0
        send2e  r1,r3,0
        sub     r3,1,r3
        bnz     r3,^.next
        goto    kernel_idle
slow:   load    turns,r1
.wait:  sub     r1,1,r1
        bnz     r1,^.wait
        suspend
        .data
turns:  .word   INT:20
total:  .word   INT:12

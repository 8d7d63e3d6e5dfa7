; A planted bug, a wrong tag: node 2 sends node 0 a BOOL, which cannot be added.
        .include "kernel.inc"
        .global main, arrive, answer, total
main:   load    kernel_rank,r1
        eq      r1,2,r3
        bt      r3,^.wrong
        br      ^.send
.wrong: move    TRUE,r1
.send:  move    0,r2
        .msg    arrive,2
        send2   r2,r0,0
        sende   r1,0
        goto    kernel_idle
arrive: load    total,r1
        add     r1,[1,a3],r1
        store   r1,total
        suspend
        .data
total:  .word   INT:0

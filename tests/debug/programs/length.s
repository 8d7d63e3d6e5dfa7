; A planted bug: a wrong message length. Every node sends node 0 its rank in two words,
; but the header says five: node 0 waits for words that never come.
        .include "kernel.inc"
        .global main, arrive, total
main:   load    kernel_rank,r1
        move    0,r2
        .msg    arrive,5
        send2   r2,r0,0
        sende   r1,0
        goto    kernel_idle
arrive: load    total,r1
        add     r1,[1,a3],r1
        store   r1,total
        suspend
        .data
total:  .word   INT:0

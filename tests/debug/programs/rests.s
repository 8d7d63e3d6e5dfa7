        .include "kernel.inc"
        .global main, arrive
main:   load    kernel_rank,r1
        bnz     r1,^.rests
        move    5,r2
.next:  move    1,r1
        .msg    arrive,1
        send2e  r1,r0,0
        load    pause,r3
.pause: sub     r3,1,r3
        bnz     r3,^.pause
        sub     r2,1,r2
        bnz     r2,^.next
.rests: goto    kernel_idle
arrive: suspend
        .data
pause:  .word   INT:200

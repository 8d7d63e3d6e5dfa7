; Node 0 sends node 1 a message and leaves it open; node 1's queue is disabled. Nothing
; can move any more and a message is in the network: deadlock.
        .include "mdp.inc"
        .rom
        .org    ROM
boot:   .word   INT:HOST_RANK
        move    [r0,a0],r1
        bnz     r1,^idle
        .msg    idle, 8
        move    r0,r2
        move    1,r1
        send    r1,0
        send2   r2,r2,0
        send2   r2,r2,0
idle:   br      ^idle

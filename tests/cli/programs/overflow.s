; Node 1 sends itself two messages; the second fills its queue of 8 words while the
; first is handled. The QUEUE fault ends the run.
        .include "mdp.inc"
        .vectors
        .org    VECTOR_QUEUE
        .ip     full, U, F
        .text
; | MSG first,1 |
first:
        readr   nnr,r1
        .msg    first, 1
        send2e  r1,r0,0
.wait:  br      ^.wait
full:
        .word   INT:HOST_EXIT
        move    0,r1
        move    r1,[r0,a0]
        suspend

        .rom
        .org    ROM
boot:   .addr   0x800, 0
        move    r0,qhl
        .addr   0x800, 7
        move    r0,qbm
        readr   nnr,r1
        bz      r1,^idle
        .msg    first, 1
        send2e  r1,r0,0
idle:   br      ^idle

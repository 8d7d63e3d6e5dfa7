; Node 1 stops; the others exit with 3 some cycles later.
        .include "mdp.inc"
        .rom
        .org    ROM
boot:   .word   INT:HOST_RANK
        move    [r0,a0],r1
        equal   r1,1,r2
        bt      r2,^broken
        .word   INT:200
        move    r0,r1
wait:   sub     r1,1,r1
        bnz     r1,^wait
        .word   INT:HOST_EXIT
        move    3,r1
        move    r1,[r0,a0]
idle:   br      ^idle
broken: suspend

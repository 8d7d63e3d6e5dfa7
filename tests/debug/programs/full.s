; A planted bug: two full queues. Nodes 0 and 1 send each other messages forever and
; never take one (I = 1 all the time). Without the kernel nothing empties the queues.
        .include "mdp.inc"
        .global boot, sink
        .vectors
        .org    VECTOR_SEND
        .ip     again, U, F
        .text
sink:   suspend

; again: the SEND fault of background: tries once more.
again:  readr   fip,r0
        move    -64,r1
        lsh     r1,3,r1
        add     r0,r1,r0
        wtag    r0,4,r0
        ldip    r0

        .rom
        .org    ROM
boot:   .addr   0x800, 0
        move    r0,qhl
        .addr   0x800, 15
        move    r0,qbm
        readr   nnr,r1
        xor     r1,1,r1
        move    r1,r2
        .msg    sink, 3
        move    r0,r3
loop:   send2   r2,r3,0
        send    r1,0
        send    r1,0
        br      ^loop

; Computes forever; only a cycle limit ends it.
        .include "mdp.inc"
        .rom
        .org    ROM
boot:   add     r0,1,r0
        add     r1,1,r1
        br      ^boot

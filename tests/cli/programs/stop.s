; SUSPEND in background: every node stops.
        .include "mdp.inc"
        .rom
        .org    ROM
boot:   nop
broken: suspend

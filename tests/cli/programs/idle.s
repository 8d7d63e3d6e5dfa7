; Does nothing, for ever: the machine is idle at once.
        .include "mdp.inc"
        .rom
        .org    ROM
boot:   br      ^boot

; Does nothing: the machine is idle at once.
        .include "mdp.inc"
        .rom
        .org    ROM
boot:   br      ^boot

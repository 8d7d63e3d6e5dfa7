; A program of handlers only: the kernel boots it and rests.
        .include "kernel.inc"
        .global unused
        .text
unused:
        suspend

; Prints "hi" without a newline, and is idle.
        .include "mdp.inc"
        .rom
        .org    ROM
boot:   .word   INT:0x68
        move    r0,r1
        .word   INT:0x69
        move    r0,r2
        .word   INT:HOST_PUTC
        move    r1,[r0,a0]
        move    r2,[r0,a0]
idle:   br      ^idle

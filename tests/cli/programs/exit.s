; Ends with the status in the word `value`, after 100 turns of a loop.
        .include "mdp.inc"
        .global value, count
        .data
value:  .word   INT:7
count:  .word   INT:0
        .rom
        .org    ROM
boot:   .addr   value, 2
        move    r0,a1
        .word   INT:100
        move    r0,r1
loop:   sub     r1,1,r1
        move    [1,a1],r2
        add     r2,1,r2
        move    r2,[1,a1]
        bnz     r1,^loop
        .word   INT:HOST_EXIT
        move    [0,a1],r1
        move    r1,[r0,a0]
idle:   br      ^idle

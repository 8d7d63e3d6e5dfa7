; kernel_random: 6400 numbers below 64 fall about evenly: 50 to 150 in each place, five
; standard deviations. Status 1 if not, 2 if one is out of range.
        .include "kernel.inc"
        .global main

        .equ    PLACES, 64
        .equ    DRAWS, 6400

        .data
places:
        .rept   PLACES
        .word   INT:0
        .endr

        .text
main:
        constant DRAWS,r1
        move    r1,[PROGRAM_LOW,a0]
.draw:
        constant PLACES,r1
        invoke_u kernel_random
        lsh     r1,-6,r0        ; also catches negative ones
        move    2,r2
        bnz     r0,^.end
        .word   INT:places
        add     r1,r0,r1
        move    [r1,a0],r2
        add     r2,1,r2
        move    r2,[r1,a0]
        move    [PROGRAM_LOW,a0],r1
        sub     r1,1,r1
        move    r1,[PROGRAM_LOW,a0]
        bnz     r1,^.draw
        constant PLACES,r1
.place:
        .word   INT:places - 1
        add     r1,r0,r3
        move    [r3,a0],r3
        move    1,r2
        .word   INT:50
        ge      r3,r0,r0
        bf      r0,^.end
        .word   INT:150
        le      r3,r0,r0
        bf      r0,^.end
        sub     r1,1,r1
        bnz     r1,^.place
        move    0,r2
.end:
        exit    r2
        goto    kernel_idle

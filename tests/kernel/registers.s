; A task whose registers are all known faults: the report keeps them.
        .include "kernel.inc"
        .global main
        .text
main:
        move    11,r0
        move    r0,r1
        add     r1,r1,r2
        add     r1,r2,r3
        add     r3,r0,r0
        move    r1,r0
        add     r0,r0,r1
        add     r1,r0,r2
        add     r2,r0,r3
        add     r0,nil,r0

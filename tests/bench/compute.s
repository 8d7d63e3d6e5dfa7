; A compute loop: arithmetic, logic, comparisons, a read and a write of on-chip memory
; and a branch, 16 instructions. Runs without the kernel, in background. Never ends.
        .include "mdp.inc"

        .data
data:   .space  4, INT:1

; R0-R3 data, A1 data segment.
        .rom
        .org    ROM
boot:   .addr   data, 4
        move    r0,a1
        move    1,r1
        move    2,r2
        move    3,r3
loop:   add     r0,r1,r0
        xor     r1,r0,r1
        sub     r2,r1,r2
        and     r3,r2,r3
        move    [2,a1],r3
        add     r3,7,r3
        move    r3,[1,a1]
        lsh     r2,-3,r2
        or      r2,r1,r2
        add     r1,r3,r1
        lt      r1,r2,r3
        xor     r0,r2,r0
        rot     r1,5,r1
        add     r2,1,r2
        not     r2,r2
        br      ^loop

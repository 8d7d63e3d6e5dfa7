; Ranks, node addresses, random numbers. A node address is z[15:10] y[9:5] x[4:0], what
; a routing word holds; a rank is x + X*(y + Y*z). All routines: link in R3.
        .include "kernel.inc"

        .global kernel_rank_to_node, kernel_node_to_rank, kernel_next_node
        .global kernel_random

        .equ    X_BITS, 31      ; x of a node address

        .section kernel_code,rom,code

; kernel_rank_to_node: in R1 INT rank; out R1 INT node address. R0, R2 lost, KERNEL_LINK
; used. The MDP cannot divide: 40 cycles, and 7 for each row and plane below it.
        .align  4
kernel_rank_to_node:
        move    r3,[KERNEL_LINK,a0]
        load    kernel_size_x,r2
        .word   INT:kernel_size_y
        mul     r2,[r0,a0],r2   ; ranks in a plane
        move    0,r3
.plane:
        lt      r1,r2,r0
        bt      r0,^.rows
        sub     r1,r2,r1
        add     r3,1,r3
        br      ^.plane
.rows:
        lsh     r3,5,r3
        load    kernel_size_x,r2
.row:
        lt      r1,r2,r0
        bt      r0,^.join
        sub     r1,r2,r1
        add     r3,1,r3
        br      ^.row
.join:
        lsh     r3,5,r3
        add     r1,r3,r1
        move    [KERNEL_LINK,a0],r3
        ldip    r3

; kernel_node_to_rank: in R1 INT node address; out R1 INT rank. R0, R2 lost, KERNEL_LINK
; used. 30 cycles.
        .align  4
kernel_node_to_rank:
        move    r3,[KERNEL_LINK,a0]
        .word   INT:X_BITS
        and     r1,r0,r2
        lsh     r1,-5,r3
        and     r3,r0,r3
        lsh     r1,-10,r1
        .word   INT:kernel_size_y
        mul     r1,[r0,a0],r1
        add     r1,r3,r1
        .word   INT:kernel_size_x
        mul     r1,[r0,a0],r1
        add     r1,r2,r1
        move    [KERNEL_LINK,a0],r3
        ldip    r3

; kernel_next_node: in R1 INT node address; out R1 INT that of the next rank, 0 after
; the last. R0, R2 lost. 20 cycles within a row, 41 at most.
        .align  4
kernel_next_node:
        .word   INT:X_BITS
        and     r1,r0,r2
        add     r2,1,r2
        .word   INT:kernel_size_x
        equal   r2,[r0,a0],r0
        bt      r0,^.next_row
        add     r1,1,r1
        ldip    r3
.next_row:
        lsh     r1,-5,r1
        .word   INT:X_BITS
        and     r1,r0,r2
        add     r2,1,r2
        .word   INT:kernel_size_y
        equal   r2,[r0,a0],r0
        bt      r0,^.next_plane
        add     r1,1,r1
        lsh     r1,5,r1
        ldip    r3
.next_plane:
        lsh     r1,-5,r1
        add     r1,1,r1
        .word   INT:kernel_size_z
        equal   r1,[r0,a0],r0
        bt      r0,^.first
        lsh     r1,10,r1
        ldip    r3
.first:
        move    0,r1
        ldip    r3

; kernel_random: in R1 INT limit, 1..2^30-1; out R1 INT, uniform in 0..limit-1. R0, R2
; lost, kernel_seed advanced. Call it unchecked (invoke_u): shifts and products lose
; bits on purpose. 32-bit xorshift (13, 17, 5) of Marsaglia, "Xorshift RNGs", 2003; the
; upper 31 bits times the limit, not the remainder: no division. 29 cycles.
        .align  4
kernel_random:
        .word   INT:kernel_seed
        move    [r0,a0],r2
        lsh     r2,13,r0
        xor     r2,r0,r2
        .word   INT:-17
        lsh     r2,r0,r0
        xor     r2,r0,r2
        lsh     r2,5,r0
        xor     r2,r0,r2
        .word   INT:kernel_seed
        move    r2,[r0,a0]
        lsh     r2,-1,r2
        lsh     r1,1,r1
        mulh    r2,r1,r1
        ldip    r3

; Chooses a random node for a task that may run anywhere. This was COSMOS's only load
; balancing (thesis, chapter 7).
        .include "services.inc"

        .global spawn_node, spawn_spread, spawn_seed, spawn_increment

        .data
spawn_seed:                     ; the generator's words; both from the run's seed
        .word   INT:1
spawn_increment:
        .word   INT:0x9E3779B1

        .section spawn_starter,vectors,data
        .org    KERNEL_STARTERS + 2
        .ip     spawn_start,U

        .section kernel_code,rom,code

; spawn_start: sets a different increment on every node, or nodes would fall into step
; (thesis, chapter 4, footnote 5), odd and near 2^32 over the golden ratio. In: R3 link.
        .align  4
spawn_start:
        load    kernel_seed,r1
        store   r1,spawn_seed
        and     r1,0xFFFFF,r1
        lsh     r1,1,r1
        .word   INT:spawn_increment
        add     r1,[r0,a0],r1
        move    r1,[r0,a0]
        ldip    r3

; spawn_node: out R1 INT address of a random node. R0, R2 lost, KERNEL_LINK used. Call
; it unchecked. The weak, fast generator of COSMOS (thesis 4.1.4), an addition; its mask
; becomes a multiplication, for meshes of any size.
        .align  4
spawn_node:
        load    spawn_seed,r1
        .word   INT:spawn_increment
        add     r1,[r0,a0],r1
        store   r1,spawn_seed
        lsh     r1,-1,r1

; spawn_spread: in R1 INT 0..2^31-1, a fraction of 2^31; out R1 INT address of the node
; that lies there, x first, when all nodes share 0..1 evenly. R0, R2 lost, KERNEL_LINK
; used. Call it unchecked.
spawn_spread:
        move    r3,[KERNEL_LINK,a0]
        load    kernel_size_x,r2
        lsh     r2,1,r0
        mulh    r1,r0,r3
        mul     r1,r2,r1
        lsh     r1,1,r1
        lsh     r1,-1,r1        ; the rest of the fraction
        load    kernel_size_y,r2
        lsh     r2,1,r0
        mulh    r1,r0,r0
        lsh     r0,5,r0
        or      r3,r0,r3
        mul     r1,r2,r1
        lsh     r1,1,r1
        lsh     r1,-1,r1
        load    kernel_size_z,r2
        lsh     r2,1,r2
        mulh    r1,r2,r1
        lsh     r1,10,r1
        or      r1,r3,r1
        move    [KERNEL_LINK,a0],r3
        ldip    r3

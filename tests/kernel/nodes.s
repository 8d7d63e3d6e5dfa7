; Ranks and node addresses, on every node and, for all ranks of the machine, on node 0.
; Each node leaves rank, nodes and NNR at 02800 for test_kernel.sh; node 0 ends the run
; with status 1 to 3 if a conversion is wrong.
        .include "kernel.inc"
        .global main

        .section nodes_result,external,data
        .org    0x2800
result:
        .space  3

        .text
main:
        segment result,3,a1
        load    kernel_rank,r1
        move    r1,[0,a1]
        load    kernel_nodes,r2
        move    r2,[1,a1]
        readr   nnr,r2
        move    r2,[2,a1]
        bnz     r1,^.rest

        ; PROGRAM_LOW: rank; + 1: the address kernel_next_node says
        move    0,r1
        move    r1,[PROGRAM_LOW,a0]
        move    r1,[PROGRAM_LOW + 1,a0]
.rank:
        move    [PROGRAM_LOW,a0],r1
        invoke  kernel_rank_to_node
        move    [PROGRAM_LOW + 1,a0],r2
        equal   r1,r2,r0
        move    1,r2
        bf      r0,^.bad
        invoke  kernel_node_to_rank
        move    [PROGRAM_LOW,a0],r2
        equal   r1,r2,r0
        move    2,r2
        bf      r0,^.bad
        move    [PROGRAM_LOW + 1,a0],r1
        invoke  kernel_next_node
        move    r1,[PROGRAM_LOW + 1,a0]
        move    [PROGRAM_LOW,a0],r2
        add     r2,1,r2
        move    r2,[PROGRAM_LOW,a0]
        .word   INT:kernel_nodes
        lt      r2,[r0,a0],r0
        bt      r0,^.rank
        bz      r1,^.rest
        move    3,r2            ; the last node is not followed by the first
.bad:
        exit    r2
.rest:
        goto    kernel_idle

; How the services for all nodes grow with the machine: cycles on node 0 from joining a
; reduction to its result, all nodes joining at about the same time, and from beginning
; a broadcast whose message lets every node join to that result.
        .include "test.inc"
        .global main

        .text
; now: R1 <- the cycle. R0 lost.
        .macro  now
        load    HOST_CYCLE_LO,r1
        .endm

main:
        context 1
        move    0,r3            ; so that all are there
        join    r3,reduce_add
        now
        store   r1,begun
        move    1,r3
        join    r3,reduce_add
        move    r1,[PROGRAM_LOW,a0]
        now
        load    begun,r2
        sub     r1,r2,r1
        move    r1,[PROGRAM_LOW + 1,a0]
        only_node0
        move    [PROGRAM_LOW,a0],r1
        invoke  kernel_print_decimal
        print   nodes_text
        move    [PROGRAM_LOW + 1,a0],r1
        invoke  kernel_print_decimal
        print   reduction_text

        arm     1
        move    r1,[PROGRAM_LOW + 1,a0]
        now
        store   r1,begun
        service broadcast_box
        readr   nnr,r2
        mask    r0
        .msg    broadcast,4,U
        send2   r2,r0,0
        .msg    note,2
        send2   r1,r0,0
        move    [PROGRAM_LOW + 1,a0],r1
        sende   r1,0
        mask    r0
        move    [1,a1],r2
        load    kernel_nodes,r1
        equals  r1,r2,1
        now
        load    begun,r2
        sub     r1,r2,r1
        invoke  kernel_print_decimal
        print   broadcast_text
        move    0,r1
        exit    r1
        goto    kernel_idle

; note: [1,a3] = INT slot, of node 0.
note:
        to_self reduce_join,4,U
        load    kernel_rank,r2
        move    nil,r3
        bnz     r2,^.others
        move    [1,a3],r3
.others:
        move    1,r1
        .ip     reduce_add,U
        send2   r1,r0,0
        sende   r3,0
        suspend

        .data
begun:
        .word   INT:0

        .ext
nodes_text:
        .asciz  " nodes: reduction "
reduction_text:
        .asciz  ", broadcast and reduction "
broadcast_text:
        .asciz  "\n"

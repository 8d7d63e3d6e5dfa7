; Broadcasts from many nodes at once, three each: every node receives each of them once,
; those of one node in their order, all words as they were sent.
        .include "test.inc"
        .global main, broadcast_stride

;   note:   | MSG note,4 | INT rank of the sender | INT number | INT rank + number |
        .equ    EACH, 3
        .equ    LENGTH, 4

        .section broadcast_test,external,fill
received:                       ; by rank of the sender: NIL or INT last number
        .space  0x10000

        .data
broadcast_stride:               ; ranks that are multiples of it broadcast
        .word   INT:1
sent:                           ; notes for a node
        .word   INT:0
count:                          ; notes received
        .word   INT:0

        .text
main:
        context 1
        load    kernel_nodes,r1
        move    0,r2
.sender:
        add     r2,EACH,r2
        .word   INT:broadcast_stride
        sub     r1,[r0,a0],r1
        gt      r1,0,r0
        bt      r0,^.sender
        store   r2,sent

        load    kernel_rank,r1
.among:
        lt      r1,0,r0
        bt      r0,^.listen
        bz      r1,^.first
        .word   INT:broadcast_stride
        sub     r1,[r0,a0],r1
        br      ^.among
.first:
        move    0,r3
.next:
        move    r3,[PROGRAM_LOW + 2,a0]
        service broadcast_box
        move    r1,[PROGRAM_LOW + 3,a0]
        readr   nnr,r2
        mask    r0
        .msg    broadcast,2 + LENGTH,U
        send2   r2,r0,0
        move    [PROGRAM_LOW + 2,a0],r3
        load    kernel_rank,r1
        .msg    note,LENGTH
        move    [PROGRAM_LOW + 3,a0],r2
        send2   r2,r0,0
        send2   r1,r3,0
        add     r1,r3,r1
        sende   r1,0
        mask    r0
        add     r3,1,r3
        equal   r3,EACH,r0
        bf      r0,^.next

.listen:
        load    sent,r1
        unmask  r0
.wait:
        load    count,r2
        equal   r1,r2,r0
        bf      r0,^.wait
        mask    r0
        load    count,r3
        join    r3,reduce_add
        load    kernel_nodes,r2
        .word   INT:sent
        mul     r2,[r0,a0],r2
        equals  r1,r2,1
        load    count,r1        ; none came late
        load    sent,r2
        equals  r1,r2,2
        vote    0

note:
        move    [1,a3],r1
        add     r1,[2,a3],r2
        equals  r2,[3,a3],3
        .word   INT:received
        add     r1,r0,r1
        move    [r1,a0],r2
        bnnil   r2,^.later
        move    -1,r2
.later:
        add     r2,1,r2
        equals  r2,[2,a3],4
        move    r2,[r1,a0]
        increment count,r2
        suspend

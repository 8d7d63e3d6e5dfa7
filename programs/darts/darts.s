; run: --mesh 4x4x2
; also: --mesh 3x2x2 --seed 3
; also: --mesh 5x1x1 --set darts_each=600
; also: --mesh 8x8x8 --set darts_each=64
; also: --mesh 1x1x1 --set darts_each=3000
; darts: pi by throwing darts at a square, on all nodes. Node 0 broadcasts how many;
; every node throws, then joins two reductions: the hits of all nodes, and the most hits
; of one node. Every node gets both results; node 0 prints them, and all vote for the
; end.
        .include "services.inc"
        .global main, darts_each

;   throw:  | MSG throw,2 | INT darts |
        .data
darts_each:
        .word   INT:200
hits:                           ; hits of this node
        .word   INT:0
all_hits:
        .word   INT:0

        .text

; main: node 0 begins. In background, I = 1.
main:
        load    kernel_rank,r1
        bz      r1,^.node0
        goto    kernel_idle
.node0:
        service broadcast_box
        readr   nnr,r2
        .msg    broadcast,4,U
        send2   r2,r0,0
        .msg    throw,2
        send2   r1,r0,0
        load    darts_each,r1
        sende   r1,0
        goto    kernel_idle

; join combine, next: reduces `hits` of all nodes; task `next` gets the result in R1.
        .macro  join combine, next
        readr   nnr,r1
        .msg    reduce_join,4,U
        send2   r1,r0,0
        load    hits,r1
        .ip     \combine,U
        send2   r1,r0,0
        .ip     \next
        sende   r0,0
        suspend
        .endm

; throw: places x, y in 0..1023; the circle's radius is 1024.
throw:
        move    [1,a3],r3
        move    0,r1
        store   r1,hits
.dart:
        move    r3,[PROGRAM_LOW,a0]
        constant 1024,r1
        service kernel_random
        mul     r1,r1,r1
        move    r1,[PROGRAM_LOW + 1,a0]
        constant 1024,r1
        service kernel_random
        mul     r1,r1,r1
        move    [PROGRAM_LOW + 1,a0],r2
        add     r1,r2,r1
        .word   INT:1024 * 1024
        lt      r1,r0,r0
        bf      r0,^.outside
        load    hits,r1
        add     r1,1,r1
        store   r1,hits
.outside:
        move    [PROGRAM_LOW,a0],r3
        sub     r3,1,r3
        bnz     r3,^.dart
        join    reduce_add,added

; added: R1 = hits of all nodes.
added:
        store   r1,all_hits
        join    reduce_max,known

; known: R1 = most hits of a node.
known:
        load    kernel_rank,r2
        bz      r2,^.print
        move    0,r2
        goto    vote
.print:
        move    r1,[PROGRAM_LOW + 1,a0]
        load    kernel_nodes,r1
        .word   INT:darts_each
        mul     r1,[r0,a0],r1
        move    r1,[PROGRAM_LOW,a0]
        invoke  kernel_print_decimal
        print   darts_text

        ; 4000 times the share of hits, by subtraction: the MDP cannot divide
        load    all_hits,r1
        constant 4000,r2
        mul     r1,r2,r1
        move    [PROGRAM_LOW,a0],r2
        move    0,r3
.divide:
        sub     r1,r2,r1
        lt      r1,0,r0
        bt      r0,^.divided
        add     r3,1,r3
        br      ^.divide
.divided:
        move    r3,[PROGRAM_LOW,a0]
        move    r3,r1
        invoke  kernel_print_decimal
        print   luckiest_text
        move    [PROGRAM_LOW + 1,a0],r1
        invoke  kernel_print_decimal
        print   newline_text

        ; status 0 if pi is 2.7 to 3.6: with 200 darts, one node's, it deviates by 0.12
        move    1,r2
        move    [PROGRAM_LOW,a0],r1
        .word   INT:2700
        lt      r1,r0,r0
        bt      r0,^.end
        .word   INT:3600
        gt      r1,r0,r0
        bt      r0,^.end
        move    0,r2
.end:
        goto    vote

; vote: R2 = INT status of this node.
vote:
        readr   nnr,r1
        .msg    end_vote,2,U
        send2   r1,r0,0
        sende   r2,0
        suspend

        .ext
darts_text:
        .asciz  " darts: a thousand times pi is about "
luckiest_text:
        .asciz  "; most hits of a node: "
newline_text:
        .asciz  "\n"

; Remote words and blocks: a node reads, writes and copies from, to and between all
; others, with blocks of many lengths, and compares every word.
        .include "test.inc"
        .global main, remote_from, remote_length

;   words:  its own address + 65536 * rank, on every node
;   here:   what comes here;  there: what others write there
        .equ    WORDS, 200

        .section remote_test,external,fill
words:
        .space  WORDS
here:
        .space  WORDS
there:
        .space  WORDS

        .data
remote_from:                    ; rank of the node that does it all, -1: the last
        .word   INT:0
remote_length:                  ; of the blocks
        .word   INT:33
node:                           ; the node that is tried
        .word   INT:0
rank:
        .word   INT:0

        .text

; slot: arms slot 1 of A1, leaves its reference in `register`. R0, R2 lost, R3 too.
        .macro  slot register
        arm     1
        move    r1,\register
        mask    r0
        .endm

; answered number: waits for slot 1, which brings TRUE.
        .macro  answered number
        move    [CONTEXT_SLOTS,a1],r1
        so      r1,\number
        .endm

; copy source, node, target: asks the node in R1 for R2 words, which go to another node,
; an operand, and are answered to slot R3 of this one. R0-R2 lost.
        .macro  copy source, node, target
        .msg    remote_copy,7,U
        send2   r1,r0,0
        constant \source,r1
        send2   r1,r2,0
        move    \node,r1
        constant \target,r2
        send2   r1,r2,0
        readr   nnr,r1
        send2e  r1,r3,0
        mask    r0
        .endm

main:
        context 1
        load    kernel_rank,r1
        lsh     r1,8,r1
        lsh     r1,8,r1
        constant words,r2
.fill:
        add     r1,r2,r3
        move    r3,[r2,a0]
        add     r2,1,r2
        .word   INT:words + WORDS
        equal   r2,r0,r0
        bf      r0,^.fill
        move    0,r3            ; all are ready
        join    r3,reduce_add

        load    remote_from,r1
        ge      r1,0,r0
        bt      r0,^.chosen
        load    kernel_nodes,r2
        add     r1,r2,r1
.chosen:
        load    kernel_rank,r2
        equal   r1,r2,r0
        bt      r0,^.node
        vote    0

.node:  ; read one word
        load    rank,r1
        invoke  kernel_rank_to_node
        store   r1,node
        slot    r3
        load    node,r1
        .msg    remote_read,4,U
        send2   r1,r0,0
        constant words + 5,r1
        send    r1,0
        readr   nnr,r1
        send2e  r1,r3,0
        mask    r0
        move    [CONTEXT_SLOTS,a1],r1
        load    rank,r2
        lsh     r2,8,r2
        lsh     r2,8,r2
        .word   INT:words + 5
        add     r2,r0,r2
        equals  r1,r2,1

        ; write one with an answer, and one before it without
        slot    r3
        load    node,r1
        .msg    remote_write,3,U,F
        send2   r1,r0,0
        constant there,r2
        send2e  r2,r3,0
        mask    r0
        .msg    remote_write_ack,5,U
        send2   r1,r0,0
        add     r2,1,r2
        send    r2,0
        load    rank,r2
        send    r2,0
        readr   nnr,r1
        send2e  r1,r3,0
        mask    r0
        answered 2
        slot    r3              ; both are there
        load    node,r1
        move    2,r2
        copy    there, nnr, here
        answered 3
        reference a1,1,r1
        load    here,r2
        equals  r1,r2,4
        load    here + 1,r1
        load    rank,r2
        equals  r1,r2,5

        ; a block of that node to the next rank's `there`, then from there to here
        slot    r3
        load    rank,r1
        add     r1,1,r1
        load    kernel_nodes,r2
        equal   r1,r2,r0
        bf      r0,^.third
        move    0,r1
.third:
        move    r3,[PROGRAM_LOW + 3,a0]
        invoke  kernel_rank_to_node
        move    r1,[PROGRAM_LOW + 2,a0]
        move    [PROGRAM_LOW + 3,a0],r3
        load    node,r1
        load    remote_length,r2
        copy    words, [PROGRAM_LOW + 2,a0], there
        answered 6
        slot    r3
        move    [PROGRAM_LOW + 2,a0],r1
        load    remote_length,r2
        copy    there, nnr, here
        answered 7
        load    remote_length,r3
        load    rank,r2
        lsh     r2,8,r2
        lsh     r2,8,r2
.compare:
        sub     r3,1,r3
        lt      r3,0,r0
        bt      r0,^.same
        .word   INT:here
        add     r3,r0,r1
        move    [r1,a0],r1
        .word   INT:words
        sub     r1,r0,r1
        sub     r1,r3,r1
        equal   r1,r2,r0
        bt      r0,^.compare
        fail    8
.same:
        next_rank main.node
        vote    0

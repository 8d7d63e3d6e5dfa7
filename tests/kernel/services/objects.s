; Objects: the first or any node makes some on every node, by messages, sends each a few
; messages that its class answers, and deletes it again, round after round, so that
; blocks and serials are used again.
        .include "test.inc"
        .extern block_top
        .global main, objects_rounds, objects_words

;   object: | INT class | INT a | INT b | NIL ... |
;   send:   | MSG object_send,6 | id | INT selector | INT x | INT node | INT slot |
        .equ    PLAIN, 1                ; answers a + x, and then a is that
        .equ    DOUBLE, 2               ; answers 2 a + x, and a stays
        .equ    ADD, 0x10               ; selectors
        .equ    OTHER, 0x14             ; answers b

        .data
objects_rounds:
        .word   INT:3
objects_words:
        .word   INT:7
round:
        .word   INT:0
rank:
        .word   INT:0
top:                            ; block_top after the first round
        .word   INT:0

        .text
; Methods: A1 = object, A3 = message, checked.
plain_add:
        move    [1,a1],r1
        add     r1,[3,a3],r1
        move    r1,[1,a1]
        reply   [4,a3],[5,a3],r1
        suspend
double_add:
        move    [1,a1],r1
        add     r1,r1,r1
        add     r1,[3,a3],r1
        reply   [4,a3],[5,a3],r1
        suspend
any_other:
        move    [2,a1],r1
        reply   [4,a3],[5,a3],r1
        suspend

        .macro  method class, selector, procedure
        register SYM:((\class) << 16) + (\selector),\procedure
        .endm

; send selector, number: object_send to the identifier in slot 1 of A1; the answer to
; slot 2, in R1 then. R0, R2, R3 lost.
        .macro  ask selector, number
        arm     2
        move    r1,r3
        mask    r0
        move    [1,a1],r2
        home    r2,r1
        .msg    object_send,6
        send2   r1,r0,0
        move    \selector,r1
        send2   r2,r1,0
        readr   nnr,r2
        move    \number,r1
        send2   r1,r2,0
        sende   r3,0
        mask    r0
        move    [2,a1],r1
        .endm

main:
        context 2
        method  PLAIN, ADD, plain_add
        method  PLAIN, OTHER, any_other
        method  DOUBLE, ADD, double_add
        method  DOUBLE, OTHER, any_other
        move    0,r3
        join    r3,reduce_add

.round:
        move    0,r1
        store   r1,rank
.node:
        arm     1
        move    r1,[PROGRAM_LOW + 2,a0]
        load    rank,r1
        invoke  kernel_rank_to_node
        mask    r0
        .msg    object_create,7,U
        send2   r1,r0,0
        readr   nnr,r1
        load    objects_words,r2
        send2   r2,r1,0
        move    [PROGRAM_LOW + 2,a0],r1
        send    r1,0
        load    rank,r2         ; class: odd and even ranks
        and     r2,1,r2
        add     r2,PLAIN,r2
        send    r2,0
        constant 100,r1
        load    round,r2
        send2e  r1,r2,0
        mask    r0

        ; ten, then three
        ask     ADD, 10
        load    rank,r2
        and     r2,1,r2
        bz      r2,^.plain
        same    r1,210,1
        ask     ADD, 3
        same    r1,203,2
        br      ^.other
.plain:
        same    r1,110,3
        ask     ADD, 3
        same    r1,113,4
.other:
        ask     OTHER, 0
        load    round,r2
        equals  r1,r2,5
        move    [1,a1],r2
        home    r2,r1
        .msg    object_delete,2,U
        send2   r1,r0,0
        sende   r2,0
        mask    r0
        next_rank main.node

        ; the blocks of one round serve all others
        move    0,r3
        join    r3,reduce_add
        increment round,r1
        load    objects_rounds,r2
        equal   r1,r2,r0
        bt      r0,^.end
        goto    main.round
.end:
        vote    0

; Messages that arrive slowly: a task waits - for a future, for a name - while most of
; its message has still to come. When it continues, all words are there. The last node
; sends to all others, pausing in the middle of each message.
        .include "test.inc"
        .global main, slow_pause

;   slow:   | MSG slow or name_call,LENGTH | SYM NAME | INT 2 | INT 3 | ... |
        .equ    LENGTH, 22
        .equ    NAME, 0x77

        .data
slow_pause:                     ; turns between two words
        .word   INT:60
rank:
        .word   INT:0
seen:                           ; messages that were right
        .word   INT:0

        .text
; words: compares them all, counts the message.
        .macro  words
        constant LENGTH - 1,r2
.next\@:
        move    [r2,a3],r1
        equals  r1,r2,1
        sub     r2,1,r2
        gt      r2,1,r0
        bt      r0,^.next\@
        increment seen,r1
        .endm

named:
        words
        suspend

; slow: its slot is answered by a message that cannot come before this one has ended.
slow:
        context 1
        reference a1,1,r2
        readr   nnr,r1
        move    5,r3
        reply   r1,r2,r3
        move    [1,a1],r1
        same    r1,5,2
        words
        move    a1,r1
        invoke  block_free
        suspend

; send_slowly: in R1 node, R2 MSG header. R3 link.
send_slowly:
        move    r3,[PROGRAM_LOW,a0]
        mask    r0
        send2   r1,r2,0
        .word   SYM:NAME
        send    r0,0
        move    2,r1
.word:
        load    slow_pause,r2
.turn:
        sub     r2,1,r2
        bnz     r2,^.turn
        constant LENGTH - 1,r3
        equal   r1,r3,r0
        bt      r0,^.last
        send    r1,0
        add     r1,1,r1
        br      ^.word
.last:
        sende   r1,0
        mask    r0
        move    [PROGRAM_LOW,a0],r3
        ldip    r3

main:
        register SYM:NAME,named
        context 1
        move    0,r3
        join    r3,reduce_add
        load    kernel_rank,r1
        add     r1,1,r1
        load    kernel_nodes,r2
        equal   r1,r2,r0
        bf      r0,^.end
.node:
        load    rank,r1
        invoke  kernel_rank_to_node
        store   r1,node
        .msg    slow,LENGTH
        move    r0,r2
        invoke  send_slowly
        load    node,r1
        .msg    name_call,LENGTH
        move    r0,r2
        invoke  send_slowly
        next_rank main.node

.end:   ; the sender's join comes last of all
        unmask  r0
.wait:
        load    seen,r1
        lt      r1,2,r0
        bt      r0,^.wait
        mask    r0
        load    seen,r3
        join    r3,reduce_add
        load    kernel_nodes,r2
        lsh     r2,1,r2
        equals  r1,r2,3
        vote    0

        .data
node:
        .word   INT:0

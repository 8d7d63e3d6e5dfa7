; run: --mesh 4x4x4
; also: --mesh 8x8x8 --set random_messages=20
; also: --mesh 5x3x2 --queue 64 --queue1 32
; also: --mesh 4x4x4 --router fair --seed 7
; also: --mesh 1x1x1
; random: every node sends random_messages messages of each priority to nodes picked at
; random, then a token goes round the machine and adds up what was sent and received
; until everything has arrived.
        .include "kernel.inc"
        .global main, random_messages

;   take0, take1:  | MSG,2 (F) | INT value |      on priority 0, 1
;   token:         | MSG token,5 | INT sent - received, priority 0 | priority 1 |
;                  | INT sum of values sent - received | INT nodes that have sent all |
; take0 and take1 have F = 1: a full queue must hold back the network, not fault QUEUE.

        .data
random_messages:                ; of each priority from each node
        .word   INT:50
random_data:
        .word   INT:0           ; still to send
        .equ    LEFT, 0
        .word   INT:0           ; sent at each priority
        .equ    SENT, 1
        .word   INT:0           ; sum of the values sent
        .equ    SENT_SUM, 2
        .word   INT:0           ; received at priority 0, and the sum of their values
        .equ    COUNT0, 3
        .word   INT:0
        .equ    SUM0, 4
        .word   INT:0           ; the same at priority 1
        .equ    COUNT1, 5
        .word   INT:0
        .equ    SUM1, 6
        .word   INT:0           ; the message being sent
        .equ    VALUE, 7
        .word   INT:0           ; rounds of the token
        .equ    ROUNDS, 8
        .equ    RANDOM_WORDS, 9

        .equ    MAX_ROUNDS, 10000

        .text

; main: sends the messages of this node; node 0 then starts the token. In background.
; Each message ends with I = 0, so messages that have arrived meanwhile can run.
main:
        segment random_data,RANDOM_WORDS,a1
        load    random_messages,r1
        move    r1,[LEFT,a1]
.next:
        mask    r0
        move    [LEFT,a1],r1
        bz      r1,^.sent
        sub     r1,1,r1
        move    r1,[LEFT,a1]
        invoke  pick
        .msg    take0,2,F
        send2   r1,r0,0
        sende   [VALUE,a1],0
        mask    r0
        invoke  pick
        .msg    take1,2,F
        send2   r1,r0,1
        sende   [VALUE,a1],1
        mask    r0
        move    [SENT,a1],r1
        add     r1,1,r1
        move    r1,[SENT,a1]
        br      ^.next
.sent:
        load    kernel_rank,r1
        bnz     r1,^.rest
        .msg    token,5
        send2   r1,r0,0
        send2   r1,r1,0
        send2e  r1,r1,0
.rest:
        goto    kernel_idle

; pick: out R1 INT node address at random, VALUE <- 16 random bits, added to SENT_SUM.
; In: R3 link, A1. R0, R2 lost.
pick:
        move    r3,[PROGRAM_LOW,a0]
        constant 0x10000,r1
        invoke_u kernel_random
        move    r1,[VALUE,a1]
        add     r1,[SENT_SUM,a1],r1
        move    r1,[SENT_SUM,a1]
        load    kernel_nodes,r1
        invoke_u kernel_random
        invoke  kernel_rank_to_node
        move    [PROGRAM_LOW,a0],r3
        ldip    r3

; take0, take1: [1,a3] = INT value. Count it at its priority.
take0:
        segment random_data,RANDOM_WORDS,a1
        move    [COUNT0,a1],r1
        add     r1,1,r1
        move    r1,[COUNT0,a1]
        move    [SUM0,a1],r1
        add     r1,[1,a3],r1
        move    r1,[SUM0,a1]
        suspend
take1:
        segment random_data,RANDOM_WORDS,a1
        move    [COUNT1,a1],r1
        add     r1,1,r1
        move    r1,[COUNT1,a1]
        move    [SUM1,a1],r1
        add     r1,[1,a3],r1
        move    r1,[SUM1,a1]
        suspend

; token: adds this node's numbers and goes on; node 0 first judges the round that ended.
token:
        segment random_data,RANDOM_WORDS,a1
        segment token_sums,4,a2
        move    [1,a3],r1
        move    r1,[0,a2]
        move    [2,a3],r1
        move    r1,[1,a2]
        move    [3,a3],r1
        move    r1,[2,a2]
        move    [4,a3],r1
        move    r1,[3,a2]
        load    kernel_rank,r1
        bnz     r1,^.add
        load    kernel_nodes,r1
        equal   r1,[3,a2],r0
        bf      r0,^.start      ; some nodes are still sending
        move    [0,a2],r1
        or      r1,[1,a2],r1
        bz      r1,^.arrived
.start:
        move    [ROUNDS,a1],r1
        add     r1,1,r1
        move    r1,[ROUNDS,a1]
        constant MAX_ROUNDS,r2
        gt      r1,r2,r0
        bt      r0,^.lost
        move    0,r1
        move    r1,[0,a2]
        move    r1,[1,a2]
        move    r1,[2,a2]
        move    r1,[3,a2]
.add:
        move    [0,a2],r1
        add     r1,[SENT,a1],r1
        sub     r1,[COUNT0,a1],r1
        move    r1,[0,a2]
        move    [1,a2],r1
        add     r1,[SENT,a1],r1
        sub     r1,[COUNT1,a1],r1
        move    r1,[1,a2]
        move    [2,a2],r1
        add     r1,[SENT_SUM,a1],r1
        sub     r1,[SUM0,a1],r1
        sub     r1,[SUM1,a1],r1
        move    r1,[2,a2]
        load    random_messages,r1
        move    [3,a2],r2
        equal   r1,[SENT,a1],r0
        bf      r0,^.pass
        add     r2,1,r2
        move    r2,[3,a2]
.pass:
        readr   nnr,r1
        invoke  kernel_next_node
        .msg    token,5
        send2   r1,r0,0
        move    [1,a2],r1
        send2   [0,a2],r1,0
        move    [3,a2],r1
        send2e  [2,a2],r1,0
        suspend

        ; node 0: every message has been taken
.arrived:
        move    [2,a2],r1
        bnz     r1,^.changed
        load    kernel_nodes,r1
        invoke  kernel_print_decimal
        print   nodes_text
        load    random_messages,r1
        .word   INT:kernel_nodes
        mul     r1,[r0,a0],r1
        invoke  kernel_print_decimal
        print   messages_text
        move    0,r1
        exit    r1
        suspend
.lost:
        print   lost_text
        move    1,r1
        exit    r1
        suspend
.changed:
        print   changed_text
        move    2,r1
        exit    r1
        suspend

        .data
token_sums:                     ; the token on this node
        .word   INT:0, INT:0, INT:0, INT:0

        .ext
nodes_text:
        .asciz  " nodes: "
messages_text:
        .asciz  " messages of each priority to random nodes, all received\n"
lost_text:
        .asciz  "messages are missing\n"
changed_text:
        .asciz  "a value changed on its way\n"

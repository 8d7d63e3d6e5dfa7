; A task of priority 1 asks for services: its messages go out on network 0, are
; answered, and background continues when all are there. Other traffic of priority
; 0 is on the way all the while.
        .include "test.inc"
        .global main

;   urgent: | MSG urgent,3 | INT node | ADDR context |       at priority 1
        .equ    ASKED, 3                ; slots: a read, a write, a call

        .section urgent_test,external,fill
word:
        .space  1

        .data
rank:
        .word   INT:0
load_left:                      ; turns of the message that goes round
        .word   INT:0

        .text
answer:
        move    [2,a3],r1
        add     r1,1,r1
        reply   [3,a3],[4,a3],r1
        suspend

; spin: a message to this node again and again.
spin:
        load    load_left,r1
        sub     r1,1,r1
        store   r1,load_left
        bz      r1,^.end
        readr   nnr,r1
        .msg    spin,1
        send2e  r1,r0,0
.end:
        suspend

urgent:
        move    [2,a3],r1
        move    r1,a1
        move    [1,a3],r3
        reference a1,2,r2
        move    r2,[PROGRAM_LOW,a0]
        reference a1,1,r1
        move    r1,[PROGRAM_LOW + 1,a0]
        .msg    remote_write_ack,5,U
        send2   r3,r0,0
        constant word,r1
        send    r1,0
        constant 1234,r2
        send    r2,0
        readr   nnr,r1
        move    [PROGRAM_LOW,a0],r2
        send2e  r1,r2,0
        .msg    remote_read,4,U ; behind the write
        send2   r3,r0,0
        constant word,r1
        send    r1,0
        readr   nnr,r1
        move    [PROGRAM_LOW + 1,a0],r2
        send2e  r1,r2,0
        .msg    name_call,5
        send2   r3,r0,0
        .word   SYM:0x77
        send    r0,0
        constant 41,r1
        send    r1,0
        reference a1,3,r2
        readr   nnr,r1
        send2e  r1,r2,0
        suspend

main:
        register SYM:0x77,answer
        only_node0
        context ASKED
.node:
        constant 200,r1
        store   r1,load_left
        readr   nnr,r1
        .msg    spin,1
        send2e  r1,r0,0
        mask    r0
        load    rank,r1
        invoke  kernel_rank_to_node
        move    r1,r2
        readr   nnr,r1
        mask    r0
        .msg    urgent,3
        send2   r1,r0,1
        move    a1,r1
        send2e  r2,r1,1
        mask    r0
        move    [1,a1],r1
        same    r1,1234,1
        move    [2,a1],r1
        so      r1,2
        move    [3,a1],r1
        same    r1,42,3
        arm     1
        arm     2
        arm     3
        next_rank main.node
        move    0,r1
        exit    r1
        goto    kernel_idle

; run: --mesh 4x4x4
; also: --mesh 8x8x8 --set hotspot_messages=4
; also: --mesh 5x3x2
; also: --mesh 4x4x4 --router fair --queue 32
; also: --mesh 1x1x1
; hotspot: every node sends hotspot_messages messages to node 0, as fast as the network
; accepts them: node 0's queue fills, the network backs up, senders retry. Node 0 checks
; that nothing is lost and that the messages of each node arrive in order.
        .include "kernel.inc"
        .global main, hotspot_messages

;   arrive:  | MSG arrive,3 (F) | INT sender's rank | INT number 0.. |
; The header has F = 1: a full queue must hold back the network, not raise QUEUE.

        .data
hotspot_messages:               ; messages from each node
        .word   INT:16
arrived:                        ; messages arrived, on node 0
        .word   INT:0

        .section hotspot_table,external,fill
expected:                       ; on node 0, by rank: messages so far, NIL for none
        .space  65536

        .text

; main: sends the messages of this node. In background; I = 1 while it prepares one.
main:
        load    hotspot_messages,r2
        move    0,r3
        load    kernel_rank,r1
        move    r1,[PROGRAM_LOW,a0]
.next:
        equal   r3,r2,r0
        bt      r0,^.done
        mask    r0
        move    0,r1
        .msg    arrive,3,F
        send2   r1,r0,0
        move    [PROGRAM_LOW,a0],r1
        send2e  r1,r3,0
        add     r3,1,r3
        br      ^.next
.done:
        goto    kernel_idle

; arrive: [1,a3] = INT rank, [2,a3] = INT number. On node 0.
arrive:
        .word   INT:expected
        add     r0,[1,a3],r1
        move    [r1,a0],r2
        bnnil   r2,^.known
        move    0,r2
.known:
        equal   r2,[2,a3],r0
        bf      r0,^.disorder
        add     r2,1,r2
        move    r2,[r1,a0]
        load    arrived,r2
        add     r2,1,r2
        move    r2,[r0,a0]
        load    hotspot_messages,r1
        .word   INT:kernel_nodes
        mul     r1,[r0,a0],r1
        equal   r1,r2,r0
        bt      r0,^.all
        suspend
.all:
        load    kernel_nodes,r1
        invoke_f kernel_print_decimal
        constant sent_text,r1
        invoke_f kernel_print_text
        load    hotspot_messages,r1
        invoke_f kernel_print_decimal
        constant arrived_text,r1
        invoke_f kernel_print_text
        load    arrived,r1
        invoke_f kernel_print_decimal
        constant order_text,r1
        invoke_f kernel_print_text
        move    0,r1
        exit    r1
        suspend
.disorder:
        constant disorder_text,r1
        invoke_f kernel_print_text
        move    1,r1
        exit    r1
        suspend

        .ext
sent_text:
        .asciz  " nodes sent "
arrived_text:
        .asciz  " messages each to node 0: "
order_text:
        .asciz  " arrived, all in order\n"
disorder_text:
        .asciz  "a message arrived out of order\n"

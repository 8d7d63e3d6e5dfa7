; run: --mesh 2x1x1
; also: --mesh 4x4x4
; also: --mesh 1x1x1
; priority: while a task of priority 0 runs on the last node, node 0 sends two messages
; there: one of priority 0, which has to wait until the task ends, and then one of
; priority 1, which interrupts it. The task checks that its registers survive.
        .include "kernel.inc"
        .global main

;   work:    | MSG work,1 |    priority 0, to the last node
;   ready:   | MSG ready,2 | INT node of the task |    priority 1, to node 0
;   later:   | MSG later,1 |   priority 0, to the last node
;   urgent:  | MSG urgent,1 |  priority 1, to the last node

        .equ    PATIENCE, 100000        ; most iterations of the task's loop

        .data
interrupted:                    ; TRUE when urgent has run
        .word   BOOL:0

        .text

; main: node 0 starts the task on the last node. In background, I = 1.
main:
        load    kernel_rank,r1
        bnz     r1,^.rest
        load    kernel_nodes,r1
        sub     r1,1,r1
        invoke  kernel_rank_to_node
        .msg    work,1
        send2e  r1,r0,0
.rest:
        goto    kernel_idle

; work: reports that it is ready, then waits to be interrupted, without suspending.
work:
        print   begin_text
        readr   nnr,r2
        move    0,r1
        .msg    ready,2
        send2   r1,r0,1
        sende   r2,1
        constant PATIENCE,r1
        constant 0x1234567,r2
        move    r2,r3
        segment interrupted,1,a1
.wait:
        move    [0,a1],r0
        bt      r0,^.interrupted
        sub     r1,1,r1
        bnz     r1,^.wait
        print   alone_text
        move    1,r1
        exit    r1
        suspend
.interrupted:
        equal   r2,r3,r0
        bf      r0,^.changed
        .word   INT:0x1234567
        equal   r2,r0,r0
        bf      r0,^.changed
        print   intact_text
        suspend
.changed:
        print   changed_text
        move    2,r1
        exit    r1
        suspend

; ready: [1,a3] = INT node. On node 0: sends the message that has to wait, then the one
; that interrupts.
ready:
        move    [1,a3],r1
        .msg    later,1
        send2e  r1,r0,0
        .msg    urgent,1
        send2e  r1,r0,1
        suspend

; urgent: at priority 1, with registers of its own.
urgent:
        print   urgent_text
        move    -1,r2
        move    -1,r3
        segment interrupted,1,a1
        move    true,r1
        move    r1,[0,a1]
        suspend

; later: at priority 0, after the task.
later:
        load    interrupted,r1
        print   later_text
        move    0,r1
        exit    r1
        suspend

        .ext
begin_text:
        .asciz  "priority 0: the task begins\n"
urgent_text:
        .asciz  "priority 1: interrupts the task\n"
intact_text:
        .asciz  "priority 0: the task goes on, its registers are intact\n"
later_text:
        .asciz  "priority 0: the next message, after the task\n"
alone_text:
        .asciz  "nothing interrupted the task\n"
changed_text:
        .asciz  "the registers of the task changed\n"

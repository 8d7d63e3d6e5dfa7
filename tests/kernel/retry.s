; SEND and EARLY faults, repaired by the kernel: node 0 sends the last node one message
; of 1 + 40 words, faster than the network takes it and with a pause in the middle; its
; handler wants the last word first. Status 0: all words arrived, and the sender had to
; try again. On one node the receiver cannot run before the sender has finished.
        .include "kernel.inc"
        .global main

;   many:  | MSG many,41 | INT 1 | INT 2 | ... | INT 40 |
        .equ    WORDS, 40
        .equ    PAUSE, 1000

        .text
main:
        load    kernel_rank,r1
        bnz     r1,^.rest
        load    kernel_nodes,r1
        sub     r1,1,r1
        invoke  kernel_rank_to_node
        .msg    many,WORDS + 1
        send2   r1,r0,0
        .set    number, 1
        .rept   WORDS / 2
        send    number,0
        .set    number, number + 1
        .endr
        constant PAUSE,r3
.pause:
        sub     r3,1,r3
        bnz     r3,^.pause
        .rept   WORDS / 2 - 1
        send    number,0
        .set    number, number + 1
        .endr
        sende   number,0
        load    kernel_retries,r1
        bnz     r1,^.rest
        print   no_retry_text
        move    1,r1
        exit    r1
.rest:
        goto    kernel_idle

; many: in checked mode, its faults are the kernel's.
many:
        constant WORDS,r1
        move    0,r3
.word:
        add     r3,[r1,a3],r3
        sub     r1,1,r1
        bnz     r1,^.word
        .word   INT:WORDS * (WORDS + 1) / 2
        equal   r3,r0,r0
        bf      r0,^.wrong
        print   good_text
        move    0,r1
        exit    r1
        suspend
.wrong:
        print   wrong_text
        move    2,r1
        exit    r1
        suspend

        .ext
no_retry_text:
        .asciz  "the output buffer never filled\n"
good_text:
        .asciz  "a message of 41 words arrived\n"
wrong_text:
        .asciz  "words are wrong\n"

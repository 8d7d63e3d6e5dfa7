; run: --mesh 4x2x1
; also: --mesh 2x1x1 --set factorial_n=0
; also: --mesh 3x3x3 --set factorial_n=12
; also: --mesh 1x1x1
; factorial: factorial(n) by messages. Each call asks the next node for factorial(n - 1)
; and leaves a frame that says what to do with the answer.
        .include "kernel.inc"
        .global main, factorial_n

;   compute:  | MSG compute,4 | INT n | INT reply node | INT reply frame |
;   answer:   | MSG answer,3  | INT frame | INT value |
;   frame:    | INT n | INT reply node | INT reply frame |
; Frame 0 does not exist: an answer to it is the result.
        .equ    N, 0
        .equ    REPLY_NODE, 1
        .equ    REPLY_FRAME, 2

        .equ    FRAME_IN_HAND, PROGRAM_LOW

        .data
factorial_n:                    ; 0..12; 13! needs more than 32 bits
        .word   INT:10

        .text

; main: on node 0, asks itself for the result. In background, I = 1.
main:
        load    kernel_rank,r1
        bnz     r1,^.rest
        load    factorial_n,r2
        .msg    compute,4
        send2   r1,r0,0
        send2   r2,r1,0
        sende   r1,0
.rest:
        goto    kernel_idle

; compute: [1,a3] = INT n, [2,a3], [3,a3] = INT reply node, frame.
compute:
        move    [1,a3],r1
        gt      r1,1,r0
        bt      r0,^.recurse
        move    1,r1
        .msg    answer,3
        send2   [2,a3],r0,0
        send2e  [3,a3],r1,0
        suspend
.recurse:
        invoke  kernel_new_frame
        move    r1,[FRAME_IN_HAND,a0]
        frame   r1,a1
        move    [1,a3],r2
        move    r2,[N,a1]
        move    [2,a3],r3
        move    r3,[REPLY_NODE,a1]
        move    [3,a3],r3
        move    r3,[REPLY_FRAME,a1]
        readr   nnr,r1
        invoke  kernel_next_node
        move    [1,a3],r2
        sub     r2,1,r2
        readr   nnr,r3
        .msg    compute,4
        send2   r1,r0,0
        send2   r2,r3,0
        sende   [FRAME_IN_HAND,a0],0
        suspend

; answer: [1,a3] = INT frame, [2,a3] = INT value.
answer:
        move    [1,a3],r1
        bz      r1,^.result
        frame   r1,a1
        move    [2,a3],r2
        mul     r2,[N,a1],r2
        .msg    answer,3
        send2   [REPLY_NODE,a1],r0,0
        send2e  [REPLY_FRAME,a1],r2,0
        invoke  kernel_free_frame
        suspend

        ; node 0 has the result: it prints it and computes it again alone
.result:
        load    factorial_n,r1
        invoke  kernel_print_decimal
        print   factorial_text
        move    [2,a3],r1
        invoke  kernel_print_decimal
        print   newline_text
        load    factorial_n,r2
        move    1,r1
.check:
        gt      r2,1,r0
        bf      r0,^.compare
        mul     r1,r2,r1
        sub     r2,1,r2
        br      ^.check
.compare:
        move    0,r2
        equal   r1,[2,a3],r0
        bt      r0,^.end
        move    1,r2
.end:
        exit    r2
        suspend

        .ext
factorial_text:
        .asciz  "! = "
newline_text:
        .asciz  "\n"

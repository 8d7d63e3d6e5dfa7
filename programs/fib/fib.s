; run: --mesh 4x4x1
; also: --mesh 2x1x1 --set fib_n=1
; also: --mesh 8x8x8 --set fib_n=14
; also: --mesh 2x3x4 --set fib_n=12
; also: --mesh 1x1x1
; fib: the Fibonacci numbers by messages. Each call asks two other nodes, in turn over
; the whole machine, and a frame adds up their answers.
        .include "kernel.inc"
        .global main, fib_n

;   compute:  | MSG compute,4 | INT n | INT reply node | INT reply frame |
;   answer:   | MSG answer,3  | INT frame | INT value |
;   frame:    | INT answers to come | INT sum | INT reply node | INT reply frame |
; Frame 0 does not exist: an answer to it is the result.
        .equ    WAITING, 0
        .equ    SUM, 1
        .equ    REPLY_NODE, 2
        .equ    REPLY_FRAME, 3

        .equ    FRAME_IN_HAND, PROGRAM_LOW
        .equ    LINK, PROGRAM_LOW + 1

        .data
fib_n:                          ; the calls in flight must fit the queues
        .word   INT:10
last_asked:                     ; the node this one asked last
        .word   INT:0

        .text

; main: each node starts its round of the machine at itself; node 0 asks itself for the
; result. In background, I = 1.
main:
        readr   nnr,r1
        store   r1,last_asked
        load    kernel_rank,r1
        bnz     r1,^.rest
        load    fib_n,r2
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
        .msg    answer,3
        send2   [2,a3],r0,0
        send2e  [3,a3],r1,0
        suspend
.recurse:
        invoke  kernel_new_frame
        move    r1,[FRAME_IN_HAND,a0]
        frame   r1,a1
        move    2,r2
        move    r2,[WAITING,a1]
        move    0,r2
        move    r2,[SUM,a1]
        move    [2,a3],r2
        move    r2,[REPLY_NODE,a1]
        move    [3,a3],r2
        move    r2,[REPLY_FRAME,a1]
        invoke  next_asked
        move    [1,a3],r2
        sub     r2,1,r2
        readr   nnr,r3
        .msg    compute,4
        send2   r1,r0,0
        send2   r2,r3,0
        sende   [FRAME_IN_HAND,a0],0
        invoke  next_asked
        move    [1,a3],r2
        sub     r2,2,r2
        readr   nnr,r3
        .msg    compute,4
        send2   r1,r0,0
        send2   r2,r3,0
        sende   [FRAME_IN_HAND,a0],0
        suspend

; next_asked: out R1 INT the node to ask next, one after another through the machine.
; In: R3 link. R0, R2 lost.
next_asked:
        move    r3,[LINK,a0]
        load    last_asked,r1
        invoke  kernel_next_node
        store   r1,last_asked
        move    [LINK,a0],r3
        ldip    r3

; answer: [1,a3] = INT frame, [2,a3] = INT value.
answer:
        move    [1,a3],r1
        bz      r1,^.result
        frame   r1,a1
        move    [SUM,a1],r2
        add     r2,[2,a3],r2
        move    r2,[SUM,a1]
        move    [WAITING,a1],r3
        sub     r3,1,r3
        move    r3,[WAITING,a1]
        bz      r3,^.complete
        suspend
.complete:
        .msg    answer,3
        send2   [REPLY_NODE,a1],r0,0
        send2e  [REPLY_FRAME,a1],r2,0
        invoke  kernel_free_frame
        suspend

        ; node 0 has the result: it prints it and computes it again alone
.result:
        print   fib_text
        load    fib_n,r1
        invoke  kernel_print_decimal
        print   equals_text
        move    [2,a3],r1
        invoke  kernel_print_decimal
        print   newline_text
        load    fib_n,r3
        move    0,r1            ; fib(0)
        move    1,r2            ; fib(1)
.check:
        bz      r3,^.compare
        add     r1,r2,r0
        move    r2,r1
        move    r0,r2
        sub     r3,1,r3
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
fib_text:
        .asciz  "fib("
equals_text:
        .asciz  ") = "
newline_text:
        .asciz  "\n"

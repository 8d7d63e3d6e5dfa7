; run: --mesh 8x8x8
; also: --mesh 4x4x4 --queue 64
; also: --mesh 16x4x2
; also: --mesh 3x2x5
; also: --mesh 1x1x1
; greet: every node greets node 0 over the network; node 0 checks that each did so once
; and draws its distance in hops: one character per node, plane beside plane.
        .include "kernel.inc"
        .global main, greet_count

;   greeting:  | MSG greeting,2 (F) | INT node address |
; The header has F = 1: a queue that fills up while node 0 is busy must hold back the
; network, not raise QUEUE.

        .data
greet_data:
greet_count:                    ; greetings so far
        .word   INT:0
        .equ    COUNT, 0
        .word   INT:0           ; hops of the current greeting
        .equ    HOPS, 1
        .word   INT:0, INT:0, INT:0 ; position in the picture
        .equ    X, 2
        .equ    Y, 3
        .equ    Z, 4
        .word   INT:31          ; x or y of a node address
        .equ    FIELD, 5
        .equ    GREET_WORDS, 6

        .section greet_hops,external,fill
hops:                           ; by rank: NIL until its greeting arrives, then its hops
        .space  65536

        .text

; main: sends the greeting of this node. In background, I = 1.
main:
        readr   nnr,r1
        move    0,r2
        .msg    greeting,2,F
        send2   r2,r0,0
        sende   r1,0
        goto    kernel_idle

; greeting: [1,a3] = INT node address. Records the hops of that node; draws after the
; last one.
greeting:
        segment greet_data,GREET_WORDS,a1
        move    [1,a3],r1
        and     r1,[FIELD,a1],r2
        lsh     r1,-5,r3
        and     r3,[FIELD,a1],r3
        add     r2,r3,r2
        lsh     r1,-10,r3
        add     r2,r3,r2
        move    r2,[HOPS,a1]
        invoke_f kernel_node_to_rank
        .word   INT:hops
        add     r1,r0,r1
        move    [r1,a0],r2
        bnil    r2,^.first
        move    1,r2            ; a second greeting from the same node
        exit    r2
.first:
        move    [HOPS,a1],r2
        move    r2,[r1,a0]
        move    [COUNT,a1],r1
        add     r1,1,r1
        move    r1,[COUNT,a1]
        load    kernel_nodes,r2
        equal   r1,r2,r0
        bt      r0,^.all
        suspend

.all:
        invoke_f kernel_print_decimal
        constant title_text,r1
        invoke_f kernel_print_text
        .ip     draw,F
        ldip    r0

; draw: rows are y, planes stand side by side in the order of z. Ends the run.
; In: A1 greet_data, with X, Y and Z 0.
draw:
        move    [Z,a1],r1
        load    kernel_size_y,r2
        mul     r1,r2,r1
        add     r1,[Y,a1],r1
        load    kernel_size_x,r2
        mul     r1,r2,r1
        add     r1,[X,a1],r1
        .word   INT:hops
        add     r1,r0,r1
        move    [r1,a0],r1      ; hops of (x,y,z)
        constant 36,r2          ; 0-9, a-z, then +
        ge      r1,r2,r0
        bt      r0,^.far
        .word   INT:'0'
        move    r0,r2
        lt      r1,10,r0
        bt      r0,^.digit
        constant 'a' - 10,r2
.digit:
        add     r1,r2,r1
        br      ^.put
.far:
        constant '+',r1
.put:
        .word   INT:HOST_PUTC
        move    r1,[r0,a0]

        ; next x, then next plane, then next row
        move    [X,a1],r1
        add     r1,1,r1
        move    r1,[X,a1]
        load    kernel_size_x,r2
        equal   r1,r2,r0
        bf      r0,^draw
        move    0,r1
        move    r1,[X,a1]
        move    [Z,a1],r1
        add     r1,1,r1
        move    r1,[Z,a1]
        load    kernel_size_z,r2
        equal   r1,r2,r0
        bt      r0,^.line
        constant ' ',r1
        .word   INT:HOST_PUTC
        move    r1,[r0,a0]
        br      ^draw
.line:
        move    0,r1
        move    r1,[Z,a1]
        constant '\n',r1
        .word   INT:HOST_PUTC
        move    r1,[r0,a0]
        move    [Y,a1],r1
        add     r1,1,r1
        move    r1,[Y,a1]
        load    kernel_size_y,r2
        equal   r1,r2,r0
        bf      r0,^draw
        move    0,r1
        exit    r1
.stay:
        br      ^.stay

        .ext
title_text:
        .asciz  " nodes greeted node 0; hops from each (a row is y, planes are z):\n"

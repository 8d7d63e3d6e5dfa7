; run: --mesh 4x4x4
; also: --mesh 8x8x8 --router fair
; also: --mesh 2x3x4
; also: --mesh 5x1x1
; also: --mesh 1x1x1
; pingpong: node 0 sends a message to every node in turn, waits for its reply and prints
; the round-trip latency against the distance. A hop costs a cycle each way, whatever
; its dimension: round trip - 2 hops is the same everywhere, except for up to 2 cycles
; in which the two dispatches wait for the idle loop's branch to end.
        .include "kernel.inc"
        .global main, ping, pong

;   ping:  | MSG ping,2 | INT reply node |        pong:  | MSG pong,1 |

        .equ    MAX_HOPS, 125

        .data
pingpong_data:
        .word   INT:0           ; cycle count when the ping was sent
        .equ    START, 0
        .word   INT:0           ; node that answers
        .equ    TARGET, 1
        .word   INT:0x7FFFFFFF  ; least and most of round trip - 2 hops
        .equ    LEAST, 2
        .word   INT:0
        .equ    MOST, 3
        .word   INT:0           ; hops to the target, while they are computed
        .equ    HOPS, 4
        .word   INT:31          ; x or y of a node address
        .equ    FIELD, 5
        .equ    PINGPONG_WORDS, 6

        .section pingpong_table,external,fill
row_count:                      ; by hops: nodes at that distance, NIL for none
        .space  MAX_HOPS + 1
row_least:                      ; their shortest round trip
        .space  MAX_HOPS + 1
row_most:                       ; and longest
        .space  MAX_HOPS + 1

        .text

; main: node 0 starts with itself. In background, I = 1.
main:
        load    kernel_rank,r1
        bnz     r1,^.rest
        .msg    measure,1
        send2e  r1,r0,0
.rest:
        goto    kernel_idle

; measure: sends a ping to TARGET.
measure:
        segment pingpong_data,PINGPONG_WORDS,a1
        constant HOST_CYCLE_LO,r1
        readr   nnr,r2
        .msg    ping,2
        move    [r1,a0],r3
        move    r3,[START,a1]
        send2   [TARGET,a1],r0,0
        sende   r2,0
        suspend

; ping: [1,a3] = INT reply node. 9 cycles.
ping:
        .msg    pong,1
        send2e  [1,a3],r0,0
        suspend

; pong: enters the round trip into the table and continues with the next node.
pong:
        .word   INT:HOST_CYCLE_LO
        move    [r0,a0],r2
        segment pingpong_data,PINGPONG_WORDS,a1
        sub     r2,[START,a1],r2

        ; hops = x + y + z of the target
        move    [TARGET,a1],r1
        and     r1,[FIELD,a1],r3
        lsh     r1,-5,r1
        and     r1,[FIELD,a1],r0
        add     r3,r0,r3
        lsh     r1,-5,r1
        add     r3,r1,r3
        move    r3,[HOPS,a1]

        ; least and most of round trip - 2 hops
        sub     r2,r3,r1
        sub     r1,r3,r1
        ge      r1,[LEAST,a1],r0
        bt      r0,^.not_least
        move    r1,[LEAST,a1]
.not_least:
        le      r1,[MOST,a1],r0
        bt      r0,^.not_most
        move    r1,[MOST,a1]
.not_most:

        ; the row of that distance
        .word   INT:row_count
        add     r0,[HOPS,a1],r3
        move    [r3,a0],r1
        bnnil   r1,^.known
        .word   INT:row_least
        add     r0,[HOPS,a1],r0
        move    r2,[r0,a0]
        .word   INT:row_most
        add     r0,[HOPS,a1],r0
        move    r2,[r0,a0]
        move    0,r1
.known:
        add     r1,1,r1
        move    r1,[r3,a0]
        .word   INT:row_least
        add     r0,[HOPS,a1],r3
        move    [r3,a0],r1
        ge      r2,r1,r0
        bt      r0,^.not_shortest
        move    r2,[r3,a0]
.not_shortest:
        .word   INT:row_most
        add     r0,[HOPS,a1],r3
        move    [r3,a0],r1
        le      r2,r1,r0
        bt      r0,^.not_longest
        move    r2,[r3,a0]
.not_longest:
        move    [TARGET,a1],r1
        invoke  kernel_next_node
        move    r1,[TARGET,a1]
        bz      r1,^.last
        goto    measure
.last:
        goto    report

; report: prints a row for each distance that occurs and ends the run, with status 0 if
; the round trips follow the formula.
report:
        print   title_text
        move    0,r1
        move    r1,[HOPS,a1]
.row:
        .word   INT:row_count
        add     r0,[HOPS,a1],r3
        move    [r3,a0],r1
        bnil    r1,^.none
        move    [HOPS,a1],r1
        move    4,r2
        invoke  kernel_print_padded
        .word   INT:row_count
        add     r0,[HOPS,a1],r3
        move    [r3,a0],r1
        move    7,r2
        invoke  kernel_print_padded
        .word   INT:row_least
        add     r0,[HOPS,a1],r3
        move    [r3,a0],r1
        move    10,r2
        invoke  kernel_print_padded
        .word   INT:row_most
        add     r0,[HOPS,a1],r3
        move    [r3,a0],r1
        move    9,r2
        invoke  kernel_print_padded
        print   newline_text
.none:
        move    [HOPS,a1],r1
        add     r1,1,r1
        move    r1,[HOPS,a1]
        constant MAX_HOPS,r2
        le      r1,r2,r0
        bt      r0,^.row

        move    0,r2
        move    [MOST,a1],r1
        sub     r1,[LEAST,a1],r1
        le      r1,2,r0
        bt      r0,^.end
        print   bad_text
        move    1,r2
.end:
        exit    r2
        suspend

        .ext
title_text:
        .asciz  "hops  nodes  shortest  longest round trip in cycles\n"
newline_text:
        .asciz  "\n"
bad_text:
        .asciz  "round trip - 2 hops differs by more than 2 cycles\n"

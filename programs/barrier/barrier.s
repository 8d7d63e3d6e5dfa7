; run: --mesh 4x4x4
; also: --mesh 8x8x8
; also: --mesh 7x1x1
; also: --mesh 5x3x2 --seed 3
; also: --mesh 2x1x1 --set barrier_times=50
; also: --mesh 1x1x1
; barrier: all nodes meet barrier_times times. Round k of the butterfly exchanges sums
; with the node whose rank differs in bit k, so after log2 N rounds every node has the
; sum over all, which shows that all have arrived. If the number of nodes is not a power
; of two, those beyond it join a partner below before the rounds and are released after
; them.
        .include "kernel.inc"
        .global main, barrier_times

;   arrive:  | MSG arrive,3 | INT slot | INT sum |
; Slots are words at the receiver: one for each round, one for joining, one for being
; released, all twice: a neighbour may be one barrier ahead, never two.
        .equ    SLOT_JOIN, 16   ; rounds are 0..15
        .equ    SLOT_RELEASE, 17
        .equ    SLOTS, 18

        .data
barrier_times:
        .word   INT:8
barrier_data:
        .word   INT:0           ; largest power of two of nodes
        .equ    POWER, 0
        .word   INT:0           ; SLOTS or 0: which half of the slots this barrier uses
        .equ    HALF, 1
        .word   INT:0           ; the sum so far
        .equ    SUM, 2
        .word   INT:0           ; 1 << round, round
        .equ    BIT, 3
        .word   INT:0
        .equ    ROUND, 4
        .word   INT:0           ; barriers passed
        .equ    PASSED, 5
        .word   INT:0
        .equ    RANK, 6
        .word   INT:0
        .equ    NODES, 7
        .word   NIL             ; return addresses
        .equ    LINK_BARRIER, 8
        .word   NIL
        .equ    LINK_SLOT, 9
        .equ    BARRIER_WORDS, 10
slots:                          ; NIL until the sum has arrived
        .space  2 * SLOTS

        .text

; main: meets all nodes again and again, after a pause of random length. In background;
; A1 = barrier_data throughout.
main:
        segment barrier_data,BARRIER_WORDS,a1
        load    kernel_rank,r1
        move    r1,[RANK,a1]
        load    kernel_nodes,r1
        move    r1,[NODES,a1]
        ; FFB counts the zeros below bit 31: 30 - FFB = log2, rounded down
        ffb     r1,r1
        sub     r1,15,r1
        sub     r1,15,r1
        neg     r1,r1
        move    1,r2
        lsh     r2,r1,r2
        move    r2,[POWER,a1]
.again:
        constant 256,r1
        mask    r0
        invoke_u kernel_random
.pause:
        bz      r1,^.enter
        sub     r1,1,r1
        br      ^.pause
.enter:
        move    [PASSED,a1],r1
        add     r1,1,r1
        move    r1,[PASSED,a1]
        move    r1,[SUM,a1]
        invoke  barrier
        ; every node contributed the number of this barrier
        move    [PASSED,a1],r1
        mul     r1,[NODES,a1],r1
        equal   r1,[SUM,a1],r0
        bf      r0,^.wrong
        load    barrier_times,r2
        move    [PASSED,a1],r1
        equal   r1,r2,r0
        bf      r0,^.again

        ; one more barrier, so that all checks are done when node 0 ends the run
        invoke  barrier
        move    [RANK,a1],r1
        bnz     r1,^.rest
        goto    report
.rest:
        goto    kernel_idle
.wrong:
        mask    r0
        print   wrong_text
        move    1,r1
        exit    r1
        goto    kernel_idle

report:
        mask    r0
        load    barrier_times,r1
        invoke  kernel_print_decimal
        print   barriers_text
        move    [NODES,a1],r1
        invoke  kernel_print_decimal
        print   nodes_text
        move    0,r1
        exit    r1
        goto    kernel_idle

; barrier: SUM <- the sum of SUM over all nodes. In: A1 barrier_data, R3 link. R0-R3
; lost. Messages: one to each partner.
barrier:
        move    r3,[LINK_BARRIER,a1]
        move    [RANK,a1],r1
        lt      r1,[POWER,a1],r0
        bf      r0,^.above

        add     r1,[POWER,a1],r1
        lt      r1,[NODES,a1],r0
        bf      r0,^.rounds
        constant SLOT_JOIN,r2
        invoke  await
.rounds:
        move    1,r1
        move    r1,[BIT,a1]
        move    0,r1
        move    r1,[ROUND,a1]
.round:
        move    [BIT,a1],r1
        lt      r1,[POWER,a1],r0
        bf      r0,^.release
        xor     r1,[RANK,a1],r1
        move    [ROUND,a1],r2
        invoke  tell
        move    [ROUND,a1],r2
        invoke  await
        move    [BIT,a1],r1
        lsh     r1,1,r1
        move    r1,[BIT,a1]
        move    [ROUND,a1],r1
        add     r1,1,r1
        move    r1,[ROUND,a1]
        br      ^.round
.release:
        move    [RANK,a1],r1
        add     r1,[POWER,a1],r1
        lt      r1,[NODES,a1],r0
        bf      r0,^.passed
        constant SLOT_RELEASE,r2
        invoke  tell
        br      ^.passed

.above:
        sub     r1,[POWER,a1],r1
        constant SLOT_JOIN,r2
        invoke  tell
        move    0,r1            ; the sum that comes back is that of all nodes
        move    r1,[SUM,a1]
        constant SLOT_RELEASE,r2
        invoke  await

.passed:
        constant SLOTS,r1
        sub     r1,[HALF,a1],r1
        move    r1,[HALF,a1]
        move    [LINK_BARRIER,a1],r3
        ldip    r3

; tell: sends SUM to a slot of a node. In: R1 INT rank, R2 INT slot, R3 link. R0-R3
; lost.
tell:
        move    r3,[LINK_SLOT,a1]
        add     r2,[HALF,a1],r2
        move    r2,r3
        mask    r0              ; the kernel's routines and the message need I = 1
        move    r3,[PROGRAM_LOW,a0]
        invoke  kernel_rank_to_node
        .msg    arrive,3
        send2   r1,r0,0
        move    [PROGRAM_LOW,a0],r2
        move    [SUM,a1],r1
        send2e  r2,r1,0
        move    [LINK_SLOT,a1],r3
        ldip    r3

; await: waits for a slot, empties it and adds what it held to SUM. In: R2 INT slot, R3
; link. R0-R2 lost. I = 0, so that the message can arrive.
await:
        unmask  r0
        .word   INT:slots
        add     r0,r2,r2
        add     r2,[HALF,a1],r2
.wait:
        move    [r2,a0],r1
        bnil    r1,^.wait
        add     r1,[SUM,a1],r1
        move    r1,[SUM,a1]
        move    nil,r1
        move    r1,[r2,a0]
        ldip    r3

; arrive: [1,a3] = INT slot, [2,a3] = INT sum.
arrive:
        .word   INT:slots
        add     r0,[1,a3],r1
        move    [r1,a0],r2
        bnnil   r2,^.occupied
        move    [2,a3],r2
        move    r2,[r1,a0]
        suspend
.occupied:
        print   occupied_text
        move    2,r1
        exit    r1
        suspend

        .ext
barriers_text:
        .asciz  " barriers over "
nodes_text:
        .asciz  " nodes, every sum complete\n"
wrong_text:
        .asciz  "a node passed a barrier without the others\n"
occupied_text:
        .asciz  "a slot was written twice\n"

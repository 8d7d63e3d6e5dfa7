; Barrier and reduction over all nodes, as a butterfly: in round k a node exchanges its
; value with the node whose rank differs in bit k - 1, so that after log2 N rounds every
; node has the result. Nodes beyond the largest power of two first give their value to a
; partner below it and get the result last.
        .include "services.inc"

        .global reduce_join, reduce_add, reduce_min, reduce_max, reduce_and, reduce_or

; Steps: 1..16 are the rounds; in step 0 the partner below waits for the value of the
; one above, which waits for the result. A step's word stays in a slot until this node
; reaches the step. A word of the next reduction finds its slot free: the partner that
; sends it has this reduction's result, so this node has sent it its own word of that
; step and, in order, received the partner's.
        .equ    STEPS, 17

        .data
reduce_data:
        .word   INT:0           ; rounds
        .equ    ROUNDS, 0
        .word   INT:0           ; 1: this node has a partner above; -1: below
        .equ    PARTNER, 1
        .word   NIL             ; this node's value; NIL: it has not joined
        .equ    VALUE, 2
        .word   NIL             ; IP of the combining routine
        .equ    COMBINE, 3
        .word   NIL             ; what to do with the result
        .equ    RESULT, 4
        .word   INT:0           ; the step it waits for
        .equ    STEP, 5
        .equ    REDUCE_WORDS, 6
reduce_nodes:                   ; node address of the partner of each step
        .space  STEPS,INT:0
reduce_slots:                   ; NIL or the word that has arrived
        .space  STEPS,NIL

        .section reduce_starter,vectors,data
        .org    KERNEL_STARTERS + 3
        .ip     reduce_start,U

        .section kernel_code,rom,code

; reduce_start: finds the partners. In: R3 link. Boot lets it overwrite A1-A3.
        .align  4
reduce_start:
        move    r3,a2
        segment reduce_data,REDUCE_WORDS,a1
        load    kernel_nodes,r1
        ffb     r1,r2
        .word   INT:30
        sub     r0,r2,r2        ; log2 N, rounded down
        move    r2,[ROUNDS,a1]
        move    1,r1
        lsh     r1,r2,r1
        move    r1,a3           ; the power of two

        load    kernel_rank,r2
        lt      r2,r1,r0
        bt      r0,^.below
        sub     r2,r1,r1
        move    -1,r2
        br      ^.partner
.below:
        add     r2,r1,r1
        load    kernel_nodes,r2
        lt      r1,r2,r0
        bf      r0,^.rounds
        move    1,r2
.partner:
        move    r2,[PARTNER,a1]
        invoke_u kernel_rank_to_node
        store   r1,reduce_nodes

.rounds:
        move    [ROUNDS,a1],r3
.round:
        bz      r3,^.done
        move    r3,[STEP,a1]
        sub     r3,1,r2
        move    1,r1
        lsh     r1,r2,r1
        load    kernel_rank,r2
        xor     r1,r2,r1
        move    a3,r0
        lt      r1,r0,r0
        bf      r0,^.next       ; a node above has only its partner
        invoke_u kernel_rank_to_node
        move    [STEP,a1],r3
        .word   INT:reduce_nodes
        add     r0,r3,r2
        move    r1,[r2,a0]
.next:
        move    [STEP,a1],r3
        sub     r3,1,r3
        br      ^.round
.done:
        move    a2,r3
        ldip    r3

; reduce_join:    | MSG reduce_join,4 (U) | value | IP combine | INT slot, IP or NIL |
; From this node to itself, once on every node: combines the values of all nodes. The
; result goes to the slot here, or the node jumps to the IP with the result in R1, or
; nothing happens. `combine` is a routine, R1 and R2 in, R1 out, R0 and R2 lost, link in
; R3, the same on all nodes and independent of order. A value must not be NIL.
        .align  4
reduce_join:
        segment reduce_data,REDUCE_WORDS,a1
        move    [VALUE,a1],r1
        bnnil   r1,^.twice
        move    [1,a3],r1
        move    r1,[VALUE,a1]
        move    [2,a3],r2
        move    r2,[COMBINE,a1]
        move    [3,a3],r2
        move    r2,[RESULT,a1]
        move    [PARTNER,a1],r2
        lt      r2,0,r0
        bt      r0,^.above
        gt      r2,0,r0
        bt      r0,^.below
        move    0,r2
        br      ^reduce_round
.below:
        move    0,r2
        br      ^reduce_wait
.above:
        load    reduce_nodes,r2
        .msg    reduce_arrive,3,U
        send2   r2,r0,0
        move    0,r2
        send2e  r2,r1,0
        br      ^reduce_wait
.twice:
        constant twice_text,r1
        invoke_uf kernel_print_text
        .ip     kernel_halt,U,F
        ldip    r0

; reduce_arrive:  | MSG reduce_arrive,3 (U) | INT step | value |
        .align  4
reduce_arrive:
        segment reduce_data,REDUCE_WORDS,a1
        .word   INT:reduce_slots
        add     r0,[1,a3],r1
        move    [2,a3],r2
        move    r2,[r1,a0]
        move    [VALUE,a1],r2
        bnil    r2,^reduce_rest
        move    [STEP,a1],r2

; reduce_wait: continues if the word of step R2 has arrived, else ends the message. A1 =
; reduce_data.
reduce_wait:
        move    r2,[STEP,a1]
        .word   INT:reduce_slots
        add     r2,r0,r3
        move    [r3,a0],r1
        bnil    r1,^reduce_rest
        move    nil,r0
        move    r0,[r3,a0]
        bnz     r2,^.combine
        move    [PARTNER,a1],r3
        lt      r3,0,r0
        bt      r0,^reduce_known
.combine:
        move    [VALUE,a1],r2
        .ip     .combined,U
        move    r0,r3
        ldip    [COMBINE,a1]
.combined:
        move    r1,[VALUE,a1]
        move    [STEP,a1],r2

; reduce_round: begins the round after step R2, R1 = VALUE; after the last, reports.
reduce_round:
        equal   r2,[ROUNDS,a1],r0
        bt      r0,^.last
        add     r2,1,r2
        .word   INT:reduce_nodes
        add     r2,r0,r3
        move    [r3,a0],r3
        .msg    reduce_arrive,3,U
        send2   r3,r0,0
        send2e  r2,r1,0
        br      ^reduce_wait
.last:
        move    [PARTNER,a1],r2
        bz      r2,^reduce_known
        load    reduce_nodes,r2
        .msg    reduce_arrive,3,U
        send2   r2,r0,0
        move    0,r2
        send2e  r2,r1,0

; reduce_known: reports the result, R1.
reduce_known:
        move    nil,r0
        move    r0,[VALUE,a1]
        move    [RESULT,a1],r2
        bnil    r2,^reduce_rest
        check   r2,TAG_IP,r0
        bf      r0,^.slot
        ldip    r2
.slot:
        readr   nnr,r3
        reply   r3,r2,r1
reduce_rest:
        suspend

; ---- combining routines ------------------------------------------------------------

        .align  4
reduce_add:
        add     r1,r2,r1
        ldip    r3

        .align  4
reduce_min:
        lt      r1,r2,r0
        bt      r0,^.end
        move    r2,r1
.end:
        ldip    r3

        .align  4
reduce_max:
        gt      r1,r2,r0
        bt      r0,^.end
        move    r2,r1
.end:
        ldip    r3

        .align  4
reduce_and:
        and     r1,r2,r1
        ldip    r3

        .align  4
reduce_or:
        or      r1,r2,r1
        ldip    r3

        .ext
twice_text:
        .asciz  "kernel: a node joined a reduction before the last had its result\n"

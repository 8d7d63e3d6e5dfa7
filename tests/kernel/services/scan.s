; Sums over all nodes in the order of ranks, of 1 to 16 words, after pauses of random
; length. Word w of rank r is r w + k in round k, so both sums of each word are known.
; In each round every other node joins at priority 1. A wrong sum ends the run with 1.
        .include "test.inc"
        .global main, scan_times, scan_pause

        .data
scan_times:
        .word   INT:17
scan_pause:                     ; longest, in turns
        .word   INT:100
scan_words:
        .word   INT:0           ; rounds done
        .equ    ROUND, 0
        .word   INT:0           ; sum of all ranks, of those below
        .equ    ALL, 1
        .word   INT:0
        .equ    BELOW, 2
        .word   INT:0           ; twice the words of this round
        .equ    LAST, 3
        .equ    WORDS, 4

        .text
; half: R1 <- the sum of the numbers below R1. In: R3 link. R2 lost.
half:
        sub     r1,1,r2
        mul     r1,r2,r1
        lsh     r1,-1,r1
        ldip    r3

; join_at priority: R2 words. R0-R3 lost.
        .macro  join_at priority
        mask    r0
        readr   nnr,r1
        .msg    scan_join,2,U
        add     r0,r2,r0
        send2   r1,r0,\priority
        move    [ROUND,a1],r1
        load    kernel_rank,r3
.word\@:
        add     r1,r3,r1
        send    r1,\priority
        sub     r2,1,r2
        bnz     r2,^.word\@
        .ip     summed,U
        sende   r0,\priority
        .endm

main:
        service scan_start
        segment scan_words,WORDS,a1
        load    kernel_nodes,r1
        service half
        move    r1,[ALL,a1]
        load    kernel_rank,r1
        service half
        move    r1,[BELOW,a1]
        goto_u  again

again:
        mask    r0
        load    scan_pause,r1
        invoke_u kernel_random
.turn:
        bz      r1,^.join
        sub     r1,1,r1
        br      ^.turn
.join:
        move    [ROUND,a1],r2
        load    kernel_rank,r1
        add     r1,r2,r1
        and     r2,15,r2
        add     r2,1,r2
        add     r2,r2,r3
        move    r3,[LAST,a1]
        and     r1,1,r1
        bnz     r1,^.urgent
        join_at 0
        goto_u  kernel_idle
.urgent:
        join_at 1
        goto_u  kernel_idle

summed:
        segment scan_words,WORDS,a1
        load    kernel_nodes,r1
        mul     r1,[ROUND,a1],r1
        load    kernel_rank,r2
        mul     r2,[ROUND,a1],r2
        move    1,r3
.word:
        add     r1,[ALL,a1],r1
        equal   r1,[r3,a3],r0
        bf      r0,^.wrong
        add     r2,[BELOW,a1],r2
        add     r3,1,r3
        equal   r2,[r3,a3],r0
        bf      r0,^.wrong
        add     r3,1,r3
        gt      r3,[LAST,a1],r0
        bf      r0,^.word
        br      ^.right
.wrong:
        fail    1
.right:
        move    [ROUND,a1],r1
        add     r1,1,r1
        move    r1,[ROUND,a1]
        load    scan_times,r2
        .ip     again,U
        lt      r1,r2,r1
        bt      r1,^.go
        .ip     finish,U
.go:
        writer  r0,ip'b
        suspend

finish:
        vote    0

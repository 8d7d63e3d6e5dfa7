; Reductions, one after the other, after pauses of random length: sum, smallest,
; largest, all bits, common bits. A result that is wrong, or that came before all nodes
; had joined, ends the run with the number of the check.
        .include "test.inc"
        .global main, reduce_times, reduce_pause

        .data
reduce_times:
        .word   INT:5
reduce_pause:                   ; longest, in turns
        .word   INT:200
done:                           ; times done
        .word   INT:0
expected:                       ; sum of ranks
        .word   INT:0

        .text
; pause: of random length. In: R3 link. R0-R2 lost.
pause:
        move    r3,[PROGRAM_LOW,a0]
        load    reduce_pause,r1
        invoke_u kernel_random
.turn:
        bz      r1,^.end
        sub     r1,1,r1
        br      ^.turn
.end:
        move    [PROGRAM_LOW,a0],r3
        ldip    r3

main:
        context 1
        load    kernel_nodes,r1
        sub     r1,1,r2
        mul     r1,r2,r1
        lsh     r1,-1,r1
        store   r1,expected

.again: ; rank + done, of all nodes
        service pause
        load    kernel_rank,r2
        load    done,r1
        add     r1,r2,r3
        join    r3,reduce_add
        load    done,r2
        .word   INT:kernel_nodes
        mul     r2,[r0,a0],r2
        .word   INT:expected
        add     r2,[r0,a0],r2
        equals  r1,r2,1
        service pause
        load    kernel_rank,r2
        load    done,r1
        add     r1,r2,r3
        join    r3,reduce_min
        load    done,r2
        equals  r1,r2,2
        load    kernel_rank,r2
        load    done,r1
        add     r1,r2,r3
        join    r3,reduce_max
        load    done,r2
        .word   INT:kernel_nodes
        add     r2,[r0,a0],r2
        sub     r2,1,r2
        equals  r1,r2,3
        service pause
        load    kernel_rank,r3
        join    r3,reduce_or
        load    kernel_nodes,r2
        sub     r2,1,r2
        add     r2,r2,r3
        ffb     r2,r0           ; ranks below 2^k have all bits below k
        neg     r0,r0
        move    r0,r3
        .word   INT:31
        add     r3,r0,r3
        move    1,r0
        lsh     r0,r3,r3
        sub     r3,1,r3
        equals  r1,r3,4
        load    kernel_rank,r3
        lsh     r3,1,r3
        add     r3,1,r3         ; 1 is common to all
        join    r3,reduce_and
        same    r1,1,5

        increment done,r1
        load    reduce_times,r2
        equal   r1,r2,r0
        bt      r0,^.end
        goto    main.again
.end:
        vote    0

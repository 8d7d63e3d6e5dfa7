; The end of a program, through the host page.
        .include "services.inc"

        .global end_now, end_vote

        .section kernel_code,rom,code

; end_now:        | MSG end_now,2 (U, F) | INT status |
; Ends the run.
        .align  4
end_now:
        move    [1,a3],r1
        store   r1,HOST_EXIT
        suspend

; end_vote:       | MSG end_vote,2 (U) | INT status |
; From every node to itself: the run ends when all have voted, with the largest status.
; A vote is a reduction (reduce_join) and takes its turn among them.
        .align  4
end_vote:
        move    [1,a3],r1
        readr   nnr,r2
        .msg    reduce_join,4,U
        send2   r2,r0,0
        .ip     reduce_max,U
        send2   r1,r0,0
        .ip     end_voted,U
        sende   r0,0
        suspend

; end_voted: in R1 INT the largest status, on every node; rank 0 reports it.
        .align  4
end_voted:
        load    kernel_rank,r2
        bnz     r2,^.rest
        store   r1,HOST_EXIT
.rest:
        suspend

; A planted bug: a lost reply. Node 0 asks every node for its rank and counts the
; answers; a node whose rank is 3 does not answer.
        .include "kernel.inc"
        .global main, ask, serve, reply, replies
main:   load    kernel_rank,r1
        bnz     r1,^.rest
        .msg    ask,1
        send2e  r1,r0,0
.rest:  goto    kernel_idle

; ask: | MSG ask,1 |  sends a request to every node of the first row.
ask:    load    kernel_size_x,r3
.next:  sub     r3,1,r3
        .msg    serve,2
        send2   r3,r0,0
        sende   r3,0
        bnz     r3,^.next
        suspend

; serve: | MSG serve,2 | INT rank |
serve:  move    [1,a3],r1
        eq      r1,3,r2
        bt      r2,^.done
        move    0,r2
        .msg    reply,2
        send2   r2,r0,0
        sende   r1,0
.done:  suspend

; reply: | MSG reply,2 | INT rank |
reply:  load    replies,r1
        add     r1,1,r1
        store   r1,replies
        suspend
        .data
replies: .word  INT:0

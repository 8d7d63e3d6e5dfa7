; What `next` passes: calls, calls in calls, a routine that a handler runs meanwhile,
; the handlers of faults and interrupts. Comments number the lines at which node 0
; stands, from main on; from 20 on those of the task `early`, from 30 on those where an
; interrupt is posted.
        .include "kernel.inc"
        .global main
main:
        install interrupt,VECTOR_INTERRUPT
        load    kernel_rank,r1          ; next 1
        bnz     r1,^.other              ; next 2
        invoke  outer                   ; next 3
        readr   nnr,r1                  ; next 4
        .msg    meanwhile,2             ; next 5
        send2   r1,r0,0                 ; next 6
        sende   r1,0                    ; next 7
        move    1,r2                    ; next 8
        br      ^shared                 ; next 9
.other:
        equal   r1,1,r0
        bf      r0,^.two
        move    0,r2                    ; node 1 sends a message to node 0, with a pause
        .msg    early,6
        send2   r2,r0,0
        send2   r2,r2,0
        send2   r2,r2,0
        constant 200,r1
.pause: sub     r1,1,r1
        bnz     r1,^.pause
        sende   r2,0
        .word   INT:2                   ; and one to node 2, which sleeps
        move    r0,r2
        .msg    urgent,1
        send2e  r2,r0,0
.idle:
        goto    kernel_idle
.two:                                   ; on node 2
        unmask  r0
        move    1,r1                    ; next 30
        move    2,r1                    ; next 31
        bz      r1,^.idle               ; next 32
        br      ^.idle                  ; next 33

; In background and in the task `meanwhile`: R2 is 1 and 0.
shared:
        invoke  slow                    ; next 10
        bz      r2,^.task               ; next 11
        goto    kernel_idle             ; next 12
.task:
        suspend

slow:
        constant 100,r1
.turn:  sub     r1,1,r1
        bnz     r1,^.turn
        ldip    r3

meanwhile:
        move    0,r2
        br      ^shared

early:
        move    [1,a3],r1               ; next 20
        move    [5,a3],r1               ; next 21
        move    r1,r2                   ; next 22
        suspend                         ; next 23

urgent:                                 ; the debugger has it at priority 1, too
        suspend

; R2 is its way back.
outer:
        move    r3,r2
        invoke  inner
        invoke  inner
        ldip    r2
inner:
        move    0,r1
        ldip    r3

; A fault that no instruction raises goes back to the IP that was not fetched.
interrupt:
        move    1,r0
        ldipr   fip

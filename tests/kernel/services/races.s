; Futures in every order: the reply before the touch and after it, several tasks that
; wait for one slot, copies of a FUT word in registers and in memory, a task that waits
; twice, with its message, registers and address registers kept, values of all tags,
; background beside tasks. A step is a task; each ends by starting the next.
        .include "test.inc"
        .extern future_suspended, future_resumed, future_record
        .global main

;   step:   | MSG step_n,5 | INT 5 | INT 6 | INT 7 | INT 8 |  its words are checked
;   later:  | MSG later,4 | INT slot | word | INT turns |     replies, after some turns
;   waiter: | MSG waiter,3 | ADDR context | INT number |
        .equ    WAITERS, 5

        .data
waited:                         ; tasks of step 3 that have their value
        .word   INT:0
object:
        .word   INT:0, INT:11, INT:22

        .text
; next step: starts it and ends this one.
        .macro  next step
        to_self \step,5
        move    5,r1
        move    6,r2
        send2   r1,r2,0
        move    7,r1
        move    8,r2
        send2e  r1,r2,0
        suspend
        .endm

; delay turns, value: the value to slot 1 of A1 by a message to this node, not before
; the tasks that are there now have ended; a word of memory or a register, not R0-R2.
        .macro  delay turns, value
        reference a1,1,r2
        to_self later,4
        send    r2,0
        send    \value,0
        constant \turns,r1
        sende   r1,0
        .endm

later:
        move    [3,a3],r1
        bz      r1,^.now
.turn:
        sub     r1,1,r1
        bnz     r1,^.turn
.now:
        readr   nnr,r1
        move    [2,a3],r2
        reply   r1,[1,a3],r2
        suspend

; message number: the words of this step's message are there.
        .macro  message number
        move    [1,a3],r1
        add     r1,[2,a3],r1
        add     r1,[3,a3],r1
        add     r1,[4,a3],r1
        same    r1,26,\number
        .endm

        .macro  free
        move    a1,r1
        invoke  block_free
        .endm

main:
        load    kernel_rank,r1
        bz      r1,^.node0
        vote    0
.node0:
        context 1
        reference a1,1,r3
        mask    r0
        to_self step_1,5
        move    5,r1
        move    6,r2
        send2   r1,r2,0
        move    7,r1
        move    8,r2
        send2e  r1,r2,0
        mask    r0
        store   r3,last_slot
        ; all registers of background last through its wait
        constant 0x101,r1
        constant 0x202,r2
        segment object,3,a2
        constant 0x303,r3
        constant 40,r0
        add     r0,[1,a1],r0
        move    r0,[PROGRAM_LOW,a0]
        same    r1,0x101,1
        same    r2,0x202,2
        same    r3,0x303,3
        move    [PROGRAM_LOW,a0],r0
        move    r0,r1
        same    r1,42,4
        move    [2,a2],r1
        same    r1,22,5
        ; and a FUT in a register
        arm     1
        move    r1,r2
        mask    r0
        to_self later,4
        constant 77,r1
        send2   r2,r1,0
        constant 500,r1
        sende   r1,0
        mask    r0
        wtag    r2,TAG_FUT,r3
        move    r3,r2
        add     r3,1,r1
        same    r1,78,6
        same    r2,77,7
        vote    0

; 1: the touch first. Values of R0-R3, A0-A3, IDs and the message outlast it.
step_1:
        context 2
        delay   300,[1,a3]
        segment object,3,a2
        move    a2,r1
        move    r1,a0
        constant 0x55,r1
        move    a2,r3
        enter   r3,r1
        xlate   r1,a2
        constant 0x11,r1
        constant 0x22,r2
        constant 0x33,r3
        add     r1,[1,a1],r0
        move    r0,[2,a1]
        same    r1,0x11,11
        same    r2,0x22,12
        same    r3,0x33,13
        move    [2,a1],r1
        same    r1,0x16,14
        move    [2,a2],r1
        same    r1,22,15
        readr   id2,r1
        same    r1,0x55,16
        move    a0,r1
        move    a2,r2
        eq      r1,r2,r0
        so      r0,17
        message 18
        readr   q,r0            ; this task has left the queue
        bf      r0,^.q
        fail    19
.q:
        ; again, in the same task
        arm     1
        delay   10,[2,a3]
        move    [1,a1],r1
        same    r1,6,20
        message 21
        free
        next    step_2

; 2: the reply first: this task waits for another slot meanwhile. No fault then.
step_2:
        context 2
        delay   0,[3,a3]
        reference a1,2,r2
        to_self later,4
        move    1,r1
        send2   r2,r1,0
        constant 100,r1
        sende   r1,0
        move    [2,a1],r1
        load    future_suspended,r3
        move    [1,a1],r1
        same    r1,7,22
        load    future_suspended,r1
        equals  r1,r3,23
        message 24
        free
        next    step_3

; 3: several wait for one slot, one more touches it after the reply.
step_3:
        context 2
        move    WAITERS,r3
.start:
        to_self waiter,3
        move    a1,r2
        send2e  r2,r3,0
        sub     r3,1,r3
        bnz     r3,^.start
        delay   200,[4,a3]
        move    [1,a1],r1       ; it waits, too
        same    r1,8,25
        ; the waiters are resumed by messages behind this one: one last message
        reference a1,2,r2
        to_self later,4
        send    r2,0
        constant 0,r1
        send2e  r1,r1,0
        move    [2,a1],r1
        load    waited,r1
        same    r1,WAITERS,26
        message 27
        free
        next    step_4

waiter:
        move    [1,a3],r1
        move    r1,a1
        constant 1000,r1
        add     r1,[2,a3],r1
        move    [1,a1],r2
        same    r2,8,30
        sub     r1,[2,a3],r1
        same    r1,1000,31
        increment waited,r1
        suspend

; 4: FUT words: copied freely; the copies of what was used become the value, others
; stay.
step_4:
        context 3
        reference a1,2,r1
        wtag    r1,TAG_FUT,r1   ; of slot 2, never answered
        move    r1,r3
        reference a1,1,r1
        wtag    r1,TAG_FUT,r1
        move    r1,[3,a1]
        move    r3,[2,a1]
        move    r1,r3
        move    r3,[PROGRAM_LOW,a0]
        delay   100,[1,a3]
        move    [PROGRAM_LOW,a0],r3
        move    r3,r2
        constant 30,r1
        add     r1,r2,r1        ; waits; op0
        same    r1,35,40
        same    r2,5,41
        same    r3,5,42
        move    [3,a1],r2       ; still a copy
        check   r2,TAG_FUT,r0
        so      r0,43
        sub     r2,1,r1         ; Rs, answered before
        same    r1,4,44
        same    r2,5,45
        constant 9,r1
        mul     r1,[3,a1],r1    ; a copy in memory, answered before
        same    r1,45,46
        move    [3,a1],r1
        same    r1,5,47

        ; one in memory that has to be waited for
        arm     1
        wtag    r1,TAG_FUT,r1
        move    r1,[3,a1]
        delay   100,[2,a3]
        constant 9,r1
        mul     r1,[3,a1],r1
        same    r1,54,48
        message 49
        move    [2,a1],r1
        check   r1,TAG_FUT,r0
        so      r0,50
        free
        next    step_5

; 5: values of other tags; a FUT as a value is waited for in turn.
step_5:
        context 2
        move    nil,r3
        delay   50,r3
        move    [1,a1],r1
        bnil    r1,^.nil
        fail    51
.nil:
        arm     1
        move    a1,r3
        delay   50,r3
        move    [1,a1],r1
        move    a1,r2
        eq      r1,r2,r0
        so      r0,52
        arm     1
        reference a1,2,r3
        wtag    r3,TAG_FUT,r3
        delay   50,r3
        reference a1,2,r2
        to_self later,4
        move    -3,r1
        send    r2,0
        send    r1,0
        constant 400,r1
        sende   r1,0
        move    [1,a1],r1
        add     r1,4,r1
        same    r1,1,53
        message 54
        free

        ; background has waited all the while
        load    last_slot,r2
        to_self later,4
        move    2,r1
        send    r2,0
        send    r1,0
        constant 0,r1
        sende   r1,0
        settled 55
        suspend

        .data
last_slot:
        .word   INT:0

; Contexts and futures. A context is a block whose slots hold CFUT words until a reply
; brings the value. A task of priority 0 that touches such a slot, or uses a FUT word of
; it, is saved in a record and its message ends; the reply starts it again with the
; instruction that faulted. Background waits in a loop that counts as idle.
        .include "services.inc"
        .extern block_heap, block_top

        .global context_new, context_arm, future_reply
        .global future_save, future_leave, future_resume, future_restart
        .global future_suspended, future_resumed

; Low memory, within a fault handler.
        .equ    FUTURE_MAR, KERNEL_FUTURE ; where the operand was, if it was in memory
        .equ    FUTURE_REF, KERNEL_FUTURE + 1
        .equ    FUTURE_A2, KERNEL_FUTURE ; within a reply

        .data
future_record:                  ; NIL or ADDR: record of the task resumed last, which
        .word   NIL             ; is still running if Q = 0, or has ended
future_suspended:               ; tasks that were saved
        .word   INT:0
future_resumed:                 ; tasks started again
        .word   INT:0
background_record:              ; background's: it waits for one future at a time
        .rept   RECORD_WORDS
        .word   NIL
        .endr

        .section future_starter,vectors,data
        .org    KERNEL_STARTERS
        .ip     future_start,U

        .section kernel_code,rom,code

; future_start: takes over CFUT and FUT of priority 0 and background. In: R3 link.
        .align  4
future_start:
        install future_touch,VECTOR_CFUT
        install future_touch,VECTOR_FUT
        ldip    r3

; context_new: in R1 INT slots, 1..1022; out R1 ADDR of a context, every slot its own
; CFUT. R0, R2 lost, KERNEL_LINK, KERNEL_CURSOR used. Free it with block_free.
        .align  4
context_new:
        move    r3,[KERNEL_LINK,a0]
        add     r1,1,r1
        invoke_u block_new
        wtag    r1,TAG_INT,r2
        lsh     r2,-10,r3
        and     r2,0x3FF,r2
        add     r3,r2,r3        ; behind the context
.slot:
        sub     r2,1,r2
        sub     r3,1,r3
        bz      r2,^.waiters
        lsh     r2,10,r0
        lsh     r0,10,r0
        or      r0,r3,r0
        wtag    r0,TAG_CFUT,r0
        move    r0,[r3,a0]
        br      ^.slot
.waiters:
        move    nil,r0
        move    r0,[r3,a0]
        move    [KERNEL_LINK,a0],r3
        ldip    r3

; context_arm: in R1 INT reference; its slot waits for another reply. R0, R2 lost.
        .align  4
context_arm:
        and     r1,0xFFFFF,r2
        wtag    r1,TAG_CFUT,r0
        move    r0,[r2,a0]
        ldip    r3

; ---- touching ----------------------------------------------------------------------

; replace operand: if the word there is the future R1 = INT reference, of either tag,
; the value in R0 takes its place, and FUTURE_REF becomes TRUE. R2, R3 lost.
        .macro  replace operand:vararg
        move    \operand,r3
        xor     r3,r1,r2
        bnz     r2,^.other\@
        rtag    r3,r2
        or      r2,1,r2         ; CFUT is 6, FUT is 7
        equal   r2,TAG_FUT,r2
        bf      r2,^.other\@
        move    r0,\operand
        move    r2,[FUTURE_REF,a0]
.other\@:
        .endm

; is_future: R2 <- BOOL, whether the word in R1 is tagged CFUT or FUT.
        .macro  is_future
        rtag    r1,r2
        or      r2,1,r2
        equal   r2,TAG_FUT,r2
        .endm

; future_touch: CFUT and FUT faults of priority 0 and background, unchecked, fault mode.
; If the slot has its value already, copies of the future in R0-R3 and in the memory
; operand become the value. Else the task is saved, or background waits. A future
; without a context, or touched in mid-message, is reported.
        .align  4
future_touch:
        writer  r0,fip'b        ; the other context's FIP is unused; a store would
        readr   mar,r0          ; overwrite the task's MAR
        move    r0,[FUTURE_MAR,a0]
        readr   fip'b,r0
        move    r0,[KERNEL_SAVE,a0]
        move    r1,[KERNEL_SAVE + 1,a0]
        move    r2,[KERNEL_SAVE + 2,a0]
        move    r3,[KERNEL_SAVE + 3,a0]
        readr   b,r0
        bt      r0,^.background
        readr   fop0,r1
        is_future
        bt      r2,^.future
        readr   fop1,r1
.future:
        .ip     future_wait,U,F
        move    r0,r3
        br      ^.look

        ; A task dispatched since may have faulted and overwritten background's FOP0, so
        ; look for the future in the memory operand, then in the registers.
.background:
        .ip     future_rest,U,F
        move    r0,r3
        move    [FUTURE_MAR,a0],r0
        move    [r0,a0],r1
        is_future
        bt      r2,^.look
        move    [KERNEL_SAVE + 1,a0],r1
        is_future
        bt      r2,^.look
        move    [KERNEL_SAVE + 2,a0],r1
        is_future
        bt      r2,^.look
        move    [KERNEL_SAVE + 3,a0],r1
        is_future
        bt      r2,^.look
        move    [KERNEL_SAVE,a0],r1

        ; R1 = the word, R3 = where to go if its value has not arrived
.look:
        move    r1,[FUTURE_REF,a0]
        is_future
        bf      r2,^.report
        wtag    r1,TAG_INT,r1
        and     r1,0xFFFFF,r2
        .word   INT:block_heap
        lt      r2,r0,r0
        bt      r0,^.report
        .word   INT:block_top
        ge      r2,[r0,a0],r0
        bt      r0,^.report
        move    [r2,a0],r0
        wtag    r1,TAG_CFUT,r2
        eq      r0,r2,r2
        bf      r2,^.arrived
        ldip    r3
.arrived:
        replace [KERNEL_SAVE,a0]
        replace [KERNEL_SAVE + 1,a0]
        replace [KERNEL_SAVE + 2,a0]
        replace [KERNEL_SAVE + 3,a0]
        move    [FUTURE_MAR,a0],r3
        move    [r3,a0],r2
        xor     r2,r1,r2
        bnz     r2,^.again
        move    [r3,a0],r2
        rtag    r2,r2
        or      r2,1,r2
        equal   r2,TAG_FUT,r2
        bf      r2,^.again
        move    r0,[r3,a0]
        move    r2,[FUTURE_REF,a0]
.again:
        move    [FUTURE_REF,a0],r2
        check   r2,TAG_BOOL,r2
        bf      r2,^.report     ; it is in an A register: retrying would not help
        move    [KERNEL_SAVE + 2,a0],r2
        move    [KERNEL_SAVE + 3,a0],r3
        .ip     kernel_retry,U,F
        ldip    r0
.report:
        br      ^future_report

; future_wait: saves the task for the reference in R1. A task with I = 1 is between SEND
; and SENDE: nothing could run before it continues, so it is reported.
        .align  4
future_wait:
        readr   i,r0
        bt      r0,^future_report
        invoke_uf future_save
        move    [RECORD_SLOT,a2],r1
        and     r1,0xFFFFF,r2
        lsh     r1,-10,r1
        lsh     r1,-10,r1
        sub     r2,r1,r2        ; the context
        move    [r2,a0],r0
        move    r0,[RECORD_NEXT,a2]
        move    a2,r0
        move    r0,[r2,a0]

; future_leave: copies the message of the task that future_save has saved in A2, and
; ends the task. Leaves fault mode first, so EARLY (for words to come) and QUEUE work.
future_leave:
        move    false,r0
        writer  r0,f
        readr   q,r0
        bf      r0,^.end
        move    [RECORD_A + 3,a2],r0
        move    r0,a1
        move    a3,r2
        wtag    r2,TAG_INT,r2
        and     r2,0x3FF,r2
.word:
        sub     r2,1,r2
        move    [r2,a3],r0
        move    r0,[r2,a1]
        bnz     r2,^.word
.end:
        suspend

future_report:
        move    [FUTURE_REF,a0],r1
        rtag    r1,r0
        equal   r0,TAG_FUT,r1
        move    FAULT_FUT,r0
        bt      r1,^.which
        move    FAULT_CFUT,r0
.which:
        move    r0,[KERNEL_REPORT,a0]
        .ip     kernel_report,U,F
        ldip    r0

; future_save: in R1 the word for RECORD_SLOT, R0-R3 of the task in KERNEL_SAVE, FIP
; behind the instruction to retry, R3 link; out A2 ADDR of the record, complete except
; for the message. Call it unchecked in fault mode, from priority 0. R0-R3 lost,
; KERNEL_LINK, KERNEL_CURSOR used. Then future_leave.
        .align  4
future_save:
        move    r1,[FUTURE_REF,a0]
        move    r3,[KERNEL_LINK,a0]
        readr   q,r0
        bt      r0,^.fresh
        load    future_record,r1 ; resumed before: reuse its record and copy
        move    nil,r2
        move    r2,[r0,a0]
        br      ^.have
.fresh:
        move    a3,r1
        wtag    r1,TAG_INT,r1
        and     r1,0x3FF,r1
        add     r1,RECORD_WORDS,r1
        invoke_uf block_new
.have:
        move    a2,r2
        move    r1,a2
        move    r2,[RECORD_A + 2,a2]
        move    nil,r0
        move    r0,[RECORD_NEXT,a2]
        move    [FUTURE_REF,a0],r0
        move    r0,[RECORD_SLOT,a2]
        readr   fip,r2
        .word   INT:IP_PHASE
        sub     r2,r0,r2        ; one instruction back
        move    r2,[RECORD_IP,a2]
        move    [KERNEL_SAVE,a0],r0
        move    r0,[RECORD_R,a2]
        move    [KERNEL_SAVE + 1,a0],r0
        move    r0,[RECORD_R + 1,a2]
        move    [KERNEL_SAVE + 2,a0],r0
        move    r0,[RECORD_R + 2,a2]
        move    [KERNEL_SAVE + 3,a0],r0
        move    r0,[RECORD_R + 3,a2]
        move    a0,r0
        move    r0,[RECORD_A,a2]
        move    a1,r0
        move    r0,[RECORD_A + 1,a2]
        wtag    r1,TAG_INT,r1
        lsh     r1,-10,r1
        add     r1,RECORD_MESSAGE,r1
        lsh     r1,10,r1
        wtag    r1,TAG_ADDR,r1
        move    r1,[RECORD_A + 3,a2]
        readr   id0,r0
        move    r0,[RECORD_ID,a2]
        readr   id1,r0
        move    r0,[RECORD_ID + 1,a2]
        readr   id2,r0
        move    r0,[RECORD_ID + 2,a2]
        readr   id3,r0
        move    r0,[RECORD_ID + 3,a2]
        load    future_suspended,r1
        add     r1,1,r1
        move    r1,[r0,a0]
        move    [KERNEL_LINK,a0],r3
        ldip    r3

; future_rest: background waits for the reference in R1, unchecked, fault mode, I = 1;
; its other registers stay where they are. The reply moves its IP to future_return.
        .align  4
future_rest:
        store   r1,background_record + RECORD_SLOT
        readr   fip,r1
        .word   INT:IP_PHASE
        sub     r1,r0,r1
        store   r1,background_record + RECORD_IP
        move    [KERNEL_SAVE,a0],r1
        store   r1,background_record + RECORD_R
        move    [KERNEL_SAVE + 1,a0],r1
        store   r1,background_record + RECORD_R + 1
        move    [KERNEL_SAVE + 2,a0],r1
        store   r1,background_record + RECORD_R + 2
        move    [KERNEL_SAVE + 3,a0],r1
        store   r1,background_record + RECORD_R + 3
        load    background_record + RECORD_SLOT,r1
        and     r1,0xFFFFF,r2
        lsh     r1,-10,r1
        lsh     r1,-10,r1
        sub     r2,r1,r2
        move    [r2,a0],r1
        store   r1,background_record + RECORD_NEXT
        .addr   background_record,RECORD_WORDS
        move    r0,[r2,a0]
        unmask  r0
.rest:
        br      ^.rest

        .align  4
future_return:
        mask    r0
        load    background_record + RECORD_IP,r1
        writer  r1,fip
        load    background_record + RECORD_R,r1
        move    r1,[KERNEL_SAVE,a0]
        load    background_record + RECORD_R + 1,r1
        load    background_record + RECORD_R + 2,r2
        load    background_record + RECORD_R + 3,r3
        move    [KERNEL_SAVE,a0],r0
        ldipr   fip

; ---- replying ----------------------------------------------------------------------

; future_reply:   | MSG future_reply,3 (U) | INT reference | value |
; Fills the slot and restarts the tasks waiting for it: one in this message, others by
; messages to this node. Each retries its instruction, which replaces copies of a FUT
; word. A reply at priority 1 may wake background only. A2 is kept if no task is
; restarted.
        .align  4
future_reply:
        move    [1,a3],r1
        and     r1,0xFFFFF,r2
        move    [2,a3],r0
        move    r0,[r2,a0]
        lsh     r1,-10,r3
        lsh     r3,-10,r3
        sub     r2,r3,r2        ; address of the word that names the next record
        move    [r2,a0],r0
        bnnil   r0,^.wake
        suspend
.wake:
        mask    r0              ; a reply at priority 1 must not interrupt
        move    a2,r0
        move    r0,[FUTURE_A2,a0]
        move    nil,r0
        move    r0,a1           ; the record found last
.look:
        move    [r2,a0],r3
        bnil    r3,^.end
        move    r3,a2
        move    [RECORD_SLOT,a2],r0
        eq      r0,r1,r0
        bt      r0,^.match
        wtag    r3,TAG_INT,r3
        lsh     r3,-10,r2       ; RECORD_NEXT of this one
        br      ^.look
.match:
        move    [RECORD_NEXT,a2],r0
        move    r0,[r2,a0]
        move    r2,a0
        move    a2,r2
        .addr   background_record,RECORD_WORDS
        eq      r0,r2,r0
        bt      r0,^.background
        move    a1,r3
        bnil    r3,^.found
        readr   nnr,r2
        .msg    future_resume,2,U,F
        send2   r2,r0,0
        sende   r3,0
.found:
        move    a2,r2
        move    r2,a1
        move    a0,r2
        br      ^.look
.background:
        .ip     future_return,U,F
        writer  r0,ip'b
        move    a0,r2
        br      ^.look
.end:
        move    a1,r1
        bnnil   r1,^.resume
        move    [FUTURE_A2,a0],r0
        move    r0,a2
        unmask  r0
        suspend
.resume:
        .ip     future_restart,U,F
        ldip    r0

; future_resume:  | MSG future_resume,2 (U, F) | ADDR record |
        .align  4
future_resume:
        move    [1,a3],r1

; future_restart: ends this message, of at most four words, but not this task: it
; continues as the one saved in R1 = ADDR record. Jumped to unchecked, in fault mode.
; Frees the record of the task resumed before, unless that task waits again.
future_restart:
        move    r1,a2
        load    future_record,r1
        bnil    r1,^.none
        invoke_uf block_free
.none:
        move    a2,r1
        store   r1,future_record
        load    future_resumed,r1
        add     r1,1,r1
        move    r1,[r0,a0]

        ; moves QHL with the network input off and priority 1 masked
        mask    r0
        readr   qbm,r1
        .word   INT:ADDR_INVALID
        or      r1,r0,r2
        writer  r2,qbm
        readr   qhl,r2
        wtag    r2,TAG_INT,r2
        .word   INT:4 << 10
        add     r2,r0,r3        ; the head moves on by four words
        lsh     r3,-10,r3
        and     r1,0x3FF,r0
        and     r3,r0,r3
        lsh     r1,-10,r0
        and     r0,0xFFFFF,r0
        or      r3,r0,r3
        lsh     r3,10,r3
        and     r2,0x3FF,r2
        sub     r2,4,r2
        or      r3,r2,r3
        wtag    r3,TAG_ADDR,r3
        writer  r3,qhl
        writer  r1,qbm
        move    false,r0
        writer  r0,q
        writer  r0,i

        move    [RECORD_IP,a2],r0
        writer  r0,fip
        move    [RECORD_ID,a2],r0
        writer  r0,id0
        move    [RECORD_ID + 1,a2],r0
        writer  r0,id1
        move    [RECORD_ID + 2,a2],r0
        writer  r0,id2
        move    [RECORD_ID + 3,a2],r0
        writer  r0,id3
        move    [RECORD_A,a2],r0
        move    r0,a0
        move    [RECORD_A + 1,a2],r0
        move    r0,a1
        move    [RECORD_A + 3,a2],r0
        move    r0,a3
        move    [RECORD_R,a2],r0
        move    r0,[KERNEL_SAVE,a0]
        move    [RECORD_R + 1,a2],r1
        move    [RECORD_R + 2,a2],r2
        move    [RECORD_R + 3,a2],r3
        move    [RECORD_A + 2,a2],r0
        move    r0,a2
        move    [KERNEL_SAVE,a0],r0
        ldipr   fip

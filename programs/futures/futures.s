; run: --mesh 4x2x1
; also: --mesh 3x1x5
; also: --mesh 4x4x4
; also: --mesh 1x1x1
; futures: node 0 runs a task for each node. A task asks its node for a value and
; continues with a FUT word in its place; the word may be copied, but the first use
; faults, and the handler here suspends the task: its registers stay in a frame until
; the reply wakes it, while the other tasks run.
        .include "kernel.inc"
        .global main, suspended, woken

;   task:   | MSG task,3  | INT node | INT rank |
;   ask:    | MSG ask,3   | INT frame | INT rank |          on the node asked
;   reply:  | MSG reply,3 (U, F) | INT frame | INT value |
;
;   frame:  | value, or FUT frame | TRUE while the task waits, else NIL | IP |
;           | R0-R3 | A1 | A2 | rank |
; The message of a task ends when it suspends, so it must not use A3 after a future.
        .equ    SLOT, 0
        .equ    WAITS, 1
        .equ    SAVED_IP, 2
        .equ    SAVED_R, 3
        .equ    SAVED_A1, 7
        .equ    SAVED_A2, 8
        .equ    TASK_RANK, 9

        .data
sum:                            ; sum of the values
        .word   INT:0
ended:                          ; tasks that have ended
        .word   INT:0
suspended:                      ; tasks that used a future
        .word   INT:0
woken:                          ; tasks that a reply has started again
        .word   INT:0

        .text

; main: node 0 starts a task for every node, in the order of ranks. In background.
main:
        load    kernel_rank,r1
        bnz     r1,^.rest
        install touch,VECTOR_FUT
        move    0,r1            ; node
        move    0,r3            ; rank
.next:
        move    r3,[PROGRAM_LOW + 1,a0]
        mask    r0
        move    0,r2
        .msg    task,3
        send2   r2,r0,0
        send2e  r1,r3,0
        mask    r0
        invoke  kernel_next_node
        move    [PROGRAM_LOW + 1,a0],r3
        add     r3,1,r3
        bnz     r1,^.next
.rest:
        goto    kernel_idle

; task: [1,a3] = INT node, [2,a3] = INT rank.
task:
        invoke  kernel_new_frame
        frame   r1,a1
        wtag    r1,TAG_FUT,r2
        move    r2,[SLOT,a1]
        move    nil,r2
        move    r2,[WAITS,a1]
        move    [2,a3],r2
        move    r2,[TASK_RANK,a1]
        .msg    ask,3
        send2   [1,a3],r0,0
        send2e  r1,r2,0

        ; copying a future is free; using the copy is not
        move    [SLOT,a1],r3
        move    r3,r1
        add     r1,0,r2         ; waits here
        neq     r1,r2,r0        ; the copies have become the value, R2 = R1
        bt      r0,^.wrong
        move    [TASK_RANK,a1],r0
        mul     r0,r0,r0
        equal   r0,r3,r0
        bf      r0,^.wrong
        load    sum,r1
        add     r1,r3,r1
        move    r1,[r0,a0]
        move    a1,r1           ; the frame's address, from its ADDR word
        wtag    r1,TAG_INT,r1
        lsh     r1,-10,r1
        invoke  kernel_free_frame
        goto    task_end
.wrong:
        print   wrong_text
        move    1,r1
        exit    r1
        suspend

; task_end: counts a task; after the last one prints the counts and ends the run.
task_end:
        load    ended,r1
        add     r1,1,r1
        move    r1,[r0,a0]
        load    kernel_nodes,r2
        equal   r1,r2,r0
        bt      r0,^.all
        suspend
.all:
        invoke  kernel_print_decimal
        print   tasks_text
        load    suspended,r1
        invoke  kernel_print_decimal
        print   suspended_text
        load    woken,r1
        invoke  kernel_print_decimal
        print   woken_text
        load    sum,r1
        invoke  kernel_print_decimal
        print   newline_text

        ; status 0 if all waited, all were woken and the sum is right
        load    kernel_nodes,r1
        load    suspended,r2
        equal   r1,r2,r0
        bf      r0,^.bad
        load    woken,r2
        equal   r1,r2,r0
        bf      r0,^.bad
        load    sum,r2
.square:
        sub     r1,1,r1
        mul     r1,r1,r0
        sub     r2,r0,r2
        bnz     r1,^.square
        bnz     r2,^.bad
        exit    r1
        suspend
.bad:
        move    2,r1
        exit    r1
        suspend

; ask: [1,a3] = INT frame, [2,a3] = INT rank. Answers node 0 with the square.
ask:
        move    [2,a3],r1
        mul     r1,r1,r1
        move    0,r2
        .msg    reply,3,U,F
        send2   r2,r0,0
        send2e  [1,a3],r1,0
        suspend

; touch: FUT fault of priority 0, unchecked, fault mode. The FUT word, in the operand or
; Rs, names the frame. Saves the task, so that it starts again with the instruction that
; faulted, and ends the message.
touch:
        move    r0,[KERNEL_SAVE,a0]
        move    r1,[KERNEL_SAVE + 1,a0]
        move    r2,[KERNEL_SAVE + 2,a0]
        move    r3,[KERNEL_SAVE + 3,a0]
        readr   fop0,r1
        check   r1,TAG_FUT,r0
        bt      r0,^.frame
        readr   fop1,r1
.frame:
        wtag    r1,TAG_INT,r1
        move    a1,r2
        frame   r1,a1
        move    r2,[SAVED_A1,a1]
        move    a2,r2
        move    r2,[SAVED_A2,a1]
        move    [KERNEL_SAVE,a0],r0
        move    r0,[SAVED_R,a1]
        move    [KERNEL_SAVE + 1,a0],r0
        move    r0,[SAVED_R + 1,a1]
        move    [KERNEL_SAVE + 2,a0],r0
        move    r0,[SAVED_R + 2,a1]
        move    r3,[SAVED_R + 3,a1]
        readr   fip,r1
        .word   INT:IP_PHASE
        sub     r1,r0,r1        ; one instruction back
        move    r1,[SAVED_IP,a1]
        move    true,r0
        move    r0,[WAITS,a1]
        load    suspended,r1
        add     r1,1,r1
        move    r1,[r0,a0]
        move    false,r0        ; an EARLY fault of SUSPEND would be fatal in fault mode
        writer  r0,f
        suspend

; reply: [1,a3] = INT frame, [2,a3] = INT value, unchecked, fault mode. Fills the slot.
; In a waiting task the value replaces all copies of the future; the task continues with
; this message as its own.
reply:
        move    [1,a3],r1
        frame   r1,a1
        move    [2,a3],r2
        move    r2,[SLOT,a1]
        move    [WAITS,a1],r0
        bnnil   r0,^.wake
        suspend
.wake:
        move    nil,r0
        move    r0,[WAITS,a1]
        wtag    r1,TAG_FUT,r3
        move    [SAVED_R,a1],r0
        eq      r0,r3,r0
        bf      r0,^.not_r0
        move    r2,[SAVED_R,a1]
.not_r0:
        move    [SAVED_R + 1,a1],r0
        eq      r0,r3,r0
        bf      r0,^.not_r1
        move    r2,[SAVED_R + 1,a1]
.not_r1:
        move    [SAVED_R + 2,a1],r0
        eq      r0,r3,r0
        bf      r0,^.not_r2
        move    r2,[SAVED_R + 2,a1]
.not_r2:
        move    [SAVED_R + 3,a1],r0
        eq      r0,r3,r0
        bf      r0,^.not_r3
        move    r2,[SAVED_R + 3,a1]
.not_r3:
        load    woken,r1
        add     r1,1,r1
        move    r1,[r0,a0]

        move    [SAVED_IP,a1],r0
        writer  r0,fip
        move    [SAVED_A2,a1],r0
        move    r0,a2
        move    [SAVED_R + 1,a1],r1
        move    [SAVED_R + 2,a1],r2
        move    [SAVED_R + 3,a1],r3
        move    [SAVED_R,a1],r0
        move    r0,[KERNEL_SAVE,a0]
        move    [SAVED_A1,a1],r0
        move    r0,a1
        move    [KERNEL_SAVE,a0],r0
        ldipr   fip

        .ext
tasks_text:
        .asciz  " tasks: "
suspended_text:
        .asciz  " suspended, "
woken_text:
        .asciz  " woken, sum of squares "
newline_text:
        .asciz  "\n"
wrong_text:
        .asciz  "a task went on with a wrong value\n"

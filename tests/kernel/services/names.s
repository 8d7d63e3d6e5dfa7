; Calls by name. Names NAME.. of which every node is the home of some are registered by
; every main; then each node calls all of them, on many nodes at once: the first calls
; miss everywhere (a storm), and all must run once, with their arguments. Then names
; are published at run time, and one is bound anew everywhere.
        .include "test.inc"
        .extern name_misses, future_suspended, future_resumed, future_record
        .global main, names_count, names_times

;   call:   | MSG name_call,4 | SYM name | INT n | INT check |
        .equ    NAME, 0x400             ; the first of them
        .equ    PUBLISHED, 0x7000

        .data
names_count:
        .word   INT:100
names_times:                    ; calls of every name, by each node
        .word   INT:2
calls:                          ; that ran here
        .word   INT:0
sum:                            ; of the n they brought
        .word   INT:0
which:                          ; 1 or 2: the procedure that ran last
        .word   INT:0

        .text
; procedure: what all names stand for, at first. A3 is the message, also for a call that
; had to wait: n * 3 + the name must be the check.
procedure:
        move    [2,a3],r1
        mul     r1,3,r2
        move    [1,a3],r3
        wtag    r3,TAG_INT,r3
        add     r2,r3,r2
        equals  r2,[3,a3],1
        load    sum,r2
        add     r1,r2,r2
        move    r2,[r0,a0]
        increment calls,r2
        suspend

first:
        move    1,r1
        store   r1,which
        br      ^called
second:
        move    2,r1
        store   r1,which
called:
        move    [2,a3],r1       ; answers TRUE: node and slot are arguments
        move    true,r2
        reply   r1,[3,a3],r2
        suspend

; call_published: calls PUBLISHED here and waits until it has run. R3 link.
call_published:
        move    r3,[PROGRAM_LOW + 2,a0]
        arm     1
        move    r1,r3
        mask    r0
        to_self name_call,4
        .word   SYM:PUBLISHED
        send2   r0,r1,0
        sende   r3,0
        mask    r0
        move    [CONTEXT_SLOTS,a1],r1
        move    [PROGRAM_LOW + 2,a0],r3
        ldip    r3

main:
        context 1
        move    0,r3
.register:
        move    r3,[PROGRAM_LOW + 2,a0]
        .word   INT:NAME
        add     r3,r0,r1
        wtag    r1,TAG_SYM,r1
        .ip     procedure
        move    r0,r2
        service name_register
        move    [PROGRAM_LOW + 2,a0],r3
        add     r3,1,r3
        load    names_count,r2
        equal   r3,r2,r0
        bf      r0,^.register
        join    r3,reduce_add   ; all are registered

        ; every name at the node this many ranks on, this many times
        move    0,r3
        move    r3,[PROGRAM_LOW + 5,a0]
.again:
        move    0,r3
.call:
        move    r3,[PROGRAM_LOW + 2,a0]
        load    kernel_rank,r1
        add     r1,r3,r1
.wrap:
        load    kernel_nodes,r2
        lt      r1,r2,r0
        bt      r0,^.rank
        sub     r1,r2,r1
        br      ^.wrap
.rank:
        invoke  kernel_rank_to_node
        mask    r0
        move    [PROGRAM_LOW + 2,a0],r3
        .msg    name_call,4
        send2   r1,r0,0
        .word   INT:NAME
        add     r3,r0,r1
        wtag    r1,TAG_SYM,r2
        send2   r2,r3,0
        mul     r3,3,r2
        add     r1,r2,r1
        sende   r1,0
        mask    r0
        add     r3,1,r3
        load    names_count,r2
        equal   r3,r2,r0
        bf      r0,^.call
        move    [PROGRAM_LOW + 5,a0],r3
        add     r3,1,r3
        move    r3,[PROGRAM_LOW + 5,a0]
        load    names_times,r2
        equal   r3,r2,r0
        bf      r0,^.again

        ; until all calls of all nodes have run
.count:
        unmask  r0
        constant 1000,r1
.pause:
        sub     r1,1,r1
        bnz     r1,^.pause
        mask    r0
        load    calls,r3
        join    r3,reduce_add
        load    kernel_nodes,r2
        .word   INT:names_times
        mul     r2,[r0,a0],r2
        .word   INT:names_count
        mul     r2,[r0,a0],r2
        lt      r1,r2,r0
        bt      r0,^.count
        equals  r1,r2,2
        load    sum,r3
        join    r3,reduce_add
        load    names_count,r2
        sub     r2,1,r3
        mul     r2,r3,r2
        lsh     r2,-1,r2
        .word   INT:names_times
        mul     r2,[r0,a0],r2
        .word   INT:kernel_nodes
        mul     r2,[r0,a0],r2
        equals  r1,r2,3
        settled 4

        ; the last node publishes a name, all call it, it publishes another, all call it
        .ip     first
        move    r0,r3
.new:
        move    r3,[PROGRAM_LOW + 3,a0]
        load    kernel_rank,r1
        add     r1,1,r1
        load    kernel_nodes,r2
        equal   r1,r2,r0
        bf      r0,^.published
        arm     1
        move    r1,[PROGRAM_LOW + 4,a0]
        mask    r0
        to_self name_publish,5,U
        .word   SYM:PUBLISHED
        move    [PROGRAM_LOW + 3,a0],r3
        send2   r0,r3,0
        move    [PROGRAM_LOW + 4,a0],r3
        send2e  r1,r3,0
        mask    r0
        move    [CONTEXT_SLOTS,a1],r1

        .ip     first           ; what nobody has in his table need not be bound
        move    [PROGRAM_LOW + 3,a0],r2
        eq      r0,r2,r0
        bt      r0,^.published
        service broadcast_box
        readr   nnr,r2
        mask    r0
        .msg    broadcast,5,U
        send2   r2,r0,0
        .msg    name_bind,3,U,F
        send2   r1,r0,0
        .word   SYM:PUBLISHED
        move    [PROGRAM_LOW + 3,a0],r3
        send2e  r0,r3,0
        mask    r0

.published:
        .ip     first
        move    [PROGRAM_LOW + 3,a0],r2
        eq      r0,r2,r0
        bt      r0,^.known
        unmask  r0              ; until the broadcast is here
.bound:
        .word   SYM:PUBLISHED
        probe   r0,r1
        move    [PROGRAM_LOW + 3,a0],r2
        eq      r1,r2,r0
        bf      r0,^.bound
        mask    r0
.known:
        move    0,r3
        join    r3,reduce_add
        invoke  call_published
        load    which,r1
        move    [PROGRAM_LOW + 3,a0],r2
        .ip     first
        eq      r0,r2,r3
        bf      r3,^.second
        same    r1,1,5
        move    0,r3
        join    r3,reduce_add   ; nobody is behind
        .ip     second
        move    r0,r3
        goto    main.new
.second:
        same    r1,2,6
        vote    0

; A schedule that the seed decides: on every node tasks do one thing after another on
; nodes chosen at random, three at a time - a call by name, a read, an acknowledged
; write, a tree of spawned tasks - and compare every answer, tag and all.
        .include "test.inc"
        .extern future_suspended, future_resumed
        .global main, random_tasks, random_rounds

;   task:   | MSG task,2 | INT rounds |
;   square: | MSG name_call,5 | SYM SQUARE | INT n | INT node | INT slot |
;   fib:    | MSG fib,4 | INT n | INT node | INT slot |
        .equ    SQUARE, 0x2222
        .equ    AT_ONCE, 3

; Slots of a task's context, behind the AT_ONCE futures.
        .equ    EXPECTED, 4             ; and two more
        .equ    ROUNDS, 7
        .equ    SLOT, 8
        .equ    SLOTS, 8

        .section random_test,external,fill
table:                          ; INT 7 i
        .space  64
written:
        .space  64

        .data
random_tasks:                   ; on each node
        .word   INT:5
random_rounds:                  ; of each task
        .word   INT:4
ended:
        .word   INT:0

        .text
square:
        move    [2,a3],r1
        mul     r1,r1,r1
        reply   [3,a3],[4,a3],r1
        suspend

fib:
        .include "fib.inc"

; to header, first: begins a message to a random node. `first` is in R2, kept in
; memory meanwhile.
        .macro  to handler, length, flags:vararg
        move    r2,[PROGRAM_LOW,a0]
        service spawn_node
        .msg    \handler,\length \flags
        send2   r1,r0,0
        move    [PROGRAM_LOW,a0],r2
        .endm

; answer_to: ends a message with this node and the slot in work. R0-R2 lost.
        .macro  answer_to
        move    a1,r2
        wtag    r2,TAG_INT,r2
        lsh     r2,-10,r2
        move    [SLOT,a1],r1
        add     r2,r1,r2
        lsh     r1,10,r1
        lsh     r1,10,r1
        add     r2,r1,r2
        readr   nnr,r1
        send2e  r1,r2,0
        .endm

; random limit: R1 <- INT 0..limit-1.
        .macro  random limit
        constant \limit,r1
        service kernel_random
        .endm

; expect register: what the slot in work will bring. R0, R3 lost.
        .macro  expect register
        move    [SLOT,a1],r3
        add     r3,EXPECTED - 1,r3
        move    \register,[r3,a1]
        .endm

task:
        context SLOTS
        move    [1,a3],r1
        move    r1,[ROUNDS,a1]
.round:
        move    1,r1
        move    r1,[SLOT,a1]

.start: ; the slot waits
        move    [SLOT,a1],r1
        move    a1,r2
        wtag    r2,TAG_INT,r2
        lsh     r2,-10,r2
        add     r2,r1,r2
        lsh     r1,10,r1
        lsh     r1,10,r1
        add     r1,r2,r1
        invoke  context_arm
        random  4
        bz      r1,^.call
        equal   r1,1,r0
        bt      r0,^.read
        equal   r1,2,r0
        bf      r0,^.tree
        goto    task.write

.call:
        random  1000
        mul     r1,r1,r2
        expect  r2
        move    r1,r2
        to      name_call,5
        .word   SYM:SQUARE
        send2   r0,r2,0
        answer_to
        goto    task.started
.read:
        random  64
        mul     r1,7,r2
        expect  r2
        .word   INT:table
        add     r1,r0,r2
        to      remote_read,4,,U
        send    r2,0
        answer_to
        goto    task.started
.tree:
        move    5,r2
        expect  r2
        to      fib,4
        send    r2,0
        answer_to
        goto    task.started
.write:
        random  64
        move    true,r2
        expect  r2
        .word   INT:written
        add     r1,r0,r2
        to      remote_write_ack,5,,U
        send    r2,0
        send    r1,0
        answer_to

.started:
        move    [SLOT,a1],r1
        add     r1,1,r1
        move    r1,[SLOT,a1]
        gt      r1,AT_ONCE,r0
        bt      r0,^.wait
        goto    task.start

.wait:  ; from a random one on, round and round
        random  AT_ONCE
        add     r1,1,r3
        move    AT_ONCE,r2
.next:
        add     r3,1,r3
        gt      r3,AT_ONCE,r0
        bf      r0,^.touch
        move    1,r3
.touch:
        move    [r3,a1],r1
        add     r3,EXPECTED - 1,r0
        eq      r1,[r0,a1],r0
        so      r0,1
        sub     r2,1,r2
        bnz     r2,^.next
        move    [ROUNDS,a1],r1
        sub     r1,1,r1
        move    r1,[ROUNDS,a1]
        bz      r1,^.end
        goto    task.round
.end:
        move    a1,r1
        invoke  block_free
        increment ended,r1
        suspend

main:
        context 1
        constant 63,r3
.fill:
        mul     r3,7,r1
        .word   INT:table
        add     r3,r0,r2
        move    r1,[r2,a0]
        sub     r3,1,r3
        ge      r3,0,r0
        bt      r0,^.fill
        register SYM:SQUARE,square
        move    0,r3
        join    r3,reduce_add

        load    random_tasks,r3
.begin:
        mask    r0
        to_self task,2
        load    random_rounds,r2
        sende   r2,0
        mask    r0
        sub     r3,1,r3
        bnz     r3,^.begin
        load    random_tasks,r1
        unmask  r0
.wait:
        load    ended,r2
        equal   r1,r2,r0
        bf      r0,^.wait
        mask    r0
        move    0,r3            ; nobody asks any more
        join    r3,reduce_add
        settled 2
        vote    0

; run: --mesh 4x4x1
; also: --mesh 3x2x2 --seed 7
; also: --mesh 5x1x1 --queue 32 --set queens_n=5
; also: --mesh 4x4x4 --set queens_n=7
; also: --mesh 1x1x1 --set queens_n=4
; queens: in how many ways n queens can stand on a board without attacking each other. A
; task has a board whose first rows are full; for each safe place in the next row it
; starts a task on a random node, and adds up the answers in slots of its context.
        .include "services.inc"
        .global main, queens_n

;   queens: | MSG queens,6 | INT columns | INT left | INT right | INT node | INT slot |
; Bits are columns: those with a queen, and those that one attacks from the left or
; right along a diagonal, in the next row.
        .equ    COLUMNS, 1
        .equ    LEFT, 2
        .equ    RIGHT, 3
        .equ    NODE, 4
        .equ    SLOT, 5

; A context: places still to be tried, number of tasks started, their answers.
        .equ    PLACES, 1
        .equ    STARTED, 2
        .equ    ANSWERS, 3
        .equ    LARGEST, 8

        .data
queens_n:
        .word   INT:6
board:                          ; a bit for each column
        .word   INT:0
tasks:                          ; tasks that ran on this node
        .word   INT:0
solutions:                      ; known solutions, by n
        .word   INT:1, INT:1, INT:0, INT:0, INT:2, INT:10, INT:4, INT:40, INT:92

        .text

; main: node 0 starts the first task, with an empty board, and waits for its answer;
; then it asks all nodes how many tasks they had. In background, I = 1; A1 = a context
; of one slot.
main:
        load    queens_n,r1
        move    1,r2
        lsh     r2,r1,r2
        sub     r2,1,r2
        store   r2,board
        load    kernel_rank,r1
        bz      r1,^.node0
        goto    kernel_idle
.node0:
        move    1,r1
        invoke  context_new
        move    r1,a1
        reference a1,1,r3
        readr   nnr,r1
        mask    r0
        .msg    queens,6
        send2   r1,r0,0
        move    0,r2
        send2   r2,r2,0
        send2   r2,r1,0
        sende   r3,0
        mask    r0
        move    [1,a1],r1       ; waits
        move    r1,[PROGRAM_LOW,a0]

        load    queens_n,r1
        invoke  kernel_print_decimal
        print   queens_text
        move    [PROGRAM_LOW,a0],r1
        invoke  kernel_print_decimal
        print   ways_text

        reference a1,1,r1
        invoke  context_arm
        move    r1,[PROGRAM_LOW + 1,a0]
        service broadcast_box
        readr   nnr,r2
        mask    r0
        .msg    broadcast,4,U
        send2   r2,r0,0
        .msg    count,2
        send2   r1,r0,0
        move    [PROGRAM_LOW + 1,a0],r1
        sende   r1,0
        mask    r0
        move    [1,a1],r1       ; waits
        invoke  kernel_print_decimal
        print   tasks_text

        ; status 0 if the number is the known one
        load    queens_n,r1
        .word   INT:solutions
        add     r1,r0,r1
        move    [r1,a0],r1
        move    [PROGRAM_LOW,a0],r2
        equal   r1,r2,r0
        move    0,r1
        bt      r0,^.end
        print   wrong_text
        move    1,r1
.end:
        exit    r1
        goto    kernel_idle

; count: [1,a3] = INT slot, of node 0. Every node gives its number of tasks; only node 0
; wants the sum.
count:
        load    kernel_rank,r1
        move    nil,r3
        bnz     r1,^.others
        move    [1,a3],r3
.others:
        load    tasks,r2
        readr   nnr,r1
        .msg    reduce_join,4,U
        send2   r1,r0,0
        .ip     reduce_add,U
        send2   r2,r0,0
        sende   r3,0
        suspend

; queens: replies with the number of ways to fill the remaining rows.
queens:
        load    tasks,r1
        add     r1,1,r1
        store   r1,tasks
        move    [COLUMNS,a3],r1
        load    board,r2
        equal   r1,r2,r0
        bt      r0,^.full
        or      r1,[LEFT,a3],r1
        or      r1,[RIGHT,a3],r1
        not     r1,r1
        and     r1,r2,r1
        bnz     r1,^.places
        reply   [NODE,a3],[SLOT,a3],r1
        suspend
.full:
        move    1,r1
        reply   [NODE,a3],[SLOT,a3],r1
        suspend

.places:
        move    r1,[PROGRAM_LOW,a0]
        constant LARGEST + ANSWERS - 1,r1
        invoke  context_new
        move    r1,a1
        move    [PROGRAM_LOW,a0],r1
        move    r1,[PLACES,a1]
        move    0,r1
        move    r1,[STARTED,a1]

        ; the lowest place, a task for it
.place:
        service spawn_node
        .msg    queens,6
        send2   r1,r0,0
        move    [PLACES,a1],r1
        neg     r1,r2
        and     r1,r2,r2        ; its column
        xor     r1,r2,r1
        move    r1,[PLACES,a1]
        move    [COLUMNS,a3],r1
        or      r1,r2,r1
        send    r1,0
        move    [LEFT,a3],r1
        or      r1,r2,r1
        lsh     r1,1,r1
        send    r1,0
        move    [RIGHT,a3],r1
        or      r1,r2,r1
        lsh     r1,-1,r1
        send    r1,0
        readr   nnr,r1
        send    r1,0
        reference a1,ANSWERS,r3
        move    [STARTED,a1],r1 ; add this to both the address and the offset
        add     r3,r1,r3
        lsh     r1,10,r2
        lsh     r2,10,r2
        add     r3,r2,r3
        sende   r3,0
        add     r1,1,r1
        move    r1,[STARTED,a1]
        move    [PLACES,a1],r1
        bnz     r1,^.place

        ; the sum; this task waits where an answer is not there yet
        move    0,r3
        move    [STARTED,a1],r2
.answer:
        sub     r2,1,r2
        add     r2,ANSWERS,r1
        add     r3,[r1,a1],r3
        bnz     r2,^.answer
        reply   [NODE,a3],[SLOT,a3],r3
        move    a1,r1
        invoke  block_free
        suspend

        .ext
queens_text:
        .asciz  " queens: "
ways_text:
        .asciz  " ways, "
tasks_text:
        .asciz  " tasks\n"
wrong_text:
        .asciz  "that is not the number known\n"

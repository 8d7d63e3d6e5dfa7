; run: --mesh 4x4x4
; also: --mesh 1x1x1 --set nqueens_n=6 --set nqueens_depth=5
; also: --mesh 3x5x1 --seed 7 --queue 64
; also: --mesh 4x4x4 --param hwm_mark=8 --set nqueens_depth=3 --router fair
; nqueens: in how many ways n queens can stand on a board without attacking each other.
; Boards whose first rows are full go to random nodes, in messages; from row
; nqueens_depth on a node fills the rest alone. The counts return up the same tree.
        .include "../lib/app.inc"
        .global main, nqueens_n, nqueens_depth, nqueens_ways, nqueens_tasks

;   board:    | MSG board,7 (U) | INT columns | INT left | INT right | INT rows |
;                                 INT node | ADDR frame |
;   answer:   | MSG answer,3 (U) | ADDR frame | INT ways |
; Bits are columns: those with a queen, and those that one attacks from the left or
; right along a diagonal, in the next row; `rows` are still to be sent. The answer goes
; to the frame.
        .equ    COLUMNS, 1
        .equ    LEFT, 2
        .equ    RIGHT, 3
        .equ    ROWS, 4
        .equ    NODE, 5
        .equ    FRAME, 6

; A frame is a block: answers to come, their sum, its destination (NIL: the first).
        .equ    TO_COME, 1
        .equ    SUM, 2
        .equ    PARENT_NODE, 3
        .equ    PARENT_FRAME, 4
        .equ    FRAME_SIZE, 5
        .equ    MANY, 64        ; answers to come while their number is not known

; A2 = the words of a priority; its stack has four words for each row: the columns
; still to be tried, then those of a board.
        .equ    LARGEST, 14
        .equ    TRY, 0
        .equ    WAYS, 0
        .equ    BOARD, 1        ; a bit for each column
        .equ    ROW, 2          ; four words, as part of an ADDR
        .equ    STACK, 3        ; ADDR of its row 1; row 0 has NIL
        .equ    TASKS, 4        ; boards received
        .equ    PLACES, 5       ; safe places still to be sent
        .equ    SENT, 6
        .equ    OWN_WORDS, 7

        .data
nqueens_n:
        .word   INT:8
nqueens_depth:                  ; rows filled by messages; -1: enough for all nodes
        .word   INT:-1
nqueens_ways:                   ; results, on node 0
        .word   INT:0
nqueens_tasks:
        .word   INT:0

        .macro  own name, stack
\name:  .word   INT:0, INT:0, INT:4 << 10
        .addr   \stack + 4,0
        .word   INT:0, INT:0, INT:0
        .endm
        own     own0, stack0
        own     own1, stack1
stack0: .space  4 * (LARGEST + 1)
stack1: .space  4 * (LARGEST + 1)

        .text

; board: a message for each safe place in the next row, or the answer at once.
        .align  4
board:
        move    [FRAME,a3],r1   ; wait for the whole message before sending
        increment [TASKS,a2],r1
        move    [ROWS,a3],r1
        bz      r1,^fill
        mask    r0
        move    FRAME_SIZE,r1
        invoke_u block_new
        move    r1,a1
        constant MANY,r2
        move    r2,[TO_COME,a1]
        move    0,r2
        move    r2,[SUM,a1]
        move    r2,[SENT,a2]
        move    [NODE,a3],r2
        move    r2,[PARENT_NODE,a1]
        move    [FRAME,a3],r2
        move    r2,[PARENT_FRAME,a1]
        move    [COLUMNS,a3],r2
        or      r2,[LEFT,a3],r2
        or      r2,[RIGHT,a3],r2
        not     r2,r2
        and     r2,[BOARD,a2],r2
.place:
        bz      r2,^.sent
        move    r2,[PLACES,a2]
        mask    r0
        invoke_u spawn_node
        .msg    board,7,U
        send2   r1,r0,0
        move    [PLACES,a2],r2
        neg     r2,r1
        and     r1,r2,r1        ; the lowest place
        or      r1,[COLUMNS,a3],r0
        send    r0,0
        or      r1,[LEFT,a3],r0
        lsh     r0,1,r0
        send    r0,0
        or      r1,[RIGHT,a3],r0
        lsh     r0,-1,r0
        send    r0,0
        xor     r1,r2,r2
        move    [ROWS,a3],r1
        sub     r1,1,r1
        send    r1,0
        readr   nnr,r1
        send    r1,0
        move    a1,r1
        sende   r1,0
        increment [SENT,a2],r1
        br      ^.place

        ; instead of MANY, expect the answers of the boards that were sent
.sent:
        move    a1,r1
        constant MANY,r3
        sub     r3,[SENT,a2],r3
        br      ^answered

; fill: counts the ways to fill the other rows of the board, row by row: the columns to
; be tried in the rows above are on the stack.
        .align  4
fill:
        move    [STACK,a2],r0
        move    r0,a1
        move    [COLUMNS,a3],r1
        move    r1,[COLUMNS,a1]
        move    [LEFT,a3],r2
        move    r2,[LEFT,a1]
        move    [RIGHT,a3],r3
        move    r3,[RIGHT,a1]
        move    0,r0
        move    r0,[WAYS,a2]
        br      ^.row
.full:
        increment [WAYS,a2],r1
.back:
        move    a1,r0
        sub     r0,[ROW,a2],r0
        move    r0,a1
        move    [TRY,a1],r3
        bnil    r3,^.counted
        bz      r3,^.back
.try:                           ; R3 = columns to be tried
        neg     r3,r1
        and     r1,r3,r1        ; the lowest
        xor     r3,r1,r3
        move    r3,[TRY,a1]
        or      r1,[LEFT,a1],r2
        lsh     r2,1,r2
        or      r1,[RIGHT,a1],r3
        lsh     r3,-1,r3
        or      r1,[COLUMNS,a1],r1
        equal   r1,[BOARD,a2],r0
        bt      r0,^.full
        move    a1,r0
        add     r0,[ROW,a2],r0
        move    r0,a1
        move    r1,[COLUMNS,a1]
        move    r2,[LEFT,a1]
        move    r3,[RIGHT,a1]
.row:
        or      r1,r2,r1
        or      r1,r3,r1
        not     r1,r1
        and     r1,[BOARD,a2],r3
        bz      r3,^.back
        br      ^.try
.counted:
        .msg    answer,3,U
        send2   [NODE,a3],r0,0
        move    [WAYS,a2],r1
        send2e  [FRAME,a3],r1,0
        suspend

; answer: the number of ways for one board has arrived.
        .align  4
answer:
        move    [1,a3],r1
        move    [2,a3],r2
        move    1,r3

; answered: R3 answers to the frame R1, their sum in R2. After the last answer the frame
; sends its sum on.
answered:
        mask    r0
        move    r1,a1
        add     r2,[SUM,a1],r2
        move    r2,[SUM,a1]
        move    [TO_COME,a1],r2
        sub     r2,r3,r2
        bz      r2,^.complete
        move    r2,[TO_COME,a1]
        unmask  r0
        suspend
.complete:
        invoke_u block_free
        move    [PARENT_FRAME,a1],r1
        move    [SUM,a1],r2
        bnil    r1,^.home
        .msg    answer,3,U
        send2   [PARENT_NODE,a1],r0,0
        send2e  r1,r2,0
        suspend
.home:
        goto_u  all_known

        .section nqueens_code,rom,code

; main: all nodes meet; then the others wait for node 0 to finish. Background, I = 1.
        .align  4
main:
        service app_start
        load    nqueens_n,r2
        move    1,r1
        lsh     r1,r2,r1
        sub     r1,1,r1
        store   r1,own0 + BOARD
        store   r1,own1 + BOARD
        segment own0,OWN_WORDS,a2
        writer  r0,a2'b
        segment own1,OWN_WORDS,a2
        writer  r0,a2'bp
        within  r2,1,LARGEST,.bad
        load    nqueens_depth,r1
        lt      r1,-1,r0
        bt      r0,^.bad
        lt      r1,r2,r0
        bf      r0,^.bad
        phase   begin,1,r2
        goto    kernel_idle
.bad:
        refuse  bad_text

; begin: node 0 gets the empty board.
        .align  4
begin:
        load    kernel_rank,r1
        bz      r1,^.node0
        phase   count,1,r1
        suspend
.node0:
        load    nqueens_depth,r1
        lt      r1,0,r0
        bf      r0,^.deep
        invoke_u grain
.deep:
        mask    r0
        move    FRAME_SIZE,r1
        invoke_u block_new
        move    r1,a1
        move    1,r1
        move    r1,[TO_COME,a1]
        move    0,r1
        move    r1,[SUM,a1]
        move    nil,r1
        move    r1,[PARENT_FRAME,a1]
        timed_begin
        readr   nnr,r1
        .msg    board,7,U
        send2   r1,r0,0
        move    0,r2
        send2   r2,r2,0
        send    r2,0
        load    nqueens_depth,r1
        move    a1,r3
        send    r1,0
        send2e  r2,r3,0
        suspend

; grain: nqueens_depth <- the rows after which there are about 2^ENOUGH boards per node;
; a queen takes about two columns from each row below. In: A2, R3 link. R0-R3 lost.
        .equ    ENOUGH, 5       ; log2 of the boards per node
        .align  4
grain:
        move    r3,[SENT,a2]
        load    kernel_nodes,r1
        lsh     r1,ENOUGH,r1
        move    r1,[PLACES,a2]
        load    nqueens_n,r2    ; places in a row
        move    1,r1            ; boards
        move    0,r3
.row:
        lt      r1,[PLACES,a2],r0
        bf      r0,^.enough
        gt      r2,1,r0
        bf      r0,^.enough
        mul     r1,r2,r1
        sub     r2,2,r2
        add     r3,1,r3
        br      ^.row
.enough:
        store   r3,nqueens_depth
        move    [SENT,a2],r3
        ldip    r3

; all_known: R2 = the ways. On node 0.
        .align  4
all_known:
        store   r2,nqueens_ways
        timed_end
        phase   count,1,r2
        suspend

; count: adds up the boards that each node received.
        .align  4
count:
        load    own0 + TASKS,r2
        .word   INT:own1 + TASKS
        add     r2,[r0,a0],r2
        phase   report,1,r2
        suspend

; report: [1,a3] = boards received by all nodes.
        .align  4
report:
        on_node0
        result  [1,a3],nqueens_tasks
        say_word nqueens_n,queens_text
        say_word nqueens_ways,ways_text
        say_word nqueens_tasks,tasks_text

        ; compare with the known number
        load    nqueens_n,r1
        .word   INT:known - 1
        add     r1,r0,r1
        move    [r1,a0],r1
        load    nqueens_ways,r2
        sub     r1,r2,r1
        goto_u  app_end

        .ext
known:                          ; ways for 1 queen, 2 queens ..
        .word   INT:1, INT:0, INT:0, INT:2, INT:10, INT:4, INT:40, INT:92, INT:352
        .word   INT:724, INT:2680, INT:14200, INT:73712, INT:365596
bad_text:
        .asciz  "nqueens: nqueens_n is 1 to 14, nqueens_depth -1 to n - 1\n"
queens_text:
        .asciz  " queens: "
ways_text:
        .asciz  " ways, "
tasks_text:
        .asciz  " boards sent, "

; run: --mesh 4x1x1
; also: --mesh 1x1x1
; also: --mesh 4x1x1 --set snake_hops=1000 --set snake_count=5
; also: --mesh 4x4x2 --set snake_hops=500
; also: --mesh 8x8x1 --set snake_count=1
; also: --mesh 2x2x1
; snake: the message handler of figure 4-3 of Lethin's thesis, word for word, with the
; symbols it leaves undefined. Every node starts snake_count snakes; each makes
; snake_hops hops to nodes picked by the weak generator of the figure, then tells node
; 0. After the last one a census visits all nodes and adds up the hops.
        .include "kernel.inc"
        .global main, snake_count, snake_hops

;   Snake:    | MSG Snake,3 (U) | INT hops left | INT number of the snake |
;             hops left 0: the snake has ended (to node 0)
;   census:   | MSG census,2 | INT hops so far |
;   verdict:  | MSG verdict,2 | INT hops in all |        (to node 0)

; A1 of priority 0 always points here.
        .equ    RandomSeed, 0
        .equ    RandomSeedInc, 1
        .equ    RandomSeedMask, 2
        .equ    SnakesDid, 3
        .equ    ENDED, 4
        .equ    SNAKE_WORDS, 5
; SEND faults since the last success, counted by the kernel.
        .equ    Retries, KERNEL_RETRY_COUNT

        .data
snake_count:                    ; snakes from each node
        .word   INT:2
snake_hops:
        .word   INT:100
snake_data:
        .word   INT:0           ; RandomSeed
        .word   INT:0           ; RandomSeedInc: differs from node to node
        .word   INT:0           ; RandomSeedMask: the address bits of this mesh
        .word   INT:0           ; SnakesDid: hops taken here
        .word   INT:0           ; ENDED: snakes that have ended, on node 0

        .text

; main: prepares generator and A1 of priority 0, then starts the snakes of this node at
; itself. In background. The generator needs sides that are powers of two.
main:
        segment snake_data,SNAKE_WORDS,a1
        writer  r0,a1'b
        load    kernel_size_x,r1
        load    kernel_size_y,r2
        load    kernel_size_z,r3
        sub     r3,1,r0
        and     r0,r3,r0
        bnz     r0,^.bad_mesh
        sub     r2,1,r0
        and     r0,r2,r0
        bnz     r0,^.bad_mesh
        sub     r1,1,r0
        and     r0,r1,r0
        bnz     r0,^.bad_mesh
        sub     r3,1,r3
        lsh     r3,5,r3
        add     r3,r2,r3
        sub     r3,1,r3
        lsh     r3,5,r3
        add     r3,r1,r3
        sub     r3,1,r3
        move    r3,[RandomSeedMask,a1]
        ; odd, so that the seed runs through every node before it repeats; 255 + 2046
        ; rank carries into y and z, and differs from node to node
        load    kernel_rank,r1
        constant 2046,r2
        mul     r1,r2,r1
        add     r1,0xFF,r1
        move    r1,[RandomSeedInc,a1]
        load    snake_count,r2
.next:
        bz      r2,^.rest
        mask    r0
        readr   nnr,r1
        load    snake_hops,r3
        .msg    Snake,3,U       ; unchecked: the seed may wrap
        send2   r1,r0,0
        send2e  r3,r2,0
        sub     r2,1,r2
        br      ^.next
.rest:
        goto    kernel_idle
.bad_mesh:
        load    kernel_rank,r1
        bnz     r1,^.rest
        print   mesh_text
        move    2,r1
        exit    r1
        br      ^.rest

; ---- figure 4-3; the comments are its own -----------------------------------------
Snake:
    ; Generate random next processor.
    move    [RandomSeed,a1],r2           ;2
    add     r2,[RandomSeedInc,a1],r2    ;2
    move    r2,[RandomSeed,a1]         ;1
    and     r2,[RandomSeedMask,a1],r2   ;2

    ; Check for end of snake.
    move    [1,a3],r3                   ;2
    bz      r3,^SnakeDone              ;1

; Clear retries so we don't get a send-fault timeout.
    move    0,r0                         ;1
    move    r0,[Retries,a0]             ;1

; Decrement hop counter.
    sub     r3,1,r3                     ;1
    bz      r3,^SnakeLast              ;1

    ; Send message to next processor.
    send    r2,0                         ;1
    send2   [0,a3],r3,0                 ;2
    sende   [2,a3],0                   ;2
    move    [SnakesDid,a1],r1          ;2
    add     r1,1,r1                     ;1
    move    r1,[SnakesDid,a1]          ;1
    suspend                               ;2
; ---- end of the figure ------------------------------------------------------------

; SnakeLast: counts the last hop; node 0 gets the snake with no hops left.
SnakeLast:
        move    [SnakesDid,a1],r1
        add     r1,1,r1
        move    r1,[SnakesDid,a1]
        move    0,r2
        send    r2,0
        send2   [0,a3],r3,0
        sende   [2,a3],0
        suspend

; SnakeDone: on node 0: a snake has ended; after the last one starts the census.
SnakeDone:
        move    [ENDED,a1],r1
        add     r1,1,r1
        move    r1,[ENDED,a1]
        load    snake_count,r2
        .word   INT:kernel_nodes
        mul     r2,[r0,a0],r2
        equal   r1,r2,r0
        bt      r0,^.census
        suspend
.census:
        move    0,r1
        .msg    census,2
        send2   r1,r0,0
        sende   r1,0
        suspend

; census: [1,a3] = INT hops so far. Adds this node's; the last node reports to node 0.
census:
        readr   nnr,r1
        invoke  kernel_next_node
        move    [1,a3],r3
        add     r3,[SnakesDid,a1],r3
        bz      r1,^.last
        .msg    census,2
        send2   r1,r0,0
        sende   r3,0
        suspend
.last:
        .msg    verdict,2
        send2   r1,r0,0
        sende   r3,0
        suspend

; verdict: [1,a3] = INT hops in all. Prints, ends the run.
verdict:
        move    [ENDED,a1],r1
        invoke  kernel_print_decimal
        print   snakes_text
        move    [1,a3],r1
        invoke  kernel_print_decimal
        print   hops_text
        load    snake_hops,r2
        mul     r2,[ENDED,a1],r2
        move    0,r1
        equal   r2,[1,a3],r0
        bt      r0,^.end
        move    1,r1
.end:
        exit    r1
        suspend

        .ext
snakes_text:
        .asciz  " snakes ended, "
hops_text:
        .asciz  " hops done\n"
mesh_text:
        .asciz  "snake: the generator of figure 4-3 needs powers of two for sides\n"

; run: --mesh 8x8x1
; also: --mesh 3x3x1 --set life_generations=5
; also: --mesh 5x7x1 --set life_generations=100
; life: Conway's game of life on a torus, a cell on every node. A cell tells its eight
; neighbours whether it lives, generation by generation; there is no common step, so
; nodes may be a generation apart. It starts with a glider. `display` is one word on
; every node, so the nodes form the picture.
        .include "kernel.inc"
        .global main, display, display_width, display_height, life_generations

;   begin:  | MSG begin,1 |
;   cell:   | MSG cell,3 | INT generation mod 2 | INT 1 if it lives |
;   done:   | MSG done,2 (F) | INT 1 if it lives |

        .equ    LIVE_COLOUR, 0x60D060
        .equ    DEAD_COLOUR, 0x202830

        .data
display:
        .word   INT:DEAD_COLOUR
display_width:
        .word   INT:1
display_height:
        .word   INT:1
life_generations:
        .word   INT:20
population:                     ; live cells, on node 0
        .word   INT:0
arrived:
        .word   INT:0
life_data:
        .word   INT:0           ; live neighbours, in even and in odd generations
        .equ    SUM, 0
        .word   INT:0
        .word   INT:0           ; cells that have reported, this one too: even and odd
        .equ    TOLD, 2
        .word   INT:0
        .word   INT:0           ; 1: this cell lives
        .equ    ALIVE, 4
        .word   INT:0
        .equ    GENERATION, 5
        .word   INT:0           ; this node's place, and the size of the torus
        .equ    X, 6
        .word   INT:0
        .equ    Y, 7
        .word   INT:31          ; x or y of a node address
        .equ    FIELD, 8
        .word   INT:0           ; offset to a neighbour while `neighbours` is filled
        .equ    DX, 9
        .word   INT:0
        .equ    DY, 10
        .word   INT:0           ; where the next neighbour's address goes
        .equ    NEXT, 11
        .equ    LIFE_WORDS, 12
NEIGHBOURS = 8
neighbours:                     ; node addresses
        .space  NEIGHBOURS, INT:0

        .text

; main: rejects a mesh that is not a plane of at least 3 x 3, else sends `begin`, so
; that all the rest runs in handlers. In background, I = 1.
main:
        load    kernel_size_x,r1
        lt      r1,3,r2
        load    kernel_size_y,r1
        lt      r1,3,r3
        or      r2,r3,r2
        load    kernel_size_z,r1
        gt      r1,1,r3
        or      r2,r3,r2
        bt      r2,^.refuse
        readr   nnr,r1
        .msg    begin,1
        send    r1,0
        sende   r0,0
        goto    kernel_idle
.refuse:
        load    kernel_rank,r1
        bz      r1,^.say
        goto    kernel_idle
.say:
        constant mesh_text,r1
        invoke  kernel_print_text
        move    2,r1
        exit    r1
        goto    kernel_idle

; begin: finds place and neighbours, and starts a glider: the bits of 482 are its cells
; in a three by three square.
begin:
        segment life_data,LIFE_WORDS,a1
        readr   nnr,r1
        and     r1,[FIELD,a1],r2
        move    r2,[X,a1]
        lsh     r1,-5,r1
        and     r1,[FIELD,a1],r1
        move    r1,[Y,a1]
        ge      r2,3,r0
        bt      r0,^.named
        ge      r1,3,r0
        bt      r0,^.named
        mul     r1,3,r1
        add     r1,r2,r1
        neg     r1,r1
        .word   INT:482
        lsh     r0,r1,r1
        and     r1,1,r1
        move    r1,[ALIVE,a1]
.named:
        constant neighbours,r1
        move    r1,[NEXT,a1]
        move    -1,r1
        move    r1,[DY,a1]
.row:
        move    -1,r1
        move    r1,[DX,a1]
.column:
        move    [DX,a1],r1
        move    [DY,a1],r2
        or      r1,r2,r1
        bz      r1,^.own
        move    [X,a1],r1
        add     r1,[DX,a1],r1
        load    kernel_size_x,r2
        add     r1,r2,r1
        lt      r1,r2,r0
        bt      r0,^.left
        sub     r1,r2,r1
.left:
        lt      r1,r2,r0
        bt      r0,^.across
        sub     r1,r2,r1
.across:
        move    [Y,a1],r3
        add     r3,[DY,a1],r3
        load    kernel_size_y,r2
        add     r3,r2,r3
        lt      r3,r2,r0
        bt      r0,^.below
        sub     r3,r2,r3
.below:
        lt      r3,r2,r0
        bt      r0,^.up
        sub     r3,r2,r3
.up:
        lsh     r3,5,r3
        or      r1,r3,r1
        move    [NEXT,a1],r2
        move    r1,[r2,a0]
        add     r2,1,r2
        move    r2,[NEXT,a1]
.own:
        move    [DX,a1],r1
        add     r1,1,r1
        move    r1,[DX,a1]
        lt      r1,2,r0
        bf      r0,^.rowend
        goto    .column
.rowend:
        move    [DY,a1],r1
        add     r1,1,r1
        move    r1,[DY,a1]
        lt      r1,2,r0
        bf      r0,^.start
        goto    .row
.start:
        goto    tell

; tell: draws the cell and informs its neighbours. A1 = life_data. Ends in `count`.
tell:
        constant LIVE_COLOUR,r2
        move    [ALIVE,a1],r1
        bnz     r1,^.colour
        constant DEAD_COLOUR,r2
.colour:
        store   r2,display
        constant neighbours,r2
.next:
        move    [r2,a0],r1
        .msg    cell,3
        send2   r1,r0,0
        move    [GENERATION,a1],r1
        and     r1,1,r1
        move    [ALIVE,a1],r3
        send2e  r1,r3,0
        add     r2,1,r2
        .word   INT:neighbours + NEIGHBOURS
        lt      r2,r0,r0
        bt      r0,^.next
        move    [GENERATION,a1],r1
        and     r1,1,r1
        goto    count

; cell: [1,a3] = INT generation mod 2, [2,a3] = INT 1 if the neighbour lives.
cell:
        segment life_data,LIFE_WORDS,a1
        move    [1,a3],r1
        move    [r1,a1],r2
        add     r2,[2,a3],r2
        move    r2,[r1,a1]
        goto    count

; count: a cell has reported for a generation, R1 = its number mod 2. When all nine have
; reported for this cell's own, the next begins. A1 = life_data.
count:
        add     r1,TOLD,r2
        move    [r2,a1],r3
        add     r3,1,r3
        move    r3,[r2,a1]
        move    [GENERATION,a1],r2
        and     r2,1,r2
        equal   r1,r2,r0
        bf      r0,^.wait
        equal   r3,9,r0
        bt      r0,^.step
.wait:
        suspend
.step:
        move    [r1,a1],r3      ; neighbours that live
        move    0,r0
        move    r0,[r1,a1]
        add     r1,TOLD,r2
        move    r0,[r2,a1]
        equal   r3,3,r0
        bt      r0,^.lives
        equal   r3,2,r0
        bt      r0,^.stays
        move    0,r1
        move    r1,[ALIVE,a1]
        br      ^.stays
.lives:
        move    1,r1
        move    r1,[ALIVE,a1]
.stays:
        move    [GENERATION,a1],r1
        add     r1,1,r1
        move    r1,[GENERATION,a1]
        load    life_generations,r2
        equal   r1,r2,r0
        bt      r0,^.over
        goto    tell
.over:
        constant LIVE_COLOUR,r2
        move    [ALIVE,a1],r1
        bnz     r1,^.last
        constant DEAD_COLOUR,r2
.last:
        store   r2,display
        move    0,r2
        .msg    done,2,F
        send2   r2,r0,0
        sende   r1,0
        suspend

; done: [1,a3] = INT 1 if the cell lives. On node 0; the last one ends the run.
done:
        load    population,r1
        add     r1,[1,a3],r1
        move    r1,[r0,a0]
        load    arrived,r1
        add     r1,1,r1
        move    r1,[r0,a0]
        load    kernel_nodes,r2
        equal   r1,r2,r0
        bt      r0,^.all
        suspend
.all:
        load    population,r1
        invoke_f kernel_print_decimal
        constant live_text,r1
        invoke_f kernel_print_text
        load    life_generations,r1
        invoke_f kernel_print_decimal
        constant end_text,r1
        invoke_f kernel_print_text
        move    0,r1
        exit    r1
        suspend

        .ext
mesh_text:
        .asciz  "life: a mesh of three by three at least, of one plane\n"
live_text:
        .asciz  " cells live after "
end_text:
        .asciz  " generations\n"

; run: --mesh 4x4x1
; also: --mesh 1x1x1
; also: --mesh 2x2x3 --set fractal_turns=9
; fractal: every node draws its block of the Mandelbrot set into the words from
; `display` on. The blocks of all nodes are one picture, planes beside each other. Node
; 0 adds up how many turns all points took.
        .include "kernel.inc"
        .global main, display, display_width, display_height
        .global fractal_left, fractal_bottom, fractal_step, fractal_turns

;   done:  | MSG done,2 (F) | INT turns of all points of a node |
; Numbers are in 4096ths. A point is followed until it is 2 from the origin, so squares
; stay below 2^30.

        .data
fractal_left:                   ; the lower left corner of the picture
        .word   INT:-8192
fractal_bottom:
        .word   INT:-6144
fractal_step:                   ; distance between two points
        .word   INT:384
fractal_turns:                  ; iterations after which a point counts as bounded
        .word   INT:31
display_width:                  ; a block's size; width times height is at most 1,024
        .word   INT:8
display_height:
        .word   INT:8
total:                          ; iterations of all nodes, on node 0
        .word   INT:0
arrived:
        .word   INT:0
fractal_data:
        .word   INT:31          ; x or y of a node address
        .equ    FIELD, 0
        .word   INT:0           ; real part of the block's first column
        .equ    LEFT, 1
        .word   INT:0           ; the point c
        .equ    CRE, 2
        .word   INT:0
        .equ    CIM, 3
        .word   INT:0           ; z, after the iterations so far
        .equ    ZRE, 4
        .word   INT:0
        .equ    ZIM, 5
        .word   INT:0           ; iterations of this point so far
        .equ    TURNS, 6
        .word   INT:0           ; address of the point's word
        .equ    AT, 7
        .word   INT:0           ; rows and columns that are left
        .equ    ROWS, 8
        .word   INT:0
        .equ    COLUMNS, 9
        .word   INT:0           ; turns of all points
        .equ    SUM, 10
        .equ    FRACTAL_WORDS, 11

        .section fractal_display,external,fill
display:
        .space  1024

        .text

; main: draws the block, row by row from the top, then reports to node 0. In background;
; A1 = fractal_data throughout.
main:
        segment fractal_data,FRACTAL_WORDS,a1
        readr   nnr,r1
        and     r1,[FIELD,a1],r2
        lsh     r1,-5,r3
        and     r3,[FIELD,a1],r3
        lsh     r1,-10,r1
        .word   INT:kernel_size_x
        mul     r1,[r0,a0],r1
        add     r1,r2,r1        ; x of the block, planes beside each other
        .word   INT:display_width
        mul     r1,[r0,a0],r1
        .word   INT:fractal_step
        mul     r1,[r0,a0],r1
        .word   INT:fractal_left
        add     r1,[r0,a0],r1
        move    r1,[LEFT,a1]
        load    display_height,r2
        mul     r3,r2,r3
        add     r3,r2,r3
        sub     r3,1,r3         ; y of the highest row
        .word   INT:fractal_step
        mul     r3,[r0,a0],r3
        .word   INT:fractal_bottom
        add     r3,[r0,a0],r3
        move    r3,[CIM,a1]
        move    r2,[ROWS,a1]
        constant display,r1
        move    r1,[AT,a1]
.row:
        move    [LEFT,a1],r1
        move    r1,[CRE,a1]
        load    display_width,r1
        move    r1,[COLUMNS,a1]
.point:
        move    0,r1
        move    r1,[ZRE,a1]
        move    r1,[ZIM,a1]
        move    r1,[TURNS,a1]

; one turn: z <- z * z + c
.turn:
        move    [ZRE,a1],r1
        mul     r1,r1,r1
        ash     r1,-12,r1
        move    [ZIM,a1],r2
        mul     r2,r2,r2
        ash     r2,-12,r2
        add     r1,r2,r3
        .word   INT:4 * 4096
        gt      r3,r0,r0
        bt      r0,^.out
        sub     r1,r2,r1
        add     r1,[CRE,a1],r1
        move    [ZRE,a1],r2
        mul     r2,[ZIM,a1],r2
        ash     r2,-11,r2
        add     r2,[CIM,a1],r2
        move    r2,[ZIM,a1]
        move    r1,[ZRE,a1]
        move    [TURNS,a1],r1
        add     r1,1,r1
        move    r1,[TURNS,a1]
        load    fractal_turns,r2
        lt      r1,r2,r0
        bt      r0,^.turn
        move    0,r2            ; bounded: black
        br      ^.put
.out:
        move    [TURNS,a1],r2
        .word   INT:0x080402
        mul     r2,r0,r2
.put:
        move    [AT,a1],r1
        move    r2,[r1,a0]
        add     r1,1,r1
        move    r1,[AT,a1]
        move    [SUM,a1],r1
        add     r1,[TURNS,a1],r1
        move    r1,[SUM,a1]

        ; the next point, the next row
        move    [CRE,a1],r1
        .word   INT:fractal_step
        add     r1,[r0,a0],r1
        move    r1,[CRE,a1]
        move    [COLUMNS,a1],r1
        sub     r1,1,r1
        move    r1,[COLUMNS,a1]
        bnz     r1,^.point
        move    [CIM,a1],r1
        .word   INT:fractal_step
        sub     r1,[r0,a0],r1
        move    r1,[CIM,a1]
        move    [ROWS,a1],r1
        sub     r1,1,r1
        move    r1,[ROWS,a1]
        bz      r1,^.drawn
        goto    .row
.drawn:
        move    [SUM,a1],r1
        move    0,r2
        .msg    done,2,F
        send2   r2,r0,0
        sende   r1,0
        goto    kernel_idle

; done: [1,a3] = INT turns of a node. On node 0; the last one ends the run.
done:
        load    total,r1
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
        load    total,r1
        invoke_f kernel_print_decimal
        constant turns_text,r1
        invoke_f kernel_print_text
        move    0,r1
        exit    r1
        suspend

        .ext
turns_text:
        .asciz  " turns\n"

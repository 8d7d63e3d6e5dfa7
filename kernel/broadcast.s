; Broadcast over the mesh, as a tree of boxes: a node that gets a box halves it along x,
; then y, then z, and sends the other half to the node just across, until it is alone.
; Any node may start one, on any mesh. Depth: log2 X + log2 Y + log2 Z, each rounded up.
        .include "services.inc"

        .global broadcast, broadcast_box

; A box, one INT: z_hi[31:26] z_lo[25:20] y_hi[19:15] y_lo[14:10] x_hi[9:5] x_lo[4:0].

; Low memory, so that a broadcast at priority 1 may interrupt one at priority 0.
        .equ    BOX, KERNEL_BROADCAST ; what is left of the box
        .equ    LENGTH, KERNEL_BROADCAST + 1 ; words of the message
        .equ    MIDDLE, KERNEL_BROADCAST + 2 ; last coordinate of the lower half

        .data
; For each dimension, shifts and masks of its coordinate in a box and in a node address.
broadcast_dimensions:
        .equ    LO, 0           ; shifts left
        .equ    HI, 1
        .equ    PLACE, 2
        .equ    LO_RIGHT, 3     ; shifts right
        .equ    HI_RIGHT, 4
        .equ    PLACE_RIGHT, 5
        .equ    MASK, 6
        .equ    DIMENSION_WORDS, 7
        .macro  dimension lo, hi, place, mask
        .word   INT:\lo, INT:\hi, INT:\place
        .word   INT:-(\lo), INT:-(\hi), INT:-(\place), INT:\mask
        .endm
        dimension 0, 5, 0, 31
        dimension 10, 15, 5, 31
        dimension 20, 26, 10, 63
        .word   NIL

        .section kernel_code,rom,code

; broadcast_box: out R1 INT the box of the whole machine. R0, R2 lost. Call it
; unchecked.
        .align  4
broadcast_box:
        load    kernel_size_z,r1
        sub     r1,1,r1
        lsh     r1,11,r1
        load    kernel_size_y,r2
        sub     r2,1,r2
        or      r1,r2,r1
        lsh     r1,10,r1
        load    kernel_size_x,r2
        sub     r2,1,r2
        or      r1,r2,r1
        lsh     r1,5,r1
        ldip    r3

; broadcast:      | MSG broadcast,2 + n (U) | INT box | MSG handler,n | n - 1 words |
; Every node of the box, which holds this one, receives | MSG handler,n | n - 1 words |
; from itself. Two broadcasts from one node arrive everywhere in order. Runs at either
; priority. A2 is kept.
        .align  4
broadcast:
        segment broadcast_dimensions,DIMENSION_WORDS,a1
        move    [0,a3],r1
        wtag    r1,TAG_INT,r1
        and     r1,0x3FF,r1
        move    r1,[LENGTH,a0]
        sub     r1,1,r1
        move    [r1,a3],r1      ; wait for the whole message before sending
        move    [1,a3],r1
        move    r1,[BOX,a0]
.dimension:
        move    [BOX,a0],r1
        lsh     r1,[LO_RIGHT,a1],r2
        and     r2,[MASK,a1],r2
        lsh     r1,[HI_RIGHT,a1],r3
        and     r3,[MASK,a1],r3
        equal   r2,r3,r0
        bt      r0,^.alone

        ; R2 <- the upper half, R3 <- the lower
        add     r2,r3,r0
        lsh     r0,-1,r0
        move    r0,[MIDDLE,a0]
        sub     r0,r2,r2
        add     r2,1,r2
        lsh     r2,[LO,a1],r2
        add     r2,r1,r2
        sub     r3,r0,r3
        lsh     r3,[HI,a1],r3
        sub     r1,r3,r3

        ; R2 <- the half without this node, BOX <- the other, R0 <- steps across
        readr   nnr,r1
        lsh     r1,[PLACE_RIGHT,a1],r1
        and     r1,[MASK,a1],r1
        gt      r1,r0,r0
        bt      r0,^.upper
        move    r3,[BOX,a0]
        move    [MIDDLE,a0],r0
        add     r0,1,r0
        br      ^.across
.upper:
        move    r2,[BOX,a0]
        move    r3,r2
        move    [MIDDLE,a0],r0
.across:
        sub     r0,r1,r0
        lsh     r0,[PLACE,a1],r0
        readr   nnr,r1
        add     r1,r0,r1
        move    [0,a3],r0
        send2   r1,r0,0
        send    r2,0
        move    2,r3
.word:
        move    [r3,a3],r0
        add     r3,1,r3
        equal   r3,[LENGTH,a0],r1
        bt      r1,^.end
        send    r0,0
        br      ^.word
.end:
        sende   r0,0
        br      ^.dimension
.alone:
        move    a1,r1           ; the row of the next dimension
        .word   INT:DIMENSION_WORDS << 10
        add     r1,r0,r1
        move    r1,a1
        move    [0,a1],r0
        bnnil   r0,^.dimension

        readr   nnr,r0
        send    r0,0
        move    2,r3
.copy:
        move    [r3,a3],r0
        add     r3,1,r3
        equal   r3,[LENGTH,a0],r1
        bt      r1,^.copied
        send    r0,0
        br      ^.copy
.copied:
        sende   r0,0
        suspend

; Every node of an 8x8x8 machine sends four-word messages to random nodes as fast as it
; can, from background; a message that arrives is taken off its queue and forgotten.
; Runs without the kernel. Never ends.
        .include "mdp.inc"

        .equ    NODE_MASK, 0x1CE7       ; x, y, z of 8x8x8 in a node address
        .equ    QUEUE_BASE, 0x800
        .equ    QUEUE_MASK, 511
        .equ    SAVE, 0x10              ; two words of low memory

        .vectors
        .org    VECTOR_SEND
        .ip     retry, U

        .data
data:   .word   INT:NODE_MASK
        .msg    arrived, 4, U

; The message: header, three words nobody reads. 2 cycles and fetch.
        .text
arrived:
        suspend

; In background, unchecked. R2 random number, R3 its increment, different on every node
; (thesis 4.1.1, footnote 5), A1 data.
        .rom
        .org    ROM
boot:   .addr   QUEUE_BASE, 0
        move    r0,qhl
        .addr   QUEUE_BASE, QUEUE_MASK
        move    r0,qbm
        .addr   data, 2
        move    r0,a1
        .word   INT:HOST_SEED
        move    [r0,a0],r3
        or      r3,1,r3
        move    false,r0
        move    r0,i
loop:   add     r2,r3,r2
        and     r2,[0,a1],r1
        send    r1,0
        send2   [1,a1],r2,0
        send2e  r1,r2,0
        br      ^loop

; SEND fault: steps FIP back by one instruction (half a word: 200 in an IP word) and
; jumps through it. Keeps all registers.
retry:  move    r0,[SAVE,a0]
        move    r1,[SAVE + 1,a0]
        .word   INT:0x200
        move    fip,r1
        sub     r1,r0,r1
        move    r1,fip
        move    [SAVE,a0],r0
        move    [SAVE + 1,a0],r1
        ldipr   fip

; Fills memory from 0x10000 to before 0xFF000 on every node with words that take six
; bytes each in the contents of a saved file: 5,873,664 bytes a node. Without the
; kernel; idle when it is done, after 7,464,453 cycles.
        .include "mdp.inc"
        .rom
        .org    ROM
boot:   .word   INT:0x10000
        move    r0,r3                   ; the segment's address
        move    1,r2
        wtag    r2,TAG_INST3,r2         ; what is written
next:   lsh     r3,10,r0
        add     r0,15,r0
        wtag    r0,TAG_ADDR,r0
        move    r0,a1
        move    r2,[0,a1]
        move    r2,[1,a1]
        move    r2,[2,a1]
        move    r2,[3,a1]
        move    r2,[4,a1]
        move    r2,[5,a1]
        move    r2,[6,a1]
        move    r2,[7,a1]
        add     r3,8,r3
        .word   INT:0xFF000
        lt      r3,r0,r1
        bt      r1,^next
done:   br      ^done

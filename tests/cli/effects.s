; Writes every kind of register, in its own and in other contexts.
        .rom
        .org    0x1000
start:  move    3,r1
        writer  r1,r2'p
        writer  r1,r2'b
        writer  r1,r3'bp
        .word   ADDR:0x300 << 10 | 0xFC
        writer  r0,tbm
        .word   ADDR:0x200 << 10 | 8
        move    r0,a1
        writer  r0,a2'b
        writer  r0,qbm'p
        writer  r0,qbm
        writer  r0,id1'b
        enter   r1,5
        move    5,r2
        xlate   r2,r3
        probe   r2,a1
        writer  r0,a1
        move    6,r2
        probe   r2,r3
        .word   ADDR:0x3FFFF << 10 | 1023
        writer  r0,a3'b
        inval
        readr   qbm,r1
        .word   ADDR:0x200 << 10 | 8
        move    r0,a1
        move    r1,[1,a1]
        move    [1,a1],r3
        add     r1,[2,a1],r3
        move    true,r0
        writer  r0,i
        writer  r0,u
        call    4
back:   add     r1,[2,a1],r2
        rtag    r2,r3
        writer  r3,nnr
        .word   ADDR:0x200 << 10 | 0xF8
        writer  r0,qbm'p
        .word   IP:0x1040 << 10 | 1 << 8
        writer  r0,ip'b
        move    false,r0
        writer  r0,b            ; priority 0 runs from here
        .org    0x1040
first:  move    7,r1
        writer  r1,r2'p
        writer  r1,r3'b
        writer  r1,r0'bp
        writer  r1,nnr'b
        .word   ADDR:0x200 << 10 | 0xF8
        writer  r0,qbm'p
        writer  r0,qbm
        readr   qhl'p,r3
        move    5,r2
        xlate   r2,a1
        probe   r2,a2
        move    true,r0
        writer  r0,p            ; priority 1 goes on, wherever its IP is
        nop
        .data
        .org    0x200
data:   .word   0,0,7
        .section vectors
        .org    0x84
        .ip     back,U

; Every node but 0 sends node 0 its rank; node 0 prints each as a word and exits with 0
; when all have come. Marks each arrival.
        .include "mdp.inc"
        .vectors
        .org    VECTOR_SEND
        .ip     trouble, U
        .data
data:   .addr   0x800, 511
        .msg    arrived, 2, U, F ; F: a full queue holds back the network
came:   .word   INT:1
        .text
; | MSG arrived,2 | INT rank |
arrived:
        .addr   data, 3
        move    r0,a1
        move    [1,a3],r1
        .word   INT:HOST_PUTW
        move    r1,[r0,a0]
        .word   INT:HOST_MARK
        move    r1,[r0,a0]
        move    [2,a1],r1
        add     r1,1,r1
        move    r1,[2,a1]
        .word   INT:HOST_NODES
        move    [r0,a0],r2
        equal   r1,r2,r2
        bf      r2,^.more
        .word   INT:HOST_EXIT
        move    0,r1
        move    r1,[r0,a0]
.more:  suspend

        .rom
        .org    ROM
boot:   .addr   0x800, 0
        move    r0,qhl
        .addr   data, 3
        move    r0,a1
        move    [0,a1],r0
        move    r0,qbm
        move    false,r0
        move    r0,i
        .word   INT:HOST_RANK
        move    [r0,a0],r1
        bz      r1,^idle
        move    0,r2
        move    [1,a1],r3
        send2   r2,r3,0
        sende   r1,0
idle:   br      ^idle
trouble:
        suspend

; Boot: every node runs this from reset, in background, unchecked, with I = 1.
        .include "kernel.inc"
        .extern main

        .global kernel_boot, kernel_idle, kernel_table
        .global kernel_data, kernel_queue0, kernel_queue1, kernel_rank, kernel_nodes
        .global kernel_size_x, kernel_size_y, kernel_size_z, kernel_seed

; The message queues and the translation table lie as mapped in kernel/README.md.
; A queue uses the first kernel_queue0 or kernel_queue1 of its 1,024 words.
        .equ    TABLE_WORDS, 256
        .section kernel_table_memory,onchip,fill
        .org    0x700
kernel_table:
        .space  TABLE_WORDS
        .section kernel_queue_memory,onchip,fill
        .org    0x800
queue1_memory:
        .space  1024
queue0_memory:
        .space  1024

; These words are in the order of KERNEL_QUEUE0... in kernel.inc.
        .data
kernel_data:
kernel_queue0:                  ; words of the message queue of priority 0: 8..1024
        .word   INT:512
kernel_queue1:                  ; words of the message queue of priority 1
        .word   INT:128
kernel_rank:                    ; rank of this node: x + X*(y + Y*z)
        .word   INT:0
kernel_nodes:                   ; X*Y*Z
        .word   INT:1
kernel_size_x:                  ; the mesh; without a host page boot uses these three
        .word   INT:1           ; as loaded
kernel_size_y:
        .word   INT:1
kernel_size_z:
        .word   INT:1
kernel_seed:                    ; state of kernel_random, never 0
        .word   INT:1

; kernel_boot: queues off -> size of the mesh, rank, NNR -> queues and translation
; table on -> starters -> the program's main, called checked with I = 1 and the link in
; R3 -> idle. Uses KERNEL_LINK, KERNEL_CURSOR.
        .section kernel_boot_code,rom,code
        .org    ROM
kernel_boot:
        segment kernel_data,KERNEL_DATA_WORDS,a1
        segment HOST_EXIT,16,a2
        move    [HOST_NODES - HOST_EXIT,a2],r1
        bnil    r1,^.no_host
        move    r1,[KERNEL_NODES,a1]
        move    [HOST_X - HOST_EXIT,a2],r1
        move    r1,[KERNEL_SIZE_X,a1]
        move    [HOST_Y - HOST_EXIT,a2],r1
        move    r1,[KERNEL_SIZE_Y,a1]
        move    [HOST_Z - HOST_EXIT,a2],r1
        move    r1,[KERNEL_SIZE_Z,a1]
        ; 0 is the one state xorshift never leaves
        move    [HOST_SEED - HOST_EXIT,a2],r1
        bnz     r1,^.seeded
        move    1,r1
.seeded:
        move    r1,[KERNEL_SEED,a1]
        move    [HOST_RANK - HOST_EXIT,a2],r1
        move    r1,[KERNEL_RANK,a1]
        invoke_u kernel_rank_to_node
        writer  r1,nnr
        br      ^.queues

        ; No host page: the loader has set NNR, and the sizes are in kernel_data.
.no_host:
        move    [KERNEL_SIZE_X,a1],r1
        mul     r1,[KERNEL_SIZE_Y,a1],r1
        mul     r1,[KERNEL_SIZE_Z,a1],r1
        move    r1,[KERNEL_NODES,a1]
        readr   nnr,r1
        invoke_u kernel_node_to_rank
        move    r1,[KERNEL_RANK,a1]
        add     r1,1,r1
        move    r1,[KERNEL_SEED,a1]

        ; QHL before QBM: the queue opens when QBM loses its I bit.
.queues:
        move    [KERNEL_QUEUE0,a1],r1
        invoke_u queue_mask
        .addr   queue0_memory,0
        writer  r0,qhl
        or      r0,r1,r0
        writer  r0,qbm
        move    [KERNEL_QUEUE1,a1],r1
        invoke_u queue_mask
        .addr   queue1_memory,0
        writer  r0,qhl'p
        or      r0,r1,r0
        writer  r0,qbm'p
        .addr   kernel_table,TABLE_WORDS - 1
        writer  r0,tbm

        ; call the starters of linked members; unused words are NIL
        constant KERNEL_STARTERS,r1
.starter:
        move    r1,[KERNEL_CURSOR,a0]
        move    [r1,a0],r2
        bnil    r2,^.started
        .ip     .started,U
        move    r0,r3
        ldip    r2
.started:
        move    [KERNEL_CURSOR,a0],r1
        add     r1,1,r1
        .word   INT:KERNEL_STARTERS_END
        equal   r1,r0,r0
        bf      r0,^.starter

        .ip     kernel_idle
        move    r0,r3
        goto    main

; kernel_idle: opens the node to messages and idles. Jump to it; it does not return.
        .align  4
kernel_idle:
        unmask  r0
.rest:
        br      ^.rest

; queue_mask: the mask of a queue of R1 words; an invalid size stops the node.
; In: R1 INT, R3 link. Out: R1 INT, size - 1. R0, R2 lost.
        .align  4
queue_mask:
        sub     r1,1,r2
        and     r1,r2,r0        ; 0 for a power of two (and for 0)
        bnz     r0,^.bad
        lt      r1,8,r0
        bt      r0,^.bad
        gt      r2,0x3FF,r0     ; the length field of QBM has ten bits
        bt      r0,^.bad
        move    r2,r1
        ldip    r3
.bad:
        constant bad_queue_text,r1
        invoke_u kernel_print_text
        .ip     kernel_halt,U,F
        ldip    r0

        .ext
bad_queue_text:
        .asciz  "kernel: a message queue has a power of two of words, 8 to 1024\n"

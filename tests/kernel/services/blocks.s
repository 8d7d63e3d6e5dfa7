; The directory: words of one chain come, change and go. Blocks of every size: no two
; overlap, freed ones are used again, and the heap stays as large as its largest use.
        .include "test.inc"
        .extern block_top, block_heap
        .global main

        .equ    HELD, 64                ; blocks held at a time
        .equ    TURNS, 40               ; of making or freeing each

        .section blocks_test,external,fill
held:                           ; ADDR of the blocks held, NIL if none
        .space  HELD

        .data
turn:
        .word   INT:0
index:
        .word   INT:0
limit:                          ; block_top after half of the turns
        .word   INT:0

        .text
; put, known, unknown, remove: keys of one chain, by number.
        .macro  key n
        .word   SYM:0x1000 + 0x400 * (\n)
        move    r0,r1
        .endm

        .macro  put n, value
        key     \n
        move    \value,r2
        service directory_put
        .endm

        .macro  remove n
        key     \n
        service directory_remove
        .endm

        .macro  known n, value
        key     \n
        service directory_find
        same    r2,\value,5
        .endm

        .macro  unknown n
        key     \n
        service directory_find
        bnil    r2,^.nil\@
        fail    6
.nil\@:
        .endm

; words index: R1 <- INT words of the block: 1 to 253, the same each time.
        .macro  words
        load    index,r1
        mul     r1,4,r1
        add     r1,1,r1
        .endm

main:
        only_node0
        put     0, 1
        put     1, 2
        put     2, 3
        remove  1
        unknown 1
        put     3, 4            ; in the block of the one removed
        known   0, 1
        known   2, 3
        known   3, 4
        put     2, 5
        known   2, 5
        remove  1               ; not there
        remove  0               ; the last of the chain, the first, the only one
        remove  3
        known   2, 5
        remove  2
        unknown 0
        unknown 2
        unknown 3

        ; a block that is held is checked and freed; one that is not is made and filled
.block:
        load    index,r1
        .word   INT:held
        add     r1,r0,r1
        move    [r1,a0],r2
        bnil    r2,^.make
        move    r2,a1
        move    nil,r0
        move    r0,[r1,a0]
        words
        move    r1,r3
.check:
        sub     r3,1,r3
        move    [r3,a1],r1
        .word   INT:index
        equals  r1,[r0,a0],1
        bnz     r3,^.check
        move    a1,r1
        invoke  block_free
        br      ^.next
.make:
        words
        move    r1,r3
        move    r3,[PROGRAM_LOW,a0]
        invoke  block_new
        move    r1,a1
        move    [PROGRAM_LOW,a0],r3
        wtag    r1,TAG_INT,r1
        and     r1,0x3FF,r1
        equals  r1,r3,2
        load    index,r1
.fill:
        sub     r3,1,r3
        move    r1,[r3,a1]
        bnz     r3,^.fill
        load    index,r1
        .word   INT:held
        add     r1,r0,r2
        move    a1,r1
        move    r1,[r2,a0]

        ; the next: a stride of 5 at even turns, 3 at odd ones
.next:
        load    turn,r2
        and     r2,1,r2
        lsh     r2,1,r2
        load    index,r1
        add     r1,5,r1
        sub     r1,r2,r1
        .word   INT:HELD - 1
        and     r1,r0,r1
        store   r1,index
        bz      r1,^.turn
        goto    main.block
.turn:
        increment turn,r1
        constant TURNS,r2
        lsh     r2,-1,r0
        equal   r1,r0,r0
        bf      r0,^.later
        load    block_top,r3
        store   r3,limit
        goto    main.block
.later:
        equal   r1,r2,r0
        bt      r0,^.end
        goto    main.block
.end:
        load    limit,r1
        load    block_top,r2
        equals  r1,r2,3
        constant block_heap,r1
        sub     r2,r1,r2
        .word   INT:256 * HELD
        lt      r2,r0,r0
        so      r0,4
        move    0,r1
        exit    r1
        goto    kernel_idle

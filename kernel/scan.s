; Sums over all nodes, in the order of ranks: every node gives a vector of words, and
; gets for each word the sum over all nodes and that over the nodes of lower rank. The
; messages may arrive at either priority, so the handlers run with I = 1.
;
; The tree is binomial. The parent of a rank is the rank without its lowest set bit; a
; child and the nodes below it are 2^k nodes in a row:
;
;       0 -+- 1                     up: the sum of those nodes
;          +- 2 --- 3               down: the sum of all nodes before them, and of all
;          +- 4 -+- 5
;                +- 6 --- 7
        .include "services.inc"

        .global scan_start, scan_join

; Arriving vectors are added up at once; those of children also wait, each in its slot,
; until the sums come down.
        .equ    SLOT, 16        ; most words of a vector
        .equ    CHILDREN, 16    ; most children of a node: rank 0's

        .data
scan_data:
        .word   NIL             ; IP of the task that gets the sums
        .equ    NEXT, 0
        .word   INT:0           ; words of a vector
        .equ    WORDS, 1
        .word   INT:0           ; vectors that have arrived
        .equ    ARRIVED, 2
        .word   INT:0           ; vectors expected: children + 1
        .equ    NEEDED, 3
        .word   INT:0           ; node address of the parent; of rank 0: its own
        .equ    PARENT, 4
        .word   INT:0           ; this node's slot at the parent; 0: rank 0
        .equ    PLACE, 5
        .word   INT:0           ; the child being served, NEEDED - 1 .. 1
        .equ    CHILD, 6
        .word   INT:SLOT
        .equ    PITCH, 7
        .word   INT:0           ; where a loop ends
        .equ    END, 8
        .word   NIL             ; return address
        .equ    LINK, 9
        .equ    SUM, 10         ; of the vectors that have arrived; 0 between two scans
        .space  SLOT, INT:0
        .equ    BEFORE, SUM + SLOT ; of the nodes before the child being served
        .space  SLOT
        .equ    SCAN_WORDS, BEFORE + SLOT
scan_children:                  ; node addresses
        .space  CHILDREN, INT:0
scan_slots:                     ; the node's own vector, then those of its children
        .space  SLOT * (CHILDREN + 1)

        .section kernel_code,rom,code

; scan_start: finds parent and children. Every main calls it, unchecked, before it ends.
; In: R3 link. R0-R3, A1 lost.
        .align  4
scan_start:
        segment scan_data,SCAN_WORDS,a1
        move    r3,[LINK,a1]
        load    kernel_rank,r1
        neg     r1,r2
        and     r1,r2,r2        ; the lowest set bit
        move    r2,[CHILD,a1]
        bnz     r2,^.parent
        constant 0x40000000,r2
        move    r2,[CHILD,a1]
        move    0,r2
.parent:
        sub     r1,r2,r1
        invoke_u kernel_rank_to_node
        move    r1,[PARENT,a1]
        move    1,r3
.child:
        sub     r3,1,r2
        move    1,r1
        lsh     r1,r2,r1
        equal   r1,[CHILD,a1],r0
        bt      r0,^.all
        load    kernel_rank,r2
        add     r1,r2,r1
        load    kernel_nodes,r2
        lt      r1,r2,r0
        bf      r0,^.beyond
        move    r3,[NEEDED,a1]
        invoke_u kernel_rank_to_node
        .word   INT:scan_children - 1
        move    [NEEDED,a1],r3
        add     r0,r3,r2
        move    r1,[r2,a0]
        add     r3,1,r3
        br      ^.child

        ; R3 = children + 1; this node's slot at its parent follows from its lowest bit
.beyond:
        move    r3,[NEEDED,a1]
        move    0,r2
        load    kernel_rank,r1
        bz      r1,^.placed
.bit:
        add     r2,[PITCH,a1],r2
        and     r1,1,r0
        lsh     r1,-1,r1
        bz      r0,^.bit
        br      ^.placed
.all:
        move    r3,[NEEDED,a1]
        mul     r3,[PITCH,a1],r2
.placed:
        move    r2,[PLACE,a1]
        move    [LINK,a1],r3
        ldip    r3

; scan_join:      | MSG scan_join,2 + n (U) | n words | IP next |
; From this node to itself, once on every node with the same n, 1..16. When all have
; joined, the task `next` begins on every node, with this message in A3:
;                 | MSG scan_down,2 + 2n (U) | sum 0 | before 0 | .. | INT |
        .align  4
scan_join:
        mask    r0
        segment scan_data,SCAN_WORDS,a1
        move    [0,a3],r1
        wtag    r1,TAG_INT,r1
        and     r1,0x3FF,r1
        sub     r1,1,r1
        move    [r1,a3],r2
        move    r2,[NEXT,a1]
        sub     r1,1,r2
        move    r2,[WORDS,a1]
        move    0,r2
        br      ^scan_take

; scan_up:        | MSG scan_up,2 + n (U) | n words | INT slot |
        .align  4
scan_up:
        mask    r0
        segment scan_data,SCAN_WORDS,a1
        move    [0,a3],r1
        wtag    r1,TAG_INT,r1
        and     r1,0x3FF,r1
        sub     r1,1,r1
        move    [r1,a3],r2

; scan_take: words 1 .. R1 - 1 of the message into the slot at R2 and to the sum.
scan_take:
        sub     r1,1,r1
        .word   INT:scan_slots - 1
        add     r2,r0,r2
        add     r2,r1,r2
        add     r1,SUM - 1,r3
.word:
        move    [r1,a3],r0
        move    r0,[r2,a0]
        add     r0,[r3,a1],r0
        move    r0,[r3,a1]
        sub     r2,1,r2
        sub     r3,1,r3
        sub     r1,1,r1
        bnz     r1,^.word
        move    [ARRIVED,a1],r1
        add     r1,1,r1
        equal   r1,[NEEDED,a1],r0
        bt      r0,^.all
        move    r1,[ARRIVED,a1]
        unmask  r0
        suspend

        ; the sums of this node and those below it go up; rank 0's are complete and go
        ; down from here
.all:
        move    0,r1
        move    r1,[ARRIVED,a1]
        move    [WORDS,a1],r2
        move    r2,r3           ; words of the message before the last
        move    [PLACE,a1],r1
        .msg    scan_up,2,U
        bnz     r1,^.open
        add     r3,r3,r3
        .msg    scan_down,2,U
.open:
        add     r0,r3,r0
        move    [PARENT,a1],r3
        send2   r3,r0,0
        move    SUM,r3
        add     r2,r3,r2
.send:
        send    [r3,a1],0
        bnz     r1,^.sent
        send    r1,0            ; nothing is before rank 0
.sent:
        add     r3,1,r3
        equal   r3,r2,r0
        bf      r0,^.send
        sende   [PLACE,a1],0
        suspend

; scan_down:      | MSG scan_down,2 + 2n (U) | sum 0 | before 0 | .. | INT, unused |
; The largest subtree is served first. A child's slot is free as soon as its message has
; been sent, because its next vector may arrive at once.
        .align  4
scan_down:
        mask    r0
        segment scan_data,SCAN_WORDS,a1
        move    [WORDS,a1],r3
        add     r3,r3,r2
        add     r2,1,r1
        move    [r1,a3],r0      ; wait for the whole message before sending
        constant BEFORE,r1
        add     r3,r1,r1
        move    r1,[END,a1]
        add     r3,SUM - 1,r3
.before:                        ; of all nodes but those behind this subtree
        move    [r2,a3],r0
        add     r0,[r3,a1],r0
        add     r3,[PITCH,a1],r1
        move    r0,[r1,a1]
        move    0,r0
        move    r0,[r3,a1]
        sub     r3,1,r3
        sub     r2,2,r2
        bnz     r2,^.before
        move    [NEEDED,a1],r3
.child:
        sub     r3,1,r3
        bz      r3,^.done
        move    r3,[CHILD,a1]
        .word   INT:scan_children - 1
        add     r3,r0,r1
        move    [r1,a0],r1
        .msg    scan_down,2,U
        add     r0,[WORDS,a1],r0
        add     r0,[WORDS,a1],r0
        send2   r1,r0,0
        .word   INT:scan_slots
        mul     r3,[PITCH,a1],r2
        add     r2,r0,r2
        constant BEFORE,r1
        move    1,r3
.word:
        move    [r1,a1],r0
        sub     r0,[r2,a0],r0
        move    r0,[r1,a1]
        send2   [r3,a3],r0,0
        add     r3,2,r3
        add     r2,1,r2
        add     r1,1,r1
        equal   r1,[END,a1],r0
        bf      r0,^.word
        sende   [WORDS,a1],0
        mask    r0
        move    [CHILD,a1],r3
        br      ^.child
.done:
        unmask  r0
        ldip    [NEXT,a1]

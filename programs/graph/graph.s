; run: --mesh 4x4x4
; also: --mesh 1x1x1 --set graph_scale=5
; also: --mesh 3x5x1 --queue 64 --set graph_scale=6 --set graph_labels=1
; graph: breadth-first search, or the labels of connected components, in a random graph
; of 2^graph_scale vertices. In a round every vertex that has changed sends its value to
; all its neighbours, a message per edge; a neighbour takes it if its own is greater.
        .include "../lib/app.inc"
        .global main, graph_scale, graph_degree, graph_labels
        .global graph_rounds, graph_found, graph_sum, graph_visits

;   edge:     | MSG edge,4 (U) | ADDR vertex | INT node | ADDR neighbour |
;   visit0, visit1, verify:  | MSG visit0,3 (U) | ADDR vertex | INT value |
; Visits of even and odd rounds have handlers of their own: a node that is ahead sends
; visits of a round that has not begun here. A vertex has three words on its node:
        .equ    VALUE, 0        ; distance or label
        .equ    CELLS, 1        ; NIL or its first cell: next cell, node, neighbour
        .equ    QUEUED, 2       ; 1: it is in a list of vertices that have changed
        .equ    VERTEX_WORDS, 3
        .equ    CELL_WORDS, 3
        .equ    FAR, 0x7FFFFFFF ; value of a vertex that was not reached

; A2 = the words of this node, in all contexts. In background A1 = a vertex.
        .macro  field name
        .equ    \name, . - graph_data
        .word   INT:0
        .endm
        .data
graph_data:
        field   RECEIVED        ; messages received and sent, since the beginning
        field   SENT
        field   NEXT0           ; where the lists of changed vertices end
        field   NEXT1
        field   TOP             ; first word that no cell uses
        field   STEP            ; added to a vertex's value to get the value it sends
        field   OUT             ; the value it sends
        field   HEADER          ; header of its messages
        field   AT              ; position in the current list, and its end
        field   END
        field   THEN            ; IP: background continues there when all have arrived
        field   TOTAL           ; vertices of all nodes that changed in the last round
        field   ROUND
        field   WRONG           ; edges whose ends do not agree
        field   RECIPROCAL
        field   BLOCK
        field   EDGE            ; number of the current edge, edges left
        field   LEFT
        field   LEVEL           ; bits of the edge's ends still to be drawn
        field   TAIL            ; numbers of the edge's ends
        field   HEAD
        field   PLACE           ; vertex and node of the current end, of the other end
        field   NODE
        field   OTHER_PLACE
        field   OTHER_NODE
        field   FOUND           ; this node's share of the results
        field   SUM
        field   LINK_DRAW       ; return address
        .equ    GRAPH_WORDS, . - graph_data
graph_scale:                    ; vertices, as a power of two
        .word   INT:8
graph_degree:                   ; edges for each vertex
        .word   INT:8
graph_labels:                   ; 1: labels of components; 0: distances
        .word   INT:0
graph_rounds:                   ; results, on node 0
        .word   INT:0
graph_found:                    ; vertices reached, or components
        .word   INT:0
graph_sum:                      ; sum of the values of vertices reached, each times the
        .word   INT:0           ; vertex's number + 1, modulo 2^32
graph_visits:                   ; messages of the timed part
        .word   INT:0

        .equ    LARGEST, 65536
        .section graph_lists,external,fill
list0:  .space  LARGEST
list1:  .space  LARGEST
        .section graph_vertices,external,fill
        .org    0x90000
vertices:
        .space  VERTEX_WORDS * LARGEST
        .section graph_cells,external,fill
        .org    0xC0000
cells:  .space  0x3FE00
cells_end:

        .text

; edge: adds a cell to the vertex.
        .align  4
edge:
        mask    r0
        increment [RECEIVED,a2],r1
        move    [1,a3],r0
        move    r0,a1
        move    [TOP,a2],r1
        move    [CELLS,a1],r2
        move    r2,[r1,a0]
        move    r1,[CELLS,a1]
        add     r1,1,r1
        move    [2,a3],r2
        move    r2,[r1,a0]
        add     r1,1,r1
        move    [3,a3],r2
        move    r2,[r1,a0]
        add     r1,1,r1
        move    r1,[TOP,a2]
        .word   INT:cells_end - CELL_WORDS
        gt      r1,r0,r0
        bt      r0,^.full
        unmask  r0
        suspend
.full:
        say     full_text
        move    2,r1
        exit    r1
        suspend

; visit handler, list: the vertex takes the value if it is less than its own.
        .macro  visit handler, list
        .align  4
\handler:
        mask    r0
        increment [RECEIVED,a2],r1
        move    [1,a3],r0
        move    r0,a1
        move    [2,a3],r1
        lt      r1,[VALUE,a1],r0
        bf      r0,^.rest\@
        move    r1,[VALUE,a1]
        move    [QUEUED,a1],r0
        bnz     r0,^.rest\@
        move    1,r0
        move    r0,[QUEUED,a1]
        move    [\list,a2],r2
        move    a1,r0
        move    r0,[r2,a0]
        add     r2,1,r2
        move    r2,[\list,a2]
.rest\@:
        unmask  r0
        suspend
        .endm
        visit   visit0, NEXT0
        visit   visit1, NEXT1

; round: sends on what changed in the last round. In background.
        .align  4
round:
        move    [TOTAL,a2],r1
        bnz     r1,^.go
        goto_u  finished
.go:
        move    [ROUND,a2],r1
        add     r1,1,r2
        move    r2,[ROUND,a2]
        and     r1,1,r1
        bnz     r1,^.odd
        move    [NEXT0,a2],r2
        constant list0,r1
        move    r1,[NEXT0,a2]
        .msg    visit1,3,U
        move    r0,r3
        br      ^expand
.odd:
        move    [NEXT1,a2],r2
        constant list1,r1
        move    r1,[NEXT1,a2]
        .msg    visit0,3,U
        move    r0,r3

; expand: the vertices from R1 to before R2 send their values, in messages with header
; R3. In background; then it waits until all have arrived.
expand:
        move    r3,[HEADER,a2]
        move    r2,[END,a2]
.vertex:
        equal   r1,[END,a2],r0
        bt      r0,^.sent
        move    [r1,a0],r0
        move    r0,a1
        add     r1,1,r1
        move    r1,[AT,a2]
        move    0,r0
        move    r0,[QUEUED,a1]
        move    [VALUE,a1],r1
        add     r1,[STEP,a2],r1
        move    r1,[OUT,a2]
        move    [CELLS,a1],r2
        br      ^.next
.cell:
        mask    r0
        move    [r1,a0],r2      ; the next one
        add     r1,1,r1
        move    [r1,a0],r3
        add     r1,1,r1
        move    [r1,a0],r1
        move    [HEADER,a2],r0
        send2   r3,r0,0
        move    [OUT,a2],r0
        send2e  r1,r0,0
        increment [SENT,a2],r1
.next:
        move    r2,r1
        bnnil   r1,^.cell
        move    [AT,a2],r1
        br      ^.vertex
.sent:
        goto_u  settle

        .section graph_code,rom,code

; settle: background continues at THEN when all messages have arrived, on all nodes. A
; node has sent its own when it joins, so the first sum is the number still on their
; way; the second is the number of vertices that have changed. In background it ends
; idle, else the task ends.
        .align  4
settle:
        mask    r0
        move    [SENT,a2],r2
        sub     r2,[RECEIVED,a2],r2
        move    [NEXT0,a2],r3
        add     r3,[NEXT1,a2],r3
        .word   INT:list0
        sub     r3,r0,r3
        .word   INT:list1
        sub     r3,r0,r3
        phase   settled,2,r2,r3
        readr   b,r1
        bt      r1,^.background
        suspend
.background:
        goto_u  kernel_idle

; settled: [1,a3] = messages on their way, [3,a3] = vertices that have changed.
        .align  4
settled:
        move    [1,a3],r1
        bz      r1,^.all
        goto_u  settle
.all:
        move    [3,a3],r1
        move    r1,[TOTAL,a2]
        move    [THEN,a2],r0
        writer  r0,ip'b
        suspend

; main: makes this node's vertices. Background, I = 1.
        .align  4
main:
        service app_start
        load    graph_labels,r1
        within  r1,0,1,.bad
        load    graph_scale,r1
        within  r1,1,16,.bad
        load    graph_degree,r2
        within  r2,1,64,.bad
        segment graph_data,GRAPH_WORDS,a2
        writer  r0,a2'b
        writer  r0,a2'bp
        move    1,r2
        lsh     r2,r1,r1
        load    kernel_rank,r2
        service app_share
        segment graph_data,GRAPH_WORDS,a2
        goto_u  prepare
.bad:
        refuse  bad_text

; prepare: the rest of main, unchecked.
        .align  4
prepare:
        load    share_reciprocal,r1
        move    r1,[RECIPROCAL,a2]
        load    share_block,r1
        move    r1,[BLOCK,a2]
        constant cells,r1
        move    r1,[TOP,a2]
        constant list0,r1
        move    r1,[NEXT0,a2]
        constant list1,r1
        move    r1,[NEXT1,a2]
        load    graph_labels,r1
        move    1,r2
        sub     r2,r1,r2
        move    r2,[STEP,a2]

        ; distances begin as FAR; labels as the vertices' numbers, all of them changed
        constant FAR,r1
        move    r1,[OUT,a2]
        load    share_count,r3
        .addr   vertices,0
        move    r0,a1
.vertex:
        bz      r3,^.made
        move    [OUT,a2],r1
        move    r1,[VALUE,a1]
        move    nil,r1
        move    r1,[CELLS,a1]
        move    0,r1
        move    r1,[QUEUED,a1]
        move    [STEP,a2],r1
        bnz     r1,^.next
        move    1,r1
        move    r1,[QUEUED,a1]
        load    share_first,r1
        .word   INT:share_count
        add     r1,[r0,a0],r1
        sub     r1,r3,r1
        move    r1,[VALUE,a1]
        move    [NEXT0,a2],r1
        move    a1,r0
        move    r0,[r1,a0]
        add     r1,1,r1
        move    r1,[NEXT0,a2]
.next:
        move    a1,r1
        .word   INT:VERTEX_WORDS << 10
        add     r1,r0,r1
        move    r1,a1
        sub     r3,1,r3
        br      ^.vertex
.made:
        phase   begin,1,r3
        goto_u  kernel_idle

; begin: all nodes have made their vertices.
        .align  4
begin:
        wake    build
        suspend

; build: draws this node's share of the edges and sends both ends. In background.
        .align  4
build:
        load    graph_degree,r1
        load    share_first,r2
        mul     r1,r2,r2
        move    r2,[EDGE,a2]
        load    share_count,r2
        mul     r1,r2,r2
        move    r2,[LEFT,a2]
.edge:
        move    [LEFT,a2],r1
        bz      r1,^.built
        sub     r1,1,r1
        move    r1,[LEFT,a2]
        invoke_u draw
        increment [EDGE,a2],r1
        invoke_u send_edge
        invoke_u swap
        invoke_u send_edge
        br      ^.edge
.built:
        .ip     start,U
        move    r0,[THEN,a2]
        goto_u  settle

; send_edge: tells the vertex of PLACE and NODE of the other. In: R3 link. R0-R2 lost.
        .align  4
send_edge:
        mask    r0
        .msg    edge,4,U
        move    [NODE,a2],r1
        send2   r1,r0,0
        move    [PLACE,a2],r1
        send    r1,0
        move    [OTHER_NODE,a2],r1
        move    [OTHER_PLACE,a2],r2
        send2e  r1,r2,0
        increment [SENT,a2],r1
        ldip    r3

; swap: exchanges the ends of the edge. In: R3 link. R1, R2 lost.
        .align  4
swap:
        move    [NODE,a2],r1
        move    [OTHER_NODE,a2],r2
        move    r2,[NODE,a2]
        move    r1,[OTHER_NODE,a2]
        move    [PLACE,a2],r1
        move    [OTHER_PLACE,a2],r2
        move    r2,[PLACE,a2]
        move    r1,[OTHER_PLACE,a2]
        ldip    r3

; draw: the ends of edge EDGE by the Kronecker rule of Graph500: each bit of both is
; drawn at once, 00 with probability 0.57, 01 and 10 with 0.19, 11 with 0.05. A product
; scatters the numbers. In: R3 link. R0-R3 lost.
        .equ    UP_TO_00, 1224065679 ; of 2^31
        .equ    UP_TO_01, 1632087572
        .equ    UP_TO_10, 2040109466
        .align  4
draw:
        move    r3,[LINK_DRAW,a2]
        move    0,r1
        move    r1,[TAIL,a2]
        move    r1,[HEAD,a2]
        load    graph_scale,r1
.bit:
        sub     r1,1,r1
        move    r1,[LEVEL,a2]
        move    [EDGE,a2],r2
        lsh     r2,5,r2
        add     r1,r2,r1
        invoke_u input_word
        lsh     r1,-1,r1
        move    [TAIL,a2],r2
        add     r2,r2,r2
        move    [HEAD,a2],r3
        add     r3,r3,r3
        .word   INT:UP_TO_00
        lt      r1,r0,r0
        bt      r0,^.drawn
        .word   INT:UP_TO_01
        lt      r1,r0,r0
        bt      r0,^.head
        add     r2,1,r2
        .word   INT:UP_TO_10
        lt      r1,r0,r0
        bt      r0,^.drawn
.head:
        add     r3,1,r3
.drawn:
        move    r2,[TAIL,a2]
        move    r3,[HEAD,a2]
        move    [LEVEL,a2],r1
        bnz     r1,^.bit
        move    [HEAD,a2],r1
        invoke_u locate
        invoke_u swap
        move    [TAIL,a2],r1
        invoke_u locate
        move    [LINK_DRAW,a2],r3
        ldip    r3

; locate: PLACE and NODE of the vertex whose number comes from R1. In: R3 link. R0-R2
; lost.
        .align  4
locate:
        .word   INT:0x9E3779B1
        mul     r1,r0,r1
        load    graph_scale,r2
        neg     r2,r2
        lsh     r1,r2,r0
        neg     r2,r2
        lsh     r0,r2,r0
        sub     r1,r0,r1        ; the lowest bits
        add     r1,r1,r2
        add     r2,1,r2
        mulh    r2,[RECIPROCAL,a2],r2
        mul     r2,[BLOCK,a2],r0
        sub     r1,r0,r1
        add     r1,r1,r0
        add     r1,r0,r1        ; words
        .word   INT:vertices
        add     r1,r0,r1
        lsh     r1,10,r1
        wtag    r1,TAG_ADDR,r1
        move    r1,[PLACE,a2]
        .word   INT:rank_nodes
        add     r2,r0,r2
        move    [r2,a0],r1
        move    r1,[NODE,a2]
        ldip    r3

; start: the graph is built. A search begins at an end of edge 0. In background.
        .align  4
start:
        .ip     round,U
        move    r0,[THEN,a2]
        move    [SENT,a2],r1
        move    r1,[LEFT,a2]    ; messages sent before
        load    kernel_rank,r1
        bnz     r1,^.rest
        move    0,r1
        move    r1,[EDGE,a2]
        invoke_u draw
        timed_begin
        move    [STEP,a2],r1
        bz      r1,^.rest
        mask    r0
        .msg    visit0,3,U
        move    [NODE,a2],r1
        send2   r1,r0,0
        move    [PLACE,a2],r1
        move    0,r2
        send2e  r1,r2,0
        increment [SENT,a2],r1
.rest:
        goto_u  settle

; finished: no vertex has changed. All vertices send their values once more, and each
; edge is verified. In background.
        .align  4
finished:
        load    kernel_rank,r1
        bnz     r1,^.verify
        timed_end
        move    [ROUND,a2],r1
        store   r1,graph_rounds
.verify:
        move    [SENT,a2],r1
        move    [LEFT,a2],r2
        sub     r1,r2,r1
        move    r1,[LEFT,a2]    ; messages sent in the timed part
        .ip     verified,U
        move    r0,[THEN,a2]
        move    0,r1
        move    r1,[STEP,a2]
        load    share_count,r3
        constant list0,r1
        .addr   vertices,0
        move    r0,r2
.vertex:
        bz      r3,^.all
        move    r2,[r1,a0]
        add     r1,1,r1
        .word   INT:VERTEX_WORDS << 10
        add     r2,r0,r2
        sub     r3,1,r3
        br      ^.vertex
.all:
        move    r1,r2
        .msg    verify,3,U
        move    r0,r3
        constant list0,r1
        goto_u  expand

; verify: distances of neighbours differ by at most one; labels are equal.
        .align  4
verify:
        mask    r0
        increment [RECEIVED,a2],r1
        move    [1,a3],r0
        move    r0,a1
        move    [2,a3],r1
        sub     r1,[VALUE,a1],r1
        load    graph_labels,r2
        sub     r2,1,r2         ; -1 or 0
        lt      r1,r2,r0
        bt      r0,^.wrong
        neg     r2,r2
        gt      r1,r2,r0
        bf      r0,^.rest
.wrong:
        increment [WRONG,a2],r1
.rest:
        unmask  r0
        suspend

; verified: the sums over this node's vertices. In background.
        .align  4
verified:
        load    share_count,r3
        .addr   vertices,0
        move    r0,a1
        load    share_first,r1
        move    r1,[EDGE,a2]    ; the vertex's number
.vertex:
        bz      r3,^.all
        move    [VALUE,a1],r2
        .word   INT:FAR
        equal   r2,r0,r0
        bt      r0,^.next
        load    graph_labels,r1
        bz      r1,^.found
        move    [EDGE,a2],r1
        equal   r1,r2,r0
        bf      r0,^.sum
.found:
        increment [FOUND,a2],r1
.sum:
        move    [EDGE,a2],r1
        add     r1,1,r1
        mul     r1,r2,r1
        move    [SUM,a2],r2
        add     r1,r2,r1
        move    r1,[SUM,a2]
.next:
        increment [EDGE,a2],r1
        move    a1,r1
        .word   INT:VERTEX_WORDS << 10
        add     r1,r0,r1
        move    r1,a1
        sub     r3,1,r3
        br      ^.vertex
.all:
        mask    r0
        readr   nnr,r1
        .msg    scan_join,6,U
        send2   r1,r0,0
        send    [FOUND,a2],0
        send    [SUM,a2],0
        send    [LEFT,a2],0
        send    [WRONG,a2],0
        .ip     report,U
        sende   r0,0
        goto_u  kernel_idle

; report: [1,a3] = vertices found, [3,a3] = sum, [5,a3] = visits, [7,a3] = edges whose
; ends do not agree.
        .align  4
report:
        on_node0
        result  [3,a3],graph_sum
        result  [5,a3],graph_visits
        result  [1,a3],graph_found
        say_number
        load    graph_labels,r1
        bnz     r1,^.labels
        say     reached_text
        br      ^.visits
.labels:
        say     components_text
.visits:
        say_word graph_visits,visits_text
        say_word graph_rounds,rounds_text
        move    [7,a3],r1
        say_number
        say     wrong_text
        move    [7,a3],r1
        goto_u  app_end

        .ext
reached_text:
        .asciz  " vertices reached, "
components_text:
        .asciz  " components, "
visits_text:
        .asciz  " messages, "
rounds_text:
        .asciz  " rounds, "
wrong_text:
        .asciz  " edges wrong, "
full_text:
        .asciz  "graph: a node has no memory for its edges\n"
bad_text:
        .ascii  "graph: graph_scale is 1 to 16, graph_degree 1 to 64, "
        .asciz  "graph_labels 0 or 1\n"

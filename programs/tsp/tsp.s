; run: --mesh 4x4x4 --set tsp_n=10
; also: --mesh 1x1x1 --set tsp_n=8
; also: --mesh 3x5x1 --queue 64 --set tsp_n=9 --set input_seed=7
; tsp: the shortest tour through tsp_n cities in a plane, by branch and bound. Each node
; has a pool of partial tours, the longest on top; it works on the top one, an idle node
; gets the one at the bottom. The length of a better tour is broadcast.
        .include "../lib/app.inc"
        .global main, tsp_n, tsp_grain, tsp_length, tsp_expanded, tsp_given

;   ask:      | MSG ask,2 (U) | INT node |      until it finds a tour to give
;   tour:     | MSG tour,4 + k (U) | INT node | INT cost | INT state | k cities |
;   found:    | MSG found,3 (U) | INT node | INT cost |      a better one, to node 0
;   better:   | MSG better,2 (U) | INT cost |      by broadcast, from node 0
;   done:     | MSG done,1 (U) |      for a tour or found
; A city in a message or path is INT city << 16. The first, 0, is not part of it.
;   state:    level[31:20] last city[19:16] cities left[15:0], bit c - 1 for city c
; A partial tour is its cost and its state; PATH has the cities before the last one. All
; tours of the pool share it, since each came from the one below.
; The level is the place in PATH for the last city.
        .equ    LEVEL_BIT, 20
        .equ    CITY_BIT, 16
        .equ    LARGEST, 16
        .equ    TOUR_WORDS, 2
        .equ    POOL_WORDS, TOUR_WORDS * LARGEST * LARGEST / 2
        .equ    FAR, 0x3FFFFFFF

; The row of a city: its distance to city 0, then for each other city, from near to far,
; the distance and what to take from the state if that city comes next.
        .equ    ROW_WORDS, 2 * LARGEST

; A2 = the words of this node, in all contexts. In background A1 = a row, A3 = `pool`.
        .data
tsp_data:
        .word   INT:0           ; the pool's top (first free word) and bottom
        .equ    TOP, 0
        .word   INT:0
        .equ    BOTTOM, 1
        .word   INT:0           ; current tour: cost, and state without the last city
        .equ    COST, 2
        .word   INT:0
        .equ    STATE, 3
        .word   INT:0           ; cities that may come next
        .equ    NEXT, 4
        .word   INT:FAR         ; cost of the best tour known
        .equ    BEST, 5
        .addr   rows,ROW_WORDS
        .equ    ROWS, 6
        .word   INT:0           ; end of a row
        .equ    END, 7
        .word   INT:0           ; the current city
        .equ    AT, 8
        .word   INT:0           ; a state below this may be given away
        .equ    DEEP, 9
        .addr   pool,POOL_WORDS
        .equ    POOL, 10
        .word   INT:0           ; messages sent whose `done` has not arrived
        .equ    PENDING, 11
        .word   NIL             ; node that gets `done` when this one is done; -1: none
        .equ    PARENT, 12
        .word   INT:0           ; 1: the pool is empty
        .equ    IDLE, 13
        .equ    PATH, 14
        .space  LARGEST, INT:0
        .word   INT:0           ; 1: the search is over
        .equ    OVER, PATH + LARGEST
        .word   INT:0           ; tours expanded, given away
        .equ    EXPANDED, OVER + 1
        .word   INT:0
        .equ    GIVEN, OVER + 2
        .word   INT:0           ; questions in `kept`
        .equ    KEPT, OVER + 3
        .word   INT:FAR         ; on node 0: cost of the best tour
        .equ    SHORTEST, OVER + 4
        .word   INT:0           ; on node 0: the node that has the best tour
        .equ    OWNER, OVER + 5
        .word   INT:0           ; box of the whole machine, for broadcasts
        .equ    BOX, OVER + 6
        .equ    TSP_WORDS, OVER + 7
rows:   .space  LARGEST * ROW_WORDS, INT:0
pool:   .space  POOL_WORDS, INT:0
tsp_n:                          ; cities
        .word   INT:10
tsp_grain:                      ; a tour with fewer cities left is not given away
        .word   INT:3
tsp_length:                     ; results, on node 0
        .word   INT:0
tsp_expanded:                   ; partial tours: expanded, given away
        .word   INT:0
tsp_given:
        .word   INT:0

        .text

; R1 <- the city after the one in `word`; jumps to `label` unless there is none. R0, R2
; lost.
        .macro  next_city word:req, label:req
        move    \word,r1
        add     r1,1,r1
        load    tsp_n,r2
        equal   r1,r2,r0
        bf      r0,^\label
        .endm

; The level of a state. An immediate shifts by 16 bits at most.
        .macro  level_of state:req, level:req
        lsh     \state,-LEVEL_BIT / 2,\level
        lsh     \level,-LEVEL_BIT / 2,\level
        .endm

; work: expands the tours of the pool, one after the other. In background.
        .align  4
work:
        mask    r0
        move    [TOP,a2],r3
        equal   r3,[BOTTOM,a2],r0
        bf      r0,^.tour
        goto_u  empty
.tour:
        move    [KEPT,a2],r1
        bz      r1,^.take
        goto_u  offer
.take:
        sub     r3,TOUR_WORDS,r3
        move    r3,[TOP,a2]
        unmask  r0
        move    [r3,a3],r1
        lt      r1,[BEST,a2],r0
        bf      r0,^work
        move    r1,[COST,a2]
        add     r3,1,r3
        move    [r3,a3],r1
        and     r1,0xFFFFF,r2
        and     r1,0xFFFF,r3
        sub     r2,r3,r2        ; the last city
        sub     r1,r2,r1
        move    r1,[STATE,a2]
        level_of r1,r0
        move    r2,[r0,a2]
        lsh     r2,-1,r2        ; times the length of a row, as part of an ADDR
        add     r2,[ROWS,a2],r2
        move    r2,a1
        bz      r3,^complete
        and     r3,1,r0         ; a tour and its reverse count once: city 2 comes after
        add     r0,r0,r0        ; city 1
        xor     r3,r0,r3
        move    r3,[NEXT,a2]
        increment [EXPANDED,a2],r1
        move    [END,a2],r3
        .align  4
.city:                          ; from far to near, so that the nearest is on top
        move    [r3,a1],r1
        and     r1,[NEXT,a2],r0
        bz      r0,^.next
        sub     r3,1,r2
        move    [r2,a1],r2
        add     r2,[COST,a2],r2
        lt      r2,[BEST,a2],r0
        bf      r0,^.next
        move    [STATE,a2],r0
        sub     r0,r1,r1

        ; a tour of the same cities with the same last one may be known
        move    r3,[AT,a2]
        .word   INT:0x9E3779B1
        mul     r1,r0,r0
        rot     r0,8,r0
        probe   r0,r3
        bnil    r3,^.new
        le      r3,r2,r3
        bt      r3,^.known
.new:
        enter   r2,r0
        move    [TOP,a2],r0
        move    r2,[r0,a3]
        add     r0,1,r0
        move    r1,[r0,a3]
        add     r0,1,r0
        move    r0,[TOP,a2]
.known:
        move    [AT,a2],r3
.next:
        sub     r3,2,r3
        bnz     r3,^.city
        br      ^work

; complete: no city is left. If the tour beats all known ones, keeps it and sends its
; cost to node 0. In background.
        .align  4
complete:
        mask    r0
        move    [COST,a2],r1
        add     r1,[0,a1],r1
        lt      r1,[BEST,a2],r0
        bf      r0,^.worse
        move    r1,[BEST,a2]
        increment [PENDING,a2],r2
        constant PATH + 1,r2
.city:
        move    [r2,a2],r3
        .word   INT:shortest - PATH - 1
        add     r0,r2,r0
        move    r3,[r0,a0]
        add     r2,1,r2
        .word   INT:PATH + LARGEST
        equal   r2,r0,r0
        bf      r0,^.city
        move    0,r3            ; node 0
        .msg    found,3,U
        send2   r3,r0,0
        readr   nnr,r0
        send2e  r0,r1,0
.worse:
        unmask  r0
        goto_u  work

; ask: sends the tour at the bottom of the pool to [1,a3]. If there is none to give,
; keeps the question; an idle node passes it on.
        .align  4
ask:
        mask    r0
        move    [BOTTOM,a2],r1
        equal   r1,[TOP,a2],r0
        bt      r0,^.none
        move    [POOL,a2],r0
        move    r0,a1
        add     r1,1,r2
        move    [r2,a1],r2
        lt      r2,[DEEP,a2],r0
        bf      r0,^.none
        move    [r1,a1],r3
        add     r1,TOUR_WORDS,r1
        move    r1,[BOTTOM,a2]
        increment [PENDING,a2],r1
        increment [GIVEN,a2],r1
        level_of r2,r1
        .msg    tour,4,U
        add     r0,r1,r0
        sub     r0,PATH + 1,r0
        send2   [1,a3],r0,0
        readr   nnr,r0
        send2   r0,r3,0
        move    PATH,r3
.city:                          ; the state, then the cities
        add     r3,1,r3
        equal   r3,r1,r0
        bt      r0,^.last
        send    r2,0
        move    [r3,a2],r2
        br      ^.city
.last:
        sende   r2,0
        suspend
.none:
        move    [OVER,a2],r1
        bnz     r1,^.over
        move    [IDLE,a2],r1
        bz      r1,^.keep
        invoke_u spawn_node
        .msg    ask,2,U
        send2   r1,r0,0
        sende   [1,a3],0
        suspend
.keep:
        move    [KEPT,a2],r1
        .word   INT:kept
        add     r0,r1,r0
        move    [1,a3],r2
        move    r2,[r0,a0]
        add     r1,1,r1
        move    r1,[KEPT,a2]
.over:
        unmask  r0
        suspend

; tour: goes into the pool, which is empty, because this node asked for it.
        .align  4
tour:
        mask    r0
        move    [POOL,a2],r0
        move    r0,a1
        move    [2,a3],r1
        move    r1,[0,a1]
        move    [3,a3],r2
        move    r2,[1,a1]
        level_of r2,r1
.city:
        sub     r1,1,r1
        le      r1,PATH,r0
        bt      r0,^.copied
        sub     r1,PATH - 3,r2
        move    [r2,a3],r2
        move    r2,[r1,a2]
        br      ^.city
.copied:
        move    0,r1
        move    r1,[BOTTOM,a2]
        move    r1,[IDLE,a2]
        move    TOUR_WORDS,r1
        move    r1,[TOP,a2]
        wake    work
        move    [PARENT,a2],r1
        move    [1,a3],r2
        bnil    r1,^.first
        .msg    done,1,U
        send2e  r2,r0,0
        suspend
.first:
        move    r2,[PARENT,a2]
        unmask  r0
        suspend

; done: one of the messages in PENDING is done.
        .align  4
done:
        mask    r0
        decrement [PENDING,a2],r1
        bnz     r1,^.more
        move    [IDLE,a2],r1
        bz      r1,^.more
        invoke_u all_done
.more:
        unmask  r0
        suspend

; better: [1,a3] = cost of a tour.
        .align  4
better:
        mask    r0
        move    [1,a3],r1
        lt      r1,[BEST,a2],r0
        bf      r0,^.rest
        move    r1,[BEST,a2]
.rest:
        unmask  r0
        suspend

; found: node 0 records which node has the best tour, and broadcasts its cost.
        .align  4
found:
        mask    r0
        move    [2,a3],r1
        move    [SHORTEST,a2],r2
        lt      r1,r2,r0
        bf      r0,^.done
        move    r1,[SHORTEST,a2]
        move    [1,a3],r2
        move    r2,[OWNER,a2]
        readr   nnr,r2
        .msg    broadcast,4,U
        send2   r2,r0,0
        move    [BOX,a2],r2
        .msg    better,2,U
        send2   r2,r0,0
        sende   r1,0
.done:
        mask    r0
        .msg    done,1,U
        move    [1,a3],r1
        send2e  r1,r0,0
        suspend

        .section tsp_code,rom,code

; offer: sends itself a question that it has kept, if there is a tour to give. In: R1 =
; questions kept, R3 = TOP, the pool not empty. In background, I = 1.
        .align  4
offer:
        move    [BOTTOM,a2],r2
        add     r2,1,r2
        move    [r2,a3],r2
        lt      r2,[DEEP,a2],r0
        bf      r0,^.take
        readr   nnr,r2
        invoke_u send_kept
        mask    r0
        move    [TOP,a2],r3
        equal   r3,[BOTTOM,a2],r0
        bt      r0,^empty       ; the last tour was given away
.take:
        goto_u  work.take

; send_kept: sends the last of R1 kept questions to node R2. In: R3 link, I = 1. R0, R1
; lost, I = 0.
        .align  4
send_kept:
        sub     r1,1,r1
        move    r1,[KEPT,a2]
        .word   INT:kept
        add     r1,r0,r1
        .msg    ask,2,U
        send2   r2,r0,0
        sende   [r1,a0],0
        ldip    r3

; empty: the pool is empty. Passes kept questions on, then asks a random node. In
; background, I = 1.
        .align  4
empty:
        move    1,r1
        move    r1,[IDLE,a2]
        move    [KEPT,a2],r1
        bz      r1,^.none
        invoke_u spawn_node
        move    r1,r2
        move    [KEPT,a2],r1
        invoke_u send_kept
        mask    r0
        br      ^empty
.none:
        move    [PENDING,a2],r1
        bnz     r1,^.ask
        invoke_u all_done
        mask    r0
.ask:
        invoke_u spawn_node
        .msg    ask,2,U
        send2   r1,r0,0
        readr   nnr,r1
        sende   r1,0
        goto_u  kernel_idle

; all_done: the pool is empty and all messages sent from here are done, so this answers
; the first tour received. On node 0 the search is over. In: R3 link, I = 1. R0-R2 lost,
; I = 0.
        .align  4
all_done:
        move    [PARENT,a2],r1
        bnil    r1,^.free
        move    nil,r0
        move    r0,[PARENT,a2]
        lt      r1,0,r0
        bt      r0,^.all
        .msg    done,1,U
        send2e  r1,r0,0
        ldip    r3
.all:
        timed_end
        phase   finished,1,r2
.free:
        unmask  r0
        ldip    r3

; main: makes the cities and their distances. Background, I = 1.
        .align  4
main:
        service app_start
        segment tsp_data,TSP_WORDS,a2
        writer  r0,a2'b
        writer  r0,a2'bp
        load    tsp_n,r1
        within  r1,3,LARGEST,.bad
        goto_u  prepare
.bad:
        refuse  bad_text

; prepare: the rest of main, unchecked. Here A1 = the words of `setup`.
        .align  4
prepare:
        invoke_u broadcast_box
        move    r1,[BOX,a2]
        load    tsp_n,r1
        sub     r1,1,r2
        add     r2,r2,r2
        move    r2,[END,a2]
        .word   INT:tsp_grain
        sub     r1,[r0,a0],r1
        add     r1,PATH,r1
        lsh     r1,LEVEL_BIT / 2,r1
        lsh     r1,LEVEL_BIT / 2,r1
        move    r1,[DEEP,a2]
        segment setup,SETUP_WORDS,a1
        load    tsp_n,r1
        add     r1,r1,r1
        move    r1,[LEFT,a1]
.place:
        sub     r1,1,r1
        move    r1,[LEFT,a1]
        invoke_u input_word
        .word   INT:-32 + PLACE_BITS
        lsh     r1,r0,r2
        move    [LEFT,a1],r1
        .word   INT:places
        add     r0,r1,r0
        move    r2,[r0,a0]
        bnz     r1,^.place

        invoke_u measure
        move    0,r1
.line:
        move    r1,[LEFT,a1]
        .word   INT:distances
        lsh     r1,LINE_BITS,r1
        add     r1,r0,r1
        move    1,r2
        invoke_u reduce
        next_city [LEFT,a1],.line
        move    0,r1
.column:
        move    r1,[LEFT,a1]
        .word   INT:distances
        add     r1,r0,r1
        .word   INT:LARGEST
        move    r0,r2
        invoke_u reduce
        next_city [LEFT,a1],.column
        move    0,r1
.row:
        move    r1,[FROM,a1]
        invoke_u sort
        next_city [FROM,a1],.row
        invoke_u greedy
        move    [POOL,a2],r0
        move    r0,a3
        phase   begin,1,r1
        goto_u  kernel_idle

; measure: the distances of all cities. In: A1, R3 link. R0-R3 lost.
        .align  4
measure:
        move    r3,[LINK,a1]
        load    tsp_n,r1
        move    r1,[FROM,a1]
.from:
        decrement [FROM,a1],r1
        load    tsp_n,r1
        move    r1,[TO,a1]
.to:
        decrement [TO,a1],r1
        invoke_u distance
        move    [FROM,a1],r2
        move    [TO,a1],r3
        equal   r2,r3,r0
        bf      r0,^.other
        constant FAR,r1
.other:
        lsh     r2,LINE_BITS,r2
        add     r2,r3,r2
        .word   INT:distances
        add     r0,r2,r0
        move    r1,[r0,a0]
        bnz     r3,^.to
        move    [FROM,a1],r1
        bnz     r1,^.from
        move    [LINK,a1],r3
        ldip    r3

; distance: R1 <- that of the cities FROM and TO, rounded down. In: A1, R3 link. R0, R2
; lost.
        .align  4
distance:
        move    r3,[LINK2,a1]
        move    [FROM,a1],r1
        add     r1,r1,r1
        .word   INT:places
        add     r1,r0,r1
        move    [TO,a1],r2
        add     r2,r2,r2
        add     r2,r0,r2
        move    [r1,a0],r3
        sub     r3,[r2,a0],r3
        mul     r3,r3,r3
        add     r1,1,r1
        add     r2,1,r2
        move    [r1,a0],r1
        sub     r1,[r2,a0],r1
        mul     r1,r1,r1
        add     r1,r3,r1

        ; R2 <- the root of R1, two of its bits with each bit of the root
        move    0,r2
        constant 1 << (2 * PLACE_BITS),r3
.bit:
        add     r2,r3,r0
        sub     r1,r0,r0
        move    r0,[REST,a1]
        lsh     r2,-1,r2
        lt      r0,0,r0
        bt      r0,^.zero
        move    [REST,a1],r1
        add     r2,r3,r2
.zero:
        lsh     r3,-2,r3
        bnz     r3,^.bit
        move    r2,r1
        move    [LINK2,a1],r3
        ldip    r3

; reduce: subtracts the least of the tsp_n words from R1 on, R2 apart, from all of them,
; because every tour includes one of them. In: A1, R3 link. R0-R3 lost.
        .align  4
reduce:
        move    r3,[LINK,a1]
        move    r1,[FROM,a1]
        move    r2,[STEP,a1]
        constant FAR,r2
        load    tsp_n,r3
.least:
        move    [r1,a0],r0
        lt      r0,r2,r0
        bf      r0,^.more
        move    [r1,a0],r2
.more:
        add     r1,[STEP,a1],r1
        sub     r3,1,r3
        bnz     r3,^.least
        load    tsp_length,r1
        add     r1,r2,r1
        move    r1,[r0,a0]
        move    [FROM,a1],r1
        load    tsp_n,r3
.word:
        move    [r1,a0],r0
        sub     r0,r2,r0
        move    r0,[r1,a0]
        add     r1,[STEP,a1],r1
        sub     r3,1,r3
        bnz     r3,^.word
        move    [LINK,a1],r3
        ldip    r3

; sort: the row of city FROM: the others from near to far. In: A1, R3 link. R0-R3, A3
; lost.
        .align  4
sort:
        move    r3,[LINK,a1]
        move    [FROM,a1],r1
        lsh     r1,LINE_BITS,r1
        .word   INT:distances
        add     r1,r0,r1
        move    r1,[AT_LINE,a1]
        move    [r1,a0],r2
        move    [FROM,a1],r1
        .word   INT:ROW_WORDS << 10
        mul     r1,r0,r1
        add     r1,[ROWS,a2],r1
        move    r1,a3
        move    r2,[0,a3]       ; distance to city 0
        move    1,r1
.city:
        move    r1,[TO,a1]
        add     r1,[AT_LINE,a1],r2
        move    [r2,a0],r2
        move    r2,[LENGTH,a1]
        sub     r1,1,r1
        add     r1,r1,r3        ; after those already in the row
.place:
        bz      r3,^.found
        sub     r3,1,r1
        move    [r1,a3],r0
        le      r0,[LENGTH,a1],r0
        bt      r0,^.found
        move    [r1,a3],r0
        add     r1,2,r1
        move    r0,[r1,a3]
        move    [r3,a3],r0
        add     r3,2,r1
        move    r0,[r1,a3]
        sub     r3,2,r3
        br      ^.place
.found:
        add     r3,1,r3
        move    r2,[r3,a3]
        move    [TO,a1],r1
        sub     r1,1,r0
        move    1,r2
        lsh     r2,r0,r2
        lsh     r1,15,r0
        add     r0,r0,r0
        sub     r2,r0,r2
        .word   INT:1 << LEVEL_BIT
        sub     r2,r0,r2
        add     r3,1,r3
        move    r2,[r3,a3]
        add     r1,1,r1
        load    tsp_n,r2
        equal   r1,r2,r0
        bf      r0,^.city
        move    [LINK,a1],r3
        ldip    r3

; greedy: BEST <- one more than the cost of the tour that always goes to the nearest
; city. In: R3 link. R0-R3, A3 lost.
        .align  4
greedy:
        move    r3,[LINK,a1]
        load    tsp_n,r1
        sub     r1,1,r1
        move    1,r2
        lsh     r2,r1,r2
        sub     r2,1,r2
        move    r2,[NEXT,a2]
        move    1,r1
        move    r1,[BEST,a2]
        move    [ROWS,a2],r1
.city:
        move    r1,a3
        move    0,r3
        move    [NEXT,a2],r2
        bz      r2,^.home
.look:
        add     r3,2,r3
        move    [r3,a3],r1
        and     r1,[NEXT,a2],r2
        bz      r2,^.look
        sub     r3,1,r3
        move    [r3,a3],r3
        add     r3,[BEST,a2],r3
        move    r3,[BEST,a2]
        move    [NEXT,a2],r3
        xor     r3,r2,r3
        move    r3,[NEXT,a2]
        sub     r2,r1,r1
        and     r1,0xFFFFF,r1
        lsh     r1,-1,r1
        add     r1,[ROWS,a2],r1
        br      ^.city
.home:
        move    [0,a3],r1
        add     r1,[BEST,a2],r1
        move    r1,[BEST,a2]
        move    [LINK,a1],r3
        ldip    r3

; begin: node 0 gets the tour that has only left city 0; all other nodes are idle until
; it finishes.
        .align  4
begin:
        load    kernel_rank,r1
        bz      r1,^.node0
        phase   finished,1,r1
        br      ^.work
.node0:
        move    -1,r1
        move    r1,[PARENT,a2]
        move    [POOL,a2],r0
        move    r0,a1
        move    0,r1
        move    r1,[0,a1]
        load    tsp_n,r2
        sub     r2,1,r2
        move    1,r1
        lsh     r1,r2,r1
        .word   INT:(PATH << LEVEL_BIT) - 1
        add     r1,r0,r1
        move    r1,[1,a1]
        move    TOUR_WORDS,r1
        move    r1,[TOP,a2]
        timed_begin
.work:
        wake    work
        suspend

; finished: no node has any tour left.
        .align  4
finished:
        mask    r0
        move    1,r1
        move    r1,[OVER,a2]
        move    [EXPANDED,a2],r2
        move    [GIVEN,a2],r3
        phase   report,2,r2,r3
        suspend

; report: [1,a3] = tours expanded, [3,a3] = given away.
        .align  4
report:
        on_node0
        result  [1,a3],tsp_expanded
        result  [3,a3],tsp_given
        mask    r0
        wake    tell
        suspend

; tell: fetches the tour, prints the results. On node 0, in background, I = 1.
        .align  4
tell:
        move    1,r1
        invoke_u context_new
        move    r1,a1
        reference a1,CONTEXT_SLOTS,r3
        load    tsp_n,r2
        sub     r2,1,r2
        move    [OWNER,a2],r1
        .msg    remote_copy,7,U
        send2   r1,r0,0
        constant shortest,r1
        send2   r1,r2,0
        readr   nnr,r2
        send2   r2,r1,0
        send2e  r2,r3,0
        mask    r0
        await   [CONTEXT_SLOTS,a1],r1
        move    [SHORTEST,a2],r1
        .word   INT:tsp_length
        add     r1,[r0,a0],r1
        move    r1,[r0,a0]
        say_word tsp_n,cities_text
        say_word tsp_length,length_text
        invoke_u walk
        say     comma_text
        say_word tsp_expanded,expanded_text
        say_word tsp_given,given_text

        ; check the tour's length and that each city occurs once
        segment setup,SETUP_WORDS,a1
        load    tsp_length,r1
        sub     r1,[LENGTH,a1],r1
        load    tsp_n,r2
        move    1,r3
        lsh     r3,r2,r3
        sub     r3,1,r3
        sub     r3,[LEFT,a1],r3
        or      r1,r3,r1
        goto_u  app_end

; walk: prints the cities of the tour. LENGTH <- its length, LEFT <- a bit for each city
; that it has. In: R3 link. R0-R3, A1 lost.
        .align  4
walk:
        segment setup,SETUP_WORDS,a1
        move    r3,[LINK,a1]
        move    0,r1
        move    r1,[LENGTH,a1]
        move    r1,[LEFT,a1]
        move    r1,[FROM,a1]
        constant shortest,r1
        move    r1,[AT_LINE,a1]
.city:
        move    [AT_LINE,a1],r1
        add     r1,1,r2
        move    r2,[AT_LINE,a1]
        move    [r1,a0],r1
        lsh     r1,-CITY_BIT,r1
        move    r1,[TO,a1]
        move    1,r2
        lsh     r2,r1,r2
        or      r2,[LEFT,a1],r2
        move    r2,[LEFT,a1]
        say     next_text
        move    [TO,a1],r1
        say_number
        invoke_u distance
        add     r1,[LENGTH,a1],r1
        move    r1,[LENGTH,a1]
        move    [TO,a1],r1
        move    r1,[FROM,a1]
        load    tsp_n,r1
        .word   INT:shortest
        add     r1,r0,r1
        equal   r1,[AT_LINE,a1],r0
        bf      r0,^.city
        move    [LINK,a1],r3
        ldip    r3

        .ext
        .equ    PLACE_BITS, 14  ; bits of a city's x and y
        .equ    LINE_BITS, 4    ; words of a line of distances, as a power of two
places:                         ; x, y of each city
        .space  2 * LARGEST
distances:
        .space  LARGEST * LARGEST
kept:   .space  65536           ; nodes whose questions are kept
shortest:                       ; the best tour of this node, city << 16, back to city 0
        .space  LARGEST + 1, INT:0
setup:
        .word   INT:0           ; number left to do
        .equ    LEFT, 0
        .word   INT:0           ; cities, or the first word of a line
        .equ    FROM, 1
        .word   INT:0
        .equ    TO, 2
        .word   INT:0
        .equ    STEP, 3
        .word   INT:0
        .equ    AT_LINE, 4
        .word   INT:0
        .equ    LENGTH, 5
        .word   INT:0
        .equ    REST, 6
        .word   NIL             ; return addresses
        .equ    LINK, 7
        .word   NIL
        .equ    LINK2, 8
        .equ    SETUP_WORDS, 9
cities_text:
        .asciz  " cities, shortest tour "
length_text:
        .asciz  ": 0"
next_text:
        .asciz  " "
comma_text:
        .asciz  ", "
expanded_text:
        .asciz  " partial tours, "
given_text:
        .asciz  " given away, "
bad_text:
        .asciz  "tsp: tsp_n is 3 to 16\n"

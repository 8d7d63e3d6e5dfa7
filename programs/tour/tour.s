; run: --mesh 4x4x4 --set tour_hops=40
; also: --mesh 1x1x1 --set tour_hops=5
; also: --mesh 3x5x1 --queue 64 --set tour_hops=30 --set tour_more=100
; also: --mesh 4x4x2 --set tour_hops=30 --set tour_random=1
; tour: messages that all walk one tour of the nodes, along a line that goes back and
; forth through the machine and from its end to its beginning. If a node is slow, its
; queue overflows, and those before it in the tour follow.
        .include "../lib/app.inc"
        .global main, tour_m, tour_hops, tour_spin, tour_hot, tour_more, tour_random
        .global tour_visits

;   visit:   | MSG visit,4 (U) | INT hops left | INT home | INT home |
;   home:    | MSG home,1 (U) |
        .equ    LEFT_WORD, 1
        .equ    HOME_WORD, 2

; A2 = the words of this node, at both priorities.
        .macro  field name
        .equ    \name, . - tour_data
        .word   INT:0
        .endm
        .data
tour_data:
        field   SPIN            ; turns of the loop in a visit
        field   NEXT            ; next node of the tour
        field   VISITS          ; visits to this node
        field   AWAY            ; messages of this node that are not home
        field   X               ; of line.inc
        field   Y
        field   Z
        field   LINE
        field   SELF
        .equ    TOUR_WORDS, . - tour_data
tour_m:                         ; messages of each node
        .word   INT:5
tour_hops:                      ; visits of each message
        .word   INT:200
tour_spin:                      ; turns of the loop in a visit, 3 cycles each
        .word   INT:1
tour_hot:                       ; rank of the node with more turns
        .word   INT:0
tour_more:                      ; how many more
        .word   INT:0
tour_random:                    ; 1: each visit continues at a random node
        .word   INT:0
tour_visits:                    ; the result, on node 0
        .word   INT:0

        .text

; visit: waits a while, then sends the message to the next node, or home.
        .align  4
visit:
        move    [3,a3],r1       ; wait for the whole message before sending
        move    [SPIN,a2],r0
.spin:
        sub     r0,1,r0
        bnz     r0,^.spin
        mask    r0
        increment [VISITS,a2],r1
        load    tour_random,r1
        bnz     r1,^.draw
        move    [NEXT,a2],r3
.on:
        move    [LEFT_WORD,a3],r2
        bz      r2,^.home
        sub     r2,1,r2
        move    [HOME_WORD,a3],r1
        unmask  r0
        .msg    visit,4,U
        send2   r3,r0,0
        send2   r2,r1,0
        sende   r1,0
        suspend
.draw:
        load    kernel_nodes,r1
        invoke_u kernel_random
        .word   INT:rank_nodes
        add     r1,r0,r1
        move    [r1,a0],r3
        br      ^.on
.home:
        move    [HOME_WORD,a3],r3
        unmask  r0
        .msg    home,1,U
        send2e  r3,r0,0
        suspend

; home: one of this node's messages is back.
        .align  4
home:
        mask    r0
        decrement [AWAY,a2],r1
        bz      r1,^.all
        unmask  r0
        suspend
.all:
        wake    finish
        unmask  r0
        suspend

; launch: starts this node's messages at the next node. In background, I = 1 at its end.
        .align  4
launch:
        load    tour_m,r3
.next:
        mask    r0
        move    [NEXT,a2],r0
        send    r0,0
        load    tour_hops,r1
        sub     r1,1,r1
        readr   nnr,r2
        .msg    visit,4,U
        send2   r0,r1,0
        send2e  r2,r2,0
        sub     r3,1,r3
        bnz     r3,^.next
        goto_u  kernel_idle

; finish: all messages of this node are home. In background.
        .align  4
finish:
        move    0,r2
        phase   count,1,r2
        goto_u  kernel_idle

        .section tour_code,rom,code

; main: finds the next node of the tour. Background, I = 1.
        .align  4
main:
        service app_start
        load    tour_m,r1
        within  r1,1,100,.bad
        load    tour_hops,r1
        within  r1,1,10000,.bad
        load    tour_spin,r1
        within  r1,1,1000000,.bad
        load    tour_more,r1
        within  r1,0,1000000,.bad
        segment tour_data,TOUR_WORDS,a2
        writer  r0,a2'b
        writer  r0,a2'bp
        service snake
        bnnil   r1,^.next
        move    0,r1            ; node 0 comes after the last
.next:
        move    r1,[NEXT,a2]
        load    tour_m,r1
        move    r1,[AWAY,a2]
        load    kernel_rank,r1
        load    kernel_seed,r2
        xor     r2,r1,r2
        store   r2,kernel_seed
        load    tour_hot,r2
        equal   r1,r2,r3
        load    tour_spin,r1
        bf      r3,^.spin
        load    tour_more,r2
        add     r1,r2,r1
.spin:
        move    r1,[SPIN,a2]
        phase   begin,1,r1
        goto    kernel_idle
.bad:
        refuse  bad_text

        .include "../lib/line.inc"

; begin: all nodes are ready.
        .align  4
begin:
        load    kernel_rank,r1
        bnz     r1,^.others
        timed_begin
.others:
        wake    launch
        suspend

; count: all messages are home, and the visits are added up.
        .align  4
count:
        load    kernel_rank,r1
        bnz     r1,^.others
        timed_end
.others:
        mask    r0
        move    [VISITS,a2],r2
        phase   report,1,r2
        suspend

; report: [1,a3] = visits to all nodes.
        .align  4
report:
        on_node0
        result  [1,a3],tour_visits
        say_word tour_visits,visits_text
        load    kernel_nodes,r1
        load    tour_m,r2
        mul     r1,r2,r1
        load    tour_hops,r2
        mul     r1,r2,r1
        sub     r1,[1,a3],r1
        goto_u  app_end

        .ext
visits_text:
        .asciz  " visits, "
bad_text:
        .ascii  "tour: tour_m is 1 to 100, tour_hops 1 to 10000, tour_spin 1 "
        .asciz  "to 1000000, tour_more 0 to 1000000\n"

; run: --set snakes_l=20
; also: --mesh 2x2x2 --set snakes_l=20 --set snakes_m=2
; also: --mesh 4x1x1 --set snakes_l=50 --set snakes_p=2 --set snakes_h=32
; also: --mesh 3x2x2 --set snakes_l=30 --set snakes_p=7 --set snakes_generator=1
; also: --mesh 4x2x2 --set snakes_l=30 --set snakes_p=60 --set snakes_h=200
; also: --mesh 2x2x2 --set snakes_l=20 --set snakes_return=2 --set snakes_checking=1

; snakes: the workload of chapter 4 of Lethin's thesis. snakes_m tasks from every node
; walk the machine, each for snakes_l hops, by the handler of figure 4-3 with a spin
; loop that makes it last snakes_h cycles. The README has the parameters; the parts are
;   snakes.s       parameters, data, main, and what snakes do beside hopping
;   hop.inc        the pieces of the handler of figure 4-3
;   random.inc     the pieces of a random service time
;   compose.inc    puts the pieces together for the parameters of the run
;   measure.inc    finds the spin loop for snakes_h, on node 0, and checks it
;   tree.inc       fan-out and barrier
;   limits.inc     checks the parameters
;   root.inc       what node 0 does: measures, leads, watches, judges
;   check.inc      the checking build: every hop is verified
        .include "kernel.inc"
        .global main
        .global snakes_m, snakes_l, snakes_p, snakes_h, snakes_return
        .global snakes_generator, snakes_common, snakes_self, snakes_imbalance
        .global snakes_hot, snakes_late, snakes_random, snakes_hwm
        .global snakes_checking
        .global snakes_h_got, snakes_h_min, snakes_hops, snakes_cycles
        .global snakes_overflows

;   snake:    | MSG snake,p+1 (U) | INT hops left | INT number << 16 | home | ... |
;             3: checking: pair's sequence << 16 | sender; else, and 4..p: word 2 XOR
;             the word's place. Hops left 0: the snake has ended and is home.

        .data
; ---- parameters: words for --set ---------------------------------------------------
snakes_m:                       ; snakes from each node
        .word   INT:5
snakes_l:                       ; hops of each snake
        .word   INT:1000
snakes_p:                       ; words of a message behind the header
        .word   INT:3
snakes_h:                       ; cycles of the handler
        .word   INT:90
snakes_return:                  ; 0, or every how many hops a snake goes home: 2, 4
        .word   INT:0
snakes_generator:               ; 0: figure 4-3's; 1: xorshift
        .word   INT:0
snakes_common:                  ; increments: 1: one; 2: even ones too; 3: in turn
        .word   INT:0
snakes_self:                    ; 0: no hop leads to the node where it starts
        .word   INT:1
snakes_imbalance:               ; traffic to node snakes_hot in percent of the others'
        .word   INT:100
snakes_hot:                     ; rank of that node
        .word   INT:1
snakes_late:                    ; 1: the handler spins after its SENDs, not before
        .word   INT:0
snakes_random:                  ; 1: turns of the spin loop are drawn, exponential
        .word   INT:0
snakes_hwm:                     ; 0, or words of queue 0 above which messages go out at
        .word   INT:0           ; priority 1
snakes_checking:                ; 1: every hop is verified, and h is only measured; 2:
                                ; the same without the order of messages
        .word   INT:0
; ---- results, on node 0 ------------------------------------------------------------
snakes_h_got:                   ; cycles of the handler as measured
        .word   INT:0
snakes_h_min:                   ; cycles of the handler without a spin loop
        .word   INT:0
snakes_hops:                    ; hops done on all nodes
        .word   INT:0
snakes_cycles:                  ; makespan
        .word   INT:0
snakes_overflows:               ; queue overflows handled on all nodes
        .word   INT:0

        .equ    FAN, 8          ; children of a node in the tree
        .equ    HOP_WORDS, 180  ; words of the longest handler

; Two blocks of words, as a message of a snake may come at either priority: a task of
; priority 1 runs between two instructions of one of priority 0, so each context has
; words of its own. They lie at the same offsets of both blocks.
;   A1  the context's own words: snakes_data at priority 0, snakes_high at 1
;   A2  the node's words: snakes_data at both. A task changes them with I = 1.
; In background both are snakes_data. The first sixteen words of a block can be the
; second operand of an instruction with three.
        .macro  field name
        .equ    \name, . - snakes_data
        .word   INT:0
        .endm
snakes_data:
        field   RandomSeedInc   ; own words of the destination rule, up to RULE_WORDS
        field   RandomSeedMask  ; address bits of the least mesh of powers of two around
        field   MeshBias        ; this and MeshCarry are explained in hop.inc
        field   MeshCarry
        field   HotThreshold
        field   HotAddress
        field   Self            ; address of this node
        field   Mark            ; snakes_hwm
        field   HeaderLow       ; header of a snake's message sent at priority 0
        field   HeaderHigh      ; header at priority 1: the handler of that context
        .equ    RULE_WORDS, . - snakes_data
        field   DEST            ; own: destination of the message that `emit` makes
        field   IDENTITY        ; own: word 2 of that message
        field   CHILDREN        ; children of this node in the tree of tree.inc
        field   BASE            ; cycles of a measurement without a snake
        field   DIVISOR
        field   RandomSeed      ; own words from here to OWN_WORDS
        field   HotSeed
        field   SpinSeed        ; random numbers for the turns
        field   SpinSum         ; half of such a number
        field   SnakesDid       ; hops done here
        field   COUNT           ; hops left in the message that `emit` makes
        field   NEXT            ; rank of a child, number of a snake
        field   OWN_SENT        ; checking build: messages sent and received
        field   OWN_GOT
        field   SENT_TABLE      ; addresses of its tables in `sent` and `received`
        field   GOT_TABLE
        field   CONTEXT         ; the priority, in bit 31
        field   LINK_CHECK      ; return addresses
        field   LINK_EMIT
        .equ    OWN_WORDS, . - snakes_data
        field   HOPS            ; sum over the subtree: hops done
        field   OVERFLOWS       ; the same: queue overflows that the kernel has handled
        field   SENT            ; the same, checking build: messages sent, received
        field   GOT
        field   SpinMask        ; number AND this OR SpinFixed: fixed when measuring
        field   SpinFixed
        field   WHICH           ; the context whose handler is composed
        field   HOME            ; own snakes that have come home
        field   PARENT          ; address of the parent
        field   ARRIVED         ; children that have reported, + 1 for this node
        field   PHASE           ; current PHASE_
        field   SPIN            ; turns of the spin loop
        field   PAD             ; 0, or which word of padding: 1..4
        field   SHIFT           ; words before the handler
        field   TO              ; where the handler is composed
        field   START           ; cycle counts
        field   PROBE
        field   CAME            ; the probe has arrived
        field   ENDED           ; the measured snake's successor has arrived
        field   QUEUE_HEAD      ; QHL and QBM, while the queue is larger
        field   QUEUE_BASE
        field   BEATS           ; last beat that the watchdog saw
        field   ROW             ; row of a table
        field   LINK            ; return addresses
        field   LINK_COMPOSE
        field   LINK_MEASURE
        field   LINK_TIMED
        field   CHILD           ; addresses of the children
        .space  FAN - 1, INT:0
        .equ    SNAKES_WORDS, . - snakes_data
snakes_high:
        .space  OWN_WORDS, INT:0

        .align  4
snake_code:                     ; compose puts the handlers here, with snakes_hwm one
        .space  2 * HOP_WORDS, INT:0 ; for each context

        .section snakes_tables,external,fill
        .equ    PLACES, 65536   ; number of node addresses
sent:                           ; by own priority and receiver: sequence number of the
        .space  2 * PLACES      ; next message
received:                       ; by own priority, sender's and sender: the same
        .space  4 * PLACES
came_home:                      ; by number: NIL until the snake has come home
        .space  32768

        .text
; main: finds this node's place in the tree. In background, with I = 1.
main:
        segment snakes_data,SNAKES_WORDS,a2
        writer  r0,a1'b
        writer  r0,a2'b
        writer  r0,a2'bp
        segment snakes_high,OWN_WORDS,a1
        writer  r0,a1'bp
        constant sent + PLACES,r1
        move    r1,[SENT_TABLE,a1]
        constant received + 2 * PLACES,r1
        move    r1,[GOT_TABLE,a1]
        constant 0x80000000,r1
        move    r1,[CONTEXT,a1]
        segment snakes_data,SNAKES_WORDS,a1
        constant sent,r1
        move    r1,[SENT_TABLE,a1]
        constant received,r1
        move    r1,[GOT_TABLE,a1]
        readr   nnr,r1
        move    r1,[Self,a1]
        invoke  plant
        load    kernel_rank,r1
        bnz     r1,^.rest
        goto    root
.rest:
        goto    kernel_idle

; snake_last: the last hop counts too; then the snake goes home with no hops left.
; [2,a3] has its home. From the composed handler, in a snake's task.
snake_last:
        load    snakes_p,r1
        move    [r1,a3],r1      ; wait for the whole message before sending
        load    snakes_checking,r1
        bz      r1,^.unchecked
        invoke  verify
.unchecked:
        move    [PHASE,a2],r1
        equal   r1,PHASE_MEASURE,r1
        bt      r1,^.measured
        move    [SnakesDid,a1],r1
        add     r1,1,r1
        move    r1,[SnakesDid,a1]
        move    0,r1
        move    r1,[COUNT,a1]
        move    [2,a3],r1
        move    r1,[IDENTITY,a1]
        and     r1,0xFFFF,r1
        move    r1,[DEST,a1]
        invoke  emit
        suspend
.measured:
        move    1,r1
        move    r1,[ENDED,a2]
        suspend

; snake_done: a snake is home: it must be this node's, and not have come home before.
snake_done:
        load    snakes_p,r1
        move    [r1,a3],r1
        load    snakes_checking,r1
        bz      r1,^.unchecked
        invoke  verify
.unchecked:
        move    [2,a3],r1
        and     r1,0xFFFF,r2
        equal   r2,[Self,a1],r0
        bf      r0,^.stranger
        lsh     r1,-16,r1
        load    snakes_m,r2
        lt      r1,r2,r0
        bf      r0,^.stranger
        .word   INT:came_home
        add     r1,r0,r1
        move    [r1,a0],r2
        bnnil   r2,^.twice
        move    true,r2
        move    r2,[r1,a0]
        mask    r0
        move    [HOME,a2],r1
        add     r1,1,r1
        move    r1,[HOME,a2]
        load    snakes_m,r2
        equal   r1,r2,r0
        bf      r0,^.more
        goto    arrived
.more:
        unmask  r0
        suspend
.stranger:
        constant stranger_text,r1
        goto    fail
.twice:
        constant twice_text,r1
        goto    fail

; emit_words priority, header: sends emit's message. R0-R3 lost.
        .macro  emit_words priority, header
        send    [DEST,a1],\priority
        send    [\header,a2],\priority
        send    [COUNT,a1],\priority
        load    snakes_p,r3
        equal   r3,2,r0
        bt      r0,^.short\@
        send    [IDENTITY,a1],\priority
        move    3,r1
.word\@:
        equal   r1,r3,r0
        bt      r0,^.end\@
        send    r2,\priority
        add     r1,1,r1
        xor     r1,[IDENTITY,a1],r2
        br      ^.word\@
.end\@:
        sende   r2,\priority
        move    [LINK_EMIT,a1],r3
        ldip    r3
.short\@:
        sende   [IDENTITY,a1],\priority
        move    [LINK_EMIT,a1],r3
        ldip    r3
        .endm

; emit: sends one snake message to [DEST,a1], with [COUNT,a1] and [IDENTITY,a1], at
; priority 1 if the queue is above the mark. In: A1, A2, R3 link. R0-R3 lost.
emit:
        move    r3,[LINK_EMIT,a1]
        move    [IDENTITY,a1],r2
        xor     r2,3,r2         ; word 3
        load    snakes_checking,r1
        bz      r1,^.send
        invoke  stamp
.send:
        load    snakes_hwm,r1
        bz      r1,^.low
        move    [CONTEXT,a1],r3
        bnz     r3,^.other
        readr   qhl,r3
        br      ^.length
.other:
        readr   qhl'p,r3
.length:
        wtag    r3,TAG_INT,r3
        and     r3,0x3FF,r3
        gt      r3,r1,r0
        bt      r0,^.high
.low:
        emit_words 0, HeaderLow
.high:
        emit_words 1, HeaderHigh

; fail: reports an error to node 0. In: R1 INT address of the text. Jumped to from a
; task, which never ends. While the handler is measured, `prepare` holds priority 1
; until the probe has come; now it ends, so that `failed` can begin.
fail:
        move    0,r2
        .msg    failed,3
        send2   r2,r0,1
        load    kernel_rank,r2
        send2e  r1,r2,1
        move    [PHASE,a2],r1
        bnz     r1,^.wait       ; not PHASE_MEASURE
        move    [CAME,a2],r1
        bnz     r1,^.wait
        move    [CONTEXT,a1],r1
        bnz     r1,^.wait
        move    true,r1
        writer  r1,p
.wait:
        br      ^.wait

        .include "hop.inc"
        .include "random.inc"
        .include "compose.inc"
        .include "measure.inc"
        .include "tree.inc"
        .include "limits.inc"
        .include "root.inc"
        .include "check.inc"

        .ext
stranger_text:
        .asciz  ": a snake came home that is not from here\n"
twice_text:
        .asciz  ": a snake came home twice\n"

; Queue overflow under stress. Every node starts stress_count chains of messages; each
; message is checked word by word, keeps its receiver busy, and sends the next one of
; its chain to a node, with a length and a priority drawn at random. Messages of one
; stream, that is of one sending context and one priority, must arrive in order: each
; carries its number, so that one lost, doubled or overtaken shows at once (status 1).
; What was sent and received is left at 02800 for stress_run.sh to add up.
        .include "kernel.inc"
        .global main
        .global stress_count, stress_hops, stress_shortest, stress_longest
        .global stress_busy, stress_pause, stress_hot, stress_hot_node
        .global stress_urgent, stress_ticks, stress_moved

;   work:  | MSG work,n (U) | INT stream | INT number | INT hops left | number + 4.. |
;   tick:  | MSG tick,1 (U) |

        .data
stress_count:                   ; chains that each node starts
        .word   INT:4
stress_hops:                    ; messages that follow the first one of a chain
        .word   INT:20
stress_shortest:                ; words of a message, 4 or more
        .word   INT:4
stress_longest:
        .word   INT:24
stress_busy:                    ; a receiver makes fewer turns of a loop than this
        .word   INT:100
stress_pause:                   ; turns of a sender after every eighth word
        .word   INT:1
stress_hot:                     ; messages of a thousand that go to stress_hot_node
        .word   INT:0
stress_hot_node:
        .word   INT:0
stress_urgent:                  ; messages of a thousand that travel at priority 1
        .word   INT:0
stress_ticks:                   ; messages of a thousand that bring a tick with them
        .word   INT:100
stress_moved:                   ; tasks of priority 1 of a thousand that take their
        .word   INT:0           ; messages out of the queue before they send

; Counters, by the priority that counts.
        .equ    RECEIVED, 0
        .equ    ENDED,  1       ; chains
        .equ    TICKS_SENT, 2
        .equ    TICKS,  3       ; received
        .section stress_result,external,data
        .org    0x2800
counters:
        .rept   8
        .word   INT:0
        .endr

; By rank and stream: the number of the next message.
        .equ    STREAMS, 8      ; of a node: context * 2 + priority
        .section stress_tables,external,fill
to_send:
        .space  512 * STREAMS
to_receive:
        .space  512 * STREAMS

; Low memory.
        .equ    HOPS,   PROGRAM_LOW
        .equ    LINK,   PROGRAM_LOW + 1
        .equ    RANK,   PROGRAM_LOW + 2 ; of the receiver
        .equ    STREAM, PROGRAM_LOW + 3 ; of the message that is sent
        .equ    NUMBER, PROGRAM_LOW + 4
        .equ    LENGTH, PROGRAM_LOW + 5
        .equ    COUNT,  PROGRAM_LOW + 6 ; main: chains still to start
        .equ    NODE,   PROGRAM_LOW + 7

; random LIMIT: a number below the word at LIMIT, or 1000, into R1. R0, R2, R3 lost.
        .macro  random word
        load    \word,r1
        invoke_u kernel_random
        .endm

; chance WORD: TRUE in R1, WORD times of a thousand.
        .macro  chance word
        constant 1000,r1
        invoke_u kernel_random
        .word   INT:\word
        lt      r1,[r0,a0],r1
        .endm

; count WHICH: one more, of this priority.
        .macro  count which
        .word   INT:counters + \which
        readr   p,r1
        lsh     r1,2,r1
        add     r1,r0,r1
        move    [r1,a0],r2
        add     r2,1,r2
        move    r2,[r1,a0]
        .endm

; signed: A1 and A2 are what main has left there: whatever comes between two
; instructions or two tasks keeps them. R0, R1 lost.
        .equ    SIGNATURE, 0x5A5A5
        .macro  signed
        .word   INT:SIGNATURE
        move    a1,r1
        equal   r0,r1,r1
        bf      r1,^.wrong
        move    a2,r1
        equal   r0,r1,r1
        bf      r1,^.wrong
        .endm

        .rom
; main: in background, with I = 1 but between two messages.
main:
        .ip     .begin,U
        ldip    r0
.begin:
        .word   INT:SIGNATURE
        move    r0,a1
        move    r0,a2
        move    r0,a1'b
        move    r0,a2'b
        move    r0,a1'bp
        move    r0,a2'bp
        load    stress_count,r1
        bz      r1,^.end
        move    r1,[COUNT,a0]
.next:
        load    stress_hops,r1
        move    r1,[HOPS,a0]
        invoke_u send_message
        mask    r0
        signed
        move    [COUNT,a0],r1
        sub     r1,1,r1
        move    r1,[COUNT,a0]
        bnz     r1,^.next
.end:
        goto    kernel_idle
.wrong:
        .ip     wrong,U
        ldip    r0

; work: waits for the whole message first: a half-received one must not hold channels
; against the one it sends.
        .align  4
work:
        signed
        move    [0,a3],r1
        and     r1,0x3FF,r1
        sub     r1,1,r1
        move    [r1,a3],r2
        .word   INT:to_receive
        add     r0,[1,a3],r3
        move    [r3,a0],r2
        bnnil   r2,^.known
        move    0,r2
.known:
        equal   r2,[2,a3],r0
        bf      r0,^.wrong
        add     r2,1,r0
        move    r0,[r3,a0]
.word:                          ; R1 offset, R2 number of the message
        lt      r1,4,r0
        bt      r0,^.checked
        add     r1,r2,r0
        equal   r0,[r1,a3],r0
        bf      r0,^.wrong
        sub     r1,1,r1
        br      ^.word
.checked:
        count   RECEIVED
        random  stress_busy
.busy:
        bz      r1,^.rested
        sub     r1,1,r1
        br      ^.busy
.rested:
        signed
        move    [3,a3],r1
        bz      r1,^.ended
        sub     r1,1,r1
        move    r1,[HOPS,a0]
        readr   p,r1
        bf      r1,^.send
        chance  stress_moved
        bf      r1,^.send
        invoke_u take_out
.send:
        invoke_u send_message
        suspend
.ended:
        count   ENDED
        suspend
.wrong:
        .ip     wrong,U
        ldip    r0

tick:
        count   TICKS
        suspend

; wrong: R2 the number that should have come.
wrong:
        move    r2,[NUMBER,a0]
        constant wrong_text,r1
        invoke_u kernel_print_text
        .word   INT:HOST_PUTW
        move    [1,a3],r1
        move    r1,[r0,a0]
        move    [2,a3],r1
        move    r1,[r0,a0]
        move    [NUMBER,a0],r1
        move    r1,[r0,a0]
        move    1,r1
        exit    r1
        suspend

; take_out: takes the running task's message out of its queue, as a task does that goes
; on for longer (Q = 0): SUSPEND takes nothing more away. In: A3, R3 link. R0-R3 lost.
        .align  4
take_out:
        move    r3,[LINK,a0]
        mask    r0
        move    a3,r1
        and     r1,0x3FF,r2
        add     r2,3,r2
        and     r2,-4,r2        ; words of the message in the queue
        readr   qbm,r3
        .word   INT:ADDR_INVALID
        or      r3,r0,r1
        writer  r1,qbm          ; no row comes while QHL changes
        readr   qhl,r1
        sub     r1,r2,r1
        lsh     r2,10,r2
        add     r1,r2,r1        ; the queue wraps what runs over its end
        wtag    r1,TAG_ADDR,r1
        writer  r1,qhl
        writer  r3,qbm
        move    false,r0
        writer  r0,q
        move    a3,r1
        lsh     r1,-10,r1
        lsh     r1,10,r1
        wtag    r1,TAG_ADDR,r1
        move    r1,a3
        move    [LINK,a0],r3
        unmask  r0
        ldip    r3

; send_message: the next message of a chain with HOPS to go. In: R3 link, I = 1 in
; background. All lost.
        .align  4
send_message:
        move    r3,[LINK,a0]
        random  kernel_nodes
        move    r1,[RANK,a0]
        chance  stress_hot
        bf      r1,^.anywhere
        load    stress_hot_node,r1
        move    r1,[RANK,a0]
.anywhere:
        chance  stress_urgent
        wtag    r1,TAG_INT,r1
        readr   p,r0
        wtag    r0,TAG_INT,r0
        lsh     r0,1,r0
        add     r1,r0,r1
        readr   b,r0
        wtag    r0,TAG_INT,r0
        lsh     r0,2,r0
        add     r1,r0,r1
        move    r1,[STREAM,a0]
        .word   INT:to_send
        move    [RANK,a0],r2
        lsh     r2,3,r2
        add     r2,r1,r2
        add     r2,r0,r2
        move    [r2,a0],r1
        bnnil   r1,^.known
        move    0,r1
.known:
        move    r1,[NUMBER,a0]
        add     r1,1,r1
        move    r1,[r2,a0]
        load    stress_longest,r1
        .word   INT:stress_shortest
        sub     r1,[r0,a0],r1
        add     r1,1,r1
        invoke_u kernel_random
        .word   INT:stress_shortest
        add     r1,[r0,a0],r1
        sub     r1,1,r1
        move    r1,[LENGTH,a0]  ; without the last word
        move    [RANK,a0],r1
        invoke_u kernel_rank_to_node
        move    r1,[NODE,a0]
        readr   b,r0
        bt      r0,^.no_tick    ; its end would give low memory away
        chance  stress_ticks
        bf      r1,^.no_tick
        count   TICKS_SENT
        move    [NODE,a0],r1
        .msg    tick,1,U
        send2e  r1,r0,0
.no_tick:
        load    kernel_rank,r1
        lsh     r1,3,r1
        move    r1,r3
        move    [STREAM,a0],r1
        add     r3,r1,r3
        and     r1,1,r1
        bnz     r1,^.urgent

        ; R1 where, R2 number, R3 stream
        .macro  transmit priority
        move    [NODE,a0],r1
        move    [NUMBER,a0],r2
        .msg    work,1,U
        send    r1,\priority
        move    [LENGTH,a0],r1
        add     r0,r1,r0
        send2   r0,r3,\priority
        send    r2,\priority
        ; R1 offset of the next word
        move    3,r1
        move    [HOPS,a0],r3
.more\@:
        move    [LENGTH,a0],r0
        lt      r1,r0,r0
        bf      r0,^.last\@
        send    r3,\priority
        add     r1,1,r1
        add     r1,r2,r3
        and     r1,7,r0
        bnz     r0,^.more\@
        load    stress_pause,r0
.pause\@:
        sub     r0,1,r0
        bnz     r0,^.pause\@
        br      ^.more\@
.last\@:
        move    [LINK,a0],r1    ; SENDE gives low memory away
        sende   r3,\priority
        ldip    r1
        .endm
        transmit 0
.urgent:
        transmit 1

        .ext
wrong_text:
        .asciz  "stress: a message is wrong: stream * 8, number, number expected\n"

; run: --mesh 8x8x8
; also: --mesh 2x1x1
; also: --mesh 3x2x2 --set bench_only=1
; also: --mesh 4x4x2 --router fair --seed 7

; bench: what a remote call, a message, a dispatch, a barrier, a translation, a fault
; and a queue overflow cost, measured by the program with the cycle counter of the
; host page and printed as tables. The README says what each table means. Node 0
; leads: its background measures, handlers answer. The parts are
;   bench.s        data, main, the order of the tables
;   print.inc      numbers with decimals, division
;   spread.inc     sends the nodes of a box, or of a part of it, their work
;   call.inc       1: null remote call against distance
;   message.inc    2: one message, and a stream of them, against length
;   traffic.inc    3: random traffic
;   task.inc       4: dispatch
;   barrier.inc    5: barrier against machine size
;   translate.inc  6: XLATE, ENTER, PROBE, misses
;   retry.inc      7: SEND faults
;   overflow.inc   8: queue overflow against queue size
        .include "services.inc"
        .global main, bench_only

        .data
bench_only:                     ; 0, or the number of the only table to print
        .word   INT:0

        .equ    CLOCK, HOST_CYCLE_LO - HOST_EXIT
        .equ    HOST_WORDS, 16
        .equ    READING, 6      ; cycles of an instruction that reads the clock
        .equ    NEVER, 0x7FFFFFFF
        .equ    LEAST_QUEUE, 128 ; words: the longest message of table 2 has 64
        .equ    TABLES, 8

; A1 points here, in background and in tasks of priority 0, on every node. A2 points at
; the host page. The first sixteen words can be operands of any instruction.
        .macro  field name
        .equ    \name, . - bench_data
        .word   INT:0
        .endm
bench_data:
        field   START           ; cycle counts
        field   LEAST
        field   MOST
        field   COUNT
        field   DIVISOR
        field   DECIMALS
        field   HOPS
        field   LENGTH          ; words of a message
        field   BOX             ; address bits that differ in the box
        field   ROUNDS          ; log2 of the nodes in the box
        field   ROUND
        field   LIMIT           ; rounds of `spread` or `meet`
        field   EXPECT          ; words that the queue will hold
        field   COUNTERS_END    ; end of the barrier's counters
        field   WARM            ; cycle counts: window of random traffic
        field   END
        field   STOP
        field   SENT            ; messages sent, messages received
        field   GOT
        field   IN_WINDOW       ; messages received in the window, their latencies
        field   LATENCY
        field   PAYLOAD         ; word that fills messages
        field   DONE            ; not 0: the message that background waits for came
        field   SUM_SENT        ; sums of SENT .. LATENCY over all nodes, on node 0
        field   SUM_GOT
        field   SUM_WINDOW
        field   SUM_LATENCY
        field   LONGEST         ; log2 of the box's longest dimension
        field   TARGET          ; node address
        field   PEER            ; node address of rank 1
        field   SUM
        field   ROW             ; row of a table
        field   PAUSE           ; turns of a loop
        field   BEGIN
        field   ENTRY           ; IP where the other nodes' background continues
        field   JUMP            ; IP within unrolled SENDs
        field   HEADER
        field   BETWEEN         ; header of the messages between first and last
        field   FINAL           ; header of the last message
        field   COUNTERS        ; the barrier's first counter
        field   KEY             ; a name
        field   WIDTH           ; width of a number, its remaining part, its value
        field   REST
        field   TENTHS
        field   TRIES
        field   RATE            ; words a cycle, in thousandths
        field   BASE            ; cycles without the measured instructions
        field   SPENT           ; cycles with them
        field   BAD             ; 1: a result cannot be right
        field   QBM_WORD        ; a register and a vector, to restore them
        field   VECTOR
        field   OVERFLOWS       ; overflows of the queue, and words they have moved
        field   MOVED
        field   LINK_BENCH      ; return addresses
        field   LINK_PUT
        field   LINK_DIVIDE
        field   LINK_TIMES
        field   LINK_OTHERS
        field   LINK_GENERATE
        field   LINK
        .equ    BENCH_WORDS, . - bench_data

        .equ    MAX_ROUNDS, 16
masks:                          ; by round: bits in which the partner's address differs
        .space  MAX_ROUNDS, INT:0

; ---- macros ------------------------------------------------------------------------

; wait: waits until DONE is set; I = 1 before and after. R0, R1 lost.
        .macro  wait
        unmask  r0
.turn\@:
        move    [DONE,a1],r1
        bz      r1,^.turn\@
        mask    r0
        .endm

; clear, set: word of bench_data <- 0 or a constant. R1 (and R0) lost.
        .macro  clear name
        move    0,r1
        move    r1,[\name,a1]
        .endm

        .macro  set value, name
        constant \value,r1
        move    r1,[\name,a1]
        .endm

; copy: one word of bench_data to another. R1 lost.
        .macro  copy from, to
        move    [\from,a1],r1
        move    r1,[\to,a1]
        .endm

; at_least: \name <- the smaller of it and R1; at_most: the larger. R0 lost.
        .macro  keep_least name
        lt      r1,[\name,a1],r0
        bf      r0,^.kept\@
        move    r1,[\name,a1]
.kept\@:
        .endm

        .macro  keep_most name
        gt      r1,[\name,a1],r0
        bf      r0,^.kept\@
        move    r1,[\name,a1]
.kept\@:
        .endm

; header: R0 <- the header of a message of LENGTH words for an unchecked handler. An
; ADDR has the fields of a MSG, R where that has U, and may have no length yet.
        .macro  header handler
        .addr   \handler,0,R
        wtag    r0,TAG_INT,r0
        or      r0,[LENGTH,a1],r0
        wtag    r0,TAG_MSG,r0
        .endm

; pause: waits \turns turns of 3 cycles. R0, R1 lost.
        .macro  pause turns
        constant \turns,r1
.turn\@:
        sub     r1,1,r1
        bnz     r1,^.turn\@
        .endm

; cell: prints the word \name, right-aligned.
        .macro  cell name, width
        move    [\name,a1],r1
        move    \width,r2
        invoke  kernel_print_padded
        .endm

; Unlike invoke: the routine runs unchecked, the caller checked.
        .macro  invoke_other target
        .ip     .back\@
        move    r0,r3
        .ip     \target,U
        ldip    r0
.back\@:
        .endm

; over: R1 <- R1 / \by, R2 <- the remainder.
        .macro  over by
        constant \by,r2
        invoke_other divide
        .endm

; body: sends the payload of a message whose routing word and header have been sent:
; LENGTH - 2 words and the last one, from memory, a word every other cycle, as fast as
; a wire takes them. In: R3 how many of the \pairs pairs of SENDs to skip.
        .macro  body pairs
        br      r3
.pairs\@:
        .rept   \pairs
        send    [PAYLOAD,a1],0
        send    [PAYLOAD,a1],0
        .endr
.last\@:
        sende   [PAYLOAD,a1],0
        .endm

; jump: JUMP <- R3 for a body of \pairs pairs and LENGTH words (even). R1 lost.
        .macro  jump pairs
        move    [LENGTH,a1],r1
        lsh     r1,-1,r1
        neg     r1,r1
        constant \pairs + 1,r2
        add     r1,r2,r1
        move    r1,[JUMP,a1]
        .endm

        .section bench_code,rom,code

; main: every node finds the box; node 0 leads. In background, I = 1.
main:
        segment bench_data,BENCH_WORDS,a1
        writer  r0,a1'b
        segment HOST_EXIT,HOST_WORDS,a2
        writer  r0,a2'b
        invoke  find_box
        load    kernel_rank,r1
        bz      r1,^.root
        goto    kernel_idle
.root:
        load    kernel_nodes,r1
        equal   r1,1,r0
        bf      r0,^.enough
        constant few_text,r1
        br      ^refuse
.enough:
        load    kernel_queue0,r1
        constant LEAST_QUEUE,r2
        ge      r1,r2,r0
        bt      r0,^.queue
        constant queue_text,r1
        br      ^refuse
.queue:
        load    bench_only,r1
        lt      r1,0,r0
        bt      r0,^.no_table
        gt      r1,TABLES,r0
        bf      r0,^.table
.no_table:
        constant table_text,r1
        br      ^refuse
.table:
        .align  4
        nop
        move    [CLOCK,a2],r1
        move    [CLOCK,a2],r2
        sub     r2,r1,r1
        equal   r1,READING,r0
        bt      r0,^as_known
        constant clock_text,r1

; refuse: prints why and ends the run. In: R1 INT address of a text. Jump to it.
refuse:
        invoke  kernel_print_text
        move    2,r1
        exit    r1
        goto    kernel_idle

as_known:
        move    0,r1
        invoke  kernel_next_node
        move    r1,[PEER,a1]
        goto    tables

; find_box: the largest box of powers of two, in steps that double the machine: x, y,
; z, x, ... as far as each dimension goes. In: R3 link. R0-R2 lost.
        .macro  double size, shift
        load    \size,r1
        lsh     r2,1,r0
        gt      r0,r1,r0
        bt      r0,^.no\@
        lsh     r2,\shift,r1
        .word   INT:masks
        add     r0,[ROUNDS,a1],r0
        move    r1,[r0,a0]
        move    [BOX,a1],r0
        or      r0,r1,r0
        move    r0,[BOX,a1]
        move    [ROUNDS,a1],r0
        add     r0,1,r0
        move    r0,[ROUNDS,a1]
.no\@:
        .endm

find_box:
        move    1,r2
.step:
        move    [ROUNDS,a1],r1
        move    r1,[ROUND,a1]
        double  kernel_size_x,0
        double  kernel_size_y,5
        double  kernel_size_z,10
        move    [ROUNDS,a1],r1
        equal   r1,[ROUND,a1],r0
        bt      r0,^.found
        move    [LONGEST,a1],r1
        add     r1,1,r1
        move    r1,[LONGEST,a1]
        lsh     r2,1,r2
        constant 32,r1          ; no dimension has more than 64
        le      r2,r1,r0
        bt      r0,^.step
.found:
        ldip    r3

; tables: prints all, or the one selected; status 0 if every result can be right.
        .macro  table number, routine
        load    bench_only,r1
        bz      r1,^.wanted\@
        equal   r1,\number,r0
        bf      r0,^.next\@
.wanted\@:
        invoke  \routine
.next\@:
        .endm

tables:
        table   1,call_table
        table   2,message_table
        table   3,traffic_table
        table   4,task_table
        table   5,barrier_table
        table   6,translate_table
        table   7,retry_table
        table   8,overflow_table
        move    [BAD,a1],r1
        bz      r1,^.end
        print   bad_text
        move    1,r1
.end:
        exit    r1
        goto    kernel_idle

; null: a task that does nothing, for a message of any length.
        .align  4
null:
        suspend

; told:      | MSG told,2 (U) | INT cycle count |     to node 0, which waits for it
        .align  4
told:
        move    [1,a3],r0
        move    r0,[STOP,a1]
        move    1,r0
        move    r0,[DONE,a1]
        suspend

        .include "print.inc"
        .include "spread.inc"
        .include "call.inc"
        .include "message.inc"
        .include "traffic.inc"
        .include "task.inc"
        .include "barrier.inc"
        .include "translate.inc"
        .include "retry.inc"
        .include "overflow.inc"

        .ext
few_text:
        .asciz  "bench: two nodes at least\n"
queue_text:
        .asciz  "bench: queues of 128 words at least\n"
table_text:
        .asciz  "bench: bench_only is a table, 1 to 8, or 0 for all\n"
clock_text:
        .asciz  "bench: a reading of the clock does not take 6 cycles\n"
bad_text:
        .asciz  "a result above cannot be right\n"
newline_text:
        .asciz  "\n"

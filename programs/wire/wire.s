; run: --mesh 8x8x8
; also: --mesh 1x1x1
; also: --mesh 4x1x1 --set wire_streams=3 --param buffer_words=64
; also: --mesh 4x1x1 --set wire_streams=5 --set wire_pause=10
; wire: traffic that shows the network alone: one message from node 0 to the last node,
; or streams of messages that meet on the wire between nodes 1 and 2 of a line of four.
; No node takes messages while it sends, so that only the network decides how fast a
; stream is.
        .include "kernel.inc"
        .global main, wire_streams, wire_pause

;   alone:   | MSG alone,2 (F) | INT address of the last node |
;   arrive:  | MSG arrive,4 (F) | INT any | INT any | INT any |

        .equ    FROM_1, 1       ; stream from node 1 to 3, priority 0
        .equ    FROM_2, 2       ; stream from node 2 to 0, priority 0
        .equ    FROM_0, 4       ; stream from node 0 to 3, priority 1
        .equ    BEGIN, 5000     ; cycle by which all nodes are in main
        .equ    CYCLES, 40000   ; length of the streams
        .equ    MARK_BEGIN, 1   ; HOST_MARKs around the timed part
        .equ    MARK_END, 2

        .data
wire_streams:                   ; 0: a message alone; else the sum of streams
        .word   INT:0
wire_pause:                     ; turns of 3 cycles behind 4 messages of priority 1
        .word   INT:0

        .text

        .macro  mark value
        move    \value,r1
        .word   INT:HOST_MARK
        move    r1,[r0,a0]
        .endm

; Sends to the node in PROGRAM_LOW until the time is over, then ends the run. Four
; messages in a row are sent faster than a wire takes them.
        .macro  stream priority
.next\@:
        move    [PROGRAM_LOW,a0],r1
        .msg    arrive,4,F
        move    r0,r3
        .rept   4
        send2   r1,r3,\priority
        send2   r1,r1,\priority
        sende   r1,\priority
        .endr
        .if     \priority
        load    wire_pause,r1
.pause\@:
        bz      r1,^.go\@
        sub     r1,1,r1
        br      ^.pause\@
.go\@:
        .endif
        constant BEGIN + CYCLES,r2
        .word   INT:HOST_CYCLE_LO
        move    [r0,a0],r1
        lt      r1,r2,r0
        bt      r0,^.next\@
        goto    over
        .endm

; main: in background, I = 1; all nodes start at cycle BEGIN, however long their boot
; took.
main:
        load    wire_streams,r2
        bz      r2,^.begin
        gt      r2,FROM_0 + FROM_1,r0   ; node 0 cannot send and take
        bt      r0,^.refuse
        load    kernel_nodes,r1
        equal   r1,4,r0
        bf      r0,^.refuse
.begin:
        constant BEGIN,r2
        constant HOST_CYCLE_LO,r3
.wait:
        move    [r3,a0],r1
        lt      r1,r2,r0
        bt      r0,^.wait

        load    kernel_rank,r1
        equal   r1,1,r0
        bt      r0,^.node1
        equal   r1,2,r0
        bt      r0,^.node2
        bnz     r1,^.rest
        mark    MARK_BEGIN
        load    kernel_nodes,r1
        sub     r1,1,r1
        invoke  kernel_rank_to_node
        move    r1,[PROGRAM_LOW,a0]
        load    wire_streams,r2
        bz      r2,^.alone
        and     r2,FROM_0,r2
        bz      r2,^.rest
        stream  1
.alone:
        .msg    alone,2,F
        send2   r1,r0,0
        sende   r1,0
.rest:
        goto    kernel_idle
.refuse:
        move    2,r1
        exit    r1
        goto    kernel_idle

.node1:
        load    wire_streams,r2
        and     r2,FROM_1,r2
        bz      r2,^.rest
        move    3,r1            ; an address on the line is the x
        move    r1,[PROGRAM_LOW,a0]
        stream  0

.node2:
        load    wire_streams,r2
        and     r2,FROM_2,r2
        bz      r2,^.rest
        move    0,r1
        move    r1,[PROGRAM_LOW,a0]
        stream  0

; over: ends the run with status 0. Jumped to, in background.
over:
        mark    MARK_END
        move    0,r1
        exit    r1
        goto    kernel_idle

; alone: [1,a3] = INT address. On the last node; ends the run, status 1 on another.
alone:
        mark    MARK_END
        readr   nnr,r2
        equal   r2,[1,a3],r0
        move    1,r1
        bf      r0,^.wrong
        print   alone_text
        move    0,r1
.wrong:
        exit    r1
        suspend

; arrive: takes a message of a stream.
arrive:
        suspend

        .ext
alone_text:
        .asciz  "a message alone has come to the last node\n"

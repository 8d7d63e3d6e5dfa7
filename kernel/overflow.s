; Queue overflow (thesis 2.3, figures 2-5 to 2-8). When a message queue is full the trap
; copies all messages except the running one to a buffer in external memory and leaves a
; token, a message of one word, in their place. When the token's turn comes its handler
; moves later arrivals to the end of the buffer, brings about half a queue of messages
; back from the buffer, and leaves a new token if any remain:
;
;       queue:  | running | token |  new ->      buffer:  | oldest ... newest | <-
;
; The order of messages is preserved: before the token, buffer, after the token. While a
; handler works on a queue its network input is off. All code here runs unchecked and in
; fault mode. kernel/overflow.md has the rules and the costs.
        .include "kernel.inc"

        .global overflow_queue_fault, overflow_own, overflow_other, overflow_token
        .global overflow_queue0, overflow_queue1
        .global kernel_overflow_turns, kernel_overflow_limit0, kernel_overflow_limit1
        .global kernel_overflows0, kernel_overflow_words0, kernel_overflow_peak0
        .global kernel_overflows1, kernel_overflow_words1, kernel_overflow_peak1

; ---- buffers -------------------------------------------------------------------------
; Buffers are rings. The bit of a ring's size is clear in its base, so an address past
; the end wraps by an AND with the last address. Queues are rings of the same kind.
        .equ    RING0_WORDS, 0x20000
        .equ    RING1_WORDS, 0x10000

        .section overflow_memory0,external,fill
        .org    0x40000
ring0:
        .space  RING0_WORDS
        .section overflow_memory1,external,fill
        .org    0x60000
ring1:
        .space  RING1_WORDS

; ---- state of a queue: A1 points to it while a handler works on the queue ------------
        .equ    IN,     0       ; address of the ring's next free word
        .equ    OUT,    1       ; address of the ring's first word held; IN if none
        .equ    MISSING, 2      ; words of the last message held that have not arrived
        .equ    TOKEN,  3       ; address of the token in the queue, 0 if there is none
        .equ    QUEUE_LAST, 4   ; last address of the queue
        .equ    RING_LAST, 5    ; last address of the ring
        .equ    LONGEST, 6      ; longest message, in words, with room for token and row
        .equ    HALF,   7       ; half of the queue's words
        .equ    OPEN,   8       ; QBM with the network input on
        .equ    CLOSED, 9       ; QBM with the network input off
        .equ    BUSY,   OVERFLOW_BUSY ; not 0: a handler works on the queue
        .equ    LENT,   OVERFLOW_LENT ; priority 1 waits for it (lend in fault.s)
        .equ    END,    12      ; queue_to_buffer: where the words to copy end
        .equ    LINK,   13      ; queue_to_buffer: its return address
        .equ    QHL_AFTER, 14   ; trap: QHL when it ends
        .equ    OTHER,  15      ; trap: the queue is not that of the running task
        ; operands reach offsets up to 15; only MOVE reaches those that follow
        .equ    COUNT,  16      ; overflows handled: kernel_overflows
        .equ    WORDS,  17      ; words moved to the buffer: kernel_overflow_words
        .equ    PEAK,   18      ; most words held: kernel_overflow_peak
        .equ    LIMIT,  19      ; most words that may be held: kernel_overflow_limit
        .equ    RING,   20      ; address of the ring's first word
        .equ    RING_MASK, 21   ; words of the ring - 1
        .equ    NUMBER, 22      ; number of the priority

        .macro  state number, ring, words
overflow_queue\number:
        .word   INT:\ring, INT:\ring, INT:0, INT:0
        .word   INT:0, INT:\ring + \words - 1, INT:0, INT:0
        .word   INT:0, INT:0, INT:0, FALSE
        .word   INT:0, INT:0, INT:0, FALSE
kernel_overflows\number:        ; overflows handled
        .word   INT:0
kernel_overflow_words\number:   ; words moved to the buffer
        .word   INT:0
kernel_overflow_peak\number:    ; most words it ever held
        .word   INT:0
kernel_overflow_limit\number:   ; most it may hold: a row less than the ring
        .word   INT:\words - 4
        .word   INT:\ring, INT:\words - 1, INT:\number
        .endm

        .data
        state   0, ring0, RING0_WORDS
        state   1, ring1, RING1_WORDS
kernel_overflow_turns:          ; extra turns of a 3-cycle loop for each word moved:
        .word   INT:0           ; slows overflow down for experiments

        .section kernel_code,rom,code

; ---- the trap ------------------------------------------------------------------------

; overflow_queue_fault: the QUEUE fault: the queue of the running task is full. All
; registers kept.
        .align  4
overflow_queue_fault:
        move    r0,[KERNEL_SAVE,a0]
        move    r1,[KERNEL_SAVE + 1,a0]
        move    r2,[KERNEL_SAVE + 2,a0]
        move    r3,[KERNEL_SAVE + 3,a0]
        .ip     .resume,U,F
        move    r0,r3
        br      ^overflow_own
.resume:
        move    [KERNEL_SAVE,a0],r0
        move    [KERNEL_SAVE + 1,a0],r1
        move    [KERNEL_SAVE + 2,a0],r2
        move    [KERNEL_SAVE + 3,a0],r3
        ldipr   fip

; overflow_own, overflow_other: empty the queue of the running priority (background: 0),
; or that of the other. In: R3 link. R0-R3 lost. BUSY is set before QBM closes the
; queue: a task of priority 1 that interrupts must not start the same work, nor open the
; queue in the middle of it.
overflow_own:
        move    r3,[KERNEL_OVERFLOW_LINK,a0]
        move    a1,r0
        move    r0,[KERNEL_OVERFLOW_A1,a0]
        move    [KERNEL_OVERFLOW_STATE,a0],r0
        move    r0,a1
        readr   qbm,r1
        .word   INT:ADDR_INVALID
        or      r1,r0,r0
        move    r0,[BUSY,a1]
        move    r0,[CLOSED,a1]
        move    r1,[OPEN,a1]
        writer  r0,qbm
        move    false,r0
        move    r0,[OTHER,a1]
        readr   b,r1
        not     r1,r1
        readr   qhl,r2
        br      ^empty

overflow_other:
        move    r3,[KERNEL_OVERFLOW_LINK,a0]
        move    a1,r0
        move    r0,[KERNEL_OVERFLOW_A1,a0]
        move    [KERNEL_OVERFLOW_STATE + 0x20,a0],r0
        move    r0,a1
        readr   qbm'p,r1
        .word   INT:ADDR_INVALID
        or      r1,r0,r0
        move    r0,[BUSY,a1]
        move    r0,[CLOSED,a1]
        move    r1,[OPEN,a1]
        writer  r0,qbm'p
        move    true,r0
        move    r0,[OTHER,a1]
        readr   q'p,r1
        readr   qhl'p,r2

; empty: reads the queue's registers; finds where the token stands or will stand, and
; the words behind it. In: R1 whether a task has its message at the head, R2 QHL.
empty:
        move    [OPEN,a1],r3
        and     r3,0x3FF,r0     ; words of the queue - 1
        lsh     r3,-10,r3
        and     r3,0xFFFFF,r3
        add     r3,r0,r3
        move    r3,[QUEUE_LAST,a1]
        sub     r0,7,r3
        move    r3,[LONGEST,a1]
        add     r0,1,r0
        lsh     r0,-1,r0
        move    r0,[HALF,a1]
        lsh     r2,-10,r3       ; R3 head
        and     r2,0x3FF,r2     ; R2 words in the queue
        move    [TOKEN,a1],r0
        bnz     r0,^.token      ; else R0 = 0
        bf      r1,^.new
        move    [r3,a0],r0
        and     r0,0x3FF,r0
        add     r0,3,r0
        and     r0,-4,r0
        gt      r0,[LONGEST,a1],r1
        bf      r1,^.new
        br      ^overflow_too_long
.new:
        move    r0,r1
        br      ^.place
.token:
        sub     r0,r3,r0
        move    [OPEN,a1],r1
        and     r1,0x3FF,r1
        and     r0,r1,r0
        add     r0,4,r1

; Here R0 = words before the token, R1 = words before those to copy.
.place:
        sub     r2,r1,r2
        add     r1,r3,r1
        and     r1,[QUEUE_LAST,a1],r1
        add     r0,4,r0
        move    r0,[QHL_AFTER,a1]
        sub     r0,4,r0
        add     r0,r3,r0
        and     r0,[QUEUE_LAST,a1],r0
        move    r0,[TOKEN,a1]
        lsh     r3,10,r3
        add     r3,[QHL_AFTER,a1],r3
        move    r3,[QHL_AFTER,a1]
        bz      r2,^.copied     ; priority 1 came before BUSY was set and emptied it
        move    [COUNT,a1],r0
        add     r0,1,r0
        move    r0,[COUNT,a1]
.call:
        .ip     .copied,U,F
        move    r0,r3
        br      ^queue_to_buffer
.copied:
        .msg    overflow_token,1,U,F
        move    [TOKEN,a1],r1
        move    r0,[r1,a0]
        move    [QHL_AFTER,a1],r1
        move    [OPEN,a1],r2
        move    [OTHER,a1],r0
        bt      r0,^.other
        writer  r1,qhl
        writer  r2,qbm
        br      ^.finish
.other:
        writer  r1,qhl'p
        writer  r2,qbm'p
.finish:
        move    0,r0
        move    r0,[BUSY,a1]
        move    [LENT,a1],r0
        bf      r0,^.end
        move    false,r0
        move    r0,[LENT,a1]
        move    true,r0
        writer  r0,p            ; continue with priority 1; back here when its task ends
.end:
        move    [KERNEL_OVERFLOW_A1,a0],r0
        move    r0,a1
        ldip    [KERNEL_OVERFLOW_LINK,a0]

; queue_to_buffer: moves words of the queue to the end of the buffer and checks each
; header among them. In: R1 first word, R2 how many (not 0), R3 link. R0-R3 lost.
        .align  4
queue_to_buffer:
        move    r3,[LINK,a1]
        load    kernel_overflow_turns,r3
        bnz     r3,^.wait
.begin:
        move    [WORDS,a1],r0
        add     r0,r2,r0
        move    r0,[WORDS,a1]
        move    [IN,a1],r3
        sub     r3,[OUT,a1],r3
        move    [RING_MASK,a1],r0
        and     r3,r0,r3
        add     r3,r2,r3        ; words held from now on
        move    [PEAK,a1],r0
        gt      r3,r0,r0
        bf      r0,^.room
        move    r3,[PEAK,a1]
        move    [LIMIT,a1],r0
        gt      r3,r0,r0
        bt      r0,^overflow_used_up
.room:
        add     r1,r2,r0
        and     r0,[QUEUE_LAST,a1],r0
        move    r0,[END,a1]
        move    [IN,a1],r2
        move    [MISSING,a1],r3
        bnz     r3,^.word
        .align  4               ; .header and .word each begin a row of instructions
.header:
        move    [r1,a0],r0
        and     r0,0x3FF,r3
        bz      r3,^overflow_no_length
        add     r3,3,r3
        and     r3,-4,r3
        gt      r3,[LONGEST,a1],r0
        bt      r0,^overflow_too_long

        ; R1 from, R2 to, R3 words of the message that are left
.word:
        move    [r1,a0],r0
        move    r0,[r2,a0]
        add     r2,1,r2
        and     r2,[RING_LAST,a1],r2
        add     r1,1,r1
        and     r1,[QUEUE_LAST,a1],r1
        equal   r1,[END,a1],r0
        bt      r0,^.end
        sub     r3,1,r3
        bnz     r3,^.word
        br      ^.header
.end:
        sub     r3,1,r3
        move    r3,[MISSING,a1]
        move    r2,[IN,a1]
        ldip    [LINK,a1]
.wait:
        mul     r3,r2,r3
.turn:
        sub     r3,1,r3
        bnz     r3,^.turn
        br      ^.begin

; Overflows that cannot be handled end in a report, and the node stops.
overflow_too_long:
        constant too_long_text,r1
        br      ^to_report
overflow_no_length:
        constant no_length_text,r1
        br      ^to_report
overflow_used_up:
        constant used_up_text,r1
to_report:
        .ip     overflow_report,U,F
        ldip    r0

; ---- the token -----------------------------------------------------------------------

; overflow_token: the handler of the token, which is at the head of its queue. R0-R3
; lost, A registers kept. F = 1 masks QUEUE faults; priority 1 may interrupt.
        .align  4
overflow_token:
        move    a1,r0
        move    r0,[KERNEL_OVERFLOW_A1,a0]
        move    [KERNEL_OVERFLOW_STATE,a0],r0
        move    r0,a1
        move    [CLOSED,a1],r0
        move    r0,[BUSY,a1]
        writer  r0,qbm
        readr   qhl,r2
        lsh     r2,-10,r1
        and     r2,0x3FF,r2
        sub     r2,4,r2
        bz      r2,^.refill
        add     r1,4,r1
        and     r1,[QUEUE_LAST,a1],r1
.call:
        .ip     .refill,U,F
        move    r0,r3
        br      ^queue_to_buffer

        ; R0 words brought back, R2 where the next goes; the first replaces the token
.refill:
        move    a3,r2
        lsh     r2,-10,r2
        move    0,r0
.message:
        move    [OUT,a1],r1
        move    [r1,a0],r3
        and     r3,0x3FF,r3
        add     r3,3,r3
        and     r3,-4,r3
        bz      r0,^.take       ; at least one
        add     r0,r3,r1
        gt      r1,[HALF,a1],r1
        bt      r1,^.full
.take:
        add     r0,r3,r0

        ; R3 words of the message that are left; OUT has no register
.word:
        move    [OUT,a1],r1
        move    [r1,a0],r1
        move    r1,[r2,a0]
        move    [OUT,a1],r1
        add     r1,1,r1
        and     r1,[RING_LAST,a1],r1
        move    r1,[OUT,a1]
        equal   r1,[IN,a1],r1
        bt      r1,^.empty
        add     r2,1,r2
        and     r2,[QUEUE_LAST,a1],r2
        sub     r3,1,r3
        bnz     r3,^.word
        br      ^.message

        ; buffer empty: the missing words of the last message arrive right behind it
.empty:
        sub     r0,[MISSING,a1],r3
        move    0,r0
        move    r0,[MISSING,a1]
        move    r0,[TOKEN,a1]
        move    [RING,a1],r0
        move    r0,[IN,a1]
        move    r0,[OUT,a1]
        br      ^.open
.full:
        add     r0,4,r3
        .msg    overflow_token,1,U,F
        move    r0,[r2,a0]
        move    r2,[TOKEN,a1]

        ; R3 words in the queue from now on. The token is gone, so A3 gets length 0:
        ; SUSPEND then removes nothing.
.open:
        move    a3,r0
        sub     r0,1,r0
        move    r0,a3
        add     r0,r3,r0
        writer  r0,qhl
        move    [OPEN,a1],r0
        writer  r0,qbm
        move    0,r0
        move    r0,[BUSY,a1]
        move    [LENT,a1],r1
        bf      r1,^.end
        move    r0,[LENT,a1]
        writer  r1,p            ; return the processor to priority 1
.end:
        move    [KERNEL_OVERFLOW_A1,a0],r1
        move    r1,a1
        writer  r0,f
        suspend

; overflow_report: prints the place and the text at R1, then stops the node.
        .align  4
overflow_report:
        mask    r0
        move    r1,[LINK,a1]
        constant overflow_text,r1
        invoke_uf kernel_print_text
        load    kernel_rank,r1
        invoke_uf kernel_print_decimal
        constant priority_text,r1
        invoke_uf kernel_print_text
        move    [NUMBER,a1],r1
        invoke_uf kernel_print_decimal
        move    [LINK,a1],r1
        invoke_uf kernel_print_text
        .ip     kernel_halt,U,F
        ldip    r0

        .ext
overflow_text:
        .asciz  "kernel: queue overflow on node "
priority_text:
        .asciz  ", priority "
too_long_text:
        .asciz  ": a message is longer than the queue less 8 words\n"
no_length_text:
        .asciz  ": a message has no length\n"
used_up_text:
        .asciz  ": the overflow memory is used up\n"

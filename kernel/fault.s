; Fault vectors and handlers. All handlers run unchecked, because they save words of any
; tag, and in fault mode, because a fault in them is fatal. SEND and EARLY are
; retried; all others but QUEUE (overflow.s) are reported and stop the node. A program
; takes a fault over by writing its own vector (macro install in kernel.inc).
        .include "kernel.inc"

        .global kernel_retries, kernel_retry_limit, kernel_backoff, kernel_retry
        .global kernel_halt, kernel_saved, kernel_report

        .section kernel_low,onchip,data
        .org    0
kernel_saved:
        .space  4
kernel_retries:                 ; SEND faults of background and priority 0
        .word   INT:0
        .space  KERNEL_OVERFLOW_STATE - 5
        .addr   overflow_queue0,OVERFLOW_STATE_WORDS
        .space  PROGRAM_LOW - KERNEL_OVERFLOW_STATE - 1
        .org    0x20            ; the same for priority 1
        .space  4
        .word   INT:0
        .space  KERNEL_OVERFLOW_STATE - 5
        .addr   overflow_queue1,OVERFLOW_STATE_WORDS
        .space  PROGRAM_LOW - KERNEL_OVERFLOW_STATE - 1

; ---- vectors, by fault number, once for each priority -------------------------------
        .macro  vectors
        .ip     report_CATASTROPHE,U,F
        .ip     report_INTERRUPT,U,F
        .ip     overflow_queue_fault,U,F
        .ip     send_fault,U,F
        .ip     report_ILGINST,U,F
        .ip     report_DRAMERR,U,F
        .ip     report_INVADR,U,F
        .ip     report_LIMIT,U,F
        .ip     early_fault,U,F
        .ip     report_MSG,U,F
        .ip     report_XLATE,U,F
        .ip     report_OVERFLOW,U,F
        .ip     report_CFUT,U,F
        .ip     report_FUT,U,F
        .ip     report_TAG8,U,F
        .ip     report_TAG9,U,F
        .ip     report_TAGA,U,F
        .ip     report_TAGB,U,F
        .ip     report_TYPE,U,F
        .endm

        .section kernel_vectors,vectors,data
        .org    VECTORS
        vectors
        .org    VECTORS_1
        vectors

        .data
kernel_retry_limit:             ; most SEND faults of a priority; 0: no limit
        .word   INT:0
kernel_backoff:                 ; not 0: wait 2^n turns after fault n, n at most this
        .word   INT:0

        .section kernel_code,rom,code

; ---- SEND and EARLY: try again ------------------------------------------------------

; send_fault: no room in the output buffer. Sends again: the buffer drains meanwhile.
; First it empties a full queue of either priority, because nothing else would: a
; half-sent message holds I = 1, which masks QUEUE faults, and background and the other
; priority get none (thesis, footnote 13). Task registers kept. 55 cycles from one SEND
; to the next.
        .align  4
send_fault:
        move    r0,[KERNEL_SAVE,a0]
        move    r1,[KERNEL_SAVE + 1,a0]
        move    [KERNEL_RETRY_COUNT,a0],r0
        add     r0,1,r0
        move    r0,[KERNEL_RETRY_COUNT,a0]
.look:
        .word   INT:overflow_queue0 + OVERFLOW_BUSY
        move    [r0,a0],r0
        bnz     r0,^lend
        readr   qhl,r0
        and     r0,0x3FF,r0
        readr   qbm,r1
        and     r1,0x3FF,r1
        gt      r0,r1,r0
        bt      r0,^.own
        readr   qhl'p,r0
        and     r0,0x3FF,r0
        readr   qbm'p,r1
        and     r1,0x3FF,r1
        gt      r0,r1,r0
        bt      r0,^.other
        load    kernel_retry_limit,r0
        bnz     r0,^.limit
.permitted:
        load    kernel_backoff,r0
        bz      r0,^kernel_retry
        move    r2,[KERNEL_SAVE + 2,a0]
        move    [KERNEL_RETRY_COUNT,a0],r1
        lt      r1,r0,r2
        bt      r2,^.exponent
        move    r0,r1
.exponent:
        move    1,r0
        lsh     r0,r1,r0
.wait:
        sub     r0,1,r0
        bnz     r0,^.wait
        move    [KERNEL_SAVE + 2,a0],r2
        br      ^kernel_retry
.limit:
        move    [KERNEL_RETRY_COUNT,a0],r1
        le      r1,r0,r0
        bt      r0,^.permitted
        move    [KERNEL_SAVE + 1,a0],r1
        move    FAULT_SEND,r0
        br      ^report_task

.own:
        .ip     overflow_own,U,F
        br      ^.empty
.other:
        .ip     overflow_other,U,F
.empty:
        move    r2,[KERNEL_SAVE + 2,a0]
        move    r3,[KERNEL_SAVE + 3,a0]
        move    r0,r1
        .ip     .emptied,U,F
        move    r0,r3
        ldip    r1
.emptied:
        move    [KERNEL_SAVE + 2,a0],r2
        move    [KERNEL_SAVE + 3,a0],r3
        br      ^.look

; lend: priority 1 has interrupted the overflow handler of priority 0, which has turned
; off the network input of its queue; messages of priority 1 may wait for that input. So
; priority 1 lets that handler continue, in the registers of priority 0, until it has
; finished and returns the processor.
lend:
        .word   INT:overflow_queue0 + OVERFLOW_LENT
        move    true,r1
        move    r1,[r0,a0]
        move    false,r1
        writer  r1,p
        br      ^send_fault.look

; early_fault: a word of the message has not arrived. Task registers kept. 21 cycles
; from one try to the next.
        .align  4
early_fault:
        move    r0,[KERNEL_SAVE,a0]
        move    r1,[KERNEL_SAVE + 1,a0]

; kernel_retry: ends a handler that has repaired its fault: executes the faulting
; instruction again. In: R0, R1 of the task in KERNEL_SAVE, all other registers as the
; task had them. An IP keeps its phase in bit 9, right below the offset, so one
; instruction back is one subtraction in either phase.
kernel_retry:
        readr   fip,r1
        .word   INT:IP_PHASE
        sub     r1,r0,r1
        writer  r1,fip
        move    [KERNEL_SAVE,a0],r0
        move    [KERNEL_SAVE + 1,a0],r1
        ldipr   fip

; ---- the others: report and stop ----------------------------------------------------
; Each fault has an entry; R0-R3 of the task stay in kernel_saved (+ 0x20: priority 1).

        .macro  report fault
report_\fault:
        move    r0,[KERNEL_SAVE,a0]
        move    FAULT_\fault,r0
        br      ^report_task
        .endm

        report  CATASTROPHE
        report  INTERRUPT
        report  SEND
        report  ILGINST
        report  DRAMERR
        report  INVADR
        report  LIMIT
        report  MSG
        report  XLATE
        report  OVERFLOW
        report  CFUT
        report  FUT
        report  TAG8
        report  TAG9
        report  TAGA
        report  TAGB
        report  TYPE

; report_task: saves the rest of the task's registers after R0 in KERNEL_SAVE.
report_task:
        move    r0,[KERNEL_REPORT,a0]
        move    r1,[KERNEL_SAVE + 1,a0]
        move    r2,[KERNEL_SAVE + 2,a0]
        move    r3,[KERNEL_SAVE + 3,a0]

; saved: prints a register of the fault. Background's are in the register set of the
; priority that P names; the select bit b reaches it.
        .macro  saved register
        constant \register\()_text,r1
        invoke_uf kernel_print_text
        readr   b,r1
        bt      r1,^.background\@
        readr   \register,r1
        br      ^.print\@
.background\@:
        readr   \register'b,r1
.print\@:
        .word   INT:HOST_PUTW
        move    r1,[r0,a0]
        .endm

; kernel_report: prints a fault and the state saved by the machine, then stops the node.
; In: INT fault number in KERNEL_REPORT. Jump to it unchecked and in fault mode.
kernel_report:
        mask    r1              ; no dispatch into a node about to stop
        constant fault_text,r1
        invoke_uf kernel_print_text
        move    [KERNEL_REPORT,a0],r2
        .word   INT:fault_names
        add     r0,r2,r0
        move    [r0,a0],r1
        invoke_uf kernel_print_text
        constant node_text,r1
        invoke_uf kernel_print_text
        load    kernel_rank,r1
        invoke_uf kernel_print_decimal
        invoke_uf context_text
        invoke_uf kernel_print_text
        constant fip_text,r1
        invoke_uf kernel_print_text
        .word   INT:HOST_PUTW
        readr   fip,r1
        move    r1,[r0,a0]
        saved   fir
        saved   fop0
        saved   fop1

; kernel_halt: stops the node so that the emulator reports it: removes the CATASTROPHE
; vectors, then executes an illegal instruction. Jump to it in fault mode, where that is
; fatal.
kernel_halt:
        move    nil,r1
        .word   INT:VECTOR_CATASTROPHE
        move    r1,[r0,a0]
        .word   INT:VECTOR_CATASTROPHE + 0x20
        move    r1,[r0,a0]
.stop:
        .word   INST0:0x412BC63F ; writer r1,mar, which is ILGINST; br ^.stop

; context_text: the text that names the running context.
; In: R3 link. Out: R1 INT address. R0 lost.
        .align  4
context_text:
        readr   b,r0
        bt      r0,^.background
        readr   p,r0
        bt      r0,^.one
        constant priority0_text,r1
        ldip    r3
.one:
        constant priority1_text,r1
        ldip    r3
.background:
        constant background_text,r1
        ldip    r3

        .ext
fault_names:                    ; by fault number
        .word   INT:name_CATASTROPHE
        .word   INT:name_INTERRUPT
        .word   INT:name_QUEUE
        .word   INT:name_SEND
        .word   INT:name_ILGINST
        .word   INT:name_DRAMERR
        .word   INT:name_INVADR
        .word   INT:name_LIMIT
        .word   INT:name_EARLY
        .word   INT:name_MSG
        .word   INT:name_XLATE
        .word   INT:name_OVERFLOW
        .word   INT:name_CFUT
        .word   INT:name_FUT
        .word   INT:name_TAG8
        .word   INT:name_TAG9
        .word   INT:name_TAGA
        .word   INT:name_TAGB
        .word   INT:name_TYPE

fault_text:
        .asciz  "kernel: fault "
node_text:
        .asciz  " on node "
background_text:
        .asciz  ", background"
priority0_text:
        .asciz  ", priority 0"
priority1_text:
        .asciz  ", priority 1"
fip_text:
        .asciz  "\n  FIP  "
fir_text:
        .asciz  "  FIR  "
fop0_text:
        .asciz  "  FOP0 "
fop1_text:
        .asciz  "  FOP1 "
name_CATASTROPHE:
        .asciz  "CATASTROPHE"
name_INTERRUPT:
        .asciz  "INTERRUPT"
name_QUEUE:
        .asciz  "QUEUE"
name_SEND:
        .asciz  "SEND"
name_ILGINST:
        .asciz  "ILGINST"
name_DRAMERR:
        .asciz  "DRAMERR"
name_INVADR:
        .asciz  "INVADR"
name_LIMIT:
        .asciz  "LIMIT"
name_EARLY:
        .asciz  "EARLY"
name_MSG:
        .asciz  "MSG"
name_XLATE:
        .asciz  "XLATE"
name_OVERFLOW:
        .asciz  "OVERFLOW"
name_CFUT:
        .asciz  "CFUT"
name_FUT:
        .asciz  "FUT"
name_TAG8:
        .asciz  "TAG8"
name_TAG9:
        .asciz  "TAG9"
name_TAGA:
        .asciz  "TAGA"
name_TAGB:
        .asciz  "TAGB"
name_TYPE:
        .asciz  "TYPE"

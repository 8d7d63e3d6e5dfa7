; Raises the fault whose number is in fault_case, in the context fault_where names, for
; test_kernel.sh: the kernel must report it and stop the node.
        .include "kernel.inc"
        .global main, fault_case, fault_where

        .data
fault_case:
        .word   INT:FAULT_TYPE
fault_where:                    ; 0 background, 1 priority 0, 2 priority 1
        .word   INT:1

        .text
main:
        load    fault_where,r2
        readr   nnr,r1
        equal   r2,1,r0
        bt      r0,^.priority0
        equal   r2,2,r0
        bt      r0,^.priority1
        br      ^raise
.priority0:
        .msg    raise,1
        send2e  r1,r0,0
        goto    kernel_idle
.priority1:
        .msg    raise,1
        send2e  r1,r0,1
        goto    kernel_idle

; raise: goes where the table of cases says.
raise:
        load    fault_case,r1
        .word   INT:cases
        add     r1,r0,r1
        ldip    [r1,a0]

do_CATASTROPHE:                 ; a fault in fault mode
        move    true,r0
        writer  r0,f
do_TYPE:
        move    true,r1
        add     r1,1,r1
        suspend
do_nothing:                     ; until a fault is posted
        unmask  r1
.wait:
        br      ^.wait
do_SEND:                        ; a routing word alone is not a message
        readr   nnr,r1
        sende   r1,0
        suspend
do_ILGINST:
        .word   INST0:0x412A0000 ; writer r1,mar
        suspend
do_INVADR:
        .addr   0x2000,2,I
        move    r0,a1
        move    [0,a1],r1
        suspend
do_LIMIT:
        segment 0x2000,2,a1
        move    [2,a1],r1
        suspend
do_MSG:                         ; a message without a header, of the same priority
        readr   nnr,r1
        readr   p,r2
        bt      r2,^.one
        send2e  r1,r1,0
        suspend
.one:
        send2e  r1,r1,1
        suspend
do_XLATE:
        constant 99,r1
        xlate   r1,r2
        suspend
do_OVERFLOW:
        constant 0x7FFFFFFF,r1
        add     r1,1,r1
        suspend
do_CFUT:
        .word   CFUT:5
        move    r0,r1
        suspend
        .irp    tag, FUT, TAG8, TAG9, TAGA, TAGB
do_\tag:
        .word   \tag:5
        add     r0,1,r1
        suspend
        .endr

        .data
cases:                          ; by fault number; NIL: the kernel repairs it
        .ip     do_CATASTROPHE
        .ip     do_nothing
        .word   NIL
        .ip     do_SEND
        .ip     do_ILGINST
        .ip     do_nothing
        .ip     do_INVADR
        .ip     do_LIMIT
        .word   NIL
        .ip     do_MSG
        .ip     do_XLATE
        .ip     do_OVERFLOW
        .ip     do_CFUT
        .ip     do_FUT
        .ip     do_TAG8
        .ip     do_TAG9
        .ip     do_TAGA
        .ip     do_TAGB
        .ip     do_TYPE

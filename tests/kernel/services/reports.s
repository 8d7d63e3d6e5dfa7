; What the services cannot do stops the node with a report: one case each.
        .include "test.inc"
        .global main, report_case

        .data
report_case:
        .word   INT:1
unarmed:                        ; a future of no context
        .word   CFUT:0x100

        .text
; case number: goes to the task of that number.
        .macro  case number
        .msg    case_\number,1
        equal   r1,\number,r2
        bt      r2,^.chosen
        .endm

main:
        only_node0
        load    report_case,r1
        .irp    number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12
        case    \number
        .endr
        .msg    case_10,1
        readr   nnr,r1
        send2e  r1,r0,1
        goto    kernel_idle
.chosen:
        readr   nnr,r1
        send2e  r1,r0,0
        goto    kernel_idle

case_1: ; a word tagged CFUT that is none
        load    unarmed,r1
        suspend

case_2: ; a future touched in mid-message
        context 1
        to_self case_1,2
        send    [1,a1],0
        suspend

case_3: ; a name that nobody has registered, on its home and elsewhere
        to_self name_call,2
        .word   SYM:0x123
        sende   r0,0
        suspend

case_4: ; an object that is not here
        .word   TAG8:0x50004
        xlate   r0,a1
        suspend

case_5: ; and one to be deleted
        to_self object_delete,2,U
        .word   TAG8:0x50004
        sende   r0,0
        suspend

case_6: ; a block of no words
        move    0,r1
        invoke  block_new
        suspend

case_7: ; and of too many
        constant 1024,r1
        invoke  block_new
        suspend

case_8: ; memory for ever
        constant 1000,r1
        invoke  block_new
        br      ^case_8

case_9: ; two values of one node
        move    2,r3
.twice:
        to_self reduce_join,4,U
        .ip     reduce_add,U
        send2   r3,r0,0
        .word   NIL
        sende   r0,0
        sub     r3,1,r3
        bnz     r3,^.twice
        suspend

case_10: ; a future in a task of priority 1
        .word   INT:0xA0001
        wtag    r0,TAG_CFUT,r0
        add     r0,1,r0
        suspend

case_11: ; an object that was here
        constant 3,r1
        service object_make
        move    r1,[PROGRAM_LOW,a0]
        constant 3,r1
        service object_make     ; in front of it in its chain, or not
        move    [PROGRAM_LOW,a0],r1
        xlate   r1,a1
        service object_drop
        move    [PROGRAM_LOW,a0],r1
        xlate   r1,a1
        suspend

case_12: ; a future hidden in an address register, its slot long filled
        context 1
        reference a1,1,r1
        move    r1,[1,a1]
        wtag    r1,TAG_CFUT,r1
        service hide
        move    a1,r1
        suspend
hide:
        move    r1,a1
        ldip    r3

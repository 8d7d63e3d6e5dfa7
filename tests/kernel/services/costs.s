; What the services cost. Routines: printed. Handlers: one message each on a quiet
; machine of two nodes; the script reads dispatches and SUSPENDs from the trace, in this
; order.
        .include "test.inc"
        .include "../costs.inc"
        .global main

        .equ    NAME_0, 0x401           ; a name whose home is node 0
        .equ    NAME_1, 0x400           ; node 1
        .equ    CLASS, 1
        .equ    SELECTOR, 0x20

        .section costs_memory,external,fill
words:
        .space  128

        .text
; quiet: until all that was begun has ended.
        .macro  quiet
        unmask  r0
        constant 700,r1
.turn\@:
        sub     r1,1,r1
        bnz     r1,^.turn\@
        mask    r0
        .endm

; to node, handler, length, flags: begins a message.
        .macro  to node, handler, length, flags:vararg
        move    \node,r1
        .msg    \handler,\length \flags
        send2   r1,r0,0
        .endm

; number, word: offers a word.
        .macro  number value
        constant \value,r1
        send    r1,0
        .endm

; slot: arms slot 1 of A1 first, into PROGRAM_LOW + 3; answer offers it, the last word.
        .macro  slot
        arm     1
        move    r1,[PROGRAM_LOW + 3,a0]
        mask    r0
        .endm

        .macro  answer
        move    [PROGRAM_LOW + 3,a0],r2
        readr   nnr,r1
        send2e  r1,r2,0
        quiet
        .endm

        .macro  copy count
        slot
        to      1,remote_copy,7,,U
        number  words
        number  \count
        number  0
        number  words + 64
        answer
        .endm

        .macro  by_name name, node
        to      \node,name_call,2
        .word   SYM:\name
        sende   r0,0
        quiet
        .endm

nothing:
        suspend
method:
        suspend

; toucher: | MSG toucher,2 | ADDR context |
toucher:
        move    [1,a3],r1
        move    r1,a1
        move    [1,a1],r2
        suspend

main:
        context 1
        register SYM:NAME_0,nothing
        register SYM:NAME_1,nothing
        .word   SYM:(CLASS << 16) + SELECTOR
        move    r0,r1
        .ip     method
        move    r0,r2
        enter   r2,r1
        only_node0
        routine return, "invoke_u and return: "
        move    6,r1
        routine block_new, "block_new, from the heap: "
        move    [PROGRAM_LOW + 2,a0],r1
        routine block_free, "block_free: "
        move    6,r1
        routine block_new, "block_new, freed before: "
        move    1,r1
        routine context_new, "context_new, 1 slot: "
        constant 10,r1
        routine context_new, "context_new, 10 slots: "
        reference a1,1,r1
        routine context_arm, "context_arm: "
        .word   SYM:0x5000
        move    r0,r1
        move    7,r2
        routine directory_put, "directory_put, new: "
        .word   SYM:0x5000
        move    r0,r1
        move    7,r2
        routine directory_put, "directory_put, known: "
        .word   SYM:0x5000
        move    r0,r1
        routine directory_find, "directory_find, first in its bucket: "
        .word   SYM:0x5000
        move    r0,r1
        routine directory_remove, "directory_remove: "
        .word   SYM:0x5000
        move    r0,r1
        routine directory_find, "directory_find, unknown: "
        .word   SYM:NAME_0
        move    r0,r1
        routine name_home, "name_home: "
        .word   SYM:NAME_1
        move    r0,r1
        routine name_register, "name_register, not at home: "
        .word   SYM:0x402
        move    r0,r1
        move    7,r2
        routine name_register, "name_register, at home: "
        move    6,r1
        routine object_make, "object_make: "
        move    [PROGRAM_LOW + 2,a0],r1
        routine object_drop, "object_drop: "
        routine spawn_node, "spawn_node: "
        constant 0x40000000,r1
        routine spawn_spread, "spawn_spread: "
        routine broadcast_box, "broadcast_box: "
        move    1,r1
        move    2,r2
        routine reduce_add, "reduce_add: "
        move    1,r1
        move    2,r2
        routine reduce_max, "reduce_max, the second: "

        goto    handlers

        .rom
handlers:
        quiet
        slot
        to      1,remote_read,4,,U
        number  words
        answer
        to      1,remote_write,3,,U,F
        number  words
        move    1,r1
        sende   r1,0
        quiet
        slot
        to      1,remote_write_ack,5,,U
        number  words
        number  1
        answer
        copy    0
        copy    1
        copy    32
        copy    33

        ; a name whose home is here: not in the table, in it; of another node
        .word   SYM:NAME_0
        move    nil,r1
        enter   r1,r0
        by_name NAME_0,0
        by_name NAME_0,0
        by_name NAME_1,0
        by_name NAME_1,0
        slot
        to      0,name_publish,5,,U
        .word   SYM:NAME_0
        send    r0,0
        .ip     nothing
        send    r0,0
        answer
        to      0,name_bind,3,,U,F
        .word   SYM:NAME_0
        send    r0,0
        .ip     nothing
        sende   r0,0
        quiet

        ; an object of four words, its class given
        slot
        to      1,object_create,5,,U
        number  4
        readr   nnr,r1
        send    r1,0
        move    [PROGRAM_LOW + 3,a0],r1
        send    r1,0
        constant CLASS,r1
        sende   r1,0
        quiet
        move    [1,a1],r2
        to      1,object_send,3
        send    r2,0
        constant SELECTOR,r1
        sende   r1,0
        quiet
        to      1,object_delete,2,,U
        sende   r2,0
        quiet

        ; a task waits, two wait
        slot
        to      0,toucher,2
        move    a1,r1
        sende   r1,0
        quiet
        to      0,future_reply,3,,U
        move    [PROGRAM_LOW + 3,a0],r2
        send2e  r2,r2,0
        quiet
        slot
        to      0,toucher,2
        move    a1,r1
        sende   r1,0
        mask    r0
        to      0,toucher,2
        move    a1,r1
        sende   r1,0
        quiet
        to      0,future_reply,3,,U
        move    [PROGRAM_LOW + 3,a0],r2
        send2e  r2,r2,0
        quiet

        service broadcast_box
        move    r1,r2
        to      0,broadcast,3,,U
        send    r2,0
        .msg    nothing,1
        sende   r0,0
        quiet

        ; both nodes vote: node 1 by this message
        to      1,end_vote,2,,U
        move    0,r1
        sende   r1,0
        quiet
        to      0,end_vote,2,,U
        move    0,r1
        sende   r1,0
        quiet
        goto    kernel_idle

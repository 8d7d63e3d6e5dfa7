; Calls by name. A name is a SYM word other than NIL. Its home, a node computed from the
; name, keeps its word; every other node finds the word in its translation table, or
; fetches it from the home while the requesting task waits.
        .include "services.inc"
        .extern future_save, future_leave, future_restart

        .global name_call, name_bind, name_publish, name_fetch, name_register, name_home
        .global name_misses

        .data
name_misses:                    ; XLATE faults
        .word   INT:0
name_save:                      ; name, binding and link of name_register
        .space  3,NIL

        .section name_starter,vectors,data
        .org    KERNEL_STARTERS + 1
        .ip     name_start,U

        .section kernel_code,rom,code

; name_start: takes over XLATE of priority 0 and background. In: R3 link.
        .align  4
name_start:
        install name_miss,VECTOR_XLATE
        ldip    r3

; hash: R1, a name, becomes the fraction for spawn_spread. The product separates names
; that differ little (2^32 over the golden ratio: Knuth, volume 3, 6.4). R0 lost.
        .macro  hash
        wtag    r1,TAG_INT,r1
        .word   INT:0x9E3779B1
        mul     r1,r0,r1
        lsh     r1,-1,r1
        .endm

; name_home: in R1 SYM; out R1 INT node address of its home. R0, R2 lost, KERNEL_LINK
; used. Call it unchecked, not in fault mode.
        .align  4
name_home:
        hash
        goto_u  spawn_spread

; name_register: in R1 SYM, R2 its word. Stores it at the name's home; does nothing on
; other nodes, so the main of every node can call it. R0-R2 lost.
        .align  4
name_register:
        move    r3,[KERNEL_LINK,a0]
        store   r1,name_save
        store   r2,name_save + 1
        move    [KERNEL_LINK,a0],r3
        store   r3,name_save + 2
        invoke_u name_home
        readr   nnr,r2
        equal   r1,r2,r0
        bf      r0,^.end
        load    name_save,r1
        load    name_save + 1,r2
        enter   r2,r1
        invoke_u directory_put
.end:
        load    name_save + 2,r3
        ldip    r3

; name_publish: | MSG name_publish,5 (U) | SYM name | word | node or NIL | slot |
; Registers a name at run time; sent to any node, forwarded to the home. TRUE to the
; slot when done. Nodes that know another word keep it until a name_bind arrives.
        .align  4
name_publish:
        move    [1,a3],r1
        invoke_u name_home
        readr   nnr,r2
        equal   r1,r2,r0
        move    [4,a3],r2       ; wait for the whole message before sending
        bt      r0,^.home
        move    [0,a3],r0
        send2   r1,r0,0
        move    [2,a3],r0
        send2   [1,a3],r0,0
        send2e  [3,a3],r2,0
        suspend
.home:
        move    [1,a3],r1
        move    [2,a3],r2
        enter   r2,r1
        invoke_u directory_put
        move    [3,a3],r1
        bnil    r1,^.end
        move    true,r2
        reply   r1,[4,a3],r2
.end:
        suspend

; name_bind:      | MSG name_bind,3 (U, F) | SYM name | word |
; Enters the word of a name into this node's translation table. Broadcast it after
; name_publish to replace an old word everywhere.
        .align  4
name_bind:
        move    [2,a3],r1
        enter   r1,[1,a3]
        suspend

; name_call:      | MSG name_call,n (checked or U) | SYM name | ... |
; Jumps to the IP word of the name, with this message in A3.
        .align  4
name_call:
        move    [1,a3],r1
        xlate   r1,r0
        ldip    r0

; name_miss: XLATE fault of priority 0, unchecked, fault mode. A key in the directory
; is entered and looked up again. A name whose home is another node is fetched while
; the task waits. Any other key is reported.
        .align  4
name_miss:
        move    r0,[KERNEL_SAVE,a0]
        move    r1,[KERNEL_SAVE + 1,a0]
        move    r2,[KERNEL_SAVE + 2,a0]
        move    r3,[KERNEL_SAVE + 3,a0]
        load    name_misses,r1
        add     r1,1,r1
        move    r1,[r0,a0]
        readr   b,r0
        bt      r0,^.report     ; no task that could wait
        readr   fop1,r1
        bnil    r1,^.report
        invoke_uf directory_find
        bnnil   r2,^.known
        rtag    r1,r2
        bnz     r2,^.report     ; SYM is 0
        readr   i,r2
        bt      r2,^.report     ; in mid-message nothing can wait
        hash
        invoke_uf spawn_spread
        readr   nnr,r2
        equal   r1,r2,r2
        bt      r2,^.report     ; at home, and unknown
        move    r1,[KERNEL_FUTURE,a0]
        readr   fop1,r1
        invoke_uf future_save
        move    [KERNEL_FUTURE,a0],r1
        move    false,r0        ; SEND and EARLY may fault from here
        writer  r0,f
        .msg    name_fetch,4,U
        send2   r1,r0,0
        readr   nnr,r1
        send2   [RECORD_SLOT,a2],r1,0
        move    a2,r1
        sende   r1,0
        goto_u  future_leave
.known:
        enter   r2,r1
        move    [KERNEL_SAVE + 2,a0],r2
        move    [KERNEL_SAVE + 3,a0],r3
        .ip     kernel_retry,U,F
        ldip    r0
.report:
        move    FAULT_XLATE,r0
        move    r0,[KERNEL_REPORT,a0]
        .ip     kernel_report,U,F
        ldip    r0

; name_fetch:     | MSG name_fetch,4 (U) | SYM name | INT node | ADDR record |
; At the home. An unknown name stops this node.
        .align  4
name_fetch:
        move    [1,a3],r1
        invoke_u directory_find
        bnil    r2,^.unknown
        .msg    name_fetched,4,U,F
        send2   [2,a3],r0,0
        send2   [1,a3],r2,0
        sende   [3,a3],0
        suspend
.unknown:
        constant unknown_text,r1
        invoke_uf kernel_print_text
        move    [1,a3],r1
        store   r1,HOST_PUTW
        .ip     kernel_halt,U,F
        ldip    r0

; name_fetched:   | MSG name_fetched,4 (U, F) | SYM name | word | ADDR record |
        .align  4
name_fetched:
        move    [2,a3],r1
        enter   r1,[1,a3]
        move    [3,a3],r1
        .ip     future_restart,U,F
        ldip    r0

        .ext
unknown_text:
        .asciz  "kernel: nobody registered the name "

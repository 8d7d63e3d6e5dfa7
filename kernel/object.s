; Objects: blocks with an identifier that any node may hold. An object stays where it
; was made: the identifier names that node, and only there does it translate to an ADDR.
;
;   identifier: TAG8: node address[31:16] serial[15:0]
;   object:     | INT class | ... |
;
; A method is a procedure whose name is SYM: class[31:16] selector[15:0].
        .include "services.inc"

        .global object_make, object_drop, object_create, object_send, object_delete
        .global object_serial

        .equ    SERIAL_STEP, 4          ; the next row of the translation table

        .data
object_serial:                  ; serial of the object made last
        .word   INT:0
object_save:                    ; ADDR or identifier, link
        .space  2,NIL

        .section kernel_code,rom,code

; identifier: R1 <- that of the serial in R2, on this node.
        .macro  identifier
        readr   nnr,r1
        .word   INT:16
        lsh     r1,r0,r1
        or      r1,r2,r1
        wtag    r1,TAG_ID,r1
        .endm

; object_make: in R1 INT words, 1..1023; out R1 identifier, R2 ADDR of an object here,
; contents undefined. R0 lost; KERNEL_LINK, KERNEL_CURSOR, KERNEL_FUTURE used. Call it
; unchecked.
        .align  4
object_make:
        store   r3,object_save + 1
        invoke_u block_new
        store   r1,object_save

        ; 4, 8 .. then 1, 5 ..; serials still in use are skipped
.serial:
        load    object_serial,r1
        add     r1,SERIAL_STEP,r1
        and     r1,0xFFFF,r2
        equal   r1,r2,r0
        bt      r0,^.next
        add     r2,1,r2
.next:
        store   r2,object_serial
        identifier
        invoke_u directory_find
        bnnil   r2,^.serial
        load    object_save,r2
        enter   r2,r1
        invoke_u directory_put
        load    object_serial,r2
        identifier
        load    object_save,r2
        load    object_save + 1,r3
        ldip    r3

; object_drop: in R1 identifier of an object here: removes and frees it. R0-R2 lost;
; KERNEL_LINK used. Call it unchecked. An object that is not here stops the node.
        .align  4
object_drop:
        store   r3,object_save + 1
        invoke_u directory_find
        bnil    r2,^.absent
        store   r2,object_save
        move    nil,r2
        enter   r2,r1           ; NIL counts as a miss
        invoke_u directory_remove
        load    object_save,r1
        invoke_u block_free
        load    object_save + 1,r3
        ldip    r3
.absent:
        store   r1,object_save
        constant absent_text,r1
        invoke_uf kernel_print_text
        load    object_save,r1
        store   r1,HOST_PUTW
        .ip     kernel_halt,U,F
        ldip    r0

; object_create: | MSG object_create,4 + n (U) | INT words | node | INT slot | n words |
; Creates an object here: its first n words as given, starting with its class, the
; others NIL. Sends its identifier to the slot on that node.
        .align  4
object_create:
        move    [1,a3],r1
        invoke_u object_make
        move    r2,a1
        store   r1,object_save
        move    [0,a3],r2
        wtag    r2,TAG_INT,r2
        and     r2,0x3FF,r2
        sub     r2,4,r2
        move    [1,a3],r3
.word:
        sub     r3,1,r3
        lt      r3,r2,r0
        bt      r0,^.given
        move    nil,r0
        br      ^.put
.given:
        add     r3,4,r0
        move    [r0,a3],r0
.put:
        move    r0,[r3,a1]
        bnz     r3,^.word
        load    object_save,r1
        reply   [2,a3],[3,a3],r1
        suspend

; object_delete:  | MSG object_delete,2 (U) | identifier |
        .align  4
object_delete:
        move    [1,a3],r1
        invoke_u object_drop
        suspend

; object_send:    | MSG object_send,n (checked or U) | identifier | INT selector | ... |
; Sent to the node that the identifier names. Jumps to the method of the object's class,
; with this message in A3 and the object in A1.
        .align  4
object_send:
        move    [1,a3],r1
        xlate   r1,a1
        move    [0,a1],r2
        lsh     r2,8,r2
        lsh     r2,8,r2
        or      r2,[2,a3],r2
        wtag    r2,TAG_SYM,r2
        xlate   r2,r0
        ldip    r0

        .ext
absent_text:
        .asciz  "kernel: no object here is "

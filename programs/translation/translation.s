; run: --mesh 1x1x1
; also: --mesh 2x2x1
; translation: objects have numbers; XLATE turns a number into the ADDR word of the
; object if the translation table holds it, and faults if not. The fault handler here,
; in MDP code, looks the number up in a directory, ENTERs it and tries again. 64 objects
; fit the table. 64 others in the same rows evict them all, though each row has two
; ways: the one replacement bit flips at every ENTER, so it picks the same way of a row
; in both passes.
        .include "kernel.inc"
        .global main, misses

;   translate:  | MSG translate,1 |
;   directory:  INT key, ADDR object, ...; NIL at the end
;   object n:   INT n * n        its key: INT 4 n, in a row of its own
        .equ    OBJECTS, 128
        .equ    HALF, 64
        .equ    OBJECT_WORDS, 2

        .data
translation_data:
misses:                         ; XLATE faults so far
        .word   INT:0
        .equ    MISSES, 0
        .word   INT:0           ; pass 0..3
        .equ    PASS, 1
        .word   INT:0           ; first object of the pass
        .equ    FIRST, 2
        .word   INT:0           ; objects left
        .equ    LEFT, 3
        .word   INT:0           ; misses before the pass
        .equ    BEFORE, 4
        .equ    TRANSLATION_WORDS, 5

passes:                         ; of each pass: first object, misses expected
        .word   INT:0, INT:HALF
        .word   INT:0, INT:0
        .word   INT:HALF, INT:HALF
        .word   INT:0, INT:HALF
        .equ    PASSES, 4

        .section translation_objects,external,fill
objects:
        .space  OBJECTS * OBJECT_WORDS
directory:
        .space  OBJECTS * 2 + 1

        .text

; main: makes objects and directory, then starts the task, as only the priorities have
; the ID registers of XLATE. In background, I = 1.
main:
        load    kernel_rank,r1
        bz      r1,^.node0
        goto    kernel_idle
.node0:
        move    0,r1            ; n
        constant objects,r2
        constant directory,r3
.make:
        mul     r1,r1,r0
        move    r0,[r2,a0]
        lsh     r1,2,r0
        move    r0,[r3,a0]
        add     r3,1,r3
        lsh     r2,10,r0
        add     r0,OBJECT_WORDS,r0
        wtag    r0,TAG_ADDR,r0
        move    r0,[r3,a0]
        add     r3,1,r3
        add     r2,OBJECT_WORDS,r2
        add     r1,1,r1
        .word   INT:OBJECTS
        equal   r1,r0,r0
        bf      r0,^.make
        install miss,VECTOR_XLATE
        readr   nnr,r1
        .msg    translate,1
        send2e  r1,r0,0
        goto    kernel_idle

; translate: makes the passes; each reads its objects through XLATE and checks them.
translate:
        segment translation_data,TRANSLATION_WORDS,a1
.pass:
        move    [PASS,a1],r1
        lsh     r1,1,r1
        .word   INT:passes
        add     r1,r0,r1
        move    [r1,a0],r2
        move    r2,[FIRST,a1]
        move    [MISSES,a1],r2
        move    r2,[BEFORE,a1]
        constant HALF,r2
        move    r2,[LEFT,a1]
.object:
        move    [LEFT,a1],r1
        sub     r1,1,r1
        move    r1,[LEFT,a1]
        add     r1,[FIRST,a1],r1
        lsh     r1,2,r2
        xlate   r2,a2
        move    [0,a2],r3       ; the object's word
        mul     r1,r1,r1
        equal   r1,r3,r0
        bf      r0,^.wrong_object
        readr   id2,r3          ; XLATE leaves the key in the ID register of A2
        equal   r2,r3,r0
        bf      r0,^.wrong_object
        move    [LEFT,a1],r1
        bnz     r1,^.object

        print   pass_text
        move    [PASS,a1],r1
        add     r1,1,r1
        invoke  kernel_print_decimal
        print   misses_text
        move    [MISSES,a1],r1
        sub     r1,[BEFORE,a1],r1
        invoke  kernel_print_decimal
        print   newline_text
        move    [PASS,a1],r1
        lsh     r1,1,r1
        .word   INT:passes + 1
        add     r1,r0,r1
        move    [MISSES,a1],r2
        sub     r2,[BEFORE,a1],r2
        equal   r2,[r1,a0],r0
        bf      r0,^.wrong_misses
        move    [PASS,a1],r1
        add     r1,1,r1
        move    r1,[PASS,a1]
        equal   r1,PASSES,r0
        bf      r0,^.pass

        ; PROBE looks up without faulting
        constant -1,r1
        probe   r1,r2
        bnnil   r2,^.wrong_object
        print   probe_text
        move    0,r1
        exit    r1
        suspend
.wrong_object:
        print   object_text
        move    1,r1
        exit    r1
        suspend
.wrong_misses:
        print   count_text
        move    2,r1
        exit    r1
        suspend

; miss: XLATE fault of priority 0, unchecked, fault mode. The key is FOP1, the Rs of
; XLATE. The kernel reports a key that is not in the directory.
miss:
        move    r0,[KERNEL_SAVE,a0]
        move    r1,[KERNEL_SAVE + 1,a0]
        move    r2,[KERNEL_SAVE + 2,a0]
        move    r3,[KERNEL_SAVE + 3,a0]
        load    misses,r1
        add     r1,1,r1
        move    r1,[r0,a0]
        readr   fop1,r1
        constant directory,r2
.look:
        move    [r2,a0],r0
        bnil    r0,^.unknown
        eq      r0,r1,r0
        bt      r0,^.found
        add     r2,2,r2
        br      ^.look
.found:
        add     r2,1,r2
        move    [r2,a0],r2
        enter   r2,r1
        move    [KERNEL_SAVE + 2,a0],r2
        move    [KERNEL_SAVE + 3,a0],r3
        .ip     kernel_retry,U,F
        ldip    r0
.unknown:
        move    FAULT_XLATE,r0
        move    r0,[KERNEL_REPORT,a0]
        .ip     kernel_report,U,F
        ldip    r0

        .ext
pass_text:
        .asciz  "pass "
misses_text:
        .asciz  ": misses "
newline_text:
        .asciz  "\n"
probe_text:
        .asciz  "probe of an unknown key: NIL\n"
object_text:
        .asciz  "XLATE led to a wrong object\n"
count_text:
        .asciz  "the misses are not those of the table's geometry\n"

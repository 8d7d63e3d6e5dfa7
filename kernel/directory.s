; The node's directory: maps names and identifiers to words on this node. The
; translation table is a cache in front of it. All routines: link in R3, called
; unchecked, by tasks of priority 0 and background with I = 1.
        .include "services.inc"

        .global directory_find, directory_put, directory_remove

; An entry is a block: | key | data | NIL or INT address of the next entry |
        .equ    ENTRY_DATA, 1
        .equ    ENTRY_NEXT, 2
        .equ    ENTRY_WORDS, 3
        .equ    BUCKETS, 256

        .section directory_memory,external,fill
directory_buckets:              ; NIL or INT address of the first entry
        .space  BUCKETS

        .section kernel_code,rom,code

; bucket key, register: INT address of the key's bucket. The two lowest bits are
; ignored, as in the translation table. R0 lost.
        .macro  bucket key, register
        lsh     \key,-2,\register
        and     \register,BUCKETS - 1,\register
        .word   INT:directory_buckets
        add     r0,\register,\register
        .endm

; entry_of unknown: in R1 key; falls through with R2 the INT address of its entry, or
; jumps to `unknown` if there is none here. R0 lost.
        .macro  entry_of unknown
        .local  look
        .local  found
        bucket  r1,r2
look:
        move    [r2,a0],r2
        bnil    r2,^\unknown
        move    [r2,a0],r0
        eq      r0,r1,r0
        bt      r0,^found
        add     r2,ENTRY_NEXT,r2
        br      ^look
found:
        .endm

; directory_find: in R1 key; out R2 its word, NIL if it is unknown here; R1 kept. R0
; lost.
        .align  4
directory_find:
        entry_of .end
        add     r2,ENTRY_DATA,r2
        move    [r2,a0],r2
.end:
        ldip    r3

; directory_put: in R1 key, R2 its new word. R0-R2 lost, KERNEL_LINK, KERNEL_CURSOR,
; KERNEL_FUTURE used.
        .align  4
directory_put:
        move    r3,[KERNEL_LINK,a0]
        move    r2,[KERNEL_FUTURE,a0]
        entry_of .unknown
        add     r2,ENTRY_DATA,r2
        move    [KERNEL_FUTURE,a0],r0
        move    r0,[r2,a0]
        ldip    r3
.unknown:
        move    r1,[KERNEL_FUTURE + 1,a0]
        move    ENTRY_WORDS,r1
        invoke_u block_new
        wtag    r1,TAG_INT,r1
        lsh     r1,-10,r1
        move    [KERNEL_FUTURE + 1,a0],r3
        move    r3,[r1,a0]
        bucket  r3,r3
        add     r1,ENTRY_DATA,r2
        move    [KERNEL_FUTURE,a0],r0
        move    r0,[r2,a0]
        add     r1,ENTRY_NEXT,r2
        move    [r3,a0],r0
        move    r0,[r2,a0]
        move    r1,[r3,a0]
        move    [KERNEL_LINK,a0],r3
        ldip    r3

; directory_remove: in R1 key, removed if it is known. R0-R2 lost, KERNEL_LINK used.
        .align  4
directory_remove:
        move    r3,[KERNEL_LINK,a0]
        bucket  r1,r3
.look:
        move    [r3,a0],r2
        bnil    r2,^.end
        move    [r2,a0],r0
        eq      r0,r1,r0
        bt      r0,^.found
        add     r2,ENTRY_NEXT,r3
        br      ^.look
.found:
        add     r2,ENTRY_NEXT,r1
        move    [r1,a0],r0
        move    r0,[r3,a0]
        lsh     r2,10,r1
        or      r1,ENTRY_WORDS,r1
        invoke_u block_free
.end:
        move    [KERNEL_LINK,a0],r3
        ldip    r3

; Printing through the host page. All routines: link in R3, KERNEL_LINK and
; KERNEL_CURSOR used, so background calls them with I = 1. Without a host page they
; write into unused memory.
        .include "kernel.inc"

        .global kernel_print_text, kernel_print_decimal, kernel_print_padded

        .section kernel_code,rom,code

; kernel_print_text: in R1 INT address of a text in .asciz format: a character a word,
; ended by a zero. R0-R2 lost. 23 cycles and 18 per character in external memory.
        .align  4
kernel_print_text:
        constant HOST_PUTC,r2
.character:
        move    [r1,a0],r0
        bz      r0,^.done
        move    r0,[r2,a0]
        add     r1,1,r1
        br      ^.character
.done:
        ldip    r3

; kernel_print_padded: like kernel_print_decimal, right-aligned with blanks.
; In: R1 INT, not negative; R2 INT width 1..10. R0-R2 lost.
        .align  4
kernel_print_padded:
        .word   INT:power_one + 1
        sub     r0,r2,r2        ; the power of ten of the leftmost place
.blank:
        .word   INT:power_one
        equal   r2,r0,r0
        bt      r0,^kernel_print_decimal
        move    [r2,a0],r0
        le      r0,r1,r0
        bt      r0,^kernel_print_decimal
        move    r3,[KERNEL_LINK,a0]
        constant HOST_PUTC,r3
        .word   INT:' '
        move    r0,[r3,a0]
        move    [KERNEL_LINK,a0],r3
        add     r2,1,r2
        br      ^.blank

; kernel_print_decimal: in R1 INT. R0-R2 lost. Counts how often each power of ten fits
; in -|R1|, which is an INT for any R1.
; 160 cycles, 14 per digit, 8 times the sum of the digits.
        .align  4
kernel_print_decimal:
        move    r3,[KERNEL_LINK,a0]
        lt      r1,0,r0
        bf      r0,^.positive
        constant HOST_PUTC,r2
        .word   INT:'-'
        move    r0,[r2,a0]
        br      ^.begin
.positive:
        neg     r1,r1
.begin:
        constant powers,r3

        ; skip the powers above the number, but not 1
.skip:
        move    [r3,a0],r2
        add     r1,r2,r0
        le      r0,0,r0
        bt      r0,^.digit
        equal   r2,1,r0
        bt      r0,^.digit
        add     r3,1,r3
        br      ^.skip

        ; here R1 = -(the rest), R2 = power, R3 = its place in the table
.digit:
        move    r3,[KERNEL_CURSOR,a0]
        .word   INT:'0'
.count:
        add     r1,r2,r1
        gt      r1,0,r3
        bt      r3,^.put
        add     r0,1,r0
        br      ^.count
.put:
        sub     r1,r2,r1
        move    r0,r2
        .word   INT:HOST_PUTC
        move    r2,[r0,a0]
        move    [KERNEL_CURSOR,a0],r3
        add     r3,1,r3
        move    [r3,a0],r2
        bnz     r2,^.digit
        move    [KERNEL_LINK,a0],r3
        ldip    r3

        .section kernel_constants,rom,data
powers:
        .word   INT:1000000000
        .word   INT:100000000
        .word   INT:10000000
        .word   INT:1000000
        .word   INT:100000
        .word   INT:10000
        .word   INT:1000
        .word   INT:100
        .word   INT:10
power_one:
        .word   INT:1
        .word   INT:0           ; ends the table

; Numbers through the kernel's printing routines; test_kernel.sh has the answers.
        .include "kernel.inc"
        .global main

        .macro  number value
        constant \value,r1
        invoke  kernel_print_decimal
        print   newline_text
        .endm
        .macro  padded value, width
        constant \value,r1
        move    \width,r2
        invoke  kernel_print_padded
        print   bar_text
        .endm

        .rom
main:
        .irp    value, 0, 7, -1, 10, -10, 100000, 999999999, 1000000000
        number  \value
        .endr
        .irp    value, 2147483647, -2147483647, -2147483648
        number  \value
        .endr
        padded  0,1
        padded  0,3
        padded  9,2
        padded  10,2
        padded  100,2
        padded  12345,10
        padded  2147483647,10
        print   newline_text
        goto    kernel_idle

        .ext
newline_text:
        .asciz  "\n"
bar_text:
        .asciz  "|"

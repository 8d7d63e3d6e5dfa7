; run: --mesh 1x1x1
; also: --mesh 3x2x2
; hello: node 0 prints a line through the host page and ends the run.
        .include "kernel.inc"
        .global main

; main: what the kernel calls on every node, in background. In: R3 link.
main:
        load    kernel_rank,r1
        bnz     r1,^.rest
        print   hello_text
        move    0,r1
        exit    r1
.rest:
        goto    kernel_idle

        .ext
hello_text:
        .asciz  "hello, world\n"

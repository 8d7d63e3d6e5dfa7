; A task fills its own queue with messages whose header says length 0: nobody can know
; where the next one begins, so the overflow handler must refuse them.
        .include "kernel.inc"
        .global main

        .text
main:
        readr   nnr,r1
        .msg    fill,1
        send2e  r1,r0,0
        goto    kernel_idle

fill:
        readr   nnr,r1
        .word   MSG:0           ; a header of length 0
.more:
        send2e  r1,r0,0
        br      ^.more

; The main of a program without its own: nothing to start; messages do all the work.
        .global main
        .section kernel_code,rom,code
; In: R3 link. 2 cycles.
main:
        ldip    r3

; The main of a program that has none: nothing to start, all is done by messages.
        .global main
        .section kernel_code,rom,code
; In: R3 link. 2 cycles.
main:
        ldip    r3

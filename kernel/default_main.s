; The main of a program that has none: there is nothing to start, messages do all.
        .global main
        .section kernel_code,rom,code
; In: R3 link. 2 cycles.
main:
        ldip    r3

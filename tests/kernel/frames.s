; Frames: distinct until freed, then reused last in, first out; the heap ends with a
; report. Status 1 or 2 if not; frames_many: how many to take in the end.
        .include "kernel.inc"
        .global main, frames_many

        .data
frames_many:
        .word   INT:10

        .text
main:
        invoke  kernel_new_frame
        move    r1,[PROGRAM_LOW,a0]
        invoke  kernel_new_frame
        move    r1,[PROGRAM_LOW + 1,a0]
        move    [PROGRAM_LOW,a0],r2
        sub     r1,r2,r2
        ge      r2,FRAME_WORDS,r0
        move    1,r2
        bf      r0,^.end
        invoke  kernel_free_frame
        move    [PROGRAM_LOW,a0],r1
        invoke  kernel_free_frame
        invoke  kernel_new_frame
        move    [PROGRAM_LOW,a0],r2
        equal   r1,r2,r0
        move    2,r2
        bf      r0,^.end
        invoke  kernel_new_frame
        move    [PROGRAM_LOW + 1,a0],r2
        equal   r1,r2,r0
        move    2,r2
        bf      r0,^.end
.many:
        load    frames_many,r1
        bz      r1,^.good
        sub     r1,1,r1
        move    r1,[r0,a0]
        invoke  kernel_new_frame
        br      ^.many
.good:
        move    0,r2
.end:
        exit    r2
        goto    kernel_idle

; fib by spawning: every task is two more on random nodes, and waits for both in one
; context, its arguments in its message all the while. Every node, or one, asks several
; times; at the end no task is left over.
        .include "test.inc"
        .extern future_suspended, future_resumed
        .global main, spawn_n, spawn_times, spawn_roots

;   fib:    | MSG fib,4 | INT n | INT node | INT slot |
        .data
spawn_n:
        .word   INT:9
spawn_times:
        .word   INT:2
spawn_roots:                    ; ranks below it ask
        .word   INT:1
expected:
        .word   INT:0
done:
        .word   INT:0
tasks:                          ; that ran here
        .word   INT:0

        .text
fib:
        increment tasks,r1
        .include "fib.inc"

main:
        context 1
        load    spawn_n,r3      ; the expected value, by adding
        move    0,r1
        move    1,r2
.add:
        add     r1,r2,r0
        move    r2,r1
        move    r0,r2
        sub     r3,1,r3
        bnz     r3,^.add
        store   r1,expected

        load    kernel_rank,r1
        load    spawn_roots,r2
        lt      r1,r2,r0
        bt      r0,^.ask
        goto    main.end
.ask:
        arm     1
        move    r1,r3
        mask    r0
        to_self fib,4
        load    spawn_n,r2
        send2   r2,r1,0
        sende   r3,0
        mask    r0
        move    [1,a1],r1
        load    expected,r2
        equals  r1,r2,1
        increment done,r1
        load    spawn_times,r2
        equal   r1,r2,r0
        bf      r0,^.ask

.end:   ; the task that answers last has its own end still to come: a message behind it
        move    0,r3
        join    r3,reduce_add
        settled 2
        load    tasks,r1
        gt      r1,0,r0
        move    0,r3
        bf      r0,^.unused
        move    1,r3
.unused:
        join    r3,reduce_add
        lsh     r1,1,r1         ; more than half of the nodes had something to do
        load    kernel_nodes,r2
        gt      r1,r2,r0
        so      r0,3
        vote    0

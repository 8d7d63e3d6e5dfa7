; run: --mesh 4x4x4 --set radix_keys=1000
; also: --mesh 1x1x1 --set radix_keys=150
; also: --mesh 3x5x1 --queue 64 --set radix_keys=500 --set input_seed=7
; radix: sorts radix_keys keys of 28 bits, four bits per pass, lowest first. In a pass
; each node counts its keys by their digit; sums over the nodes show where the first key
; of each digit goes; then every key goes there in a message of its own.
        .include "../lib/app.inc"
        .global main, radix_keys, radix_sum, radix_weighted

;   key:      | MSG key,3 (U) | INT address | INT key |      to the key's next place
        .equ    DIGITS, 16
        .equ    DIGIT_BITS, 4
        .equ    KEY_BITS, 28

; A2 = the words of this node, in all contexts; in background A1 = `table`.
        .data
radix_data:
        .word   INT:0           ; minus the number of bits below the digit
        .equ    SHIFT, 0
        .word   INT:0           ; keys to come, + 1 while this node sends
        .equ    TO_COME, 1
        .word   INT:0           ; share_block and share_reciprocal
        .equ    BLOCK, 2
        .word   INT:0
        .equ    RECIPROCAL, 3
        .word   INT:0           ; number of this node's places
        .equ    COUNT, 4
        .word   INT:0           ; keys of this pass, and of the next
        .equ    FROM, 5
        .word   INT:0
        .equ    TO, 6
        .word   INT:0           ; address of the current key, end of the keys
        .equ    AT, 7
        .word   INT:0
        .equ    END, 8
        .word   INT:rank_nodes
        .equ    NODES, 9
        .word   INT:0           ; checks: the previous key, and the number of keys that
        .equ    LAST, 10        ; are less than the previous one
        .word   INT:0
        .equ    WRONG, 11
        .word   INT:0
        .equ    SUM, 12
        .word   INT:0
        .equ    WEIGHTED, 13
        .equ    RADIX_WORDS, 14
table:                          ; by digit: keys of this node, later the place of the
        .space  DIGITS, INT:0   ; next key
radix_keys:
        .word   INT:4096
radix_sum:                      ; results, on node 0: sum of all keys,
        .word   INT:0
radix_weighted:                 ; sum of each key times its place, from 1 on; both
        .word   INT:0           ; modulo 2^32

        .section radix_memory,external,fill
        .equ    LARGEST, 65536
keys0:  .space  LARGEST
keys1:  .space  LARGEST

        .text

; count: begins a pass: counts the keys by digit and joins the sums. In background,
; which counts and sends; tasks run in between.
        .align  4
count:
        move    0,r1
        constant DIGITS - 1,r2
.clear:
        move    r1,[r2,a1]
        sub     r2,1,r2
        lt      r2,0,r0
        bf      r0,^.clear
        move    [COUNT,a2],r1
        add     r1,1,r2
        move    r2,[TO_COME,a2]
        move    [FROM,a2],r3
        add     r1,r3,r1
        move    r1,[END,a2]
.key:
        equal   r3,[END,a2],r0
        bt      r0,^.counted
        move    [r3,a0],r1
        lsh     r1,[SHIFT,a2],r1
        and     r1,DIGITS - 1,r1
        increment [r1,a1],r2
        add     r3,1,r3
        br      ^.key
.counted:
        mask    r0
        readr   nnr,r1
        .msg    scan_join,DIGITS + 2,U
        send2   r1,r0,0
        move    0,r1
        constant DIGITS,r2
.digit:
        send    [r1,a1],0
        add     r1,1,r1
        equal   r1,r2,r0
        bf      r0,^.digit
        .ip     places,U
        sende   r0,0
        goto_u  kernel_idle

; places: finds where the first key of each digit goes: behind keys of lower digits and
; those of the same digit on lower ranks.
        .align  4
places:
        segment table,DIGITS,a1
        move    0,r1
        move    0,r3            ; all keys of lower digits
.digit:
        add     r1,r1,r2
        add     r2,2,r2
        add     r3,[r2,a3],r0
        move    r0,[r1,a1]
        sub     r2,1,r2
        add     r3,[r2,a3],r3
        add     r1,1,r1
        .word   INT:DIGITS
        equal   r1,r0,r0
        bf      r0,^.digit
        wake    spread
        suspend

; spread: sends every key to its place. In background.
        .align  4
spread:
        move    [FROM,a2],r3
        br      ^.next
.key:
        mask    r0
        move    [r3,a0],r1
        add     r3,1,r3
        move    r3,[AT,a2]
        lsh     r1,[SHIFT,a2],r2
        and     r2,DIGITS - 1,r2
        move    [r2,a1],r3      ; its place
        add     r3,1,r0
        move    r0,[r2,a1]
        add     r3,r3,r0
        add     r0,1,r0
        mulh    r0,[RECIPROCAL,a2],r0 ; the rank
        mul     r0,[BLOCK,a2],r2
        sub     r3,r2,r3
        add     r3,[TO,a2],r3
        add     r0,[NODES,a2],r0
        move    [r0,a0],r2
        .msg    key,3,U
        send2   r2,r0,0
        send2e  r3,r1,0
        move    [AT,a2],r3
.next:
        equal   r3,[END,a2],r0
        bf      r0,^.key
        mask    r0
        decrement [TO_COME,a2],r1
        bz      r1,^next_pass
        goto_u  kernel_idle

; key: stores a key in its place. After the last key and `spread` background continues.
        .align  4
key:
        move    [1,a3],r1
        move    [2,a3],r2
        move    r2,[r1,a0]
        mask    r0
        decrement [TO_COME,a2],r1
        unmask  r0
        bz      r1,^.last
        suspend
.last:
        wake    next_pass
        suspend

; next_pass: swaps FROM and TO.
        .align  4
next_pass:
        unmask  r0
        move    [FROM,a2],r1
        move    [TO,a2],r2
        move    r2,[FROM,a2]
        move    r1,[TO,a2]
        move    [SHIFT,a2],r1
        sub     r1,DIGIT_BITS,r1
        move    r1,[SHIFT,a2]
        .word   INT:-KEY_BITS
        equal   r1,r0,r0
        bt      r0,^.sorted
        goto_u  count
.sorted:
        phase   check,1,r1
        goto_u  kernel_idle

        .section radix_code,rom,code

; main: makes this node's keys. Background, I = 1.
        .align  4
main:
        service app_start
        load    radix_keys,r1
        within  r1,1,LARGEST,.bad
        load    kernel_rank,r2
        service app_share
        segment table,DIGITS,a1
        segment radix_data,RADIX_WORDS,a2
        writer  r0,a2'b
        writer  r0,a2'bp
        load    share_block,r1
        move    r1,[BLOCK,a2]
        load    share_reciprocal,r1
        move    r1,[RECIPROCAL,a2]
        load    share_first,r1
        move    r1,[AT,a2]
        load    share_count,r3
        move    r3,[COUNT,a2]
        constant keys0,r1
        move    r1,[TO,a2]
        move    r1,[FROM,a2]
.key:
        bz      r3,^.made
        move    r3,[END,a2]
        move    [AT,a2],r1
        add     r1,1,r2
        move    r2,[AT,a2]
        service input_word
        lsh     r1,-DIGIT_BITS,r1 ; 28 of 32 bits
        move    [TO,a2],r2
        move    r1,[r2,a0]
        add     r2,1,r2
        move    r2,[TO,a2]
        move    [END,a2],r3
        sub     r3,1,r3
        br      ^.key
.made:
        constant keys1,r1
        move    r1,[TO,a2]
        phase   begin,1,r1
        goto    kernel_idle
.bad:
        refuse  bad_text

; begin: all nodes have made their keys.
        .align  4
begin:
        load    kernel_rank,r1
        bnz     r1,^.count
        timed_begin
.count:
        wake    count
        suspend

; check: all keys are sorted.
        .align  4
check:
        load    kernel_rank,r1
        bnz     r1,^.verify
        timed_end
.verify:
        mask    r0
        wake    verify
        suspend

; verify: compares this node's keys, and its last one with the next rank's first, if
; that rank has keys. In background, I = 1.
        .align  4
verify:
        move    [COUNT,a2],r1
        bz      r1,^.all
        move    [FROM,a2],r3
        add     r3,r1,r1
        move    r1,[END,a2]
        load    share_first,r1
        move    r1,[AT,a2]
        move    0,r1
        move    r1,[LAST,a2]
.key:
        move    [r3,a0],r1
        lt      r1,[LAST,a2],r0
        bf      r0,^.ordered
        increment [WRONG,a2],r2
.ordered:
        move    r1,[LAST,a2]
        move    [SUM,a2],r2
        add     r2,r1,r2
        move    r2,[SUM,a2]
        increment [AT,a2],r2
        mul     r1,r2,r1
        add     r1,[WEIGHTED,a2],r1
        move    r1,[WEIGHTED,a2]
        add     r3,1,r3
        equal   r3,[END,a2],r0
        bf      r0,^.key
        load    share_items,r1
        equal   r1,[AT,a2],r0
        bt      r0,^.all
        move    1,r1
        invoke_u context_new
        move    r1,a1
        reference a1,CONTEXT_SLOTS,r3
        load    kernel_rank,r1
        .word   INT:rank_nodes + 1
        add     r1,r0,r1
        move    [r1,a0],r1
        .msg    remote_read,4,U
        send2   r1,r0,0
        readr   nnr,r1
        send2   [FROM,a2],r1,0
        sende   r3,0
        mask    r0
        await   [CONTEXT_SLOTS,a1],r1
        lt      r1,[LAST,a2],r0
        bf      r0,^.all
        increment [WRONG,a2],r1
.all:
        mask    r0
        readr   nnr,r1
        .msg    scan_join,5,U
        send2   r1,r0,0
        send    [SUM,a2],0
        send    [WEIGHTED,a2],0
        send    [WRONG,a2],0
        .ip     report,U
        sende   r0,0
        goto_u  kernel_idle

; report: [1,a3], [3,a3] = sums, [5,a3] = keys that are less than the previous one.
        .align  4
report:
        on_node0
        result  [1,a3],radix_sum
        result  [3,a3],radix_weighted
        say_word radix_keys,keys_text
        move    [5,a3],r1
        say_number
        say     wrong_text
        move    [5,a3],r1
        goto_u  app_end

        .ext
keys_text:
        .asciz  " keys sorted, "
wrong_text:
        .asciz  " out of order, "
bad_text:
        .asciz  "radix: radix_keys is 1 to 65536\n"

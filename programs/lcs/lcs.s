; run: --mesh 4x4x4 --set lcs_n=150 --set lcs_m=200
; also: --mesh 1x1x1 --set lcs_n=20 --set lcs_m=30
; also: --mesh 3x5x1 --queue 64 --set lcs_n=60 --set lcs_m=60 --set input_seed=7
; lcs: the longest common subsequence of two strings. The table has a column for each of
; the lcs_n letters of the first string, in blocks over the nodes; the lcs_m letters of
; the second string travel through the blocks, each with the border of its row.
        .include "../lib/app.inc"
        .global main, lcs_n, lcs_m, lcs_length

;   letter:   | MSG letter,4 (U) | INT row | INT letter | INT border |
; Border: the row's entry in the last column of the preceding block.
        .equ    ROW, 1
        .equ    LETTER, 2
        .equ    BORDER, 3
        .equ    LETTERS, 16     ; size of the alphabet, a power of two
        .equ    SECOND, 65536   ; first word of the input for the second string

; A2 = the words of this node, at both priorities.
        .data
lcs_data:
        .word   INT:0           ; the next row
        .equ    EXPECTED, 0
        .word   INT:0           ; border of the row before
        .equ    DIAGONAL, 1
        .word   INT:0           ; words of the strip: two for each column
        .equ    LENGTH, 2
        .word   NIL             ; ADDR of the strip
        .equ    STRIP, 3
        .word   NIL             ; node of the next block; NIL: this is the last
        .equ    AFTER, 4
        .word   INT:0           ; letters put aside
        .equ    ASIDE, 5
        .word   INT:0           ; letters sent by the first node
        .equ    FED, 6
        .word   INT:0           ; coordinates
        .equ    X, 7
        .word   INT:0
        .equ    Y, 8
        .word   INT:0
        .equ    Z, 9
        .word   INT:0           ; rows of nodes before this one
        .equ    LINE, 10
        .word   INT:0           ; this node's address
        .equ    SELF, 11
        .equ    LCS_WORDS, 12
lcs_n:                          ; letters of the first string
        .word   INT:512
lcs_m:                          ; letters of the second string
        .word   INT:512
lcs_length:                     ; the result, on node 0
        .word   INT:0

; The strip of the table between two rows, last column first: for column j of b the
; row's entry in word 2 (b - j) - 1, the letter behind it. Long strips are outside.
        .equ    ONCHIP, 512
strip_onchip:
        .space  ONCHIP + 1, INT:0

        .section lcs_memory,external,fill
        .equ    LARGEST, 65536
strip_external:
        .space  2 * LARGEST + 1
aside_letters:                  ; by row: NIL or a letter that came before its turn
        .space  LARGEST
aside_borders:
        .space  LARGEST
second: .space  LARGEST         ; the second string, on the first node

        .text

; letter: a row through this block. R1 = place in the strip, R2 = the entry to the left,
; R3 = the one above that.
        .align  4
letter:
        mask    r0
        move    [ROW,a3],r1
        equal   r1,[EXPECTED,a2],r0
        bf      r0,^aside
        add     r1,1,r1
        move    r1,[EXPECTED,a2]
        move    [STRIP,a2],r0
        move    r0,a1
        move    [LENGTH,a2],r1
        move    [DIAGONAL,a2],r3
        move    [BORDER,a3],r2
        move    r2,[DIAGONAL,a2]
.column:
        move    [r1,a1],r0
        sub     r1,1,r1
        equal   r0,[LETTER,a3],r0
        bt      r0,^.match
        move    [r1,a1],r3
        lt      r2,r3,r0
        bf      r0,^.entry
        move    r3,r2
.entry:
        move    r2,[r1,a1]
        sub     r1,1,r1
        bnz     r1,^.column
.row:
        move    [AFTER,a2],r3
        bnil    r3,^last
        .msg    letter,4,U
        send2   r3,r0,0
        move    [LETTER,a3],r3
        send2   [ROW,a3],r3,0
        sende   r2,0
.sent:
        move    [ASIDE,a2],r0
        bnz     r0,^more
        suspend
.match:
        add     r3,1,r2
        move    [r1,a1],r3
        move    r2,[r1,a1]
        sub     r1,1,r1
        bnz     r1,^.column
        br      ^.row

; more: if the next row has been put aside, this node sends it to itself.
more:
        mask    r0
        move    [EXPECTED,a2],r1
        .word   INT:aside_letters
        add     r1,r0,r3
        move    [r3,a0],r2
        bnil    r2,^.rest
        move    nil,r0
        move    r0,[r3,a0]
        decrement [ASIDE,a2],r0
        .word   INT:aside_borders
        add     r1,r0,r3
        move    [r3,a0],r3
        readr   nnr,r0
        send    r0,0
        .msg    letter,4,U
        send2   r0,r1,0
        send2e  r2,r3,0
        suspend
.rest:
        unmask  r0
        suspend

; aside: a letter that has overtaken the one before it.
aside:
        .word   INT:aside_letters
        add     r1,r0,r3
        move    [LETTER,a3],r2
        move    r2,[r3,a0]
        .word   INT:aside_borders
        add     r1,r0,r3
        move    [BORDER,a3],r2
        move    r2,[r3,a0]
        increment [ASIDE,a2],r1
        unmask  r0
        suspend

; last: the last block; after the last row R2 is the length.
last:
        unmask  r0
        load    lcs_m,r1
        equal   r1,[EXPECTED,a2],r0
        bf      r0,^letter.sent
        phase   done,1,r2
        suspend

; feed: sends the second string to the first block, letter by letter. In that node's
; background, so it sends when there is nothing else to do.
        .align  4
feed:
        mask    r0
        readr   nnr,r0
        send    r0,0
        move    [FED,a2],r1
        .word   INT:second
        add     r1,r0,r2
        move    [r2,a0],r2
        move    0,r3
        .msg    letter,4,U
        send2   r0,r1,0
        send2e  r2,r3,0
        add     r1,1,r1
        move    r1,[FED,a2]
        load    lcs_m,r2
        equal   r1,r2,r0
        bf      r0,^feed
        goto_u  kernel_idle

        .section lcs_code,rom,code

; main: finds this node's place and makes its letters. Background, I = 1.
        .align  4
main:
        service app_start
        load    lcs_n,r1
        within  r1,1,LARGEST,.bad
        load    lcs_m,r1
        within  r1,1,LARGEST,.bad
        segment lcs_data,LCS_WORDS,a2
        writer  r0,a2'b
        writer  r0,a2'bp
        service snake
        move    r1,[AFTER,a2]
        load    lcs_n,r1
        service app_share
        segment lcs_data,LCS_WORDS,a2
        load    share_count,r1
        lsh     r1,1,r1
        move    r1,[LENGTH,a2]
        .addr   strip_onchip,0
        move    r0,r2
        .word   INT:ONCHIP
        gt      r1,r0,r0
        bf      r0,^.strip
        .addr   strip_external,0
        move    r0,r2
.strip:
        move    r2,[STRIP,a2]
        move    r2,a1

        ; there is no next block after the last letter
        load    share_first,r2
        load    share_block,r3
        add     r2,r3,r2
        load    lcs_n,r3
        lt      r2,r3,r0
        bt      r0,^.letter
        move    nil,r2
        move    r2,[AFTER,a2]
.letter:                        ; R1 = place in the strip, X = the letter's number
        load    share_first,r2
        move    r2,[X,a2]
.next:
        bz      r1,^.made
        move    r1,[Y,a2]
        move    [X,a2],r1
        service input_word
        and     r1,LETTERS - 1,r2
        increment [X,a2],r1
        move    [Y,a2],r1
        move    r2,[r1,a1]
        sub     r1,1,r1
        move    0,r2
        move    r2,[r1,a1]
        sub     r1,1,r1
        br      ^.next
.bad:
        refuse  bad_text

.made:
        load    kernel_rank,r1
        bnz     r1,^.ready
        move    0,r1
.second:
        move    r1,[X,a2]
        .word   INT:SECOND
        add     r1,r0,r1
        service input_word
        and     r1,LETTERS - 1,r2
        move    [X,a2],r1
        .word   INT:second
        add     r1,r0,r3
        move    r2,[r3,a0]
        add     r1,1,r1
        load    lcs_m,r2
        equal   r1,r2,r0
        bf      r0,^.second
.ready:
        phase   begin,1,r1
        goto    kernel_idle

        .include "../lib/line.inc"

; begin: all nodes but the last join the final sum now. The first letter starts.
        .align  4
begin:
        load    kernel_rank,r1
        bnz     r1,^.others
        timed_begin
.others:
        move    [LENGTH,a2],r1
        bz      r1,^.wait
        move    [AFTER,a2],r1
        bnil    r1,^.first
.wait:
        move    0,r2
        phase   done,1,r2
.first:
        load    kernel_rank,r1
        bnz     r1,^.rest
        wake    feed
.rest:
        suspend

; done: [1,a3] = the length.
        .align  4
done:
        load    kernel_rank,r1
        bnz     r1,^.others
        timed_end
        move    [1,a3],r1
        store   r1,lcs_length
.others:
        move    [EXPECTED,a2],r2
        move    [LENGTH,a2],r3
        bz      r3,^.count
        load    lcs_m,r3
.count:
        phase   report,2,r2,r3
        suspend

; report: [1,a3] = rows done by all blocks, [3,a3] = rows due.
        .align  4
report:
        on_node0
        say_word lcs_n,and_text
        say_word lcs_m,letters_text
        say_word lcs_length,length_text
        move    [1,a3],r1
        sub     r1,[3,a3],r1
        goto_u  app_end

        .ext
and_text:
        .asciz  " and "
letters_text:
        .asciz  " letters, "
length_text:
        .asciz  " in common, "
bad_text:
        .asciz  "lcs: lcs_n and lcs_m are 1 to 65536\n"

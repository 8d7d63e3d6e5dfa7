; run: --mesh 4x4x4 --set fft_points=1024
; also: --mesh 1x1x1 --set fft_points=4
; also: --mesh 3x5x1 --queue 64 --set fft_points=256 --set input_seed=7
; fft: the discrete Fourier transform of fft_points complex numbers, divided by their
; number, in fixed point. The points are a square matrix. Each node transforms rows of
; it; between the two halves, and at the end, the matrix is transposed.
        .include "../lib/app.inc"
        .global main, fft_points, fft_sum, fft_weighted

;   element1, element2:  | MSG element,4 (U) | INT address | INT re | INT im |
; Sent to the element's place, between the halves and at the end.
        .equ    UNIT, 1 << 30   ; 1 in the roots of unity

; A2 = the words of this node, in all contexts. In background A1 = `row`, A3 = the part
; of `row` from the butterflies' second elements on. An element takes two words.
        .macro  field name
        .equ    \name, . - fft_data
        .word   INT:0
        .endm
        .data
fft_data:
        field   W_RE            ; root of a butterfly
        field   W_IM
        field   HOLD
        field   STEP            ; words from a butterfly to the next
        field   SIZE            ; words of a row
        field   SCALE           ; words in `roots` from a butterfly's root to the next
        field   GAP             ; words from a butterfly's first to its second element
        field   RECIPROCAL      ; share_reciprocal, to find a rank
        field   BLOCK
        field   TO              ; where an element of row 0 goes
        field   MASK            ; elements of a row, less one
        field   START           ; the element that is sent first
        field   T_RE            ; a root, T, and B, the factor to the next one
        field   T_IM
        field   B_RE
        field   B_IM
        field   HEADER          ; header of the messages of this half
        field   COUNT           ; rows of this node
        field   ROW             ; current row
        field   K               ; current element
        field   FROM            ; address of the next row
        field   LEFT1           ; elements to come, + 1 while this node sends
        field   LEFT2
        field   SUM             ; sums over the results
        field   WEIGHTED
        field   FIRST_RE        ; real part of the first of all points
        .equ    FFT_WORDS, . - fft_data
fft_points:                     ; points, a power of four
        .word   INT:4096
fft_sum:                        ; results, on node 0: sum of all real parts;
        .word   INT:0
fft_weighted:                   ; sum of result word i times i + 1; both modulo 2^32
        .word   INT:0

        .equ    LARGEST, 256    ; elements of a row
row:    .space  2 * LARGEST
roots:                          ; roots of unity of a row's order, the first half
        .space  LARGEST

        .section fft_memory,external,fill
matrix0:                        ; this node's rows: first the points, then the results
        .space  2 * LARGEST * LARGEST
matrix1:                        ; rows of this node between the halves
        .space  2 * LARGEST * LARGEST
places:                         ; by element of a row: its place in bit-reversed order
        .space  LARGEST
row_roots:                      ; by row of this node: the root that turns its elements
        .space  2 * LARGEST

        .text

; turn: T <- T B, both roots of unity. R0, R2, R3 lost.
        .macro  turn
        move    [T_RE,a2],r0
        mulh    r0,[B_RE,a2],r3
        mulh    r0,[B_IM,a2],r2
        move    [T_IM,a2],r0
        mulh    r0,[B_RE,a2],r0
        add     r2,r0,r2
        move    [T_IM,a2],r0
        mulh    r0,[B_IM,a2],r0
        sub     r3,r0,r3
        lsh     r3,2,r3
        move    r3,[T_RE,a2]
        lsh     r2,2,r2
        move    r2,[T_IM,a2]
        .endm

; half1: transforms rows of points. In background, like all that follows but `element`.
        .align  4
half1:
        .msg    element1,4,U
        move    r0,[HEADER,a2]
        constant matrix1,r1
        move    r1,[TO,a2]
        constant matrix0,r1
        move    r1,[FROM,a2]
        move    0,r1
        move    r1,[ROW,a2]
.row:
        move    [ROW,a2],r1
        move    [COUNT,a2],r2
        equal   r1,r2,r0
        bt      r0,^.sent
        invoke_u transform
        invoke_u twist
        invoke_u spread
        br      ^.row
.sent:
        mask    r0
        decrement [LEFT1,a2],r1
        bz      r1,^half2
        goto_u  kernel_idle

; half2: the transposed rows. Results of other nodes' second halves may be here already.
        .align  4
half2:
        unmask  r0
        .msg    element2,4,U
        move    r0,[HEADER,a2]
        constant matrix0,r1
        move    r1,[TO,a2]
        constant matrix1,r1
        move    r1,[FROM,a2]
        move    0,r1
        move    r1,[ROW,a2]
.row:
        move    [ROW,a2],r1
        move    [COUNT,a2],r2
        equal   r1,r2,r0
        bt      r0,^.sent
        invoke_u transform
        invoke_u spread
        br      ^.row
.sent:
        mask    r0
        decrement [LEFT2,a2],r1
        bz      r1,^.done
        goto_u  kernel_idle
.done:
        goto_u  done

; element handler, left, next: puts an element in its place; after the last one, and
; when the node has sent its own, the background continues at `next`.
        .macro  element handler, left, next
        .align  4
\handler:
        move    [1,a3],r1
        move    [2,a3],r2
        move    r2,[r1,a0]
        add     r1,1,r1
        move    [3,a3],r2
        move    r2,[r1,a0]
        mask    r0
        move    [\left,a2],r1
        sub     r1,1,r1
        move    r1,[\left,a2]
        unmask  r0
        bz      r1,^.last\@
        suspend
.last\@:
        wake    \next
        suspend
        .endm
        element element1, LEFT1, half2
        element element2, LEFT2, done

; transform: copies the row at FROM to `row` and transforms it there, divided by its
; number of elements. In: R3 link. R0-R3, A3 lost; A1 = row, FROM = the next row.
        .align  4
transform:
        move    r3,[HOLD,a2]
        move    [FROM,a2],r2
        .word   INT:places
        move    r0,r3
        move    [MASK,a2],r1
        add     r1,r0,r1
        move    r1,[K,a2]
.load:
        move    [r3,a0],r1
        move    [r2,a0],r0
        move    r0,[r1,a1]
        add     r2,1,r2
        add     r1,1,r1
        move    [r2,a0],r0
        move    r0,[r1,a1]
        add     r2,1,r2
        move    [K,a2],r0
        equal   r3,r0,r0
        add     r3,1,r3
        bf      r0,^.load
        move    r2,[FROM,a2]
        move    [HOLD,a2],r3
        move    r3,[K,a2]       ; the return address
        move    [MASK,a2],r1
        add     r1,1,r1
        move    r1,[SCALE,a2]
        move    2,r1
.stage:
        move    r1,[GAP,a2]
        lsh     r1,10,r2
        .addr   row,0
        add     r0,r2,r0
        move    r0,a3
        lsh     r1,1,r1
        move    r1,[STEP,a2]
        move    [SCALE,a2],r1
        lsh     r1,-1,r1
        move    r1,[SCALE,a2]
        move    0,r1
.root:                          ; R1 = its first butterfly
        move    r1,[START,a2]
        mul     r1,[SCALE,a2],r2
        .word   INT:roots
        add     r2,r0,r2
        move    [r2,a0],r0
        move    r0,[W_RE,a2]
        add     r2,1,r2
        move    [r2,a0],r0
        move    r0,[W_IM,a2]

        ; a, b <- (a + w b) / 2, (a - w b) / 2
.butterfly:
        move    [r1,a3],r2
        mulh    r2,[W_RE,a2],r3
        mulh    r2,[W_IM,a2],r2
        move    r2,[HOLD,a2]
        add     r1,1,r1
        move    [r1,a3],r0
        mulh    r0,[W_IM,a2],r2
        sub     r3,r2,r3
        mulh    r0,[W_RE,a2],r2
        add     r2,[HOLD,a2],r2
        add     r2,r2,r2        ; w b / 2
        add     r3,r3,r3
        move    [r1,a1],r0
        ash     r0,-1,r0
        sub     r0,r2,r0
        move    r0,[r1,a3]
        add     r2,r2,r2
        add     r0,r2,r0
        move    r0,[r1,a1]
        sub     r1,1,r1
        move    [r1,a1],r0
        ash     r0,-1,r0
        sub     r0,r3,r0
        move    r0,[r1,a3]
        add     r3,r3,r3
        add     r0,r3,r0
        move    r0,[r1,a1]
        add     r1,[STEP,a2],r1
        lt      r1,[SIZE,a2],r0
        bt      r0,^.butterfly
        move    [START,a2],r1
        add     r1,2,r1
        lt      r1,[GAP,a2],r0
        bt      r0,^.root
        move    [STEP,a2],r1
        lt      r1,[SIZE,a2],r0
        bt      r0,^.stage
        move    [K,a2],r3
        ldip    r3

; twist: multiplies element k of a row by the row's root to the power of k. In: R3 link.
; R0-R3 lost.
        .align  4
twist:
        move    r3,[K,a2]
        move    [ROW,a2],r1
        lsh     r1,1,r1
        .word   INT:row_roots
        add     r1,r0,r1
        move    [r1,a0],r2
        move    r2,[B_RE,a2]
        add     r1,1,r1
        move    [r1,a0],r2
        move    r2,[B_IM,a2]
        constant UNIT,r1
        move    r1,[T_RE,a2]
        move    0,r1
        move    r1,[T_IM,a2]
.element:
        move    [r1,a1],r2
        mulh    r2,[T_RE,a2],r3
        mulh    r2,[T_IM,a2],r2
        move    r2,[HOLD,a2]
        add     r1,1,r1
        move    [r1,a1],r0
        mulh    r0,[T_IM,a2],r2
        sub     r3,r2,r3
        mulh    r0,[T_RE,a2],r0
        add     r0,[HOLD,a2],r0
        lsh     r0,2,r0
        move    r0,[r1,a1]
        sub     r1,1,r1
        lsh     r3,2,r3
        move    r3,[r1,a1]
        add     r1,2,r1
        turn
        lt      r1,[SIZE,a2],r0
        bt      r0,^.element
        move    [K,a2],r3
        ldip    r3

; spread: sends element k of the row to row k, beginning with this row's number, so that
; not all nodes send to the same one. In: R3 link. R0-R3 lost.
        .align  4
spread:
        move    r3,[HOLD,a2]
        load    share_first,r1
        move    [ROW,a2],r2
        add     r1,r2,r1        ; the row is a column there
        add     r2,1,r2
        move    r2,[ROW,a2]
        move    r1,[K,a2]
        move    r1,[START,a2]
        lsh     r1,1,r1
        add     r1,[TO,a2],r1
        move    r1,[TO,a2]
.element:
        mask    r0
        move    [K,a2],r3
        add     r3,r3,r1
        add     r1,1,r1
        mulh    r1,[RECIPROCAL,a2],r1 ; the rank
        mul     r1,[BLOCK,a2],r2
        sub     r3,r2,r2
        mul     r2,[SIZE,a2],r2
        add     r2,[TO,a2],r2
        .word   INT:rank_nodes
        add     r1,r0,r1
        move    [r1,a0],r1
        move    [HEADER,a2],r0
        send2   r1,r0,0
        send    r2,0
        add     r3,r3,r1
        move    [r1,a1],r2
        add     r1,1,r1
        move    [r1,a1],r0
        send2e  r2,r0,0
        add     r3,1,r3
        and     r3,[MASK,a2],r3
        move    r3,[K,a2]
        equal   r3,[START,a2],r0
        bf      r0,^.element
        lsh     r3,1,r3
        move    [TO,a2],r1
        sub     r1,r3,r1
        move    r1,[TO,a2]
        move    [HOLD,a2],r3
        ldip    r3

        .section fft_code,rom,code

; main: makes roots of unity and this node's rows. Background, I = 1.
        .align  4
main:
        service app_start

        ; fft_points = 4^h, 1 <= h <= 8
        load    fft_points,r1
        move    1,r2
        move    0,r3
.power:
        add     r3,1,r3
        lsh     r2,2,r2
        equal   r1,r2,r0
        bt      r0,^.good
        equal   r3,8,r0
        bf      r0,^.power
        refuse  bad_text
.good:
        segment fft_data,FFT_WORDS,a2
        writer  r0,a2'b
        writer  r0,a2'bp
        move    r3,[HOLD,a2]
        move    1,r1
        lsh     r1,r3,r1
        move    r1,[SIZE,a2]
        load    kernel_rank,r2
        service app_share
        segment row,0,a1
        segment fft_data,FFT_WORDS,a2
        goto_u  prepare

; prepare: the rest of main, unchecked.
        .align  4
prepare:
        load    share_reciprocal,r1
        move    r1,[RECIPROCAL,a2]
        load    share_block,r1
        move    r1,[BLOCK,a2]
        load    share_count,r2
        move    r2,[COUNT,a2]
        move    [SIZE,a2],r1
        mul     r1,r2,r2
        add     r2,1,r2
        move    r2,[LEFT1,a2]
        move    r2,[LEFT2,a2]
        sub     r1,1,r2
        move    r2,[MASK,a2]

        ; places[i] = places[i / 2] / 2, and half a row more if i is odd
        move    0,r1
        store   r1,places
.place:
        move    [MASK,a2],r0
        equal   r1,r0,r0
        bt      r0,^.placed
        add     r1,1,r1
        lsh     r1,-1,r2
        .word   INT:places
        add     r2,r0,r2
        move    [r2,a0],r2
        lsh     r2,-2,r2
        lsh     r2,1,r2
        and     r1,1,r3
        mul     r3,[SIZE,a2],r3
        add     r2,r3,r2
        add     r1,r0,r3
        move    r2,[r3,a0]
        br      ^.place
.placed:
        move    [SIZE,a2],r1
        lsh     r1,1,r1
        move    r1,[SIZE,a2]

        ; the roots for a row, then those for this node's rows
        move    [HOLD,a2],r1
        invoke_u root
        move    0,r1
.root:
        .word   INT:roots
        add     r1,r0,r2
        move    [T_RE,a2],r3
        move    r3,[r2,a0]
        add     r2,1,r2
        move    [T_IM,a2],r3
        move    r3,[r2,a0]
        turn
        add     r1,2,r1
        move    [MASK,a2],r0
        gt      r1,r0,r0
        bf      r0,^.root
        move    [HOLD,a2],r1
        lsh     r1,1,r1
        invoke_u root
        load    share_first,r1
        neg     r1,r1           ; row, from this node's first on
.row:
        move    [COUNT,a2],r0
        lt      r1,r0,r0
        bf      r0,^.rows
        lt      r1,0,r0
        bt      r0,^.turn
        .word   INT:row_roots
        add     r1,r1,r2
        add     r2,r0,r2
        move    [T_RE,a2],r3
        move    r3,[r2,a0]
        add     r2,1,r2
        move    [T_IM,a2],r3
        move    r3,[r2,a0]
.turn:
        turn
        add     r1,1,r1
        br      ^.row

        ; the points: element i of row j is point i * elements + j
.rows:
        constant matrix0,r1
        move    r1,[FROM,a2]
        move    0,r1
        move    r1,[ROW,a2]
.points:
        move    [ROW,a2],r1
        move    [COUNT,a2],r2
        equal   r1,r2,r0
        bt      r0,^.made
        .word   INT:share_first
        add     r1,[r0,a0],r1
        lsh     r1,1,r1
        move    r1,[K,a2]       ; number of the input word
        move    [MASK,a2],r3
.point:
        move    r3,[START,a2]
        invoke_u point_word
        increment [K,a2],r1
        invoke_u point_word
        move    [K,a2],r1
        add     r1,[SIZE,a2],r1
        sub     r1,1,r1
        move    r1,[K,a2]
        move    [START,a2],r3
        sub     r3,1,r3
        lt      r3,0,r0
        bf      r0,^.point
        increment [ROW,a2],r1
        br      ^.points
.made:
        load    matrix0,r1
        move    r1,[FIRST_RE,a2]
        phase   begin,1,r1
        goto_u  kernel_idle

; point_word: stores input word K, divided by four, at FROM. In: R3 link. R0-R2 lost.
        .align  4
point_word:
        move    r3,[HOLD,a2]
        move    [K,a2],r1
        invoke_u input_word
        ash     r1,-2,r1
        move    [FROM,a2],r2
        move    r1,[r2,a0]
        add     r2,1,r2
        move    r2,[FROM,a2]
        move    [HOLD,a2],r3
        ldip    r3

; root: B <- the first root of unity of order 2^R1, T <- 1. In: R3 link. R0-R2 lost.
        .align  4
root:
        lsh     r1,1,r1
        .word   INT:first_roots
        add     r1,r0,r1
        move    [r1,a0],r2
        move    r2,[B_RE,a2]
        add     r1,1,r1
        move    [r1,a0],r2
        move    r2,[B_IM,a2]
        constant UNIT,r2
        move    r2,[T_RE,a2]
        move    0,r2
        move    r2,[T_IM,a2]
        ldip    r3

; begin: all nodes have made their rows.
        .align  4
begin:
        load    kernel_rank,r1
        bnz     r1,^.rows
        timed_begin
.rows:
        wake    half1
        suspend

; done: this node's rows of the results are complete.
        .align  4
done:
        phase   check,1,r1
        goto_u  kernel_idle

; check: all results are complete. Row j has those from j * elements on, so each node
; adds up its own.
        .align  4
check:
        load    kernel_rank,r1
        bnz     r1,^.own
        timed_end
.own:
        load    share_first,r3
        mul     r3,[SIZE,a2],r3
        move    r3,[K,a2]       ; number of the word
        move    [COUNT,a2],r2
        mul     r2,[SIZE,a2],r2
        constant matrix0,r1
        add     r1,r2,r2
        move    r2,[FROM,a2]
.word:
        move    [FROM,a2],r0
        equal   r1,r0,r0
        bt      r0,^.all
        move    [r1,a0],r2
        and     r1,1,r0
        .word   INT:matrix0
        xor     r1,r0,r0
        and     r0,1,r0
        bnz     r0,^.weight     ; an imaginary part
        move    [SUM,a2],r0
        add     r0,r2,r0
        move    r0,[SUM,a2]
.weight:
        increment [K,a2],r3
        mul     r2,r3,r2
        move    [WEIGHTED,a2],r0
        add     r0,r2,r0
        move    r0,[WEIGHTED,a2]
        add     r1,1,r1
        br      ^.word
.all:
        move    [SUM,a2],r2
        move    [WEIGHTED,a2],r3
        phase   report,2,r2,r3
        suspend

; report: [1,a3], [3,a3] = sums. The real parts must add up to that of the first point,
; within a rounding error of eight units each, on average.
        .align  4
report:
        on_node0
        result  [1,a3],fft_sum
        result  [3,a3],fft_weighted
        say_word fft_points,points_text
        say_word fft_sum,first_text
        move    [FIRST_RE,a2],r1
        say_number
        say     comma_text
        load    fft_sum,r1
        move    [FIRST_RE,a2],r2
        sub     r1,r2,r1
        gt      r1,0,r0
        bt      r0,^.distance
        neg     r1,r1
.distance:
        load    fft_points,r2
        lsh     r2,3,r2
        gt      r1,r2,r1
        goto_u  app_end

        .ext
first_roots:                    ; first roots of unity of order 2^0 .. 2^16, clockwise
        .word   INT:1073741824, INT:0
        .word   INT:-1073741824, INT:0
        .word   INT:0, INT:-1073741824
        .word   INT:759250125, INT:-759250125
        .word   INT:992008094, INT:-410903207
        .word   INT:1053110176, INT:-209476638
        .word   INT:1068571464, INT:-105245103
        .word   INT:1072448455, INT:-52686014
        .word   INT:1073418433, INT:-26350943
        .word   INT:1073660973, INT:-13176464
        .word   INT:1073721611, INT:-6588356
        .word   INT:1073736771, INT:-3294193
        .word   INT:1073740561, INT:-1647099
        .word   INT:1073741508, INT:-823550
        .word   INT:1073741745, INT:-411775
        .word   INT:1073741804, INT:-205887
        .word   INT:1073741819, INT:-102944
points_text:
        .asciz  " points; real parts of the results add up to "
first_text:
        .asciz  ", that of the first point is "
comma_text:
        .asciz  ", "
bad_text:
        .asciz  "fft: fft_points is a power of four, 4 to 65536\n"

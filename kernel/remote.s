; Words and blocks of other nodes' memory. Tags are preserved, including futures.
        .include "services.inc"

        .global remote_read, remote_write, remote_write_ack, remote_copy
        .global remote_write_block

        .equ    LARGEST_CHUNK, 32       ; words of a block in one message

        .section kernel_code,rom,code

; remote_read:    | MSG remote_read,4 (U) | INT address | INT node | INT slot |
; Sends the word to the slot on that node.
        .align  4
remote_read:
        move    [1,a3],r1
        move    [r1,a0],r2
        reply   [2,a3],[3,a3],r2
        suspend

; remote_write:   | MSG remote_write,3 (U, F) | INT address | word |
        .align  4
remote_write:
        move    [1,a3],r1
        move    [2,a3],r2
        move    r2,[r1,a0]
        suspend

; remote_write_ack: | MSG remote_write_ack,5 (U) | INT address | word | node | slot |
; Sends TRUE to the slot on that node when done.
        .align  4
remote_write_ack:
        move    [4,a3],r3
        move    [1,a3],r1
        move    [2,a3],r2
        move    r2,[r1,a0]
        move    true,r2
        reply   [3,a3],r3,r2
        suspend

; remote_copy:    | MSG remote_copy,7 (U) | INT from | INT words | INT target | INT to |
;                 | INT node or NIL | INT slot |
; Copies words of this node to the node `target`; TRUE to the slot on `node` when all
; have arrived. Sends one remote_write_block, then itself the rest of the work.
        .align  4
remote_copy:
        move    [6,a3],r3       ; wait for the whole message before sending
        move    [2,a3],r3
        bz      r3,^.nothing
        load    kernel_queue0,r2
        lsh     r2,-2,r2        ; a quarter of the queue leaves room for others
        constant LARGEST_CHUNK,r1
        lt      r2,r1,r0
        bt      r0,^.small
        move    r1,r2
.small:
        lt      r3,r2,r0
        bf      r0,^.chunk
        move    r3,r2
.chunk:
        sub     r3,r2,r3        ; words left for later
        .msg    remote_write_block,4,U
        add     r0,r2,r0
        send2   [3,a3],r0,0
        bz      r3,^.last
        move    nil,r0
        send2   [4,a3],r0,0
        send    r0,0
        br      ^.words
.last:
        move    [5,a3],r0
        send2   [4,a3],r0,0
        send    [6,a3],0
.words:
        move    [1,a3],r1
.word:
        move    [r1,a0],r0
        add     r1,1,r1
        sub     r2,1,r2
        bz      r2,^.sent
        send    r0,0
        br      ^.word
.sent:
        sende   r0,0
        bz      r3,^.end
        readr   nnr,r2
        .msg    remote_copy,7,U
        send2   r2,r0,0
        send2   r1,r3,0
        sub     r1,[1,a3],r1
        add     r1,[4,a3],r1
        send2   [3,a3],r1,0
        move    [6,a3],r1
        send2e  [5,a3],r1,0
.end:
        suspend
.nothing:
        move    [5,a3],r1
        bnil    r1,^.end
        move    true,r2
        reply   r1,[6,a3],r2
        suspend

; remote_write_block: | MSG remote_write_block,4 + n (U) | INT to | INT node or NIL |
;                     | INT slot | n words |
; Sends TRUE to the slot when the words are written.
        .align  4
remote_write_block:
        move    [0,a3],r2
        wtag    r2,TAG_INT,r2
        and     r2,0x3FF,r2
        move    [1,a3],r1
        sub     r1,4,r1
.word:
        sub     r2,1,r2         ; from the last word to the first
        lt      r2,4,r0
        bt      r0,^.written
        move    [r2,a3],r0
        add     r1,r2,r3
        move    r0,[r3,a0]
        br      ^.word
.written:
        move    [2,a3],r1
        bnil    r1,^.end
        move    true,r2
        reply   r1,[3,a3],r2
.end:
        suspend

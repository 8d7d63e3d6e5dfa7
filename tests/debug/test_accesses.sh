# Watchpoints see all memory reads and writes of instructions, dispatches and faults,
# each instruction once; of ENTER only the way that it uses.
. tests/cli/check.sh

cat >"$work/table.s" <<'END'
        .include "kernel.inc"
        .global main, back, taken
main:   .word   ADDR:0x000D800F     ; the table: at 0x360, mask 0xF
        writer  r0,tbm
        move    7,r2
        .word   INT:77
        move    r0,r1
enter:  enter   r2,r1
probe:  probe   r1,r3
        nop
xlate:  xlate   r1,r3
        nop
call:   call    20
        nop
        .word   ADDR:0x007FC001     ; in ROM
        writer  r0,a1
        move    r2,[0,a1]
        move    0,r2
        .msg    taken,2
        send2   r2,r0,0
        sende   5,0
        goto    kernel_idle
back:   readr   fip,r0
        ldip    r0
taken:  add     r0,[1,a3],r0
        suspend
        .section vv, vectors, data
        .org    0x94
        .ip     back
END

debug() { # LINES: what the debugger says goes to $work/out
    printf '%b' "$1" | "$jm" debug --quiet --no-init "$work/table.s" >"$work/out" 2>&1
}

# sees STOP PLACES: after its `enter`, the stop is hit at just these labels.
sees() {
    five='continue\ncontinue\ncontinue\ncontinue\ncontinue\n'
    debug "break main\ncontinue\ndelete 1\n$1\n$five"
    found=$(sed -n 's/.*: \(read\|wrote\) .* at [0-9A-F]* \([a-z]*\) .*/\2/p' \
        "$work/out")
    # shellcheck disable=SC2086 # words
    check "$1: $2" test "$(echo $found)" = "$2"
}
sees 'rwatch 0x360 16' 'enter probe xlate'
sees 'rwatch 0x36C' 'enter probe xlate'
sees 'rwatch 0x94' 'call'
sees 'rwatch 0x94 on 0 if [0x94] == NIL' ''
sees 'watch 0x360 16' 'enter'
sees 'watch 0x36D' 'enter'
sees 'awatch 0x36C 2' 'enter probe xlate'
sees 'watch 0x36E 2' ''
sees 'watch 0x360 16 if $old == NIL' 'enter'
sees 'watch 0x360 16 if $old != NIL' ''
debug 'rwatch 0x360 16\ncontinue\ncontinue\ncontinue\ncontinue\ninfo stops\n'
check "a row is one hit" grep -q '^  1 .*, 3 hits' "$work/out"

debug 'break taken\ncontinue\nprint base($qhl)\n'
queue=$(tail -1 "$work/out")
debug "rwatch ${queue% *}\ncontinue\ncontinue\nprint \$cycle\n"
check "a dispatch reads the header" grep -q 'read MSG.* as the header of a message' \
    "$work/out"

# So does the dispatch of a message that waits while another's task runs, in the exact
# cycle given by the trace of an uninterrupted run.
cat >"$work/two.s" <<'END'
        .include "kernel.inc"
        .global main, taken
main:   move    9,r3
        move    0,r2
.next:  .msg    taken,2
        send2   r2,r0,0
        sende   r3,0
        sub     r3,1,r3
        bnz     r3,^.next
        goto    kernel_idle
taken:  move    20,r1
.wait:  sub     r1,1,r1
        bnz     r1,^.wait
        suspend
END
"$jm" run --quiet --mesh 2x1x1 --trace - "$work/two.s" 2>/dev/null |
    sed -n 's/ .* dispatch .*//p' >"$work/begun"
message=0
while read -r begun; do
    printf 'rwatch %s + %s\ncontinue\ncontinue\n' "${queue% *}" $((4 * message)) |
        "$jm" debug --quiet --no-init --mesh 2x1x1 "$work/two.s" >"$work/out" 2>&1
    message=$((message + 1))
    check "that of message $message, too" \
        grep -q "^cycle $((begun + 1)): stop 1, .* node 0 .* as the header" "$work/out"
    check "once" test "$(grep -c 'as the header of a message' "$work/out")" -eq 1
done <"$work/begun"
check "all were watched" test $message -eq 18

# The handler adds to what is no INT: a fault, with vector 0x52, after it has read its
# word.
wrong='break taken\ncontinue\nset $r0 = SYM:00000001\n'
debug "${wrong}rwatch 0x52\ncontinue\n"
check "a fault reads its vector" \
    grep -q 'read .* from 00052 as a vector of a fault' "$work/out"
debug "${wrong}rwatch ${queue% *} + 1\ncontinue\n"
check "the operand was read before" grep -q 'read INT:00000005 ' "$work/out"

debug 'watch 0x1FF0\ncontinue\n'
check "ROM keeps what it holds" \
    grep -q 'wrote INT:00000007 .* to 01FF0 .*ROM keeps NIL$' "$work/out"
finish

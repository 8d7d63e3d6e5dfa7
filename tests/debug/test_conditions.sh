# Conditions that have no value when evaluated stop the run with a message, at every
# kind of stop, compiled or interpreted; and the value before a write: shown, as $old,
# and reported when unchanged.
. tests/cli/check.sh

printf '%s\n' '        .include "kernel.inc"' '        .global main, word' \
    'main:   move    3,r1' 'turn:   store   r1,word' '        load    word,r2' \
    '        sub     r1,1,r1' '        bnz     r1,^turn' '        store   r1,word' \
    '        move    0,r2' '        .msg    taken,1' '        send2e  r2,r0,0' \
    '        goto    kernel_idle' 'taken:  suspend' '        .data' \
    'word:   .word   INT:3' >"$work/turns.s"

debug() { # LINES: what the debugger says
    printf '%b' "$1" | "$jm" debug --no-init --mesh 2x1x1 "$work/turns.s" 2>&1
}

# no_value NAME STOP WHY REASON: the stop stops, and says that and why.
no_value() {
    debug "set \$none = 0\n$2 if $3\ncontinue\ninfo stops\n" >"$work/out"
    check "$1, $3: it stops" grep -q ' stop 1, ' "$work/out"
    check "$1, $3: it says why" \
        grep -qF "stop 1: its condition has no value: $4" "$work/out"
    check "$1, $3: a hit" grep -q '^  1 .*, [1-9] hits' "$work/out"
}
still='[0]@($node) == [0]@($node)'
for stop in 'break turn' 'watch word' 'rwatch word' 'awatch word 2' \
    'catch send' 'catch dispatch' 'catch arrive' 'watch $r1' 'watch ([word] + 0)'; do
    no_value "$stop" "$stop" '5 / ($r1 - $r1) == 5' 'division by zero'
    no_value "$stop" "$stop" '[0x100000 + $r1 - $r1] == 1' 'no address'
    no_value "$stop" "$stop" 'queue(2 + $none)' 'the first argument of queue'
    no_value "$stop" "$stop" '$nosuch' 'no register or variable $nosuch'
    no_value "$stop" "$stop" "[0]@(1 + (\$cycle > 50)) == 5" 'no node 2'
done
debug 'break turn if 1 / ($r1 - $r1)\nbreak turn\ncontinue\n' >"$work/out"
check "a reason is that of its own stop" \
    test "$(grep 'has no value' "$work/out" | sort -u | cut -d: -f1)" = 'stop 1'
debug 'tbreak turn if 1 % ($r1 - $r1)\ncontinue\ninfo stops\n' >"$work/out"
check "once is once" grep -q '^no stops' "$work/out"
debug 'break turn if 6 / ($r1 - 2) == -6 after 1\ncontinue\nprint $r1\n' >"$work/out"
check "without a value it is a hit to let pass, too" grep -q '^INT:00000002' "$work/out"

# Watched values appear and disappear.
debug 'break main\ncontinue\nstep\nwatch (6 / ($r1 - 2))\ncontinue\ncontinue\n' \
    >"$work/out"
check "a value goes" grep -q 'now no value: division by zero, before 6$' "$work/out"
check "a value comes back" grep -q 'now -6, before no value$' "$work/out"
debug 'break main\ncontinue\nstep\nuntil 6 / ($r1 - 2) == 7\n' >"$work/out"
check "until does not run past it" grep -q 'now no value: division by zero' "$work/out"
debug 'display 6 / ($r1.b - 2)\ncontinue\n' >"$work/out"
check "a display" grep -q '^1: .* = -3$' "$work/out"

debug 'watch $r1 on 0\nwatch (1) on 0\ninfo stops\n' >"$work/out" 2>&1
check "a value is watched where it says" grep -q '^no stops' "$work/out"

# The value before.
debug 'watch word\ncontinue\ncontinue\ncontinue\ncontinue\n' >"$work/out"
check "a write that leaves the value" \
    grep -q 'wrote INT:00000003.*, which it held before$' "$work/out"
check "old and new" grep -q 'wrote INT:00000001 .* before INT:00000002  2$' "$work/out"
debug 'watch word if $old == 2\ncontinue\n' >"$work/out"
check "\$old of a write" grep -q 'wrote INT:00000001' "$work/out"
debug "watch word if \$old == 2 && $still\ncontinue\n" >"$work/out"
check "\$old, read as text" grep -q 'wrote INT:00000001' "$work/out"
debug 'watch word if $old != [word]\ncontinue\n' >"$work/out"
check "only changes" grep -q 'wrote INT:00000002' "$work/out"
debug 'rwatch word if $old == 2\ncontinue\n' >"$work/out"
check "\$old of a read" grep -q 'read INT:00000002' "$work/out"
debug 'watch $r1 if $old == 3\ncontinue\n' >"$work/out"
check "\$old of a register" grep -q 'now INT:00000002  2, before INT:00000003  3$' \
    "$work/out"
debug 'break taken\ncontinue\ndelete 1\nwatch $qhl.0 if length($old) == 4\ncontinue\n' \
    >"$work/out"
check "\$old after every cycle" grep -q 'now ADDR.* length 0, before ADDR.* length 4$' \
    "$work/out"
debug 'break taken\ncontinue\nprint base($qhl) hex\n' >"$work/out"
queue=$(tail -1 "$work/out")
debug "watch $queue if \$old == NIL\ncontinue\n" >"$work/out"
check "\$old of a row" grep -q 'wrote MSG.*, a message, before NIL$' "$work/out"
finish

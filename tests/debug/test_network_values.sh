# flits() and oldest() in expressions: a watch stops in the cycle in which a flit
# crosses the wire, and until in the first in which a message in flight is too old.
. tests/cli/check.sh

debug() { # LINES: what the debugger says
    printf '%b' "$1" | "$build/jm" debug --mesh 8x8x1 programs/life/life.s 2>&1
}

debug 'node 3\nwatch (flits(0))\ncontinue\nwires 3\ngoto $cycle - 1\nwires 3\n' \
    >"$work/out"
check "it stops at the first flit" grep -q 'watch (flits(0)).*now 1$' "$work/out"
check "the wire has it" grep -q '+X 1 ' "$work/out"
check "the cycle before it has not" grep -q '+X 0 ' "$work/out"

debug 'until oldest() > 60\nprint oldest()\ngoto $cycle - 1\nprint oldest()\n' \
    >"$work/out"
check "it stops when one is 61 cycles old" grep -q '^61 ' "$work/out"
check "it is 60 a cycle earlier" grep -q '^60 ' "$work/out"
debug 'print oldest()\nprint flits(6)\n' >"$work/out"
check "nothing is in flight at first" grep -q '^0$\|^0 ' "$work/out"
check "there are six directions" grep -q 'first argument of flits is 0..5' "$work/out"
finish

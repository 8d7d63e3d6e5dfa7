# flits(), oldest() and stalled() in expressions: a watch stops in the cycle in which a
# flit crosses the wire, and until in the first in which a message in flight is too old,
# or has not moved for so long.
. tests/cli/check.sh

debug() { # LINES: what the debugger says
    printf '%b' "$1" | "$build/jm" debug --mesh 8x8x1 programs/life/life.s 2>&1
}

debug 'node 3\nwatch (flits(0))\ncontinue\nwires 3\ngoto $cycle - 1\nwires 3\n' \
    >"$work/out"
check "it stops at the first flit" \
    grep -q 'watch (flits(0)).*now 1, before 0$' "$work/out"
check "the wire has it" grep -q '+X 1 ' "$work/out"
check "the cycle before it has not" grep -q '+X 0 ' "$work/out"

debug 'until oldest() > 60\nprint oldest()\ngoto $cycle - 1\nprint oldest()\n' \
    >"$work/out"
check "it stops when one is 61 cycles old" grep -q '^61 ' "$work/out"
check "it is 60 a cycle earlier" grep -q '^60 ' "$work/out"
debug 'print oldest()\nprint flits(6)\n' >"$work/out"
check "nothing is in flight at first" grep -q '^0$\|^0 ' "$work/out"
check "there are six directions" grep -q 'first argument of flits is 0..5' "$work/out"

# Message 31 comes to a blocked wire, and its flits move up behind each other until they
# lie as they will lie. Those of others move all the time.
debug 'block wire 3,3,0 +X\nuntil stalled() >= 50\nprint stalled()\nchannels all
goto $cycle - 50\nchannels all\ngoto $cycle - 1\nchannels all
run 30\nprint stalled()\nrun 9\nprint stalled()\n' >"$work/out"
awk -v folder="$work" '/^cycle [0-9]*: (until|ran)/ { n++ }
    /message 31( |$)/ { print >(folder "/at" n) }' "$work/out"
check "it stops when one has not moved for 50 cycles" grep -q '^50 ' "$work/out"
check "its flits lie in four channels" test "$(wc -l <"$work/at1")" -eq 4
check "they lay there 50 cycles before" cmp -s "$work/at1" "$work/at2"
check "but not 51 before" sh -c "! cmp -s '$work/at1' '$work/at3'"
check "after a step back it counts from the first look" \
    test "$(grep -c '^0$\|^0 ' "$work/out")" -eq 1
check "and goes on from there" grep -q '^9$' "$work/out"
# Coordinates of a node, all sides different: X first.
for z in 0 1 2 3; do
    for y in 0 1 2; do
        echo "node 0,$y,$z" && echo "node (1,$y,$z)"
    done
done | "$jm" debug --quiet --no-init --mesh 2x3x4 tests/debug/programs/tag.s |
    sed 's/ in background.*//' >"$work/out"
for rank in $(seq 0 23); do
    echo "node $rank ($((rank % 2)),$((rank / 2 % 3)),$((rank / 6)))"
done >"$work/expected"
check "coordinates" diff "$work/expected" "$work/out"
# Bare `why` counts the messages that `messages` lists, and the nodes of `where`.
counted() { # awk's program for what a session prints: fields of a line in order
    awk '/^== / { if (n++) print ""; next }
        /^[0-9]+: p[01] / { all++; next }
        /^    .*, arriving$/ { kind["arriving"]++ }
        /^    .*, before a closed queue$/ { kind["before closed queues"]++ }
        /^    .*, the wire is blocked$/ { kind["before blocked wires"]++ }
        /^    .*, held by message [0-9]+$/ { kind["before others"]++ }
        /^    .*, behind message [0-9]+$/ { kind["behind others"]++ }
        /^    (in the output buffer|the rest has not)/ { kind["in output buffers"]++ }
        /^node .* waiting to send: / { waiting++ }
        /^node .* idle: / { idle++ }
        /^end$/ {
            order = "arriving,on the way,before closed queues,before blocked wires,"
            order = order "before others,behind others,in output buffers"
            count = split(order, name, ",")
            kind["on the way"] = all
            for (i = 1; i <= count; i++)
                if (name[i] != "on the way")
                    kind["on the way"] -= kind[name[i]]
            line = all + 0
            for (i = 1; i <= count; i++)
                if (kind[name[i]])
                    line = line "; " kind[name[i]] " " name[i]
            print line "; " waiting + 0 " wait, " idle + 0 " rest"
            all = waiting = idle = 0
            split("", kind)
        }' "$1"
}
summed() {
    awk '/^cycle .* at work$/ { wait = idle = 0; line = 0 }
        /^  nodes? .*: (waiting to send|idle,)/ {
            list = $2
            n = split(list, ranges, ",")
            nodes = 0
            for (i = 1; i <= n; i++) {
                split(ranges[i], ends, "-")
                nodes += (ends[2] == "" ? ends[1] : ends[2]) - ends[1] + 1
            }
            if (/waiting to send/) wait += nodes; else idle += nodes
        }
        /^  [0-9]+ messages? in flight: / {
            sub(/^  /, "")
            sub(/ messages? in flight: /, "; ")
            gsub(/, /, "; ")
            line = $0
        }
        /^end$/ { print line "; " wait " wait, " idle " rest" }' "$1"
}
for options in '--queue 32 --queue1 16' '--queue 32 --param rts=1' '--queue 64'; do
    # shellcheck disable=SC2086 # words
    corners() {
        "$jm" debug --quiet --no-init --mesh 3x2x2 $options \
            tests/debug/programs/corners.s
    }
    for cycle in $(seq 240 37 1500) $(seq 3000 2300 40000); do
        echo "goto $cycle"
        [ "$cycle" -ne 351 ] || printf 'block wire 4 +X\nblock wire 8 -Z\n'
    done >"$work/go"
    sed '/^goto/a why\necho end' "$work/go" | corners >"$work/out"
    sed '/^goto/a where all\nmessages\necho end' "$work/go" | corners |
        sed '/^cycle/{n;d;}' >"$work/lists"
    summed "$work/out" >"$work/a"
    counted "$work/lists" >"$work/b"
    check "$options: as many in both" cmp "$work/a" "$work/b"
    check "$options: there are many" test "$(grep -c 'before others.*wait' "$work/a")" \
        -gt 10
done
finish

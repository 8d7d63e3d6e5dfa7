# Changes: wires and queues blocked, messages in queues edited; every change is repeated
# during replay, and a rejected one changes nothing.
. tests/cli/check.sh

ages() {
    "$jm" debug --quiet --no-init --mesh 4x2x1 --queue 64 \
        tests/debug/programs/ages.s
}

# Replay: the changes are repeated in their cycles, and the output is the same.
looks='where all
messages
statistics all'
cat >"$work/in" <<END
run 235
block wire 1 -X
run 600
unblock wire 1 -X
run 600
echo first
$looks
goto 300
wires 1
goto 900
wires 1
goto 1435
echo second
$looks
END
ages <"$work/in" >"$work/out"
check "blocked in cycle 300, free in cycle 900" \
    test "$(grep -c ' blocked' "$work/out")" -eq 1
sed '1,/^first/d; /^cycle 300:/,$d' "$work/out" >"$work/a"
sed '1,/^second/d' "$work/out" >"$work/b"
check "there is something to compare" test "$(wc -l <"$work/a")" -gt 50
check "changes are made again" diff "$work/a" "$work/b"

# A saved machine keeps its blocked wires.
printf 'run 235\nblock wire 1,0,0 -x\nsave %s\n' "$work/saved" | ages >"$work/out"
printf 'info blocked\nunblock wire 1 -X\ninfo blocked\n' |
    "$jm" debug --quiet --no-init --restore "$work/saved" >"$work/out"
check "saved and freed" test "$(cat "$work/out")" = \
    'the wire from node 1 (1,0,0) to -X
nothing is blocked'

# Messages are edited: dropped, longer, shorter, other words. They keep their ages.
cat >"$work/in" <<'END'
run 304
inject 0 0 MSG(slow,2) 5
queue 0
edit 0 0 1 drop
edit 0 0 1 length 6
edit 0 0 1 word 5 = 77
edit 0 0 2 word 0 = MSG(slow,2)
queue 0
edit 0 0 1 length 3
history queue 0 0 1
run 100
goto 304
queue 0
edit 0 0 0 drop
edit 0 0 1 word 3 = 1
edit 0 0 1
queue 0
END
ages <"$work/in" >"$work/out"
queues() { # N: the N-th list of queue 0, from its second message on
    awk -v n="$1" '/^node 0 \(0,0,0\)$/ { k++ } k == n && /^ /' "$work/out" |
        sed -n '/^    00C/,/queue 1/p' | tail -n +3
}
queues 1 >"$work/1"
queues 2 >"$work/2"
queues 3 >"$work/3"
queues 4 >"$work/4"
check "there are messages" test "$(wc -l <"$work/1")" -gt 10
check "one message less" test "$(grep -c 'slow, ' "$work/2")" -eq \
    $(($(grep -c 'slow, ' "$work/1") - 1))
check "ages go with messages" sh -c "
    grep -o 'age [0-9]*, sent.*' $work/1 | tail -n +2 >$work/a
    grep -o 'age [0-9]*, sent.*' $work/2 >$work/b; diff $work/a $work/b"
check "edited again on the way" diff "$work/3" "$work/4"

# Every register of every context can be set and read back; background lacks some.
{
    echo 'run 235'
    for register in r0 r1 r2 r3 a0 a1 a2 a3 id0 id1 id2 id3 \
        ip fip fir fop0 fop1 qbm qhl; do
        for context in 0 1 b; do
            case $context$register in
            bid? | bfir | bfop? | bq*) continue ;;
            esac
            echo "set \$$register.$context = ADDR(0x123,7)"
            echo "print \$$register.$context"
        done
    done
} >"$work/in"
ages <"$work/in" >"$work/out"
check "registers" test "$(grep -c '^ADDR:00048C07' "$work/out")" -eq 48

# External faults reach the node to which they are posted, with their kind.
for fault in INTERRUPT DRAMERR; do
    for to in 'node 1/post F' 'post F 1'; do
        printf 'run 240\n%s\ncatch fault INTERRUPT,DRAMERR\nregisters 1\ncontinue\n' \
            "$(echo "$to" | sed "s/F/$fault/" | tr / '\n')" |
            "$jm" debug --quiet --no-init --mesh 4x1x1 tests/debug/programs/prog.s \
                >"$work/out"
        check "$to, posted" grep -q 'external fault posted' "$work/out"
        rows 1 "$work/out" "stop 1, .*, node 1 .1,0,0.: $fault at "
    done
done
finish

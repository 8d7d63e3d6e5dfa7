# Catchpoints count, and the debugger's trace writes, the same events as the trace of a
# run; watchpoints of several words see each of them and no other.
. tests/cli/check.sh

options='--mesh 3x2x2 --queue 32 --queue1 64'
corners() {
    # shellcheck disable=SC2086 # words
    "$jm" debug --quiet --no-init $options tests/debug/programs/corners.s
}
# shellcheck disable=SC2086 # words
"$jm" run --quiet --cycles 6000 --trace "$work/run" $options \
    tests/debug/programs/corners.s >/dev/null 2>&1

# Each line: the event kind, and an awk condition for its rows in the trace.
cat >"$work/kinds" <<'END2'
fault:$4 == "fault"
fault SEND:$NF == "SEND"
fault QUEUE:$NF == "QUEUE"
fault SEND,QUEUE:$NF == "SEND" || $NF == "QUEUE"
fault QUEUE SEND on 1-5:($NF == "SEND" || $NF == "QUEUE") && $2 >= 1 && $2 <= 5
dispatch:$4 == "dispatch"
dispatch slow:$4 == "dispatch" && $6 == "slow"
dispatch quick on 11:$4 == "dispatch" && $6 == "quick" && $2 == 11
suspend:$4 == "suspend"
suspend on *,1,*:$4 == "suspend" && int($2 / 3) % 2 == 1
arrive:$4 == "arrive"
arrive on 0,0,0:$4 == "arrive" && $2 == 0
overflow:$4 == "overflow"
overflow on 11 if 1:$4 == "overflow" && $2 == 11
send to 11 on 0-10:$4 == "send" && $9 == "INT:00000422" && $2 < 11
send to (2,1,1) on 4:$4 == "send" && $9 == "INT:00000422" && $2 == 4
END2
while IFS=: read -r kind rows; do
    echo "catch $kind after 1000000" >&3
    awk "$rows" "$work/run" | wc -l
done <"$work/kinds" >"$work/expected" 3>"$work/script"
printf 'run 6000\ninfo stops\n' >>"$work/script"
corners <"$work/script" | sed -n 's/^ .* \([0-9]*\) hits.*/\1/p' >"$work/hits"
check "as many as in the trace" diff "$work/expected" "$work/hits"
check "most happen" test "$(grep -cv '^0$' "$work/expected")" -ge 15
printf 'catch send to 11 on 5\ncontinue\n' | corners >"$work/out"
rows 1 "$work/out" ', node 5 .2,1,0.: message [0-9]+ to node 11$'

{ echo 'catch overflow' && yes continue | head -n 5; } | corners |
    sed -n 's/^cycle.*stop 1.*node \([0-9]*\) .*: queue \(.\) is full/\1 p\2/p' \
    >"$work/a"
awk '$4 == "overflow" { print $2, $7 }' "$work/run" | head -n 5 >"$work/b"
check "which queue is full" diff "$work/b" "$work/a"
check "one of either priority" test "$(cut -d' ' -f2 "$work/a" | sort -u | wc -l)" -eq 2

# A trace has the cycles from the first to the last, both included; another one ends it
# and starts at the current cycle.
at() { # N: the cycle of the N-th event
    sed -n "$1s/ .*//p" "$work/run"
}
{
    printf 'trace %s from %s to %s\nrun 1000\n' "$work/1" "$(at 20)" "$(at 90)"
    printf 'trace %s on 11 kinds send,arrive,fault\nrun 500\n' "$work/2"
    printf 'trace %s\ngoto 1200\nrun 800\ngoto 1200\nrun 900\ntrace off\nrun 100\n' \
        "$work/3"
} | corners >"$work/out"
# lines WHICH ROWS: trace WHICH has the rows of the run that awk selects
lines() {
    awk "$2" "$work/run" | sed 's/ #[0-9]*//' >"$work/a"
    sed 's/ #[0-9]*//' "$work/$1" >"$work/b"
    check "trace $1" diff "$work/a" "$work/b"
    check "trace $1 has something" test -s "$work/b"
}
printf 'trace %s from 9 to 8\ntrace %s to 8 from 9\ntrace off\n' "$work/4" \
    "$work/4" | corners \
    >"$work/out" 2>&1
check "no trace that ends before it begins" test \
    "$(grep -c '^error: ' "$work/out")" -eq 3
check "and no file of it" test ! -e "$work/4"
lines 1 "\$1 >= $(at 20) && \$1 <= $(at 90)"
lines 2 '$1 >= 1000 && $1 < 1500 && $2 == 11 && $4 ~ /send|arrive|fault/'
lines 3 '$1 >= 1500 && $1 < 2100'

# Consecutive words, written and read in turn.
{
    printf '        .include "kernel.inc"\n        .global main, w0, w1, w2, w3, w4\n'
    printf 'main:   move    7,r1\n'
    for i in 0 1 2 3 4; do
        printf '        store   r1,w%s\n        load    w%s,r2\n' $i $i
    done
    printf '        goto    kernel_idle\n        .data\n'
    for i in 0 1 2 3 4; do printf 'w%s:     .word   INT:%s\n' $i $i; done
} >"$work/words.s"
for range in w0:1:0 'w0 5:5:01234' 'w1 3:3:123' 'w2 2:2:23' 'w4:1:4'; do
    first=${range%%:*}
    for kind in watch rwatch awatch; do
        {
            printf '%s %s\n' $kind "$first"
            yes continue | head -n 12
        } | "$jm" debug --quiet --no-init "$work/words.s" >"$work/out"
        sed -nE 's/.*stop 1.*(wrote|read) .* (to|from) ([0-9A-F]+).*/\3/p' "$work/out" |
            uniq | while read -r address; do
            printf 'x 0x%s 1\n' "$address"
        done | "$jm" debug --quiet --no-init "$work/words.s" |
            sed 's/.*INT:0*\(.\)  .*/\1/' | tr -d '\n' >"$work/seen"
        check "$kind $first" test "$(cat "$work/seen")" = "${range##*:}"
        times=1
        [ $kind != awatch ] || times=2
        check "each once" test "$(grep -c '^cycle.*stop 1' "$work/out")" -eq \
            $((times * $(echo "$range" | cut -d: -f2)))
    done
done

# Stops do not disturb each other: together, in either order, each has the same hits as
# alone.
cat >"$work/stops" <<'END2'
watch 0x800 24 on 11
break slow on 0
awatch total on 3-5
break slow.wait on 11 if data($r1) < 20
watch $r1.b@7
rwatch turns on 0
break quick if data([$a3 + 1]) == 2
catch send on 4
watch 0xC00 8 on 0
break main.next + 3 on 6
watch (data([0x804]@11))
catch arrive on 11
break quick.wait on 0,0,0
awatch 0x120 2
catch fault SEND on 3-8
watch $r3.b@2
END2
# hits FILE: how often each of its stops is hit, in the order of their texts.
hits() {
    {
        sed 's/$/ after 1000000/' "$1"
        printf 'run 1500\ninfo stops\n'
    } | corners | sed -nE 's/^ *[0-9]+ on  (.*), ([0-9]+) hits.*/\1 \2/p' | sort
}
hits "$work/stops" >"$work/together"
tac "$work/stops" >"$work/in"
hits "$work/in" >"$work/reversed"
while read -r stop; do
    echo "$stop" >"$work/in"
    hits "$work/in"
done <"$work/stops" | sort >"$work/alone"
check "stops together" diff "$work/alone" "$work/together"
check "in the other order" diff "$work/alone" "$work/reversed"
check "all are there" test "$(wc -l <"$work/alone")" -eq 16
check "most are hit" test "$(grep -cv ' 0$' "$work/alone")" -ge 12
finish

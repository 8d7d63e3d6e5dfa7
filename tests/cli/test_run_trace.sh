# jm run --trace FILE.json and the filters of traces. The JSON is read by a program that
# knows only what viewers rely on.
. tests/cli/check.sh
rules=$PWD/tests/cli/trace_json.py
debugged=$PWD/tests/debug/programs
cd "$work" || exit 1

# sound FILE...: viewers can read the traces; $work/out says what is in them.
sound() {
    status 0 python3 "$rules" "$@"
    [ ! -s err ] || cat err
}

# Whatever the program: all that happens, and the machine does not notice.
for program in "$build"/programs/*.elf; do
    "$jm" run --quiet --mesh 2x2x1 --cycles 15000 --stats plain.json "$program" \
        >plain.out 2>plain.err
    ended=$?
    status $ended "$jm" run --quiet --mesh 2x2x1 --cycles 15000 --stats traced.json \
        --trace "$(basename "$program").json" "$program"
    check "tracing changes nothing ($program)" cmp plain.json traced.json
done
sound ./*.elf.json

# The same events in both forms.
run() {
    "$jm" run --quiet --mesh 2x2x2 "$@" "$build/programs/random.elf" >run.out
}
run --trace t.txt
run --trace t.json
count() {
    grep -c "$1" "$2"
}
same() {
    checks=$((checks + 1))
    [ "$(count "$1" t.txt)" -eq "$(count "$2" t.json)" ] ||
        fail "as many '$1' in text as '$2' in JSON"
}
same ' dispatch ' '"ph":"f"'
same ' arrive ' '"ph":"s"'

# A full output buffer shows as a stall.
"$jm" run --quiet --mesh 4x1x1 --cycles 30000 --param buffer_words=4 \
    --trace stall.json "$build/programs/hotspot.elf" >run.out 2>&1
sound stall.json
check "stalls" grep -q '"cat":"stall"' stall.json

# Messages that come back and are sent again by units, without events of SENDs: numbers
# of messages are given anew.
status 126 "$jm" run --quiet --mesh 4x2x2 --queue 32 --param rts=1 --cycles 20000 \
    --param rts_backoff=3000 --set snakes_m=10 --set snakes_l=10 --set snakes_h=200 \
    --set snakes_imbalance=500 --trace back.json "$build/programs/snakes.elf"
sound back.json
check "returns" grep -q '"cat":"return"' back.json

# Filters, in both forms.
run --trace n.txt --trace-nodes 1,3-4
check "nodes" sh -c "! cut -d' ' -f2 n.txt | grep -qv '^[134]$'"
rows "$(grep -cE '^[0-9]+ [134] ' t.txt)" n.txt .
run --trace k.txt --trace-kinds send,fault
check "kinds" sh -c "! cut -d' ' -f4 k.txt | grep -Eqv '^(send|fault)$'"
rows "$(grep -cE ' (send|fault) ' t.txt)" k.txt .
run --trace c.txt --trace-cycles 2000-3000
rows "$(awk '$1 >= 2000 && $1 < 3000' t.txt | wc -l)" c.txt .
# The first cycle counts, the last does not: both have events.
first=$(awk '$1 >= 2000 { print $1; exit }' t.txt)
end=$(awk '$1 >= 3000 { print $1; exit }' t.txt)
run --trace c.txt --trace-cycles "$first-$end"
rows "$(awk -v first="$first" -v end="$end" '$1 >= first && $1 < end' t.txt |
    wc -l)" c.txt .
rows 0 c.txt "^$end "
check "events in the first cycle" grep -q "^$first " c.txt
for pair in send:message,send arrive:arrive dispatch:task; do
    run --trace k.json --trace-kinds "${pair%:*}"
    check "${pair%:*} alone in JSON" test "$(grep -o '"cat":"[a-z]*"' k.json | sort -u |
        cut -d '"' -f 4 | paste -s -d ,)" = "${pair#*:}"
done
run --trace f.json --trace-nodes 1,3-4 --trace-kinds dispatch,send \
    --trace-cycles 2000-3000
sound f.json
check "something is left" grep -q '"ph":"B"' f.json
check "nodes in JSON" sh -c "! grep -Eqv '\"pid\":[134],|^[]{]' f.json"
check "cycles in JSON" sh -c "! grep -E '\"ts\":(1...|[3-9]...[0-9]*)[,}]' f.json |
    grep -qv '\"ts\":3000}'"

# Every flow ends, also of messages that the overflow handler takes out of the queue.
"$jm" run --quiet --mesh 3x2x2 --queue 32 --set snakes_l=15 --set snakes_m=4 \
    --set snakes_p=7 --trace over.json "$build/programs/snakes.elf" >run.out
sound over.json
check "all flows end" grep -q 'unended=0$' out
check "some where a message is taken" grep -q '"cat":"taken"' over.json
check "queues become full" grep -q '"cat":"overflow"' over.json

# The debugger writes the same lines.
"$jm" run --quiet --mesh 3x2x2 --queue 32 --set snakes_l=15 --set snakes_m=4 \
    --set snakes_p=7 --trace over.txt --trace-cycles 2000-40000 \
    "$build/programs/snakes.elf" >run.out
printf 'trace %s from 2000 to 39999\ncontinue\ntrace off\n' debug.txt |
    "$jm" debug --quiet --no-init --mesh 3x2x2 --queue 32 --set snakes_l=15 \
        --set snakes_m=4 --set snakes_p=7 "$build/programs/snakes.elf" >run.out
check "the debugger's trace" test -s debug.txt # numbers of messages apart
for file in over debug; do
    sed 's/ #[0-9]*//' $file.txt >$file.lines
done
check "the same lines" cmp over.lines debug.lines
echo 'trace x.json' | "$jm" debug --quiet --no-init --mesh 2x2x2 \
    "$build/programs/random.elf" >run.out
check "the debugger writes no JSON" grep -q '^error: lines of text' run.out
check "and no file" test ! -e x.json

# A run that ends early, and one that goes on from the middle.
run --cycles 2500 --trace early.json --save-at 2500:s 2>err
sound early.json
"$jm" run --quiet --restore s --trace late.json >run.out
sound late.json

# One saved while a message is half sent: its rest opens nothing.
hotspot() {
    "$jm" run --quiet "$@" >run.out 2>&1
}
hotspot --mesh 4x1x1 --save-at 2574:half --cycles 2574 "$build/programs/hotspot.elf"
hotspot --mesh 4x1x1 --trace whole.json --trace-cycles 2574-99999 \
    "$build/programs/hotspot.elf"
hotspot --restore half --trace half.json
sound half.json
rows "$(grep -c '"ph":"s"' whole.json)" half.json '"ph":"s"'
hotspot --restore half --trace half.txt
check "it is half sent" sh -c "grep -m1 ' send ' half.txt | grep -q ' INT:00000000 2'"

# Where a message goes is told of the farthest nodes too.
for mesh in 1x1x40 32x2x1; do
    status 126 "$jm" run --quiet --mesh $mesh --cycles 3000 --trace to.json \
        "$build/programs/random.elf"
    sound to.json
done

# All that the lines say, the JSON says, too: of a jam of both priorities, and of the
# cures for overflow.
twins() { # XxYxZ CYCLES PROGRAM OPTION...
    mesh=$1 cycles=$2 program=$3
    shift 3
    for file in twin.txt twin.json; do
        "$jm" run --quiet --mesh $mesh --cycles $cycles --trace $file "$@" \
            "$debugged/$program" >run.out 2>&1
    done
    check "the same events: $mesh $program $*" \
        python3 "$rules" --same twin.txt $mesh $cycles twin.json
}
twins 3x2x2 6000 corners.s --queue 32
twins 4x5x3 3000 corners.s --queue 64 --queue1 32
twins 4x2x1 1500 ages.s --queue 64 --param spill_mark=16
twins 4x2x1 1500 ages.s --queue 64 --param brake_mark=24

# Tasks that a restored machine is in the middle of begin where it does, named by where
# they are; a task that never ends is cut where the range of cycles is.
for at in 481 700; do
    "$jm" run --quiet --mesh 3x2x2 --cycles $at --save-at $at:middle \
        "$debugged/corners.s" >run.out 2>&1
    "$jm" run --quiet --restore middle --cycles $((at + 99)) --trace middle.json \
        >run.out 2>&1
    for node in 0 11; do
        for p in 0 1; do
            printf 'node %s\nprint active(%s)\nprint $ip.%s addr\n' $node $p $p |
                "$jm" debug --quiet --no-init --restore middle |
                awk -v at="$node $p " 'NR == 2 { on = $1 }
                    NR == 3 && on { print at $2 }'
        done
    done >tasks
    begin="\"B\",\"pid\":(.*),\"tid\":(.),\"ts\":$at,\"cat\":\"task\""
    tr '{' '\n' <middle.json |
        sed -nE "s/.*$begin,\"name\":\"(.*)\"\},/\1 \2 \3/p" | sort -n >begun
    check "tasks under way in cycle $at" diff tasks begun
    check "there are some" test -s begun
done
printf '%s\n' '        .include "kernel.inc"' '        .global main, ever' \
    'main:   readr   nnr,r2' '        .msg    ever,1' '        send2e  r2,r0,1' \
    '        goto    kernel_idle' 'ever:   br      ^ever' >ever.s
"$jm" run --quiet --mesh 2x1x1 --cycles 900 --trace ever.json --trace-cycles 0-700 \
    ever.s >run.out 2>&1
rows 2 ever.json '"E","pid":[01],"tid":1,"ts":700,.*"ever"'
rows 2 ever.json '"ph":"E"'
finish

# `causes` compared with a script that builds the same graph from a trace of the same
# run by the order of queues.
. tests/cli/check.sh

# causes PROGRAM CYCLES OPTION...: for some of the messages of a run.
causes() {
    program=$1
    cycles=$2
    shift 2
    printf 'trace %s\nrun %s\ntrace off\n' "$work/trace" "$cycles" |
        "$jm" debug --quiet --no-init "$@" "$program" >"$work/out" 2>&1
    python3 tests/debug/causes.py ask "$work/trace" >"$work/asked"
    { echo 'option echo on' && echo "run $cycles" && cat "$work/asked"; } |
        "$jm" debug --quiet --no-init "$@" "$program" >"$work/told" 2>&1
    check "causes in $program" \
        python3 tests/debug/causes.py judge "$work/trace" "$work/told"
}
causes programs/snake/snake.s 4000 --mesh 4x1x1
causes programs/greet/greet.s 1500 --mesh 2x2x2
causes programs/futures/futures.s 3000 --mesh 2x2x1

# An injected message has no cause; a finished task is not a message.
printf 'goto 400\ninject 1 0 MSG(greeting,2) 1\ncauses queue 1 0 0\ncauses task 2\n' |
    "$jm" debug --quiet --no-init --mesh 2x2x2 programs/greet/greet.s >"$work/out" 2>&1
check "by hand" grep -q '\* message put there by hand (1,0,0 -> 1,0,0)' "$work/out"
check "no task" grep -q 'no task runs at node 2' "$work/out"
check "nothing above it" test "$(grep -c 'background of' "$work/out")" -eq 0
printf 'run 2\ncauses 0 from 9\n' |
    "$jm" debug --quiet --no-init programs/greet/greet.s >"$work/out" 2>&1
check "a cycle to come" grep -q 'error' "$work/out"

# Many effects and many causes: the limit that is shown, and the number of the rest.
cat >"$work/many.s" <<'END2'
        .include "kernel.inc"
        .global main, hop, fan, leaf
main:   readr   nnr,r2
        bnz     r2,^.rest
        move    9,r3
        add     r3,r3,r3
        add     r3,2,r3             ; 20
        .msg    hop,2
        send2   r2,r0,0
        sende   r3,0
.rest:  goto    kernel_idle
hop:    move    [1,a3],r3
        sub     r3,1,r3
        bz      r3,^fan
        readr   nnr,r2
        xor     r2,1,r2
        .msg    hop,2
        send2   r2,r0,0
        sende   r3,0
        suspend
fan:    move    9,r3
        add     r3,6,r3             ; 15
.next:  readr   nnr,r2
        xor     r2,1,r2
        .msg    leaf,1
        send2e  r2,r0,1
        sub     r3,1,r3
        bnz     r3,^.next
        suspend
leaf:   suspend
END2
many() { # OPTION...
    "$jm" debug --quiet --no-init "$@" >"$work/out"
}
printf 'break leaf after 14\ncontinue\nsave %s\ncontext 0\ncauses task\n' "$work/last" |
    many --mesh 2x1x1 "$work/many.s"
sed -i '1,/^node/d' "$work/out"
rows 1 "$work/out" '^ *the background of node 0 .0,0,0. at .*many.s:'
rows 1 "$work/out" '^ *and 4 messages$'
rows 17 "$work/out" '^ *[0-9]+ .* message [0-9]+ .*(hop|leaf), '
rows 1 "$work/out" '^ *[0-9]+ {34}[*] message [0-9]+ .*leaf, 1 word; task since'
for depth in 0 1 15; do
    rows 1 "$work/out" "^ *[0-9]+ {$((2 * depth + 2))}message .*hop, 2 words; task"
done
# The last hop, whose task sent them, is their cause.
last=$(grep 'hop, 2' "$work/out" | tail -1)
cycle=$(echo "$last" | sed 's/^ *\([0-9]*\).*/\1/')
printf 'break leaf after 14\ncontinue\ncauses %s from %s\n' \
    "$(echo "$last" | sed 's/.*message \([0-9]*\) .*/\1/')" "$cycle" |
    many --mesh 2x1x1 "$work/many.s"
rows 12 "$work/out" 'message .*leaf, '
rows 1 "$work/out" '^ *and 3 more$'
# Messages of a task that began before the recorded past.
begun=$(echo "$last" | sed 's/.*task \([0-9]*\).*/\1/')
printf 'goto %s\nsave %s\n' $((begun + 12)) "$work/saved" |
    many --mesh 2x1x1 "$work/many.s"
printf 'break leaf\ncontinue\ncontinue\ncontinue\ncauses task\n' |
    many --restore "$work/saved"
rows 1 "$work/out" '^ *a task of node [01] .* that is not known at .*many.s:2'

# The first message of a queue is that of its task, of either priority, whichever
# context is selected; one that is dropped is lost.
for place in 'quick on 11:1' 'slow on 0:0' 'quick on 0:1' 'slow on 11:0'; do
    node=$(echo "${place%:*}" | sed 's/.* //')
    for which in task "queue $node ${place#*:} 0"; do
        printf 'break %s after 2\ncontinue\ncontext background\nhistory %s\n' \
            "${place%:*}" "$which" | many --mesh 3x2x2 tests/debug/programs/corners.s
        cp "$work/out" "$work/${which%% *}.out"
    done
    check "the message at $place" cmp "$work/task.out" "$work/queue.out"
    check "it is known" grep -q ' dispatches it after' "$work/task.out"
done
{
    printf 'goto 400\nedit 0 0 1 drop\n'
    "$jm" run --quiet --mesh 4x2x1 --queue 64 --trace - tests/debug/programs/ages.s \
        2>"$work/err" | awk '$1 < 300 && $4 == "send" && $9 != "MSG:00042403" {
            print "causes", substr($8, 2), "from", $1 }' | head -20
    echo 'quit 0'
} | many --mesh 4x2x1 --queue 64 tests/debug/programs/ages.s
rows 1 "$work/out" '; lost$'
finish

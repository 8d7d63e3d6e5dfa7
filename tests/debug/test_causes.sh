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

many() { # OPTION...
    "$jm" debug --quiet --no-init "$@" >"$work/out"
}
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

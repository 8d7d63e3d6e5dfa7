# What `causes` tells of messages, against a trace of the same run, of which a script
# makes the same graph by the order of queues.
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

# A message put there by hand is a beginning; a task that is over is no message.
printf 'goto 400\ninject 1 0 MSG(greeting,2) 1\ncauses queue 1 0 0\ncauses task 2\n' |
    "$jm" debug --quiet --no-init --mesh 2x2x2 programs/greet/greet.s >"$work/out" 2>&1
check "by hand" grep -q '\* message put there by hand (1,0,0 -> 1,0,0)' "$work/out"
check "no task" grep -q 'no task runs at node 2' "$work/out"
check "nothing above it" test "$(grep -c 'background of' "$work/out")" -eq 0
printf 'run 2\ncauses 0 from 9\n' |
    "$jm" debug --quiet --no-init programs/greet/greet.s >"$work/out" 2>&1
check "a cycle to come" grep -q 'error' "$work/out"
finish

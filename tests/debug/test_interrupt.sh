# SIGINT ends whatever is going on: a run, a script, the commands of a stop that go on
# for ever, the wait for a line. Without a person the debugger then ends with 130.
. tests/cli/check.sh

# interrupted WHAT SHELL-COMMANDS...: they write lines; the debugger that gets them must
# end when it is told to, having said so.
interrupted() {
    name=$1
    shift
    mkfifo "$work/pipe"
    "$jm" debug --quiet --no-init --mesh 2x1x1 --bare tests/bench/compute.s \
        <"$work/pipe" >"$work/out" 2>&1 &
    pid=$!
    "$@" >"$work/pipe" 2>/dev/null &
    writer=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.1
        ! grep -q begun "$work/out" 2>/dev/null || break
    done
    sleep 0.2
    kill -INT "$pid"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.1
        kill -0 "$pid" 2>/dev/null || break
    done
    check "$name: it ends" sh -c "! kill -0 $pid 2>/dev/null"
    kill -KILL "$pid" 2>/dev/null
    wait "$pid"
    got=$?
    kill "$writer" 2>/dev/null
    wait "$writer" 2>/dev/null
    rm -f "$work/pipe"
    check "$name: status 130, not $got" test "$got" -eq 130
    check "$name: it says so" grep -q '^\(.*: \)\?interrupted' "$work/out"
    check "$name: what follows is not done" test "$(grep -c after "$work/out")" -eq 0
}

run_for_ever() {
    printf 'echo begun\nuntil 0 == 1\necho after\n'
    sleep 20
}
wait_for_ever() {
    printf 'echo begun\n'
    sleep 20
    printf 'echo after\n'
}
lines_for_ever() {
    echo 'echo begun'
    yes 'print 1'
}
# Each time round the loop is a stop, so no run in it lasts.
loop_for_ever() {
    printf 'echo begun\nwatch ($cycle)\ncommands\ncontinue\nend\ncontinue\necho after\n'
    sleep 20
}
# The interrupt ends a run; the loop must not begin another.
loop_of_runs() {
    printf 'watch ($cycle)\ncommands\necho begun\ndisable\nuntil 0 == 1\nenable\n'
    printf 'continue\nend\ncontinue\necho after\n'
    sleep 20
}
script_for_ever() {
    printf 'source %s\necho after\n' "$work/long.jmd"
    sleep 20
}
script_of_runs() {
    printf 'source %s\necho after\n' "$work/runs.jmd"
    sleep 20
}
{ echo 'echo begun' && yes 'print 1' | head -n 4000000; } >"$work/long.jmd"
printf 'echo begun\nuntil 0 == 1\nuntil 0 == 1\necho after\n' >"$work/runs.jmd"

interrupted "a run" run_for_ever
interrupted "a wait for input" wait_for_ever
interrupted "lines without end" lines_for_ever
interrupted "a loop of stops" loop_for_ever
interrupted "a run in a loop" loop_of_runs
interrupted "a long script" script_for_ever
interrupted "a script of runs" script_of_runs
check "a script says where it ends" grep -q 'runs.jmd:2: interrupted; the script ends' \
    "$work/out"

# Without an interrupt the last line needs no end, and a 0 is no end.
printf 'print 1\nprint 2' | "$jm" debug --quiet --no-init tests/debug/programs/tag.s \
    >"$work/out"
check "a last line without its end" test "$(cat "$work/out")" = '1
2'
finish

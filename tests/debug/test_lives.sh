# Messages, queues, tasks, histories, wires and latencies, recomputed from the trace of
# the same run, in a machine in which messages of both priorities wait for each other.
. tests/cli/check.sh

program=tests/debug/programs/corners.s
"$jm" run --quiet --mesh 3x2x2 --trace "$work/trace" $program >/dev/null 2>&1
{
    for cycle in 260 345 481 600 733 1205 3000; do
        printf 'goto %s\necho # messages %s\nmessages\n' $cycle $cycle
        for node in 0 11; do
            printf 'echo # queue %s %s\nqueue %s\n' $cycle $node $node
            printf 'echo # backtrace %s %s\nbacktrace %s\n' $cycle $node $node
        done
        printf 'echo # latency %s\nstatistics\n' $cycle
    done
    # The lives of some of the messages, by their numbers and first cycles.
    awk '$4 == "arrive" { delete open[$8] }
         $1 < 3000 && $4 == "send" && !($8 in open) {
             open[$8]
             if (count++ % 5 == 0)
                 printf "echo # life 3000 %s %s\nhistory %s from %s\n",
                     substr($8, 2), $1, substr($8, 2), $1
         }' "$work/trace"
    printf 'goto 100000\necho # wires 100000\nwires all\necho # latency 100000\n'
    printf 'statistics\n'
} >"$work/script"
"$jm" debug --quiet --no-init --mesh 3x2x2 $program <"$work/script" >"$work/out" 2>&1
check "they are those of the trace" \
    python3 tests/debug/lives.py "$work/trace" "$work/out"
cp "$work/check.out" "$work/compared"
check "nothing differs" test "$(grep -c '^differs' "$work/compared")" -eq 0
some='[1-9][0-9]'
enough="ages=$some.*frames=$some.*holders=$some.*items=$some.*messages=$some"
check "there was enough to compare" \
    grep -Eq "$enough.*others=$some.*waits=$some.*wires=72" "$work/compared"

# A message is told alike by its number and by its place, however the past is searched.
for name in "25 from 252" "queue 11 0 0"; do
    printf 'goto 330\nhistory %s\n' "$name" |
        "$jm" debug --quiet --no-init --mesh 3x2x2 $program >"$work/life ${name% *}"
done
check "by number and by place" diff "$work/life 25 from" "$work/life queue 11 0"
check "its sender's faults" grep -q '257 .* SEND fault at' "$work/life 25 from"
finish

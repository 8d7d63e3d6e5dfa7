# Stops at events of the cures for overflow: each return, each spilled row, each brake
# on or off is caught once, forward as in a trace, and backward. A session's trace and
# that of a run are the same.
. tests/cli/check.sh

# flood COMMAND OPTION...: every node floods node 0.
flood() {
    command=$1
    shift
    "$jm" "$command" --quiet --mesh 4x2x1 --queue 64 "$@" \
        tests/debug/programs/ages.s
}

debug() { # OPTION...
    flood debug --no-init "$@"
}

hits() { # of the output on stdin: cycle, node and message, or on or off
    sed -nE 's/^cycle ([0-9]+): stop 1, catch [a-z]+, node /\1 /p' |
        sed -E 's/^([0-9]+ [0-9]+) .*: /\1 /' |
        sed -E 's/ (message|a row of message) ([0-9]+) .*/ #\2/; s/ the brake is / /'
}

# caught KIND OPTION...: all events of a run.
caught() {
    kind=$1
    shift
    printf 'trace %s\ncontinue\n' "$work/debugged" | debug "$@" >/dev/null
    flood run --trace "$work/run" "$@" >/dev/null 2>&1
    check "$kind: a run has events" grep -q " $kind " "$work/run"
    check "$kind: the trace of a run" diff "$work/debugged" "$work/run"
    {
        echo "trace $work/trace kinds $kind" && echo "catch $kind"
        yes continue | head -n 1000
    } | debug "$@" >"$work/out"
    awk '{ print $1 + 1, $2, $NF }' "$work/trace" >"$work/traced" # it stops after it
    hits <"$work/out" >"$work/forward"
    check "$kind: there are some" test "$(wc -l <"$work/traced")" -ge 10
    check "$kind: each is caught" diff "$work/traced" "$work/forward"
    {
        echo "catch $kind" && echo disable && echo continue && echo enable
        yes reverse-continue | head -n "$(($(wc -l <"$work/forward") + 1))"
        echo "catch $kind on 7" && echo 'delete 1' && echo continue
    } | debug "$@" >"$work/out"
    hits <"$work/out" | tac >"$work/backward"
    check "$kind: and on the way back" diff "$work/forward" "$work/backward"
    check "$kind: none before the first" grep -q 'no stop was hit before' "$work/out"
    check "$kind: none at another node" test "$(grep -c ': stop 2' "$work/out")" -eq 0
}
caught return --param rts=1 --param rts_backoff=300
caught spill --param spill_mark=16
# The ring holds less than the total of rows that went there.
for cycle in 420 900; do
    printf 'until $cycle >= %s\nqueue 0\n' $cycle |
        debug --param spill_mark=16 >"$work/out"
    flood run --param spill_mark=16 --cycles $cycle --trace "$work/run" >/dev/null 2>&1
    gone=$(grep -c ' spill ' "$work/run")
    ring=$(sed -n 's/^ *\([0-9]*\) words more in the ring.*/\1/p' "$work/out")
    check "some of $gone rows are back at $cycle" test "$((ring))" -lt "$((4 * gone))"
    check "whole rows are left" test "$((ring % 4))" -eq 0 -a "$((ring))" -gt 0
done
caught brake --param brake_mark=24

# Messages that go out at priority 1 instead of 0, by either mark.
for cure in hwm_mark=16:mark escape_mark=8:escape; do
    options="--quiet --mesh 3x2x2 --queue 64 --set snakes_m=6 --set snakes_l=6"
    options="$options --set snakes_p=7 --set snakes_h=100 --set snakes_imbalance=500"
    options="$options --param ${cure%:*} programs/snakes/snakes.s"
    # shellcheck disable=SC2086 # words
    printf 'trace %s\nrun 20000\n' "$work/debugged" |
        "$jm" debug --no-init $options >/dev/null
    # shellcheck disable=SC2086 # words
    "$jm" run --trace "$work/run" --cycles 20000 $options >/dev/null 2>&1
    check "$cure: a run has some" grep -q " send .* by ${cure#*:}$" "$work/run"
    check "$cure: the trace of a run" cmp "$work/debugged" "$work/run"
done
finish

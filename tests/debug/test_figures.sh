# The debugger's figures, recomputed from other data in a machine in which similar
# quantities differ: nodes, priorities, arrivals and dispatches, owner and front of a
# channel.
. tests/cli/check.sh

options='--mesh 3x2x2 --queue 32 --set snakes_l=15 --set snakes_m=4 --set snakes_p=7'
# shellcheck disable=SC2086 # words
"$jm" run --quiet --cycles 40000 --stats "$work/stats" $options \
    programs/snakes/snakes.s >/dev/null 2>&1

{
    printf 'goto 40000\necho # machine\nstatistics\n'
    for node in 0 1 7 11; do printf 'echo # node %s\nstatistics %s\n' $node $node; done
    # Vectors that differ from node to node, of which the selected one counts.
    for node in 0 7; do
        printf 'set [0x4C]@%s = IP(0x%s00)\nset [0x53 - 1]@%s = IP(0x%s10)\n' \
            $node $((node + 1)) $node $((node + 1))
    done
    printf 'node 7\necho # faults\ninfo faults\necho # vectors\nx 0x40 19 word\n'
    cycle=2000
    while [ $cycle -lt 60000 ]; do
        printf 'goto %s\necho # channels %s\nchannels all\n' $cycle $cycle
        cycle=$((cycle + 500))
    done
} >"$work/script"
# shellcheck disable=SC2086 # words
"$jm" debug --quiet --no-init $options programs/snakes/snakes.s <"$work/script" \
    >"$work/out" 2>&1
check "they are those of the statistics, and of each other" \
    python3 tests/debug/figures.py "$work/stats" "$work/out"
cp "$work/check.out" "$work/compared"
check "nothing differs" test "$(grep -c '^differs' "$work/compared")" -eq 0
some='[1-9][0-9]+'
enough="counts=20 classes=$some faults=19 vectors=19 channels=$some others=$some"
check "there was enough to compare" grep -Eq "$enough" "$work/compared"

finish

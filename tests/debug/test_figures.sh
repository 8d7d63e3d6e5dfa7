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

# Full queues of different lengths: the report names the queue that closes the input.
full() { # PRIORITY WORDS
    printf 'set $qbm.%s = ADDR(0x800, %s)\nset $qhl.%s = ADDR(0x800, %s)\n' \
        "$1" $(($2 - 1)) "$1" "$2"
}
for filled in '0 16 1' '1 64 0' '1 8 0'; do
    # shellcheck disable=SC2086 # words
    set -- $filled
    {
        printf 'node 1\n'
        full "$1" "$2"
        printf 'set $qbm.%s = ADDR(0xA00, 31)\nset $qhl.%s = ADDR(0xA00, 4)\n' "$3" "$3"
        printf 'cycle\nwhy blocked 1\n'
    } | "$jm" debug --quiet --no-init --mesh 2x1x1 tests/debug/programs/prog.s \
        >"$work/out" 2>&1
    check "queue $1 of $2 words" \
        grep -q "its queue $1 is full ($2 of $2 words)" "$work/out"
    check "and not queue $3" test "$(grep -c "its queue $3" "$work/out")" -eq 0
done

# A deadlock at one full queue, while the other takes its message, of one row: the state
# of each is reported, its own length and size, and which is closed.
cat >"$work/door.s" <<'END'
        .include "kernel.inc"
        .global main
main:   move    nnr,r1
        bnz     r1,^.rest
        move    1,r2
        .msg    main,2
        send2   r2,r0,0
        sende   r3,0
        send2   r2,r0,1
        sende   r3,1
.rest:  br      ^.rest
END
for filled in '0 16 1 5' '1 8 0 12'; do
    # shellcheck disable=SC2086 # words
    set -- $filled
    {
        printf 'break main on 1\ncontinue\nset $i = 1\n'
        full "$1" "$2"
        printf 'set $qbm.%s = ADDR(0xA00, 31)\nset $qhl.%s = ADDR(0xA00, %s)\n' \
            "$3" "$3" "$4"
        printf 'continue\n'
    } | "$jm" debug --quiet --no-init --mesh 2x1x1 "$work/door.s" >"$work/out" 2>&1
    check "the door of queue $1 is closed" \
        grep -q "^1,0,0 p$1 ejection gate is closed to message" "$work/out"
    check "and that of no other" test "$(grep -c 'gate is closed' "$work/out")" -eq 1
    check "its node is told with its flag" \
        grep -q '^node 1 (1,0,0): idle at .*, I = 1$' "$work/out"
    check "and no other node" test "$(grep -c '^node 0' "$work/out")" -eq 0
    check "queue $1 is told" \
        grep -q "^  queue $1 holds $2 of $2 words, its input is closed$" "$work/out"
    check "queue $3 is told" \
        grep -q "^  queue $3 holds $(($4 + 4)) of 32 words$" "$work/out"
done

finish

# Stops whose conditions are compiled and evaluated while the machine runs stop in the
# same places as stops evaluated after each cycle with the machine at rest. An
# expression that names a node by an expression is always evaluated the second way:
# adding one turns a stop into the slow twin of the one without.
. tests/cli/check.sh

still='([0]@($node) == [0]@($node))'

# The messages of twins differ only in number and node, which are removed.
snakes() {
    timeout 900 "$jm" debug --quiet --no-init --mesh 3x2x2 --queue 32 \
        --set snakes_l=15 --set snakes_m=4 --set snakes_p=7 \
        programs/snakes/snakes.s 2>&1 |
        sed -E '/^stop [0-9]+:/d
            s/stop ([0-9]+), .*, (node [0-9]+).*/stop \1 at \2/
            s/: until .*, (node [0-9]+).*/: until, at \1/'
}

# All twins of a kind are one session: they are collected in $work/fast and $work/slow.
begin() { # NAME CYCLE NODE
    printf 'delete\necho section %s\ngoto %s\nnode %s\n' "$1" "$2" "$3"
}

ends() {
    printf 'registers all\nstatistics all\nqueue all\nchannels\nmessages\n'
    echo 'echo statistics are above'
}

# condition NAME CYCLE RUNS STOP CONDITION [AFTER]: from CYCLE on, RUNS times, and back.
condition() {
    for twin in fast slow; do
        condition="($5)"
        [ $twin = fast ] || condition="($5) && $still"
        {
            begin "$1" "$2" 0
            echo "$4 if $condition $6"
            yes 'continue' | head -n "$3"
            ends
            printf 'reverse-continue\nregisters\n'
        } >>"$work/$twin"
    done
}

# value NAME CYCLE RUNS EXPRESSION [CLAUSES]: a value that is watched.
value() {
    for twin in fast slow; do
        expression="($4)"
        [ $twin = fast ] || expression="(($4) + 0 * $still)"
        {
            begin "$1" "$2" 5
            echo "watch $expression $5"
            yes 'continue' | head -n "$3"
            ends
            printf 'reverse-continue\nregisters\n'
        } >>"$work/$twin"
    done
}

# until NAME CYCLE CONDITION...
until_true() {
    name=$1 from=$2
    shift 2
    for twin in fast slow; do
        {
            begin "$name" "$from" 5
            for condition; do
                [ $twin = fast ] || condition="($condition) && $still"
                echo "until $condition"
            done
            ends
        } >>"$work/$twin"
    done
}

condition 'a breakpoint in the handler' 38000 6 'break snake_code + 6' \
    '($r0 & 3) == 1 || data($r2) % 3 == 0'
condition 'its condition on the message' 38000 6 'break snake_code + 4' \
    '(data([$a3 + 1]) & 7) == 2'
condition 'its condition on the queue' 38000 6 'break snake_code + 5' 'queue(0) > 20'
condition 'on the cycle' 38000 6 'break snake_code + 7' '$cycle % 16 == 3'
condition 'on another node' 38000 6 'break snake_code + 4 on 2-9' \
    'data([snakes_data + 19]@1) % 4 == 1'
condition 'its count' 38000 3 'break snake_code + 8' '(data($r1) & 1) == 0' 'after 40'
condition 'a loop of one word' 38000 4 'break watch.turn' \
    '(data($r1) & 1023) == 7' 'after 2'
condition 'a loop and a far count' 38000 2 'break watch.turn' '1 == 1' 'after 6500'
condition 'a word that is written' 38000 6 'watch snakes_data + 19' \
    'data([snakes_data + 19]) % 5 == 3'
condition 'words that are read and written' 38000 6 'awatch snakes_data + 15 5' \
    '(data($r1) & 15) == 3'
condition 'accesses counted' 2000 2 'awatch snakes_data 30' '$node != 4' 'after 6500'
condition 'words of a queue' 38000 6 'awatch 0xC00 8' 'tag($r0) == 1 || queue(0) > 8'
condition 'dispatches' 38000 6 'catch dispatch' '(data([$a3]) & 31) == 8 && $node > 3'
condition 'ends of tasks' 38000 3 'catch suspend' '$node % 2 == 1' 'after 25'
condition 'faults' 30000 6 'catch fault EARLY,SEND' 'data($fip) != 0 && $node != 5'
condition 'arrivals' 38000 4 'catch arrive' 'queue(0) > 4'

value 'a register' 38000 12 'data($r2)'
value 'a register of a context' 38000 8 'data($r1.0)' 'if (data($r1.0) & 1) == 1'
value 'a register, counted' 38000 3 'data($r3)' 'if (data($r3) & 3) != 2 after 30'
value 'a far count of a register' 1 2 'data($r1.b@0)' 'after 6500'
value 'a word' 38000 8 'data([snakes_data + 19])'
value 'a word of another node' 38000 8 'data([snakes_data + 19]@2)'
value 'a sum of two nodes' 38000 8 'data([snakes_data + 19]@2) + data($r1.0@3)'
value 'a word of a message' 38000 6 'data([$a3 + 1])'
value 'a queue' 38000 8 'queue(0)' 'if queue(0) % 8 == 0'
value 'a word of a queue' 38000 6 'data([0xC05])'
value 'the next instruction' 38000 8 'data($ip)' 'if (data($ip) & 0x1000) == 0'

until_true 'until a register' 38000 '$r1 == 3' '$r1 == 4' '$r1.0 == 5' '$running == 2'
until_true 'until words' 38000 'data([snakes_data + 19]@0) > 44' \
    'data([snakes_data + 19]@0) + data([snakes_data + 19]) > 110'
until_true 'until a cycle' 38000 '$cycle >= 38123' '$cycle == 38200 || idle()'
until_true 'until a queue' 38000 'queue(0) >= 12' 'queue(0)  == 0' \
    'active(0)' '!active(0)'

snakes <"$work/fast" >"$work/a"
snakes <"$work/slow" >"$work/b"
check "the same stops and states" diff "$work/b" "$work/a"
check "nothing fails" test "$(cat "$work/a" "$work/b" | grep -c error)" -eq 0
# Each of them stops, and there is something to compare.
awk '/^section / { name = $0; stops[name] = ends[name] = 0 }
    /^cycle .* at node/ { stops[name]++ }
    /^statistics are above/ { ends[name]++ }
    END { for (name in stops) print (stops[name] && ends[name] == 1), name }' \
    "$work/a" >"$work/sections"
rows "$(grep -c '^echo section' "$work/fast")" "$work/sections" '^1 section'

# A loop that branches to itself sleeps; it is entered again after every message.
{
    echo 'break kernel_idle.rest on 1' && yes continue | head -n 8 && echo 'info stops'
} |
    "$jm" debug --quiet --no-init --mesh 2x1x1 tests/debug/programs/rests.s >"$work/a"
rows 6 "$work/a" '^cycle [0-9]+: stop 1'
rows 1 "$work/a" 'break at .* 6 hits'

# Conditions do not read uninitialised memory, including functions without argument.
if valgrind -q "$jm" --version >"$work/a" 2>"$work/err"; then
    printf 'break arrive if idle() == 0 && active(0)\nuntil idle()\ncontinue\n' |
        valgrind -q --error-exitcode=9 "$jm" debug --quiet --no-init --mesh 2x1x1 \
            tests/debug/programs/tag.s >"$work/a" 2>"$work/err"
    passed $? "nothing uninitialised is looked at"
    check "and there was something to look at" grep -q 'until idle()' "$work/a"
else
    echo "skipped: valgrind looks for no uninitialised memory: $(tail -1 "$work/err")"
fi

# Instructions that share words: each is a separate stop.
cat >"$work/halves.s" <<'END'
        .include "kernel.inc"
        .global main
main:   move    3,r0
        nop
again:  nop
        nop
        sub     r0,1,r0
        bnz     r0,^again
        goto    kernel_idle
END
{
    for line in 5 6 7 8; do printf 'break halves.s:%s\n' $line; done
    yes continue | head -12
    printf 'info stops\n'
} | "$jm" debug --quiet --no-init "$work/halves.s" >"$work/out" 2>&1
found=$(sed -n 's/^cycle [0-9]*: stop \([0-9]*\), .*/\1/p' "$work/out")
# shellcheck disable=SC2086 # words
check "they are hit in turn" test "$(echo $found)" = '1 2 3 4 1 2 3 4 1 2 3 4'
check "and each three times" test "$(grep -c ', 3 hits$' "$work/out")" -eq 4

finish

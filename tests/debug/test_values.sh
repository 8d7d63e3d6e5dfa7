# Values of expressions, recomputed independently on a machine whose sides are all
# different.
. tests/cli/check.sh

check "expressions" python3 tests/debug/expressions.py "$jm" "$work"
cp "$work/check.out" "$work/compared"
check "none differs" test "$(grep -c '^differs' "$work/compared")" -eq 0
check "there were many" grep -Eq '^compared [1-9]... lines and 300' "$work/compared"

# Functions in a stop's condition refer to its node, not to the selected one, which has
# no task and no message.
corners() {
    "$jm" debug --quiet --no-init --mesh 3x2x2 tests/debug/programs/corners.s
}
printf '%s\n' 'node 5' 'break slow after 1000000' \
    'break slow if active(0) after 1000000' 'break slow if active(1) after 1000000' \
    'break slow if queue(0) >= 4 && !idle() after 1000000' \
    'break slow if $node == 0 || $node == 11 after 1000000' \
    'break slow if [total]@($node) == 3 && $running == 0 after 1000000' \
    'break quick after 1000000' 'break quick if active(1) after 1000000' \
    'break quick if queue(1) >= 4 && [total]@($node) == 3 && $context == 1 after 999' \
    'break quick if active(0) || !active(0) && $context == 1 after 1000000' \
    'run 60000' 'info stops' | corners | sed -n 's/.*, \([0-9]*\) hits.*/\1/p' |
    tr '\n' ' ' >"$work/out"
check "functions of the own node" grep -Eqx \
    '([1-9][0-9]+) \1 0 \1 \1 \1 ([1-9][0-9]+) \2 \2 \2 ' "$work/out"

# Of many nodes that reach a breakpoint in one cycle, the one that satisfies the
# condition is found; the condition refers to that node, whichever is selected.
cat >"$work/turn.s" <<'END2'
        .rom
        .org    0x1000
boot:   nop
        nop
turn:   nop
        nop
        br      ^turn
END2
for where in '0 @($node)' '63 @($node)' '64 @($node)' '191 @($node)' '191'; do
    node=${where%% *} at=${where#"$node"}
    printf 'set [0x200]@%s = 5\nbreak turn if [0x200]%s == 5\nrun 30\ninfo stops\n' \
        "$node" "${at# }" |
        "$jm" debug --quiet --no-init --bare --mesh 8x8x3 "$work/turn.s" >"$work/out"
    rows 1 "$work/out" "^cycle 3: stop 1, .*, node $node "
    rows 1 "$work/out" ', 1 hits$'
done
finish

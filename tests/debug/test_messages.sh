# Messages are followed: their ages and histories, through overflows and time travel.
. tests/cli/check.sh

ages() {
    "$jm" debug --quiet --no-init --mesh 4x2x1 --queue 32 "$@" \
        tests/debug/programs/ages.s
}

# Whatever has happened to a message, `queue` knows its origin: the messages carry it
# themselves. In that program overflows never end for long.
for cycle in $(seq 300 197 32000); do
    printf 'goto %d\nqueue 0\n' "$cycle"
done | ages >"$work/ages"
awk -f tests/debug/ages.awk "$work/ages" >"$work/out"
check "every message is known" test "$(cat "$work/out")" = "$(tail -1 "$work/out")"
check "and there are many" test "$(cut -d' ' -f1 "$work/out")" -gt 100
check "of every age" \
    test "$(grep -c 'age [0-9]*, sent [0-9]* ago' "$work/ages")" -gt 500
check "and none is older than the past" test "$(grep -c 'at least' "$work/ages")" -eq 0

# The same with a different past: the times of checkpoints do not matter.
for cycle in 20000 31000 9000 15003; do
    printf 'goto %d\nqueue 0\nwhere 0\n' "$cycle"
done >"$work/in"
ages <"$work/in" >"$work/a"
{ echo 'goto 32000' && cat "$work/in"; } | ages | tail -n +3 >"$work/b"
check "ages do not depend on the way" diff "$work/a" "$work/b"

# After a restored start only the time before it is unknown.
printf 'goto 15003\nsave %s\ngoto 16000\nqueue 0\nregisters 0\n' "$work/saved" |
    ages >"$work/a"
printf 'goto 16000\nqueue 0\nregisters 0\nhistory at 0xC14\nmessages\n' |
    "$jm" debug --quiet --no-init --restore "$work/saved" >"$work/b"
check "a restored past" grep -q 'age at least 997' "$work/b"
check "what is older has no history" grep -q 'was there in cycle 15003' "$work/b"

# To look back changes nothing.
printf 'goto 14850\nhistory queue 0 0 1\nwhere 0\nregisters 0\n' | ages >"$work/out"
printf 'goto 14850\nwhere 0\nregisters 0\n' | ages >"$work/a"
check "looking back changes nothing" \
    diff "$work/a" - <<END
$(grep -v '^  [ 0-9]\{8\}  \|^ \{12\}' "$work/out")
END
finish

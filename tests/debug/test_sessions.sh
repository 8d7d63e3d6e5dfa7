# Stops that never trigger change nothing, whatever the machine does. What sessions find
# is in tests/recorded/debug-sessions.cases.
. tests/cli/check.sh

cat >"$work/stops" <<'END'
break kernel_idle if 0 == 1
break main on 0 if $r0 == INT:7FFFFFFF
awatch snakes_hops 2 if [snakes_m]@0 == 99
watch 0x200 64 if 0 == 1
catch send if 0 == 1
catch dispatch if 0 == 1
catch fault if 0 == 1
catch overflow if 0 == 1
END
printf 'continue\nstatistics all\nqueue all\nregisters all\n' >"$work/looks"
snakes() {
    "$jm" debug --quiet --no-init --mesh 3x2x2 --queue 32 --set snakes_l=15 \
        --set snakes_m=4 programs/snakes/snakes.s
}
snakes <"$work/looks" >"$work/a"
cat "$work/stops" "$work/looks" | snakes | grep -v '^stop [0-9]*:' >"$work/b"
check "the snakes have run" grep -q 'dispatched; queue up to' "$work/a"
check "no stop was refused" test "$(grep -c '^error' "$work/b")" -eq 0
check "stops that do not count change nothing" diff "$work/a" "$work/b"
finish

# Sessions through a pipe: a planted bug of each kind is found in under ten commands.
# tests/recorded/debug-sessions.cases has all their output.
. tests/cli/check.sh

# session NAME: the commands of sessions/NAME.jmd on programs/NAME.s; its first line has
# the options of the machine.
session() {
    options=$(sed -n '1s/^# \([^:]*\):.*/\1/p' "tests/debug/sessions/$1.jmd")
    # shellcheck disable=SC2086
    { echo 'option echo on' && cat "tests/debug/sessions/$1.jmd"; } |
        "$jm" debug --quiet --no-init $options "tests/debug/programs/$1.s" \
            >"$work/$1.txt" 2>&1
}

for file in tests/debug/sessions/*.jmd; do
    name=$(basename "$file" .jmd)
    session "$name"
    check "$name is found in under ten commands" \
        test "$(grep -vc '^#' "$file")" -lt 10
done

# Findings that each session must show.
while read -r name text; do
    check "$name: $text" grep -qF -- "$text" "$work/$name.txt"
done <tests/debug/sessions/found.txt

# Stops that never trigger change nothing, whatever the machine does.
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

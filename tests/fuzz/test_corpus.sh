# Every input the fuzzers keep, through the fuzzers' own checks, and a few of no shape:
# packs of what fuzzing found, and named files for what once went wrong.
. tests/cli/check.sh

: >"$work/empty"
printf '\0' >"$work/zero"
head -c 4096 /dev/zero >"$work/zeroes"
# Machines saved now, and the same with bytes changed: files of another format would be
# refused by their version.
checks=$((checks + 1))
sh tests/fuzz/seeds_saved.sh "$jm" "$work/seeds" 60 || fail "no saved machines"
[ "$(ls "$work/seeds" | wc -l)" -eq 372 ] || fail "not six machines, each 62 times"
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    set -- "$work/empty" "$work/zero" "$work/zeroes"
    [ "$name" != fuzz_saved ] || set -- "$@" "$work"/seeds/*
    for input in "tests/fuzz/corpus/$name.a" "tests/fuzz/corpus/$name"/*; do
        [ ! -f "$input" ] || set -- "$@" "$input"
    done
    [ $# -gt 3 ] || fail "$name has no corpus"
    checks=$((checks + 1))
    "$build/replay-$name" -v "$@" >"$work/out" 2>"$work/err" || {
        fail "$name; the last lines name the input"
        tail -20 "$work/err"
    }
done

# A pack is read to its last member, and one that is cut off is told.
printf 'a' >"$work/first"
printf 'bc' >"$work/second_with_a_long_name"
(cd "$work" && ar rcsD three.a first second_with_a_long_name empty)
status 0 "$build/replay-fuzz_image" -v "$work/three.a"
checks=$((checks + 1))
[ "$(grep -c 'three.a, member' "$work/err")" -eq 3 ] || fail "not three members run"
head -c 130 "$work/three.a" >"$work/cut.a"
status 1 "$build/replay-fuzz_image" "$work/cut.a"
status 1 "$build/replay-fuzz_image" "$work/none.a"
finish

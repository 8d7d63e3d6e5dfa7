# Every input the fuzzers keep, through the fuzzers' own checks, and a few of no shape.
. tests/cli/check.sh

: >"$work/empty"
printf '\0' >"$work/zero"
head -c 4096 /dev/zero >"$work/zeroes"
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    check "$name" "$build/replay-$name" "$work/empty" "$work/zero" "$work/zeroes"
    for input in "tests/fuzz/corpus/$name"/*; do
        [ ! -f "$input" ] || check "$name" "$build/replay-$name" "$input"
    done
done
finish

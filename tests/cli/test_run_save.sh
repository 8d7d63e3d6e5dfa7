# jm run --save-at and --restore: a continued run equals an uninterrupted one.
. tests/cli/check.sh
cd "$work" || exit 1

# both PROGRAM CYCLES ENGINE OPTIONS...: a whole run against one that the graph engine
# saved at CYCLES and ENGINE continues.
both() {
    program=$1 at=$2 engine=$3
    shift 3
    "$jm" run --quiet "$@" --stats whole.json --dump 0:100:800 "$program" >whole.out \
        2>whole.err
    whole=$?
    "$jm" run --quiet "$@" --engine graph --save-at "$at:saved" --stats saved.json \
        --dump 0:100:800 "$program" >saved.out 2>saved.err
    check "saving changes nothing ($program $at)" cmp saved.out whole.out
    check "saving changes no figure ($program $at)" cmp saved.json whole.json
    [ -f saved ] || return 0 # it ended before
    status "$whole" "$jm" run --quiet "$@" --restore saved --engine "$engine" \
        --stats rest.json --dump 0:100:800
    check "same statistics ($program $at)" cmp rest.json whole.json
    check "same explanation ($program $at)" cmp err whole.err
    tail -c "$(wc -c <out)" whole.out >tail.out
    check "same output and dump ($program $at)" cmp out tail.out
    rm -f saved
}

seed=1
for program in "$build"/programs/*.elf; do
    case $program in */snakes.elf | */bench.elf) cycles=9000 ;; *) cycles=40000 ;; esac
    # Any cycle will do; these differ for each program.
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    both "$program" $((seed / 7 % 3000)) plane --mesh 2x2x2 --cycles $cycles
    both "$program" $((seed / 11 % 900)) graph --mesh 3x2x1 --cycles $cycles \
        --router fair --seed $seed
done
for at in 0 1 777 5000 9001; do
    both "$build/programs/random.elf" $at plane --mesh 4x2x2 --seed 3
done
both "$build/programs/random.elf" 4000 plane --mesh 4x2x1 --param header_flits=0 \
    --param channel_capacity=4
both "$build/programs/random.elf" 4000 plane --mesh 4x2x1 \
    --param read_onchip=2
both "$build/programs/random.elf" 4000 graph --mesh 4x2x1 --param age=2
both "$build/programs/snakes.elf" 5000 graph --mesh 4x2x2 --param age=1 --threads 2

# The state does not depend on how often a run pauses, as it does for each sample and on
# slow hosts more often, nor on an observer. Numbers of messages are part of it.
snakes="--set snakes_l=15 --set snakes_m=4 --set snakes_p=7 $build/programs/snakes.elf"
for at in 5000 12001 20000 38000; do
    for pauses in "--quiet" "--sample 1:s.csv" "--sample 7:s.csv" \
        "--sample 1000:s.csv" "--trace s.trace"; do
        "$jm" run --quiet --mesh 3x2x2 --queue 32 --cycles $((at + 1)) $pauses \
            --save-at $at:paused $snakes >/dev/null 2>&1
        [ "$pauses" != --quiet ] || mv paused whole
        [ "$pauses" = --quiet ] || check "state at $at with $pauses" cmp paused whole
    done
done

# A machine that has ended is restored as such.
"$jm" run --quiet --cycles 9000 "$build/programs/hello.elf" --stats s.json >hello.out
end=$(sed -n 's/^"cycles":\([0-9]*\),.*/\1/p' s.json)
"$jm" run --quiet --save-at "$end:ended" "$build/programs/hello.elf" >hello2.out
status 0 "$jm" run --restore ended
check "nothing is said twice" test ! -s out

# A damaged byte is refused wherever it is.
refused() {
    status 2 "$jm" run "$@"
    rows 1 err .
}
"$jm" run --quiet --mesh 2x1x1 --cycles 900 --save-at 500:s \
    "$build/programs/random.elf" >random.out 2>err
size=$(wc -c <s)
for at in 12 17 25 40 500 $((size - 1)); do
    (head -c $at s
        head -c $((at + 1)) s | tail -c 1 | tr '\000-\377' '\001-\377\000'
        tail -c +$((at + 2)) s) >damaged
    refused --restore damaged
done
# Two runs from one source save the same bytes.
for file in first second; do
    "$jm" run --quiet --mesh 2x1x1 --save-at 100:$file \
        "$programs/../../debug/programs/tag.s" >tag.out 2>&1
done
check "saved machines are equal" cmp first second
finish

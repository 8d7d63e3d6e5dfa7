# Options of jm run that are given twice: the last counts, or they add up.
. tests/cli/check.sh
cd "$work" || exit 1

# If an option is given twice, the last one counts.
while read -r other wanted; do
    # shellcheck disable=SC2086 # options
    "$jm" run --quiet --cycles 900 $(echo $other $wanted | tr = ' ') \
        --stats twice.json "$build/programs/random.elf" >out 2>err
    # shellcheck disable=SC2086
    "$jm" run --quiet --cycles 900 $(echo $wanted | tr = ' ') \
        --stats once.json "$build/programs/random.elf" >out 2>err
    check "$other, then $wanted" cmp twice.json once.json
done <<'END2'
--mesh=4x1x1 --mesh=2x3x1
--seed=5 --seed=7
--router=fair --router=unfair
--queue=16 --queue=64
--queue1=16 --queue1=64
--cycles=100 --cycles=800
--engine=graph --engine=plane
END2

# Lists of nodes add up, of kinds the last counts; each option of a trace does with the
# others what it does alone.
traced() { # FILE OPTION...
    file=$1
    shift
    "$jm" run --quiet --mesh 3x2x1 --cycles 4000 --trace $file "$@" \
        "$build/programs/random.elf" >out 2>&1
}
traced all.txt
traced some.txt --trace-cycles 100-3500 --trace-nodes 0 --trace-kinds send \
    --trace-nodes 4-5,2 --trace-kinds arrive,dispatch --trace-cycles 1000-3000
awk '$1 >= 1000 && $1 < 3000 && $2 ~ /^[0245]$/ && $4 ~ /arrive|dispatch/' \
    all.txt >wanted
check "options of a trace" cmp some.txt wanted
check "it has something" test -s wanted
finish

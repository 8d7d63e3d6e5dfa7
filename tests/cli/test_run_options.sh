# Options of jm run in every order, and twice.
. tests/cli/check.sh
cd "$work" || exit 1
cp "$programs"/*.s .

# Two flags do the same in either order, to programs that stop, go idle, and print.
cat >print.s <<'END2'
        .include "kernel.inc"
        .global main
main:   print   text
        move    nil,r1
        add     r1,1,r1
        goto    kernel_idle
        .ext
text:   .asciz  "a\nb"
END2
# ran FILE OPTION...: output, messages and status of a run go to FILE.
ran() {
    file=$1
    shift
    "$jm" run --cycles 3000 --mesh 2x1x1 "$@" >$file 2>&1
    echo $? >>$file
}
flags='--quiet --keep-going --fault-chain --expect-exit --raw-output --no-host'
for program in stop_one.s idle.s print.s; do
    bare=--bare
    [ $program != print.s ] || bare=
    for a in $flags; do
        for b in $flags; do
            [ $a \< $b ] || continue
            # shellcheck disable=SC2086 # none or one
            ran first $a $b $bare $program
            # shellcheck disable=SC2086
            ran second $bare $b $a $program
            check "$program $a $b" cmp first second
        done
    done
    # shellcheck disable=SC2086
    ran none $bare $program
    ran $program.none $bare $program
done
for pair in quiet:idle.s keep-going:print.s fault-chain:print.s expect-exit:idle.s \
    raw-output:print.s no-host:idle.s; do
    program=${pair#*:}
    bare=--bare
    [ $program != print.s ] || bare=
    # shellcheck disable=SC2086
    ran one --${pair%:*} $bare $program
    check "--${pair%:*} does something" sh -c "! cmp -s one $program.none"
done

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

# Options of jm run in every order, twice, and at the ends of their ranges; what of a
# program the statistics name.
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

# Of an option that is given twice the last counts.
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
status 126 "$jm" run --quiet --mesh 3x1x1 --cycles 9 --queue 32 --queue1 64 \
    --dump 2:kernel_queue0 --dump 2:kernel_queue1 "$build/programs/random.elf"
check "queues of both priorities" test "$(cut -d' ' -f3 out | tr '\n' ' ')" = \
    '100000020 100000040 '

# Dumps go as far as memory does, and are as long as asked for.
status 0 "$jm" run --bare --quiet --no-host --mesh 1x3x1 --dump 2:FFFFE:2 \
    --dump 1:0:5001 idle.s
rows 5003 out '^[12] '
check "the last word" test "$(sed -n 2p out)" = '2 FFFFF 000000000'
check "the last of many" test "$(tail -1 out | cut -d' ' -f1,2)" = '1 01388'

# A program may lie on the last node alone.
"$jm" run --bare --quiet --cycles 0 --dump 0:1000:4 loop.s 2>err |
    sed 's/^0/3/' >last.txt
status 126 "$jm" run --mesh 2x2x1 --cycles 99 --stats s.json last.txt
check "it has run" test "$(sed -n 's/^"instructions":\(.*\),/\1/p' s.json)" -gt 50
echo '0 00500 100000001' >nothing.txt
status 2 "$jm" run --mesh 2x2x1 --cycles 99 nothing.txt

# Words that the statistics name are numbers with their signs, wherever they lie but in
# ROM; marks are those of each node.
cat >words.s <<'END2'
        .include "mdp.inc"
        .global low, high, bool, first, last, behind
        .rom
        .org    ROM
        .word   INT:HOST_RANK
        move    [r0,a0],r1
        add     r1,1,r2
turn:   sub     r2,1,r2
        bnz     r2,^turn
        .word   INT:HOST_MARK
        move    r1,[r0,a0]
        .word   INT:HOST_MARK
        move    r1,[r0,a0]
rest:   br      ^rest
first:  .word   INT:3
        .org    0x1FFF
last:   .word   INT:4
        .data
low:    .word   INT:-2147483648
high:   .word   INT:2147483647
bool:   .word   BOOL:1
        .ext
behind: .word   INT:-5
END2
status 0 "$jm" run --bare --quiet --mesh 3x1x2 --stats s.json words.s
check "words and marks" python3 - <<'END2'
import json
run = json.load(open('s.json'))
assert run['words'] == {'low': -2**31, 'high': 2**31 - 1, 'behind': -5}, run['words']
marks = [(mark['node'], mark['value']) for mark in run['marks']]
assert sorted(marks) == sorted([(n, n) for n in range(6)] * 2), marks
cycles = [(mark['cycle'], mark['node']) for mark in run['marks']]
assert cycles == sorted(cycles) and len({c for c, _ in cycles}) > 5, cycles
assert run['makespan'] == cycles[-1][0] - cycles[0][0]
END2

# Several messages of a wrong length, at priority 1, from a node behind: the first is
# told, and how many there are.
cat >wrong.s <<'END2'
        .include "kernel.inc"
        .global main, work
main:   readr   nnr,r2
        equal   r2,1,r1
        bf      r1,^.rest
        .msg    work,3
        send2   r2,r0,1
        sende   r2,1
        send2   r2,r0,1
        send2   r2,r2,1
        sende   r2,1
.rest:  goto    kernel_idle
work:   suspend
END2
sed '0,/send2   r2,r0,1/s//&\n        nop/' wrong.s >wrong2.s
for program in wrong.s wrong2.s; do # the instruction in either half of a word
    status 0 "$jm" run --mesh 3x1x1 --trace wrong.txt $program
    sent=$(awk '$4 == "send" && $2 == 1' wrong.txt | sed -n '2s/ .*//p')
    to="to [0-9A-F]+ work at priority 1,"
    rows 1 err "warning: node 1 sent 2 words in cycle $sent $to"
    rows 1 err 'and the header says 3 \(2 such messages\); it ends at [0-9A-F]+ main'
done
status 0 "$jm" run --quiet --mesh 3x1x1 wrong.s
silent err

# Each save that the run does not come to is named, in the order of cycles.
status 126 "$jm" run --cycles 50 --save-at 90:c --save-at 50:a --save-at 60:b \
    --save-at 90:d "$build/programs/random.elf"
check "what was not saved" test "$(sed -n \
    's/.*before cycle \([0-9]*\); \(.\) was not saved/\1\2/p' err | tr '\n' ' ')" = \
    '60b 90c 90d '
check "what was" test -s a

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

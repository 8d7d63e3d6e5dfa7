# What jm run prints and writes: dumps, statistics, samples, traces, guest output.
. tests/cli/check.sh

run() {
    "$jm" run --bare "$@"
}

# Dumps, after any end, in the order asked for; a text image can be made of them.
status 7 run --mesh 2x1x1 --dump 1:FFF:3 --dump 0:1000 "$programs/exit.s"
rows 4 "$work/out" '^[0-9]+ [0-9A-F]{5} [0-9A-F]{9}$'
cut -d' ' -f1,2 "$work/out" | tr '\n' ';' >"$work/order"
rows 1 "$work/order" '^1 00FFF;1 01000;1 01001;0 01000;$'
status 127 run --dump 0:0 "$programs/stop.s"
says out "0 00000 000000000"
status 126 run --cycles 10 --dump 0:0x2000:2 "$programs/loop.s"
says out "0 02001 000000000"
status 7 run --dump 0:0:4096 --dump 0:1000:4096 "$programs/exit.s"
cp "$work/out" "$work/image.txt"
status 7 "$jm" run "$work/image.txt"

# What the program has printed comes before what jm says, also in one file or pipe.
cat >"$work/both.s" <<'END'
        .include "kernel.inc"
        .global main
main:   print   text
        suspend                 ; in background it stops the node
        .ext
text:   .asciz  "printed before it stops\n"
END
"$jm" run "$work/both.s" >"$work/both" 2>&1
head -1 "$work/both" >"$work/first"
rows 1 "$work/first" '^printed before it stops$'
rows 1 "$work/both" '^jm run: stopped after'

# --set is a word on every node.
status 7 run --mesh 2x2x1 --set count=-100 --dump 3:count --stats "$work/s.json" \
    "$programs/exit.s"
rows 1 "$work/out" '^3 [0-9A-F]* 100000000$' # -100 and 100 turns
check "statistics are JSON" "$jm" report "$work/s.json"
for key in version program mesh seed parameters cycles stop exit instructions \
    messages overflows words faults makespan marks network nodes flits bisection \
    latency wire_utilisation blocked_cycles rank x y z messages_in messages_out \
    queue_max_words queue_mean_words queue1_max_words queue1_mean_words first_overflow \
    links; do
    check "key $key" grep -q "\"$key\":" "$work/s.json"
done
check "stop" grep -q '^"stop":"exit",' "$work/s.json"
check "exit" grep -q '^"exit":7,' "$work/s.json"
rows 4 "$work/s.json" '^\{"rank":'

# Every cycle of a node belongs to one class.
check "cycles add up" awk '
    /^"cycles":/ { gsub(/[^0-9]/, ""); total = $0 }
    /^{"rank":/ {
        sub(/.*"cycles":{/, ""); sub(/}.*/, "")
        n = split($0, part, /[:,]/); sum = 0
        for (i = 2; i <= n; i += 2) sum += part[i]
        if (sum != total) { print "node has " sum " of " total; bad = 1 }
    }
    END { exit bad || !total }' "$work/s.json"

# By lines, or as the characters come; a line that is cut by saving stays whole.
cat >"$work/hello.s" <<'END'
        .include "kernel.inc"
        .global main
main:   print   text
        move    0,r1
        exit    r1
        .ext
text:   .asciz  "hello\nthere"
END
status 0 "$jm" run --mesh 3x1x1 "$work/hello.s"
printf 'node %s: hello\n' 0 1 2 >"$work/wanted"
printf 'node 0: there\nnode 1: there\nnode 2: there' >>"$work/wanted"
check "lines of three nodes" cmp "$work/out" "$work/wanted"
status 0 "$jm" run --mesh 3x1x1 --raw-output "$work/hello.s"
printf 'hhheeellllllooo\n\n\nttthhheeerrreee' >"$work/raw"
check "characters of three nodes" cmp "$work/out" "$work/raw"
status 0 "$jm" run "$work/hello.s"
printf 'hello\nthere' >"$work/alone"
check "one node has no name" cmp "$work/out" "$work/alone"
half=$(($("$jm" run --mesh 3x1x1 --raw-output --stats - "$work/hello.s" |
    sed -n 's/^"cycles":\(.*\),/\1/p') - 60))
status 0 "$jm" run --mesh 3x1x1 --save-at "$half:$work/half.jm" "$work/hello.s"
status 126 "$jm" run --mesh 3x1x1 --cycles "$half" --raw-output "$work/hello.s"
check "saved within a line" grep -q '^t' "$work/out"
status 0 "$jm" run --restore "$work/half.jm"
printf 'node %s: there\n' 0 1 2 | head -c -1 >"$work/wanted"
check "the whole line after it" cmp "$work/out" "$work/wanted"

# Messages, marks, words printed, in the order of arrival.
status 0 run --mesh 3x3x3 --stats - "$programs/output.s"
rows 26 "$work/out" '^INT:000000'
rows 1 "$work/out" '^"messages":26,$'
grep '^"marks":' "$work/out" | tr '{' '\n' >"$work/marks"
rows 26 "$work/marks" '^"cycle":[0-9]+,"node":0,"value":[0-9]+\}'
rows 1 "$work/out" '"rank":0,.*"links":\{"x\+":[0-9]+,"y\+":[0-9]+,"z\+":[0-9]+\}'

# The same run gives the same bytes, whatever the threads and the slices it is run in.
for threads in 1 8; do
    status 0 run --mesh 4x4x4 --threads $threads --stats "$work/t$threads.json" \
        --trace "$work/t$threads.trace" \
        --sample "$((threads * 10)):$work/t$threads.csv" "$programs/output.s"
    cp "$work/out" "$work/t$threads.out"
done
check "statistics repeat" cmp "$work/t1.json" "$work/t8.json"
check "trace repeats" cmp "$work/t1.trace" "$work/t8.trace"
check "output repeats" cmp "$work/t1.out" "$work/t8.out"

# Samples: a header, a row at each multiple, a row at the end.
rows 1 "$work/t1.csv" '^cycle,instructions,messages,'
check "sample rows" awk -F, '
    NR > 1 { if ($1 % 10 && !end) end = $1; else if ($1 != 10 * (NR - 1)) bad = 1 }
    END { exit bad || NR < 3 }' "$work/t1.csv"
cycles=$(sed -n 's/^"cycles":\(.*\),/\1/p' "$work/t1.json")
tail -1 "$work/t1.csv" >"$work/last"
rows 1 "$work/last" "^$cycles,[0-9]+,63,"

# Words by name; what can be read as a hexadecimal number is one.
cat >"$work/names.s" <<'END'
        .global add, table, fields
        .rom
        .org    0x1000
stay:   br      ^stay
        .data
table:  .word   INT:1, INT:2, INT:3
fields: .word   INT:4
add:    .word   INT:5
END
status 0 run --quiet --mesh 2x1x1 --dump 1:table:3 --dump 0:table+2 --dump 0:fields \
    --dump 0:add+0 --dump 0:table+0x1:2 "$work/names.s"
cut -d' ' -f1,3 "$work/out" | tr '\n' ';' >"$work/words"
words='1 100000001;1 100000002;1 100000003;0 100000003;0 100000004;0 100000005;'
rows 1 "$work/words" "^${words}0 100000002;0 100000003;\$"
status 0 run --dump 0:add "$work/names.s"
says out "0 00ADD 000000000"
says err "warning: --dump takes add for an address; the symbol is add+0"
# What is said on the way comes before what is printed at the end, into a pipe too.
run --dump 0:add "$work/names.s" >"$work/both" 2>&1
run --dump 0:add "$work/names.s" 2>&1 | cat >"$work/piped"
check "a file and a pipe have the same order" cmp "$work/both" "$work/piped"
head -1 "$work/piped" >"$work/first"
rows 1 "$work/first" 'warning: --dump takes add'
status 0 run --quiet --dump 0:add "$work/names.s"
silent err

# Standard input may be an image of either kind or a source.
status 7 run - <"$programs/exit.s"
status 0 run --quiet --dump 0:fields "$work/names.s"
status 7 run --dump 0:0:4096 --dump 0:1000:4096 "$programs/exit.s"
cp "$work/out" "$work/image.txt"
(printf '# an image\n\n  # indented\n'; cat "$work/image.txt") >"$work/comments.txt"
status 7 "$jm" run - <"$work/comments.txt"
status 0 "$build/mdpas" -I "$build/gen" -o "$work/in.o" "$programs/exit.s"
status 0 "$build/mdpld" -o "$work/in.elf" "$work/in.o"
status 7 "$jm" run - <"$work/in.elf"
status 2 run - </dev/null
says err "<stdin>: error: it is empty"
printf '        frob r0\n' >"$work/in.s"
status 2 run - <"$work/in.s"
says err "<stdin>:1:9"

# Traces: one line an event.
rows "$(wc -l <"$work/t1.trace")" "$work/t1.trace" \
    '^[0-9]+ [0-9]+ [01b] [a-z]+ ([0-9A-F]{5}|-) [^ ]+( [^ ]+)*$'
for event in dispatch suspend send arrive; do
    check "trace has $event" grep -q " $event " "$work/t1.trace"
done
rows 63 "$work/t1.trace" ' 0 dispatch [0-9A-F]+ arrived '

# No progress line, no escape sequence, into a pipe or a file.
status 126 run --cycles 30000000 "$programs/loop.s"
rows 0 "$work/err" "$(printf '\033')|cycles, "

# Standard output that goes away or is full.
run --quiet --dump 0:0:100000 "$programs/idle.s" 2>"$work/err" | head -1 >"$work/out"
says out "0 00000 000000000"
silent err
if [ -w /dev/full ]; then
    checks=$((checks + 1))
    run --stats "$work/full.json" --dump 0:0:100 "$programs/idle.s" >/dev/full \
        2>"$work/err"
    [ $? -eq 2 ] || fail "status of a full disk"
    says err "standard output"
    check "no statistics beside lost output" test ! -e "$work/full.json"
fi

# Numbers of 64 bits in the statistics, and read back.
status 0 run --seed 18446744073709551615 --param deadlock_cycles=9223372036854775808 \
    --stats "$work/large.json" "$programs/idle.s"
check "a seed above 2^63" grep -qx '"seed":18446744073709551615,' "$work/large.json"
check "2^63 deadlock_cycles" \
    grep -q '"deadlock_cycles":9223372036854775808}' "$work/large.json"
status 0 run --seed 1 --stats "$work/small.json" "$programs/idle.s"
"$jm" report "$work/small.json" | sed 1d >"$work/small.report"
"$jm" report "$work/large.json" | sed 1d >"$work/large.report"
check "a report" test -s "$work/small.report"
check "the same report of large numbers" cmp "$work/small.report" "$work/large.report"

# An existing file is replaced, a device written through.
echo old >"$work/old.json"
status 0 run --stats "$work/old.json" "$programs/idle.s"
check "replaced" grep -q '"stop":"idle"' "$work/old.json"
status 0 run --stats /dev/null "$programs/idle.s"
check "/dev/null is still a device" test -c /dev/null
check "no temporary files" sh -c "! ls '$work' | grep -E '\.(json|csv|trace)\.'"

# How far a run is, on a terminal alone: a long run tells it, and takes it away at its
# end.
cat >"$work/progress.py" <<'END'
import os, pty, re, signal, sys
def run(*command):
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], command)
    seen = b""
    told = None
    try:
        while more := os.read(terminal, 4096):
            seen += more
            row = re.search(rb"\r(\d+) cycles, (\d+) a second, (\d+) messages\x1b\[K",
                            seen)
            if row and not told:
                told = row
                os.kill(child, signal.SIGINT)
    except OSError:
        pass  # the program has ended
    os.waitpid(child, 0)
    return told, seen
jm, loop, idle = sys.argv[1:]
told, seen = run(jm, "run", "--bare", "--no-host", loop)
assert told and int(told[1]) > 0 and int(told[2]) > 0 and int(told[3]) == 0, seen
assert b"\r\x1b[K" in seen, seen
told, seen = run(jm, "run", "--bare", "--no-host", idle)
assert not told and b"\x1b" not in seen, seen
told, seen = run(jm, "run", "--bare", "--quiet", "--cycles", "1000000000", loop)
assert not told and b"\x1b" not in seen, seen
END
if has_terminals "how far a run is"; then
    check "progress" timeout 120 python3 "$work/progress.py" "$jm" "$programs/loop.s" \
        "$programs/idle.s"
fi
finish

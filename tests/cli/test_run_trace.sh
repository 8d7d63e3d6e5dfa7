# jm run --trace FILE.json and the filters of traces. The JSON is read by python3, a
# parser that has nothing to do with jm; where there is none only its end is looked at.
. tests/cli/check.sh
checker=$PWD/tests/cli/trace_check.py
cd "$work" || exit 1

# sound WHAT FILE: viewers can read the trace; $work/out says what is in it.
sound() {
    if command -v python3 >/dev/null; then
        status 0 python3 "$checker" "$2"
    else
        check "$1 ends" sh -c "tail -1 '$2' | grep -qx ']}'"
        : >out
    fi
}

# Whatever the program: all that happens, and the machine does not notice.
for program in "$build"/programs/*.elf; do
    "$jm" run --quiet --mesh 2x2x1 --cycles 15000 --stats plain.json "$program" \
        >plain.out 2>plain.err
    ended=$?
    status $ended "$jm" run --quiet --mesh 2x2x1 --cycles 15000 --stats traced.json \
        --trace t.json "$program"
    check "tracing changes nothing ($program)" cmp plain.json traced.json
    sound "$program" t.json
done

# The same events in both forms.
run() {
    "$jm" run --quiet --mesh 2x2x2 "$@" "$build/programs/random.elf" >run.out
}
run --trace t.txt
run --trace t.json
count() {
    grep -c "$1" "$2"
}
same() {
    checks=$((checks + 1))
    [ "$(count "$1" t.txt)" -eq "$(count "$2" t.json)" ] ||
        fail "as many '$1' in text as '$2' in JSON"
}
same ' dispatch ' '"ph":"B".*"cat":"task"'
same ' dispatch ' '"ph":"f"'
same ' dispatch ' '"ph":"E"'
same ' arrive ' '"cat":"arrive"'
same ' arrive ' '"ph":"s"'
same ' fault ' '"cat":"fault"'

# A full output buffer shows as a stall.
"$jm" run --quiet --mesh 4x1x1 --cycles 30000 --param buffer_words=4 \
    --trace stall.json "$build/programs/hotspot.elf" >run.out 2>&1
sound stalls stall.json
check "stalls" grep -q '"cat":"stall"' stall.json

# Filters, in both forms.
run --trace n.txt --trace-nodes 1,3-4
check "nodes" sh -c "! cut -d' ' -f2 n.txt | grep -qv '^[134]$'"
rows "$(grep -cE '^[0-9]+ [134] ' t.txt)" n.txt .
run --trace k.txt --trace-kinds send,fault
check "kinds" sh -c "! cut -d' ' -f4 k.txt | grep -Eqv '^(send|fault)$'"
rows "$(grep -cE ' (send|fault) ' t.txt)" k.txt .
run --trace c.txt --trace-cycles 2000-3000
rows "$(awk '$1 >= 2000 && $1 < 3000' t.txt | wc -l)" c.txt .
run --trace f.json --trace-nodes 1,3-4 --trace-kinds dispatch,send \
    --trace-cycles 2000-3000
sound filters f.json
check "something is left" grep -q '"ph":"B"' f.json
check "nodes in JSON" sh -c "! grep -Eqv '\"pid\":[134],|^[]{]' f.json"
check "cycles in JSON" sh -c "! grep -E '\"ts\":(1...|[3-9]...[0-9]*)[,}]' f.json |
    grep -qv '\"ts\":3000}'"

# A run that ends early, and one that goes on from the middle.
run --cycles 2500 --trace early.json --save-at 2500:s 2>err
sound early early.json
"$jm" run --quiet --restore s --trace late.json >run.out
sound late late.json

for bad in "--trace-nodes 8" "--trace-nodes 3-1" "--trace-nodes x" "--trace-nodes 1," \
    "--trace-nodes ,1" "--trace-kinds flit" "--trace-kinds send,,fault" \
    "--trace-cycles 5" "--trace-cycles 5-5" "--trace-cycles 9-3"; do
    # shellcheck disable=SC2086
    status 2 "$jm" run --mesh 2x2x2 --trace bad.json $bad "$build/programs/random.elf"
    rows 1 err .
    check "nothing is left of $bad" test ! -e bad.json
done
finish

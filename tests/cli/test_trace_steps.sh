# jm run --trace-kinds instruction: a line for every instruction. The program is run
# again from the lines alone; the machine does not notice that it is traced.
. tests/cli/check.sh
effects=$PWD/tests/cli/effects.s
steps=$PWD/tests/cli/trace_steps.py rules=$PWD/tests/cli/trace_json.py
cd "$work" || exit 1

# traced ELF OPTION...: runs with a trace and without, and recomputes the trace.
traced() {
    program=$1
    shift
    "$jm" run --quiet "$@" --stats plain.json "$program" >plain.out 2>plain.err
    ended=$?
    status $ended "$jm" run --quiet "$@" --stats traced.json --trace t.txt \
        --trace-kinds instruction --dump 0:0:4096 --dump 1:0:4096 --dump 3:0:4096 \
        "$program"
    grep -E '^[013] [0-9A-F]{5} [0-9A-F]{9}$' out >dump
    check "tracing changes nothing ($program)" cmp plain.json traced.json
    check "the trace of $program" python3 "$steps" t.txt traced.json dump
}
for name in pingpong random snakes nqueens objects futures translation priority; do
    traced "$build/programs/$name.elf" --mesh 2x2x1 --cycles 12000
done
traced "$build/programs/random.elf" --mesh 2x2x1 --cycles 9000 --param send_faults=0 \
    --param buffer_words=4
traced "$build/programs/snakes.elf" --mesh 2x2x1 --cycles 30000 --queue 16 \
    --set snakes_l=11 --set snakes_m=4
traced "$programs/stop_one.s" --bare --mesh 2x2x1

# Slices, threads and restored machines give the same lines; ranges of cycles and lists
# of nodes a part of them, even if they begin where nodes sleep.
run() {
    "$jm" run --quiet --mesh 2x2x2 --trace-kinds instruction "$@" \
        "$build/programs/random.elf" >run.out 2>&1
}
run --trace t.txt --stats t.json
run --trace u.txt --threads 2 --sample 777:u.csv --save-at 2345:s
check "in slices" cmp t.txt u.txt
run --trace n.txt --trace-nodes 1,4-5
grep -E '^[0-9]+ [145] ' t.txt >wanted
check "nodes" cmp wanted n.txt
for range in 0-1 1000-3000 2345-2346 3000-999999; do
    run --trace c.txt --trace-cycles $range --stats c.json
    check "statistics with $range" cmp t.json c.json
    for file in t c; do
        awk -v from=${range%-*} -v to=${range#*-} \
            '$1 >= from && $1 < to && $4 != "idle"' $file.txt >$file.in
    done
    check "something in $range" test -s c.in
    check "lines of $range" cmp t.in c.in
    check "no others" sh -c "! grep -vxF -f c.in c.txt | grep -v ' idle '"
done
"$jm" run --quiet --restore s --trace late.txt --trace-kinds instruction >run.out
awk '$1 >= 2345 && $4 != "idle"' t.txt >t.in
grep -v ' idle ' late.txt >late.in
check "from a saved machine" cmp t.in late.in
# Sleeping nodes: the turns within a range are those of the statistics at its ends.
for cycle in 4000 7000; do
    status 126 "$jm" run --quiet --mesh 2x1x1 --cycles $cycle --stats $cycle.json \
        "$build/programs/pingpong.elf"
done
status 126 "$jm" run --quiet --mesh 2x1x1 --cycles 7500 --trace i.txt \
    --trace-cycles 4000-7000 --trace-kinds instruction "$build/programs/pingpong.elf"
check "turns of a range" python3 - <<'END2'
import json
done = [0, 0]
for line in open('i.txt'):
    cycle, node, context, kind, *rest = line.split()
    done[int(node)] += {'instruction': 1, 'constant': 0}.get(kind) or (
        int(rest[-1]) if kind == 'idle' else 0)
a, b = ([node['instructions'] for node in json.load(open(f))['nodes']]
        for f in ('4000.json', '7000.json'))
assert done == [y - x for x, y in zip(a, b)], (done, a, b)
assert b[1] - a[1] > 1000
END2

# With other kinds: instructions come before what they cause, with all effects.
run --trace m.txt --trace-kinds instruction,send,suspend
grep -Ev ' (send|suspend) ' m.txt >m.in
check "with other kinds" cmp t.txt m.in
check "SUSPEND before suspend" awk '
    / suspend [0-9A-F]/ && !(last ~ "^" $1 " " $2 " .* suspend$") { bad = 1 }
    { last = $0 } END { exit bad }' m.txt
refused() { # TEXT KINDS
    status 2 "$jm" run --trace x --trace-kinds "$2" "$build/programs/random.elf"
    says err "$1"
}
refused "trace-kinds instructions" instructions
refused "trace-kinds instruction,x" instruction,x

# In JSON: the same, on threads of their own, where slices do not overlap.
run --trace t2.json --trace-kinds instruction
run --trace t3.json --trace-kinds instruction,dispatch,send,fault
check "JSON" python3 - t.txt t2.json t3.json <<'END2'
import json, re, sys
lines = [line.split(' ; ')[0].split(' ', 8) + [line] for line in open(sys.argv[1])]
wanted = [[int(c), int(n), '01b'.index(x) + 3, k, a, s, f, t.strip(), line]
          for c, n, x, k, a, s, f, t, line in
          ([*line[:7], ' '.join(line[7:-1]), line[-1]] for line in lines)
          if k != 'idle']
for path in sys.argv[2:]:
    events = json.load(open(path))['traceEvents']
    got = [e for e in events if e.get('cat') in ('instruction', 'constant')]
    assert len(got) == len(wanted), (len(got), len(wanted))
    end = {}
    for e, (cycle, node, thread, kind, address, symbol, source, text, line) in zip(
            got, wanted):
        args = e['args']
        low = ':low' if args.get('low') else ''
        assert (e['ts'], e['pid'], e['tid'], e['cat'], args['address'] + low, e['name'],
                args['symbol'], args.get('source', '-')) == (
                cycle, node, thread, kind, address, text, symbol, source), (e, line)
        effects = [f'{r}={w}' for r, w in args['registers'].items()]
        effects += [f'[{a}]={w}' for a, w in args['written'].items()]
        effects += [f'[{a}]:{w}' for a, w in args['read'].items()]
        said = line.strip().split(' ; ')[1].split() if ' ; ' in line else []
        assert sorted(effects) == sorted(said), (effects, line)
    for e in events:
        if e['ph'] != 'X' or e['tid'] < 3:
            continue
        assert e['ts'] >= end.get((e['pid'], e['tid']), 0), e
        end[e['pid'], e['tid']] = e['ts'] + e['dur']
    turns = sum(e['args']['turns'] for e in events if e.get('cat') == 'idle')
    assert turns == sum(int(line[-1].split()[-1]) for line in lines
                        if line[3] == 'idle')
END2
check "what viewers rely on" python3 "$rules" t3.json

# Every kind of register, of every context: the debugger sees the same at the end.
"$jm" run --quiet --bare --cycles 83 --trace e.txt --trace-kinds instruction \
    "$effects" >run.out 2>&1
"$jm" debug --quiet --no-init --bare -ex 'run 83' -ex registers "$effects" \
    </dev/null >seen.out 2>&1
check "the debugger's registers" python3 - <<'END2'
import re
written, seen, context, names = {}, {}, None, set()
for line in open('e.txt'):
    own, effects = line.split()[2], line.strip().partition(' ; ')[2]
    for name, word in re.findall(r"([a-z]\w*(?:'.)?)=(\S+)", effects):
        name, _, other = name.partition("'")
        names.add(name)
        written[other or own, name] = word.replace('SYM:00000000', 'NIL')
for line in open('seen.out'):
    head = re.match(r'(?:priority ([01])|(b)ackground)', line)
    context = (head[1] or head[2]) if head else context
    found = re.findall(r'\b([RA][0-3]|ID[0-3]|FIP)\s+(\w+(?::[0-9A-F]{8})?)', line)
    for name, word in found:
        seen.setdefault((context, name.lower()), word)
shared = {key for key in written if key in seen}
assert len(shared) > 15, shared
for key in shared:
    assert written[key] == seen[key], (key, written[key], seen[key])
for key, word in seen.items(): # what was not written is as at reset
    assert key in written or re.match('NIL|ADDR:00000000|IP:80', word), (key, word)
assert {'tbm', 'nnr', 'qbm', 'b', 'i', 'u', 'fip', 'id1'} <= names, names
END2
finish

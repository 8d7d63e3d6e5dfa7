# Figures of a run that say the same twice: statistics, sample and report agree, for
# both priorities.
. tests/cli/check.sh
reckon=$PWD/tests/cli/figures.py
debugged=$PWD/tests/debug/programs
cd "$work" || exit 1
cat >agree.py <<'END2'
import csv, json
run = json.load(open('s.json'))
rows = [{key: int(value) for key, value in row.items()}
        for row in csv.DictReader(open('s.csv'))]
nodes, cycles = run['nodes'], run['cycles']
assert [row['cycle'] for row in rows] == list(range(1, cycles + 1))
total = lambda key: sum(node[key] for node in nodes)
last = rows[-1]
for key in 'messages', 'instructions', 'overflows':
    assert last[key] == run[key], (key, last[key], run[key])
assert run['overflows'] == total('overflows')
assert last['flits'] == sum(run['network']['flits'].values())
for queue in 'queue', 'queue1':
    # A row holds the state at the end of a cycle, which the next one begins with.
    mean = sum(row[queue + '_words'] for row in rows[:-1]) / cycles
    assert abs(mean - total(queue + '_mean_words')) < 1e-6, (queue, mean)
    most = max(row[queue + '_max'] for row in rows)
    assert most == max(node[queue + '_max_words'] for node in nodes), (queue, most)
    assert total(queue + '_max_words') > 0
    for row in rows:
        longest, words = row[queue + '_max'], row[queue + '_words']
        assert longest <= words <= longest * len(nodes)
assert total('queue_mean_words') != total('queue1_mean_words')
for node in nodes:
    assert node['overflows'] == node['queue_overflows'] + node['queue1_overflows']
    assert (node['first_overflow'] is not None) == (node['overflows'] > 0)
    assert node['messages1_in'] <= node['messages_in']
    assert node['messages1_out'] <= node['messages_out']
opened = run['network']['messages_opened']
delivered = run['network']['messages_delivered']
assert total('messages1_out') <= opened[1] and 0 < total('messages1_in') <= delivered[1]
assert total('messages_out') - total('messages1_out') <= opened[0]
assert 0 < total('messages_in') - total('messages1_in') <= delivered[0]
sent = [0] * len(nodes)
for row in open('t.txt'):
    fields = row.split()
    sent[int(fields[1])] += fields[6] == 'p1'
for node, count in zip(nodes, sent): # random.s sends a message in two parts
    assert 'random' not in run['program'] or count // 2 == node['messages1_out']
assert total('words_out') <= sum(run['network']['words_offered'])
END2
agree() { # OPTIONS...
    "$jm" run --quiet --stats s.json --sample 1:s.csv --trace t.txt --trace-kinds send \
        "$@" >out 2>err
    check "the figures of $* agree" python3 agree.py
}
agree --mesh 2x2x1 --cycles 4000 "$build/programs/random.elf"
agree --mesh 3x2x2 --cycles 3000 --seed 5 "$build/programs/random.elf"
agree --mesh 2x2x1 "$build/programs/priority.elf"

# All that follows from the events of a run, with each cure for overflow.
reckoned() { # KEYS PROGRAM OPTION...: what must have happened
    keys=$1 program=$2
    shift 2
    "$jm" run --quiet --stats s.json --trace t.txt "$@" "$program" >out 2>err
    python3 "$reckon" s.json t.txt >reckoned 2>&1
    check "the figures of $*" test "$(grep -c '^differs\|Error' reckoned)" -eq 0
    head -5 reckoned | grep '^differs\|Error'
    for key in $keys; do
        check "$key of $*" grep -q "$key=[1-9]" reckoned
    done
}
reckoned 'words_in messages1_in' "$debugged/corners.s" --mesh 3x2x2
reckoned 'queue_overflows queue1_overflows' "$debugged/corners.s" --mesh 4x5x3 \
    --queue 64 --queue1 32 --cycles 3000
reckoned spilled "$debugged/ages.s" --mesh 4x2x1 --queue 64 --param spill_mark=16
reckoned brake_cycles "$debugged/ages.s" --mesh 4x2x1 --queue 64 --param brake_mark=24
reckoned returns_out "$debugged/ages.s" --mesh 4x2x1 --queue 64 --param rts=1 \
    --param rts_backoff=300
for cure in hwm_mark=16:marked_out escape_mark=8:escaped_out; do
    reckoned "${cure#*:} queue_overflows" "$build/programs/snakes.elf" --mesh 3x2x2 \
        --queue 64 --set snakes_m=6 --set snakes_l=6 --set snakes_p=7 \
        --set snakes_h=100 --set snakes_imbalance=500 --param ${cure%:*}
done

# The nodes that are busy are those with a task, or two, as the trace has them.
"$jm" run --quiet --mesh 3x2x2 --sample 1:s.csv --trace t.txt \
    --trace-kinds dispatch,suspend "$debugged/corners.s" >out 2>err
check "busy nodes" python3 - <<'END2'
import csv
busy = {int(row['cycle']): int(row['busy_nodes'])
        for row in csv.DictReader(open('s.csv'))}
events, tasks, both = [line.split() for line in open('t.txt')], set(), 0
for (cycle, node, context, event, *_), (after, *_) in zip(events, events[1:]):
    if context != 'b':
        (tasks.add if event == 'dispatch' else tasks.discard)((node, context))
    nodes = {task[0] for task in tasks}
    both += len(tasks) > len(nodes)
    if int(after) > int(cycle) + 1:
        assert busy[int(cycle) + 2] == len(nodes), (cycle, busy[int(cycle) + 2], tasks)
assert both > 10, both
END2

# A restored run samples at the cycles at which the whole run does.
"$jm" run --quiet --mesh 2x2x1 --cycles 900 --sample 100:whole.csv --save-at 250:saved \
    "$build/programs/random.elf" >out 2>err
saved=$(ls saved*)
"$jm" run --quiet --restore "$saved" --cycles 900 --sample 100:rest.csv >out 2>err
check "samples of a restored run" sh -c 'sed 2,3d whole.csv | cmp - rest.csv'

# The makespan is that from the first mark to the last of them all.
cat >marks.s <<'END2'
        .include "mdp.inc"
        .rom
        .org    ROM
        move    5,r2
mark:   .word   INT:HOST_MARK
        move    r2,[r0,a0]
        sub     r2,1,r2
        bnz     r2,^mark
        .word   INT:HOST_EXIT
        move    r2,[r0,a0]
rest:   br      ^rest
END2
cat >makespan.py <<'END2'
import json
run = json.load(open('s.json'))
at = [mark['cycle'] for mark in run['marks']]
assert [mark['value'] for mark in run['marks']] == [5, 4, 3, 2, 1], run['marks']
assert at == sorted(at) and len(set(at)) == 5, at
assert run['makespan'] == at[-1] - at[0], (run['makespan'], at)
END2
status 0 "$jm" run --bare --quiet --stats s.json marks.s
check "the makespan of many marks" python3 makespan.py

# An overflow of either priority is counted as what it is, and told.
sed -e 's/VECTOR_QUEUE/VECTOR_QUEUE + 0x20/' -e 's/send2e  r1,r0,0/send2e  r1,r0,1/' \
    -e "s/move    r0,\(q[a-z]*\)/writer  r0,\1'p/" "$programs/overflow.s" >flood1.s
cp "$programs/overflow.s" flood0.s
cat >overflow.py <<'END2'
import json, sys
node = json.load(open('s.json'))['nodes'][1]
priority = int(sys.argv[1])
assert node['overflows'] == 1 and node['first_overflow'] > 0
assert [node['queue_overflows'], node['queue1_overflows']] == [1 - priority, priority]
assert [node['queue_max_words'], node['queue1_max_words']][priority] == 8
assert [node['queue_max_words'], node['queue1_max_words']][1 - priority] == 0
END2
for priority in 0 1; do
    status 0 "$jm" run --bare --mesh 2x1x1 --stats s.json --sample 1:s.csv \
        flood$priority.s
    check "overflow of priority $priority" python3 overflow.py $priority
    check "the sample counts it" test "$(tail -1 s.csv | cut -d, -f4)" = 1
    status 0 "$jm" report s.json
    rows 1 out '^Queue overflows: 1 on 1 node$'
    rows 1 out "^  node 1 \\(1,0,0\\): 1, first in cycle [1-9]"
done

# What the report sums up, reckoned from the statistics by hand.
"$jm" run --quiet --mesh 3x2x2 --cycles 3000 --stats s.json \
    "$build/programs/random.elf" >out 2>err
status 0 "$jm" report s.json
# The flits of a node's links by direction: what nodes send their neighbours makes up
# the flits of a dimension, and only links that there are have a number.
cat >links.py <<'END2'
import json
run = json.load(open('s.json'))
flits = dict.fromkeys('xyz', 0)
for node in run['nodes']:
    for d, size in zip('xyz', run['mesh']):
        assert (d + '+' in node['links']) == (node[d] + 1 < size), node
        assert (d + '-' in node['links']) == (node[d] > 0), node
        for side in '+-':
            flits[d] += node['links'].get(d + side, 0)
assert flits == run['network']['flits'] and min(flits.values()) > 0, flits
END2
check "links make up the flits" python3 links.py
cat >report.py <<'END2'
import json
run, text = json.load(open('s.json')), open('out').read().split('\n')
nodes, cycles = run['nodes'], run['cycles']
spent = {}
for node in nodes:
    assert sum(node['cycles'].values()) == cycles
    for key, value in node['cycles'].items():
        spent[key] = spent.get(key, 0) + value
whole = cycles * len(nodes)
faults = sum(value for key, value in spent.items() if key.startswith('fault_'))
idle, waiting = spent.get('idle', 0), spent.get('send_wait', 0)
running = whole - idle - waiting - faults
wanted = ('Processors: %.1f%% running, %.1f%% waiting to send, %.1f%% entering faults, '
          '%.1f%% idle'
          % tuple(100 * n / whole for n in (running, waiting, faults, idle)))
assert wanted in text, wanted
most = max(node['queue_max_words'] for node in nodes)
first = [n for n in nodes if n['queue_max_words'] == most][0]
wanted = ('Longest priority-0 queue: %d words, node %d (%d,%d,%d)'
          % (most, first['rank'], first['x'], first['y'], first['z']))
assert wanted in text, wanted
total = {}
for node in nodes:
    for name, count in node['faults'].items():
        total[name] = total.get(name, 0) + count
assert total == run['faults'], (total, run['faults'])
faults = ', '.join('%s %d' % item for item in run['faults'].items())
wanted = 'Faults: ' + (faults or 'none')
assert wanted in text, wanted
END2
check "the report's sums" python3 report.py

# More nodes overflow than are listed: the first 20, in order, and how many there are.
python3 - <<'END2'
import json
run = json.load(open('s.json'))
cycles = {'alu': 650, 'idle': 100, 'send_wait': 200, 'fault_send': 20, 'fault_cfut': 30}
run['cycles'] = sum(cycles.values())
for mesh, name in (([3, 2, 2], 'few.json'), ([5, 2, 2], 'all.json'),
                   ([7, 3, 1], 'many.json')):
    run['mesh'], count = mesh, mesh[0] * mesh[1] * mesh[2]
    nodes = [dict(run['nodes'][0], rank=i, x=i % mesh[0], y=i // mesh[0] % mesh[1],
                  z=i // mesh[0] // mesh[1], overflows=i + 1, queue_max_words=4,
                  first_overflow=1000 - 7 * i, links={}, cycles=cycles)
             for i in range(count)]
    json.dump(dict(run, nodes=nodes), open(name, 'w'))
END2
status 0 "$jm" report few.json
rows 1 out '^Queue overflows: 78 on 12 nodes$'
rows 12 out '^  node '
rows 0 out 'and more'
rows 1 out '^Longest priority-0 queue: 4 words, node 0 .0,0,0.$'
rows 1 out ' 65.0% running, 20.0% waiting to send, 5.0% entering faults, 10.0% idle$'
status 0 "$jm" report all.json
rows 20 out '^  node '
rows 0 out 'and more'
status 0 "$jm" report many.json
rows 1 out '^Queue overflows: 231 on 21 nodes$'
rows 20 out '^  node '
rows 1 out '^  and more, on 21 nodes in all$'
check "first by first" sh -c \
    "grep '^  node ' '$work/out' | sed 's/.*cycle //' | sort -nc"
rows 1 out '^  node 20 .6,2,0.: 21, first in cycle 860$'
rows 0 out '^  node 0 '
# Nodes 1 and 2 of a row send node 0 two words each, all of them down: seven flits.
status 0 "$jm" run --bare --quiet --mesh 3x1x1 --stats s.json "$programs/output.s"
for links in '{"x+":0}' '{"x+":0,"x-":14}' '{"x-":7}'; do
    says s.json "\"links\":$links"
done
finish

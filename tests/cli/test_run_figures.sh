# Figures of a run that are given twice: statistics, sample and report agree, for
# both priorities.
. tests/cli/check.sh
recompute=$PWD/tests/cli/figures.py
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
recomputed() { # KEYS PROGRAM OPTION...: what must have happened
    keys=$1 program=$2
    shift 2
    "$jm" run --quiet --stats s.json --trace t.txt "$@" "$program" >out 2>err
    python3 "$recompute" s.json t.txt >recomputed 2>&1
    check "the figures of $*" test "$(grep -c '^differs\|Error' recomputed)" -eq 0
    head -5 recomputed | grep '^differs\|Error'
    for key in $keys; do
        check "$key of $*" grep -q "$key=[1-9]" recomputed
    done
}
recomputed 'words_in messages1_in' "$debugged/corners.s" --mesh 3x2x2
recomputed 'queue_overflows queue1_overflows' "$debugged/corners.s" --mesh 4x5x3 \
    --queue 64 --queue1 32 --cycles 3000
recomputed spilled "$debugged/ages.s" --mesh 4x2x1 --queue 64 --param spill_mark=16
recomputed brake_cycles "$debugged/ages.s" --mesh 4x2x1 --queue 64 --param brake_mark=24
recomputed returns_out "$debugged/ages.s" --mesh 4x2x1 --queue 64 --param rts=1 \
    --param rts_backoff=300
for cure in hwm_mark=16:marked_out escape_mark=8:escaped_out; do
    recomputed "${cure#*:} queue_overflows" "$build/programs/snakes.elf" --mesh 3x2x2 \
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

# An overflow of either priority is counted as such, and reported.
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
done

"$jm" run --quiet --mesh 3x2x2 --cycles 3000 --stats s.json \
    "$build/programs/random.elf" >out 2>err
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
finish

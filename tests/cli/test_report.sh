# jm report: the picture of a run, figure by figure, on a machine small enough to check
# by hand.
. tests/cli/check.sh

# The whole pictures, drawn anew from the statistics.
drawn() { # WHAT STATS
    status 0 "$jm" report --queues "$2"
    mv "$work/out" "$work/queues"
    status 0 "$jm" report "$2"
    check "the pictures of $1" \
        python3 tests/cli/picture.py "$2" "$work/out" "$work/queues"
}
for mesh in 3x5x4 17x2x5 5x1x1 1x2x3; do
    status 126 "$jm" run --quiet --mesh $mesh --cycles 3000 --stats "$work/s.json" \
        "$build/programs/random.elf"
    drawn "$mesh" "$work/s.json"
done
# Figures of any size: each node another number of messages, each wire another load.
python3 - "$work/s.json" "$work/large.json" <<'END2'
import json, sys
run = json.load(open(sys.argv[1]))
for i, node in enumerate(run['nodes']):
    node['messages_in'] = (1 << 4 * i) - i % 2
    node['queue_max_words'] = i * 37 % 1021
    node['links'] = {key: 9973 * (i + 1) * (k + 2) % 65536
                     for k, key in enumerate(node['links'])}
json.dump(run, open(sys.argv[2], 'w'))
END2
drawn "large numbers" "$work/large.json"

status 0 "$jm" run --quiet --mesh 3x2x2 --stats "$work/s.json" \
    "$build/programs/pingpong.elf"
drawn "nodes that idle" "$work/s.json"
# Planes that nothing happened in are named, not drawn.
status 126 "$jm" run --quiet --mesh 2x3x9 --cycles 3000 --stats "$work/s.json" \
    "$build/programs/random.elf"
python3 - "$work/s.json" "$work/empty.json" <<'END2'
import json, sys
run = json.load(open(sys.argv[1]))
for node in run['nodes']:
    if node['z'] in (0, 1, 2, 5, 8):
        node.update(messages_in=0, queue_max_words=0,
                    links=dict.fromkeys(node['links'], 0))
    if node['z'] == 4: # its wires alone
        node.update(messages_in=0, queue_max_words=0)
json.dump(run, open(sys.argv[2], 'w'))
END2
drawn "empty planes" "$work/empty.json"
says out "Empty: plane z=0..2, plane z=5, plane z=8"

# The Snakes on a plane: utilisations by the formulas, and when the timed part begins.
status 0 "$jm" run --mesh 2x3x1 --set snakes_l=20 --set snakes_m=3 --set snakes_h=100 \
    --set snakes_p=7 --stats "$work/s.json" programs/snakes/snakes.s
status 0 "$jm" report "$work/s.json"
check "the Snakes" python3 - "$work/s.json" "$work/out" <<'END2'
import json, sys
run, out = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
m, l, p, h, nodes, wires = 3, 20, 7, 100, 6, 3
time, flits = run['makespan'], 2 * (p + 1)
header = run['parameters']['header_flits']
used = run['network']['bisection_flits']['x'] / (wires * time)
for line in (
        f"Between first and last mark: {time} cycles, "
        f"{time / run['clock_hz'] * 1000:.6g} ms, from cycle "
        f"{run['marks'][0]['cycle']} on\n",
        f"  processor utilisation: {m * l * h / time:.4f} by eq. 4.4\n",
        f"  bisection utilisation: {(p + 1) * m * nodes * l / (wires * time):.4f} by "
        f"eq. 4.3; on the x wires {used:.4f}, header flits apart "
        f"{used * flits / (flits + header):.4f}\n"):
    assert line in out, line + out
END2

# Two runs: what differs is recomputed, and no more than that is printed.
stats() { # FILE OPTION...
    file=$1
    shift
    status 126 "$jm" run --quiet --cycles 3000 --stats "$work/$file" "$@" \
        "$build/programs/random.elf"
}
stats a.json --mesh 3x2x2
stats b.json --mesh 3x2x2 --seed 7 --param header_flits=2 --queue 32
stats c.json --mesh 4x2x2
python3 - "$work/a.json" "$work/b.json" <<'END2'
import json, sys
for path, spilled, first in zip(sys.argv[1:], (5, 9), (300, 700)):
    run = json.load(open(path))
    for i in (2, 4):
        run['nodes'][i].update(spill_peak=i * spilled, first_overflow=first * i)
    run['faults'][path[-6:-5]] = 3 # of this run alone
    run['network']['latency']['mean'] = None if spilled == 5 else 4.25
    json.dump(run, open(path, 'w'))
END2
sed 's/"cycles": 3000/"cycles": 3000.0/' "$work/a.json" >"$work/a2.json"
status 0 "$jm" report "$work/a.json" "$work/a.json"
says out "equal"
status 0 "$jm" report "$work/a.json" "$work/a2.json"
for pair in "a b" "b a" "a c"; do
    first=$work/${pair% *}.json second=$work/${pair#* }.json
    status 1 "$jm" report "$first" "$second"
    check "the comparison of $pair" \
        python3 tests/cli/compare.py "$first" "$second" "$work/out"
done
echo '{}' >"$work/no.json"
status 2 "$jm" report "$work/a.json" "$work/no.json"
says err "no.json: "
status 2 "$jm" report "$work/no.json" "$work/a.json"
status 2 "$jm" report --queues "$work/a.json" "$work/b.json"
status 2 "$jm" report "$work/a.json" "$work/b.json" "$work/b.json"
# Two nodes that exchange what they did: all sums are equal.
python3 - "$work/a.json" "$work/b.json" <<'END2'
import json, sys
run = json.load(open(sys.argv[1]))
first, second = run['nodes'][3], run['nodes'][9]
first['words_in'], second['words_in'] = second['words_in'] + 5, first['words_in'] + 5
first['words_out'] -= 5
json.dump(run, open(sys.argv[1], 'w'))
for node, by in ((first, -1), (second, 1)):
    node['words_in'] += by
json.dump(run, open(sys.argv[2], 'w'))
END2
status 1 "$jm" report "$work/a.json" "$work/b.json"
says out "Nodes that differ: 3 9 (2 of 12)"
check "equal sums" sh -c "! grep -q nodes. '$work/out'"
finish

# jm net run --workload trace=FILE: what must hold between its figures, and what its
# options do.
. tests/cli/check.sh
net="$jm net"
program=$work/program

# ---- programs ------------------------------------------------------------------------
# Defaults: 64 nodes, 128 bytes, rounds as in the paper, from the first node to the
# last.
status 0 $net trace --program ping-pong --nodes 4 --from 1 --to 2 --bytes 8 --rounds 2
printf '%s\n' 'programs 1' 'nodes 4' 'node 1' '  send 2 8' '  receive 2' '  send 2 8' \
    '  receive 2' 'node 2' '  receive 1' '  send 1 8' '  receive 1' '  send 1 8' \
    >"$work/wanted"
check "a ping-pong" diff "$work/wanted" "$work/out"
# ---- figures -------------------------------------------------------------------------
cat >"$work/figures.py" <<'END'
import json, os, subprocess, sys

jm, work = sys.argv[1:]
path, program = os.path.join(work, "figures.json"), os.path.join(work, "program")
subprocess.run([jm, "net", "trace", "--program", "unequal-dist", "--rounds", "2",
                "--bytes", "600", "--nodes", "16", "--output", program], check=True)

def run(more, topology="clos=2x2", options=""):
    done = subprocess.run([jm, "net", "run", "--topology", topology, "--workload",
                           "trace=" + program + options, *more.split()], text=True,
                          capture_output=True)
    assert done.returncode == 0 and not done.stderr, (more, options, done)
    return done.stdout

def told(options, engine, more=""):
    written = run(more + " --json", options=options)
    assert run(more + " --stats -", options=options) == written
    run(more + " --stats " + path, options=options)
    assert open(path).read() == written
    j = json.loads(written)
    assert (j["total_blocking"] is None) == (j["effective_blocking"] is None) == (
        engine == "flits")
    assert (j["engine"], j["topology"]) == (engine, "clos=2x2")
    assert j["workload_text"] == "trace=" + program + options
    return j

usual = told("", "worms")
assert usual["complete"] is True and usual["seed"] == 1
assert usual["messages"] == 16 * 2  # each node, in each round
assert usual["packets"] % usual["messages"] == 0 < usual["packets"]
# Each message has an acknowledgement, whose waits are of its channels alone; a packet
# and its last channel are inside a node. Partners are p and 15 - p, two wires away.
channels, crossing = usual["channels"], usual["packets"] + usual["messages"]
for name in "total", "effective":
    waits = sum(c[name + "_wait"] for c in channels)
    assert 0 < usual[name + "_blocking"] * usual["packets"] <= waits, name
inside = [c for c in channels if not c["wire"]]
assert [c["node"] for c in inside] == list(range(16))
assert {c["packets"] for c in inside} == {crossing / 16}
assert sum(c["packets"] for c in channels if c["wire"]) == 2 * crossing
flits = told(",engine=flits", "flits")
assert flits["run_time"] == usual["run_time"]
# The engines agree on every channel; waits behind waits are told by one of them.
assert flits["channels"] == [dict(c, total_wait=0) for c in channels]
assert told(",engine=worms", "worms")["run_time"] == usual["run_time"]
assert told(",engine=auto", "worms")["run_time"] == usual["run_time"]
# Times: the defaults, and that each acts; reordering where packets may overtake.
def time_of(options, more=""):
    return json.loads(run("--json " + more, options=options))["run_time"]
assert time_of(",setup=300,accept=100,packet=400,reorder=100") == usual["run_time"]
for option in "setup=301", "accept=101", "packet=401":
    assert time_of("," + option) > usual["run_time"], option
    assert time_of("," + option + ",engine=flits") > usual["run_time"], option
layers = "clos=2x2,levels=2,layer=random"
subprocess.run([jm, "net", "trace", "--program", "unequal-dist", "--rounds", "1",
                "--bytes", "1200", "--output", program], check=True)
def layered(options, more=""):
    return json.loads(run("--json" + more, layers, options))
assert layered(",reorder=100") ["run_time"] == layered("")["run_time"]
assert layered(",reorder=5000")["run_time"] > layered("")["run_time"]
assert layered("", " --seed 2")["seed"] == 2
assert layered("", " --seed 2")["channels"] != layered("")["channels"]
# Cycles are a limit, if they are given.
subprocess.run([jm, "net", "trace", "--program", "unequal-dist", "--rounds", "2",
                "--bytes", "600", "--nodes", "16", "--output", program], check=True)
short = told("", "worms", "--cycles 500")
assert short["complete"] is False and short["run_time"] == 500
assert short["messages"] < usual["messages"]
enough = "--cycles %d" % (usual["run_time"] + 1)
assert told("", "worms", enough) == usual
END
check "figures" python3 "$work/figures.py" "$jm" "$work"

finish

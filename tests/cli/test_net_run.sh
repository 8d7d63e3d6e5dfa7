# jm net run: means and intervals against runs that end with each batch, defaults, and
# saved runs.
. tests/cli/check.sh

net="$jm net"
cat >"$work/figures.py" <<'END'
import json, math, os, re, subprocess, sys

jm, work = sys.argv[1:]
path = os.path.join(work, "figures.json")

def run(command):
    done = subprocess.run([jm, "net", "run", *command.split()], text=True,
                          capture_output=True)
    assert done.returncode in (0, 3) and not done.stderr, (command, done)
    return done.stdout

def near(value, wanted):
    assert math.isclose(value, wanted, rel_tol=1e-9), (value, wanted)

def told(topology, workload, more=""):
    """The results of a run, the same in each way to write them."""
    command = f"--topology {topology} --workload {workload} {more}"
    text = run(command + " --stats " + path)
    written = open(path).read()
    assert run(command) == text and run(command + " --json") == written
    assert run(command + " --stats -") == written
    assert run(command + " --json --stats " + path) == written
    assert open(path).read() == written
    j = json.loads(written)
    assert (j["topology"], j["workload_text"]) == (topology, workload)
    state = re.search(r"(?m)^(?:not )?settled: .*$", text)[0]
    if j["state"] == "settled":
        assert state.startswith("settled: 95 % intervals from"), state
    else:
        assert state.startswith("not settled: "), state
        assert state.endswith(f" ({j['state']})"), state
        assert "+-" not in text or j["state"] == "warming" and text.count("+-") == 1
    return j

SHORT = "--cycles 2000 --batches 2"
told("torus=4x4", "memory,n_out=2", SHORT)
told("clos=2x2", "poisson,rate=0.01", SHORT)
rare = told("torus=2x2", "poisson,rate=0.00005", "--cycles 20000")
assert rare["latency"]["half_width"] is None and rare["latency"]["mean"] is not None
none = told("torus=2x2", "poisson,rate=1e-9", "--cycles 20000")
assert none["messages"] == 0 and none["latency"]["mean"] is None

# Defaults.
usual = json.loads(run("--topology torus=2x2 --workload poisson --json"))
assert [usual[key] for key in ("cycles", "warmup", "batches", "seed")] == [
    300000, 60000, 20, 1]
assert json.loads(run("--topology torus=2x2 --workload poisson --json --cycles 300000 "
                      "--warmup 60000 --batches 20 --seed 1")) == usual
odd = json.loads(run("--topology torus=2x2 --workload poisson --json --cycles 1009 "
                     "--seed 4294967295"))
assert (odd["warmup"], odd["seed"]) == (201, 4294967295)

# A run that ends where a batch does has had the same messages by then. Of runs whose
# batches are the parts that count, the interval follows from them.
def batches_of(of, cycles, warmup):
    """Messages and mean latency of 20 batches, and of all together."""
    ends = [warmup + (cycles - warmup) * i // 20 for i in range(21)]
    sums = []
    for end in ends:
        part = end and json.loads(run(of + f"--cycles {end} --warmup 0 --batches 2"))
        sums.append((part["messages"], part["messages"] * part["latency"]["mean"])
                    if part else (0, 0))
    def measures(a, b):
        messages, waited = (sums[b][k] - sums[a][k] for k in (0, 1))
        return messages / (ends[b] - ends[a]) / 4, waited / messages
    return [measures(i, i + 1) for i in range(20)], measures(0, 20)

def half_width(values):
    mean = sum(values) / 20
    off = [v - mean for v in values]
    r = max(0, sum(a * b for a, b in zip(off, off[1:])) / sum(a * a for a in off))
    spread = sum(a * a for a in off) / 19 / 20
    return 2.0930240544 * math.sqrt(spread * (1 + r) / (1 - r))  # of Student, 97.5 %

found = 0
RUNS = (1600, 320, 1), (2000, 0, 2), (1600, 300, 3), (1700, 101, 4)
for cycles, warmup, seed in RUNS:
    of = f"--topology torus=2x2 --workload poisson,rate=0.02 --seed {seed} "
    this = of + f"--cycles {cycles} --warmup {warmup} "
    j = json.loads(run(this + "--json"))
    each, whole = batches_of(of + "--json ", cycles, warmup)
    own = j["workload"]
    near(j["throughput"]["mean"], whole[0])
    near(j["latency"]["mean"], whole[1])
    # What poisson measures itself: the same messages; two cycles are not a network's.
    near(own["messages_arrived"]["mean"], whole[0])
    near(own["mean_latency"]["mean"], whole[1] - 2)
    if "intervals from 20 parts" in run(this):
        found += 1
        near(j["latency"]["half_width"], half_width([latency for _, latency in each]))
        near(own["mean_latency"]["half_width"], j["latency"]["half_width"])
assert found > 1, found

# The numbers of a reason: the straight line through the batches' latencies, which are
# known as above; and what was accepted, against what was asked for.
of = "--topology torus=4x4 --workload poisson,rate=0.042 --seed 2 "
latencies = [latency for _, latency in batches_of(of + "--json ", 3000, 0)[0]]
times = [150 * i - 1425 for i in range(20)]
above = [latency - sum(latencies) / 20 for latency in latencies]
slope = sum(a * t for a, t in zip(above, times)) / sum(t * t for t in times)
left = sum((a - slope * t) ** 2 for a, t in zip(above, times))
error = math.sqrt(left / 18 / sum(t * t for t in times))
said = "latency rises by %.3g +- %.2g cycles in 1000" % (1000 * slope, 1000 * error)
assert said in run(of + "--cycles 3000 --warmup 0"), said
of = "--topology torus=4x4 --workload poisson,rate=0.2 --cycles 20000 "
accepted = json.loads(run(of + "--json"))["throughput"]["mean"]
said = re.search(r"accepted (\S+) of (\S+) offered", run(of))
assert said[1] == "%#.3g" % accepted and abs(float(said[2]) - 0.2) < 0.004, said[0]

# A backlog ends a run of messages that come by themselves, and is its state.
command = "--topology torus=2x2 --workload poisson,rate=0.2 --backlog 30"
full = told("torus=2x2", "poisson,rate=0.2", "--backlog 30")
assert (full["state"], full["complete"]) == ("saturated", False)
assert full["cycles"] < 1000 and full["latency"]["mean"] is None
assert "30 messages wait for one source" in run(command)
full = told("torus=2x2", "memory,n_out=512", "--backlog 30 --cycles 3000")
assert full["complete"] and full["state"] != "saturated"

# Groups of wires: those of the topology, each with the flits that have crossed them.
for topology, groups in (
        ("torus=4x4", ["columns up", "columns down", "rows up", "rows down"]),
        ("clos=2x2,levels=2",
         ["layer 0", "layer 1", "layer 2", "layer 3", "up", "down"]),
        ("mesh=2x2x2", [])):
    j = json.loads(run(f"--topology {topology} --workload poisson,rate=0.02,length=13 "
                       "--param buffer_words=64 --json --cycles 4000"))
    assert list(j["groups"]) == groups and all(j["groups"].values()), j["groups"]

# Where a workload has a value for each processor, they are those of its measures.
j = json.loads(run("--topology torus=4x4 --workload memory --json " + SHORT))
own = j["workload"]
assert len(j["processors"]) == 16
near(max(j["processors"]), own["max_efficiency"]["mean"])
near(min(j["processors"]), own["min_efficiency"]["mean"])
near(max(j["processors"]) / min(j["processors"]), own["max_min_ratio"]["mean"])
assert usual["processors"] == []
# Parts have further extremes than the whole, so they do not show how sure those are.
own = json.loads(run("--topology torus=4x4 --workload memory --json --cycles 3000"))
for name, sure in (("processor_efficiency", True), ("max_efficiency", False),
                   ("min_efficiency", False), ("max_min_ratio", False)):
    assert (own["workload"][name]["half_width"] is not None) == sure, name
END
check "figures" python3 "$work/figures.py" "$jm" "$work"

# ---- parameters ----------------------------------------------------------------------
small="$net run --topology torus=4x4 --workload poisson --cycles 1000"
ran() { # COMMAND...: a run, settled or not
    checks=$((checks + 1))
    "$@" >"$work/out" 2>"$work/err"
    case $? in
    0 | 3) ;;
    *) fail "no run: $*" ;;
    esac
}
# Every parameter of a list is set, also those that the topology sets.
loaded="$net run --topology torus=4x4 --workload poisson,rate=0.03 --cycles 6000 --json"
ran $loaded
cp "$work/out" "$work/plain"
ran $loaded --param heads=1,through=1
check "what the topology asks for" cmp "$work/plain" "$work/out"
for param in heads=2 through=0 wire_turns=1,through=0 ties=0,heads=2; do
    ran $loaded --param $param
    check "--param $param does something" sh -c "! cmp -s '$work/plain' '$work/out'"
done
ran $loaded --param through=0,heads=2
cp "$work/out" "$work/two"
for param in heads=2,through=0 heads=02,through=0; do
    ran $loaded --param $param
    check "--param $param" cmp "$work/two" "$work/out"
done

# ---- saved runs ----------------------------------------------------------------------
long="$net run --topology torus=4x4 --workload poisson,rate=0.03 --cycles 4000"
status 0 $long --json
cp "$work/out" "$work/whole.json"
status 0 $long
cp "$work/out" "$work/whole"
for cycle in 0 1 799 800 801 2000 4000; do
    status 0 $long --save-at "$cycle:$work/saved"
    check "saving at $cycle changes nothing" cmp "$work/whole" "$work/out"
    status 0 $net run --restore "$work/saved"
    check "restored at $cycle" cmp "$work/whole" "$work/out"
    status 0 $net run --restore "$work/saved" --json
    check "restored at $cycle, as JSON" cmp "$work/whole.json" "$work/out"
    status 0 $net run --restore "$work/saved" --save-at "$cycle:$work/again"
    check "saved again at $cycle" cmp "$work/saved" "$work/again"
done
# Other settings are saved too: the continued run has those of the run begun.
other="$net run --topology clos=2x2 --workload memory,n_out=3 --cycles 3000
    --warmup 1000 --batches 3 --seed 7 --param heads=2"
for how in "" --json; do
    ran $other $how
    cp "$work/out" "$work/whole"
    ran $other --save-at "1500:$work/other"
    ran $net run --restore "$work/other" $how
    check "restored with its settings $how" cmp "$work/whole" "$work/out"
done
# So is where each kind of workload is: a table in its middle, a burst under way.
for i in $(seq 600); do
    echo $((1000 + 3 * i)) $((i % 16)) $(((i * 7 + 3) % 16)) 5
done >"$work/table"
for workload in "table=$work/table" pattern=uniform,process=burst,burst=5 \
    pattern=randperm,perm=4,process=periodic \
    "pattern=hotspot,process=bernoulli,hot=3;5"; do
    kind="$net run --topology torus=4x4 --cycles 3000 --seed 5 --workload $workload"
    ran $kind --json
    cp "$work/out" "$work/whole"
    check "messages of $workload" grep -qE '"messages": [1-9]' "$work/whole"
    for cycle in 1203 1800; do
        ran $kind --save-at "$cycle:$work/saved" --quiet
        ran $net run --restore "$work/saved" --json
        check "$workload restored at $cycle" cmp "$work/whole" "$work/out"
    done
done
finish

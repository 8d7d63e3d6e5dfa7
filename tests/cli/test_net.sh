# jm net run: a figure of a paper, means and intervals against runs that end with each
# batch, workloads on a mesh, programs that a machine has run, and saved runs.
. tests/cli/check.sh

net="$jm net"
cat >"$work/figures.py" <<'END'
import json, math, re, subprocess, sys

def run(command):
    done = subprocess.run([sys.argv[1], "net", "run", *command.split()], text=True,
                          capture_output=True)
    assert done.returncode in (0, 3) and not done.stderr, (command, done)
    return done.stdout

def near(value, wanted, share=1e-9):
    assert math.isclose(value, wanted, rel_tol=share), (value, wanted)

# A point of table III-B of Adve and Vernon (1994) by simulation: efficiency 44.8 %,
# residence 144.06 cycles; and what must hold between the measures. A customer sends a
# request and gets a reply for each service of 20 cycles. Each message of the 6.2 flits
# that are the mean crosses 256/63 wires; messages and flits are counted from cycle 0.
r = json.loads(run("--topology torus=8x8,links=multiple --cycles 100000 --batches 20 "
                   "--json --workload memory,n_out=4,tau=20"))
own = r["workload"]
e, wait = own["processor_efficiency"], own["network_residence_time"]["mean"]
near(e["mean"], 44.8, 0.02)
near(wait, 144.06, 0.03)
near(r["latency"]["mean"], wait / 2, 0.01)
near(r["throughput"]["mean"], 2 * e["mean"] / 100 / 20, 0.02)
near(r["messages"], r["throughput"]["mean"] * 64 * 100000, 0.02)
near(sum(r["groups"].values()), r["messages"] * 6.2 * 256 / 63, 0.02)
near(sum(r["processors"]) / 64, e["mean"])
near(max(r["processors"]), own["max_efficiency"]["mean"])
near(min(r["processors"]), own["min_efficiency"]["mean"])
assert len(r["processors"]) == 64 and 0.15 < e["half_width"] < 0.8, e

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
# known as above; and the accepted load, against the offered one.
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

END
check "figures" python3 "$work/figures.py" "$jm"

# A mesh takes every workload, or says in one sentence which parameters make it fit.
workloads=$("$jm" net list | sed -n '/^Workloads/,/^Param/s/^\([a-z]*\): .*/\1/p' |
    sed "s|^table$|table=$work/table|; /^trace$/d")
echo '20000 0 7 12' >"$work/table"
for program in ping-pong equal-dist unequal-dist all-to-all; do
    status 0 $net trace --program $program --nodes 8 --rounds 1 \
        --output "$work/$program"
    workloads="$workloads trace=$work/$program"
done
for workload in $workloads poisson,length=60 memory,l_msg1=60,l_msg2=31; do
    mesh="run --topology mesh=4x2x2 --workload $workload --cycles 40000 --json"
    given=
    case $workload in
    memory* | trace*)
        # shellcheck disable=SC2086 # of several words
        status 2 "$jm" net $mesh
        given="--param $(sed -n 's/.*give --param \([a-z_0-9=,]*[0-9]\).*/\1/p' \
            "$work/err")"
        ;;
    esac
    # shellcheck disable=SC2086
    "$jm" net $mesh $given >"$work/out" 2>"$work/err"
    case $?,$workload in
    0,* | 3,[mpt]*) ;;
    *) fail "$workload with $given: $(cat "$work/err")" ;;
    esac
    check "messages of $workload" grep -qE '"messages": [1-9]' "$work/out"
done

# Six queens: nodes take the time that they took on the machine, and networks this light
# a load, so the whole takes as long as there, within a fiftieth.
program=$work/program
status 0 $jm run --quiet --mesh 4x4x1 --stats "$work/stats" --trace "$work/queens" \
    programs/queens/queens.s
status 0 $net trace --records "$work/queens" --nodes 16 --output "$program"
for topology in torus=4x4 clos=2x2 clos=1x1,levels=2; do
    status 0 $net run --topology $topology --quiet --json \
        --workload "trace=$program,setup=0,accept=0,packet=0,reorder=0"
    check "the time of $topology" python3 -c '
import json, sys
replayed, run = (json.load(open(name)) for name in sys.argv[1:3])
posts = open(sys.argv[3]).read().count("post")
assert replayed["complete"] and replayed["messages"] == posts > 300
assert abs(replayed["run_time"] / run["cycles"] - 1) < 0.02, replayed["run_time"]
' "$work/out" "$work/stats" "$program"
done

# Saved runs continue as if never saved: where a batch ends and beside it, a table in
# its middle, a burst under way, with settings of their own.
for i in $(seq 600); do
    echo $((1000 + 3 * i)) $((i % 16)) $(((i * 7 + 3) % 16)) 5
done >"$work/table"
saved() { # CYCLES OPTION...
    cycles=$1
    shift
    $net run "$@" --json >"$work/whole"
    check "messages of $*" grep -qE '"messages": [1-9]' "$work/whole"
    for cycle in $cycles; do
        $net run "$@" --json --save-at "$cycle:$work/saved" >"$work/out"
        check "saving at $cycle changes nothing: $*" cmp "$work/whole" "$work/out"
        $net run --restore "$work/saved" --json >"$work/out"
        check "restored at $cycle: $*" cmp "$work/whole" "$work/out"
        $net run --restore "$work/saved" --save-at "$cycle:$work/again" >"$work/out"
        check "saved again at $cycle: $*" cmp "$work/saved" "$work/again"
    done
}
torus="--topology torus=4x4 --seed 5 --workload"
saved "0 1 799 800 801 2000 4000" $torus poisson,rate=0.03 --cycles 4000
saved 1500 --topology clos=2x2 --workload memory,n_out=3 --cycles 3000 --warmup 1000 \
    --batches 3 --seed 7 --param heads=2
for workload in "table=$work/table" pattern=uniform,process=burst,burst=5 \
    pattern=randperm,perm=4,process=periodic \
    "pattern=hotspot,process=bernoulli,hot=3;5"; do
    saved "1203 1800" $torus "$workload" --cycles 3000
done
finish

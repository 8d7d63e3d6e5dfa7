# jm model: its figures against small cases by hand, and what each option and each
# default does.
. tests/cli/check.sh
cat >"$work/figures.py" <<'END'
import csv, itertools, json, math, os, re, subprocess, sys

jm, work = sys.argv[1:]
path = os.path.join(work, "figures.json")

def run(command, *more, status=0):
    done = subprocess.run([jm, "model", *command.split(), *more], text=True,
                          capture_output=True)
    assert done.returncode == status, (command, more, done)
    return done.stdout

def figures_of(command):
    return json.loads(run(command, "--json", "-"))

def near(value, wanted, share=1e-9):
    assert math.isclose(value, wanted, rel_tol=share), (value, wanted)

# ---- chapter 3 -----------------------------------------------------------------------
def chapter3(servers, customers, queue, more=""):
    j = figures_of(f"chapter3 --servers {servers} --customers {customers} "
                   f"--queue {queue} {more}")
    # All states, one by one.
    states = [s for s in itertools.product(range(customers + 1), repeat=servers)
              if sum(s) == customers]
    within = [s for s in states if max(s) <= queue]
    near(10 ** j["log10_s"], len(states))
    near(10 ** j["log10_t"], len(within))
    if not more:
        near(j["p_no_overflow"], len(within) / len(states))
        return
    # The first servers have `slow` times the load: product form.
    slow = float(more.split()[1])
    count = int((re.search(r"--slow-servers (\d+)", more) or ["", 1])[1])
    weight = {s: slow ** sum(s[:count]) for s in states}
    total = sum(weight.values())
    near(j["mean_k1"], sum(s[0] * w for s, w in weight.items()) / total)
    near(j["p_ge_queue"], sum(w for s, w in weight.items() if s[0] >= queue) / total)
    near(j["rate_slow"], sum(w for s, w in weight.items() if s[0] == queue) / total)

chapter3(3, 4, 2)
chapter3(2, 2, 1)
chapter3(3, 6, 2)  # as many as there is room for
chapter3(1, 0, 1)
chapter3(4, 3, 2, "--slow 2.5")
chapter3(4, 3, 2, "--slow 2.5 --slow-servers 1")
chapter3(4, 3, 2, "--slow 2.5 --slow-servers 2")
chapter3(3, 4, 2, "--slow 1 --slow-servers 3")
chapter3(3, 4, 2, "--slow 0.5")
# ---- servers -------------------------------------------------------------------------
def servers(more):
    return figures_of("servers --servers 8 --customers 20 --queue 4 " + more)

usual = servers("")
# Equilibrium with exponential service is that of chapter 3.
exact = figures_of("chapter3 --servers 8 --customers 20 --queue 4")
near(usual["p_no_overflow"], exact["p_no_overflow"], 0.2)
near(usual["rate"], exact["rate_exact"], 0.2)
assert usual == servers(
    "--slow 1 --service exponential --warm-up 0 --time 10000 --seed 1")
constant = servers("--service constant")
assert servers("--service constant --spread 0.05") == constant
for other in ("--slow 2", "--service constant", "--warm-up 500", "--time 9000",
              "--seed 0"):
    assert servers(other) != usual
assert servers("--service constant --spread 0.5") != constant
near(servers("--time 5000")["services"] * 2, usual["services"], 0.05)

# ---- mean values ---------------------------------------------------------------------
def amva(x, y, z, more="", outstanding=5):
    command = f"amva --mesh {x}x{y}x{z} --service 15 {more}"
    j = figures_of(command)
    nodes = j["nodes"]
    table = [row.split(",") for row in run(command, "--map", "-").splitlines()]
    assert table[0] == list(nodes[0])
    assert [["%.9g" % n[c] for c in n] for n in nodes] == table[1:]
    assert [(n["x"], n["y"], n["z"]) for n in nodes] == [
        (a, b, c) for c in range(z) for b in range(y) for a in range(x)]
    assert [n["rank"] for n in nodes] == list(range(x * y * z))
    # All that a node has out comes round in its cycle: request and reply are served.
    near(j["rate"], sum(n["rate"] for n in nodes) / len(nodes), 1e-4)
    if "snakes" not in more:
        rounds = sum(outstanding / n["cycle"] for n in nodes) / len(nodes)
        near(j["rate"], 2 * rounds, 1e-4)
    return j

for x, y, z in (2, 3, 5), (5, 2, 3), (6, 3, 2):
    amva(x, y, z)
usual = amva(4, 3, 2)
snakes = amva(4, 3, 2, "--workload snakes")
other = amva(4, 3, 2, "--length 6 --outstanding 3 --fair", 3)

def solved(more, command="amva --mesh 4x3x2 --service 15 "):
    return figures_of(command + more)

# Defaults agree with the help.
assert solved("--workload requests --outstanding 5 --length 8 --form trees "
              "--tolerance 1e-6 --sweeps 2000") == usual
assert solved("--reply-length 8") == usual
assert run("amva").startswith("8x8x8, requests of 8 flits, 5 outstanding, service 25, ")
assert solved("", "amva --line 6 ") == solved("", "amva --mesh 6x1x1 ")
# Every option does something, and --no-symmetry nothing but take longer.
results = [usual, snakes, other] + [solved(option) for option in (
    "--fair", "--alpha 0.05", "--p-first", "--equal-aside", "--separate-wires",
    "--form prefixes", "--outstanding 4", "--length 7",
    "--reply-length 7", "--weight 0.3", "--tolerance 1e-5")]
for a, b in itertools.combinations(results, 2):
    assert (a["rate"], a["sweeps"]) != (b["rate"], b["sweeps"])
near(solved("--uncorrected")["rate"], solved("--form prefixes")["rate"])
near(solved("--no-symmetry")["rate"], usual["rate"], 1e-5)
assert solved("--tolerance 1e-5")["sweeps"] < usual["sweeps"]
# A reply of another length goes the other way round.
assert solved("--length 4 --reply-length 12")["rate"] != solved(
    "--length 12 --reply-length 4")["rate"]
# Without a solution: its state, and no numbers.
run("amva --mesh 4x3x2 --sweeps 5 --first-try --json", path, status=3)
none = json.load(open(path))
assert none["state"] == "not converged" and none["nodes"] is None
assert none["rate"] is None and none["bisection"] is None and none["sweeps"] == 5
run("amva --mesh 4x3x2 --service 15 --tolerance 1e-3 --json", path, status=3)
clipped = json.load(open(path))
guards = "wire", "own_worm", "idle", "passing", "wait", "overloaded", "population"
assert clipped["state"] == "clipped" and list(clipped["guards"]) == list(guards)
assert clipped["guards"]["population"] > 0 and not any(usual["guards"].values())
# What was held at its limit in a last sweep far from a solution: without precedence
# nobody is passed; a line has no wires that others could take.
for more, held in (
        ("--mesh 4x4x4 --sweeps 2 --fair", ["wire", "own_worm"]),
        ("--mesh 4x4x4 --sweeps 2 --workload snakes",
         ["wire", "own_worm", "idle", "passing"]),
        ("--line 8 --sweeps 4 --outstanding 50", ["idle"])):
    run(f"amva --service 1 --first-try {more} --json", path, status=3)
    of = json.load(open(path))["guards"]
    assert [name for name in of if of[name]] == held, (more, of)
head = run("amva --mesh 4x3x2 --sweeps 5 --first-try --map -", status=3)
assert head == ("rank,x,y,z,node_queue,processor_queue,rate,cycle,request_wait,"
                "reply_wait,network_time\n"), head

# ---- pipelined cubes -----------------------------------------------------------------
def cube(more):
    j = figures_of("pipelined --dimensions " + more)
    if "--load" in more:
        s = j["simulated"]
        near(s["offered"], float(re.search(r"--load (\S+)", more)[1]) *
             j["max_throughput"])
        latency = s["latency"]
        near(latency["round_trip"], latency["address"] + latency["data"], 1e-3)
    return j

plain = cube("4")
assert plain["radix"] ** 4 == plain["nodes"] == 4096 and plain["link_width"] == 32
assert plain["wires_per_node"] == 2 * 4 * 32
loaded = cube("4 --load 0.5 --cycles 20000")
cube("4 --load 0.5 --cycles 2000 --synchronous")
assert loaded["simulated"]["converged"] is True
hasty = cube("4 --load 0.9 --cycles 1000")
assert hasty["simulated"]["converged"] is False
assert cube("4 --load 0.7 --cycles 5000 --output-queue 2")["simulated"]["dropped"] > 0
# Defaults, and other values.
assert cube("4 --nodes 4096 --radix 8 --constraint link_width --wires 32 --ratio 2 "
            "--lengths powers") == plain
assert cube("4 --load 0.5 --cycles 20000 --ramp 4 --confidence 0.95 --seed 1") == loaded
assert cube("2 --load 0.3 --nodes 64") == cube(
    "2 --load 0.3 --nodes 64 --cycles 200000")
near(cube("4 --data-share 0.333333333333")["max_throughput"], plain["max_throughput"])
distinct = [plain] + [cube("4 " + option) for option in (
    "--nodes 5000", "--radix 7", "--constraint node_size", "--wires 30", "--ratio 9",
    "--data-share 0.5", "--constraint bisection_width --wires 40000")]
distinct += [loaded] + [cube("4 --load 0.5 --cycles 20000 " + option) for option in (
    "--ring-buffer 40", "--input-queue 40", "--output-queue 2", "--ramp 0", "--seed 0",
    "--confidence 0.5")]
for a, b in itertools.combinations(distinct, 2):
    assert a != b, (distinct.index(a), distinct.index(b))
assert cube("12 --lengths linear") != cube("12")
END
check "figures" python3 "$work/figures.py" "$jm" "$work"

# ---- the progress of a solve, on a terminal alone ------------------------------------
# Each sweep reads the clock once: a line after a second, then one each half second. The
# last sweep is that of the result. At the end the line is cleared, once.
four="$jm model amva --mesh 4x4x4 --service 15"
status 0 $four --json "$work/four.json"
silent err
if preload "progress of a model"; then
    for pace in 100:10:5 250:4:2 600:2:1 2000:1:1 10:100:50; do
        rest=${pace#*:}
        status 0 ticking "${pace%%:*}" $four
        check "progress, a look each ${pace%%:*} ms" python3 - "$work/err" \
            "$work/four.json" "${rest%:*}" "${rest#*:}" <<'END'
import json, re, sys
told = open(sys.argv[1], newline="").read()
solved = json.load(open(sys.argv[2]))
first, every = map(int, sys.argv[3:])
rows = re.findall(r"\rsweep (\d+), change (\S+)\x1b\[K", told)
sweeps = list(range(first, solved["sweeps"] + 1, every))
assert [int(row[0]) for row in rows] == sweeps, (rows, sweeps)
if sweeps and sweeps[-1] == solved["sweeps"]:
    assert rows[-1][1] == "%.2g" % solved["change"], rows[-1]
rest = re.sub(r"\rsweep.*?\x1b\[K", "", told)
assert rest == ("\r\x1b[K" if sweeps else ""), rest
END
    done
    status 0 ticking 600 $four --quiet
    silent err
fi
finish

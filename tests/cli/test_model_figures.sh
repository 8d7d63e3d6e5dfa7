# jm model: what is printed against what is in the JSON, both against small cases by
# hand, and what each option and each default does.
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

def both(command):
    """The text of a model as lines, and its JSON, of one run; the same as of others."""
    text = run(command, "--json", path)
    written = open(path).read()
    assert run(command) == text and run(command, "--json", "-") == written, command
    assert written.endswith("\n}\n"), written[-9:]
    return text.rstrip("\n").split("\n"), json.loads(written)

def tells(lines, head, wanted):
    """One line has this head, and behind it what is wanted."""
    found = [line for line in lines if line.startswith(head)]
    assert len(found) == 1, (head, found)
    got = found[0][len(head):].strip()
    assert got == wanted, (head, got, wanted)

def near(value, wanted, share=1e-9):
    assert math.isclose(value, wanted, rel_tol=share), (value, wanted)

# ---- chapter 3 -----------------------------------------------------------------------
def chapter3(servers, customers, queue, more=""):
    lines, j = both(f"chapter3 --servers {servers} --customers {customers} "
                    f"--queue {queue} {more}")
    assert (j["servers"], j["customers"], j["queue"]) == (servers, customers, queue)
    assert lines[0] == (f"{servers} servers, {customers} customers "
                        f"({customers / servers:.4g} a server), queues of {queue}")
    tells(lines, "  states ", "10^%.4f" % j["log10_s"])
    tells(lines, "  of them without overflow ", "10^%.4f" % j["log10_t"])
    tells(lines, "  P(no overflow) ", "%.9g (by run lengths %.4g)" % (
        j["p_no_overflow"], j["p_run_length"]))
    tells(lines[:5], "  overflows per service ", "%.4g (estimate from above %.4g)" % (
        j["rate_exact"], j["rate_upper"]))
    # All states, one by one.
    states = [s for s in itertools.product(range(customers + 1), repeat=servers)
              if sum(s) == customers]
    within = [s for s in states if max(s) <= queue]
    near(10 ** j["log10_s"], len(states))
    near(10 ** j["log10_t"], len(within))
    if not more:
        near(j["p_no_overflow"], len(within) / len(states))
        assert len(lines) == 5 and len(j) == 9, (lines, j)
        return lines, j
    # The first servers have `slow` times the load: product form.
    slow = more.split()[1]
    count = int((re.search(r"--slow-servers (\d+)", more) or ["", 1])[1])
    tells(lines, f"{count} of them with {slow} times the load; the first one:", "")
    weight = {s: float(slow) ** sum(s[:count]) for s in states}
    total = sum(weight.values())
    near(j["mean_k1"], sum(s[0] * w for s, w in weight.items()) / total)
    near(j["p_ge_queue"], sum(w for s, w in weight.items() if s[0] >= queue) / total)
    near(j["rate_slow"], sum(w for s, w in weight.items() if s[0] == queue) / total)
    tells(lines, "  mean customers ", "%.6g" % j["mean_k1"])
    tells(lines, "  P(queue full or over) ", "%.4g" % j["p_ge_queue"])
    tells(lines[6:], "  overflows per service ", "%.4g" % j["rate_slow"])
    has_threshold = float(slow) > 1
    assert len(lines) == 9 + has_threshold and len(j) == 12, lines
    return lines, j

chapter3(3, 4, 2)
chapter3(2, 2, 1)
chapter3(3, 6, 2)  # as many as there is room for
chapter3(1, 0, 1)
chapter3(4, 3, 2, "--slow 2.5")
chapter3(4, 3, 2, "--slow 2.5 --slow-servers 1")
chapter3(4, 3, 2, "--slow 2.5 --slow-servers 2")
chapter3(3, 4, 2, "--slow 1 --slow-servers 3")
chapter3(3, 4, 2, "--slow 0.5")
lines, _ = chapter3(3, 4, 2, "--slow 2")
assert re.fullmatch(r"  threshold +\S+ customers a server", lines[-1]), lines[-1]
assert '"p_no_overflow": 0.333333333333333,' in run(
    "chapter3 --servers 2 --customers 2 --queue 1 --json -")

# ---- servers -------------------------------------------------------------------------
def servers(more, kind="exponential"):
    lines, j = both("servers --servers 8 --customers 20 --queue 4 " + more)
    assert (j["servers"], j["customers"], j["queue"]) == (8, 20, 4) and len(j) == 7
    assert lines[0] == ("8 servers, 20 customers (2.5 a server), queues of 4, "
                        f"{kind} service")
    tells(lines, "  time without overflow ", "%.6g" % j["p_no_overflow"])
    tells(lines, "  overflows per service ", "%.4g" % j["rate"])
    tells(lines, "  mean customers ", "%.6g at the first server" % j["mean_k1"])
    tells(lines, "  services ", "%.0f" % j["services"])
    assert len(lines) == 5
    return j

usual = servers("")
# Equilibrium with exponential service is that of chapter 3.
exact = json.loads(run("chapter3 --servers 8 --customers 20 --queue 4 --json -"))
near(usual["p_no_overflow"], exact["p_no_overflow"], 0.2)
near(usual["rate"], exact["rate_exact"], 0.2)
assert usual == servers(
    "--slow 1 --service exponential --warm-up 0 --time 10000 --seed 1")
constant = servers("--service constant", "constant")
assert servers("--service constant --spread 0.05", "constant") == constant
for other in ("--slow 2", "--service constant", "--warm-up 500", "--time 9000",
              "--seed 0"):
    assert servers(other, "constant" if "constant" in other else "exponential") != usual
assert servers("--service constant --spread 0.5", "constant") != constant
near(servers("--time 5000")["services"] * 2, usual["services"], 0.05)

# ---- mean values ---------------------------------------------------------------------
def amva(x, y, z, more="", status=0):
    command = f"amva --mesh {x}x{y}x{z} --service 15 {more}"
    lines, j = both(command)
    columns = list(j["nodes"][0])
    assert columns == ["rank", "x", "y", "z", "node_queue", "processor_queue", "rate",
                       "cycle", "request_wait", "reply_wait", "network_time"]
    table = run(command, "--map", "-").split("\n")
    assert table[0].split(",") == columns and table[-1] == "", table[0]
    assert run(command, "--map", path) == "\n".join(lines) + "\n"
    assert open(path).read() == "\n".join(table)
    assert run(command, "--map", path, "--json", "-") == run(command, "--json", "-")
    nodes = j["nodes"]
    assert [",".join("%.9g" % n[c] for c in columns) for n in nodes] == table[1:-1]
    assert [(n["x"], n["y"], n["z"]) for n in nodes] == [
        (a, b, c) for c in range(z) for b in range(y) for a in range(x)]
    assert [n["rank"] for n in nodes] == list(range(x * y * z))
    return lines, j, nodes

def told_of(lines, j, x, y, z, workload="requests", length=8, outstanding=5,
            routers="unfair"):
    nodes = j["nodes"]
    assert lines[0] == (f"{x}x{y}x{z}, {workload} of {length} flits, {outstanding} "
                        f"outstanding, service 15, {routers} routers"), lines[0]
    assert lines[1] == "  %s after %d sweeps (%s)" % (j["state"], j["sweeps"],
                                                    j["schedule"]), lines[1]
    tells(lines, "  services a cycle and node ", "%.6g" % j["rate"])
    tells(lines, "  use of the bisection ", "%.4g" % j["bisection"])
    queues = [n["node_queue"] for n in nodes]
    # Of nodes that are as long but for rounding it is the first.
    peak = nodes[[q > max(queues) * (1 - 1e-9) for q in queues].index(True)]
    tells(lines, "  messages in a node queue ",
          "%.4g on the mean, %.4g at (%d,%d,%d)" % (
              sum(queues) / len(nodes), max(queues), peak["x"], peak["y"], peak["z"]))
    if workload == "requests":
        tells(lines, "  cycles of a round trip ", "%.6g at that node" % peak["cycle"])
    else:
        tells(lines, "  cycles of a hop ", "%.6g" % (nodes[0]["cycle"] / len(nodes)))
    plane = lines.index("messages in node queues, plane z = %d, y down, x across:"
                        % peak["z"])
    assert lines[plane + 1:] == [
        "".join(" %7.3f" % n["node_queue"] for n in nodes
                if (n["y"], n["z"]) == (b, peak["z"])) for b in range(y)]
    # All that a node has out comes round in its cycle: request and reply are served.
    near(j["rate"], sum(n["rate"] for n in nodes) / len(nodes), 1e-4)
    if workload == "requests":
        rounds = sum(outstanding / n["cycle"] for n in nodes) / len(nodes)
        near(j["rate"], 2 * rounds, 1e-4)

for x, y, z in (4, 3, 2), (2, 3, 5), (5, 2, 3), (6, 3, 2):
    told_of(*amva(x, y, z)[:2], x, y, z)
lines, usual, _ = amva(4, 3, 2)
lines, snakes, _ = amva(4, 3, 2, "--workload snakes")
told_of(lines, snakes, 4, 3, 2, "snakes")
lines, other, _ = amva(4, 3, 2, "--length 6 --outstanding 3 --fair")
told_of(lines, other, 4, 3, 2, length=6, outstanding=3, routers="fair")

def solved(more, command="amva --mesh 4x3x2 --service 15 "):
    return json.loads(run(command + more, "--json", "-"))

# Defaults are what the help says.
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
text = run("amva --mesh 4x3x2 --sweeps 5 --first-try --json", path, status=3)
assert text.split("\n")[1:] == ["  not converged after 5 sweeps (usual)", ""], text
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
VARIANTS = "unit_delay", "mean_wire", "longest_wire", "synchronous"
def cube(more):
    told, j = both("pipelined --dimensions " + more)
    lines, told = told[:7], told[7:]
    is_synchronous, is_loaded = "--synchronous" in more, "--load" in more
    assert lines[0] == "%g nodes, %d dimensions of radix %d, %s" % (
        j["nodes"], j["dimensions"], j["radix"],
        "synchronous" if is_synchronous else "pipelined")
    tells(lines, "  links ",
          "%d bits; %.10g wires a node, %.10g across the bisection" % (
              j["link_width"], j["wires_per_node"], j["wires_across_bisection"]))
    tells(lines, "  decoding ", "%d cycles a hop" % j["decode_delay"])
    tells(lines, "  throughput ", "at most %.6g bits a cycle and processor" %
          j["max_throughput"])
    if is_synchronous:
        tells(lines, "  cycle ", "%.6g with wires" % j["cycle_time_increase"])
        tells(lines, "  round trip ", "%.6g cycles without wires, in an empty network" %
              j["roundtrip_latency_synchronous"])
    else:
        tells(lines, "  wires ", "%.6g cycles a hop on the mean, at most %d" % (
            j["wire_delay_actual"], j["wire_delay_max"]))
        tells(lines, "  round trip ",
              "%.6g cycles in an empty network; %.6g with the longest wires" % (
                  j["roundtrip_latency_actual_wire"], j["roundtrip_latency_max_wire"]))
    assert list(j["optimum"]) == list(VARIANTS)
    tells(lines, "  best dimensions ", "if nothing is rounded: " + ", ".join(
        "%s %.2f" % item for item in j["optimum"].items()))
    assert ("simulated" in j) == is_loaded and len(told) == 5 * is_loaded, told
    if is_loaded:
        s = j["simulated"]
        load = float(re.search(r"--load (\S+)", more)[1])
        assert told[0] == "simulated at %.4g of the highest throughput%s" % (
            load, "" if s["converged"] else ", whose latency did not stand still")
        tells(told, "  throughput ", "%.6g bits a cycle and processor, of %.6g" % (
            s["throughput"], s["offered"]))
        near(s["offered"], load * j["max_throughput"])
        latency = s["latency"]
        tells(told, "  round trip ", "%.6g cycles, %.4g more or less; address %.6g, "
              "data %.6g" % tuple(latency[k] for k in
                                  ("round_trip", "half_width", "address", "data")))
        near(latency["round_trip"], latency["address"] + latency["data"], 1e-3)
        tells(told, "  dropped ",
              "%.4g of the packets at an input queue" % s["dropped"])
        tells(told, "  links ", "used in %.4g of all cycles" % s["used"])
        assert s["iterations"] >= 1
    return j

plain = cube("4")
assert plain["radix"] ** 4 == plain["nodes"] == 4096 and plain["link_width"] == 32
assert plain["wires_per_node"] == 2 * 4 * 32
cube("4 --synchronous")
cube("12 --constraint node_size --synchronous --lengths linear")
cube("5 --constraint bisection_width --nodes 1e6")
loaded = cube("4 --load 0.5 --cycles 20000")
cube("4 --load 0.5 --cycles 2000 --synchronous")
assert loaded["simulated"]["converged"] is True
hasty = cube("4 --load 0.9 --cycles 1000")
assert hasty["simulated"]["converged"] is False
assert cube("4 --load 0.7 --cycles 5000 --output-queue 2")["simulated"]["dropped"] > 0
# Defaults, and other values.
def figures(more):
    return json.loads(run("pipelined --dimensions " + more, "--json", "-"))
assert figures("4 --nodes 4096 --radix 8 --constraint link_width --wires 32 --ratio 2 "
               "--lengths powers") == plain
assert figures("4 --load 0.5 --cycles 20000 --ramp 4 --confidence 0.95 --seed 1"
               ) == loaded
assert figures("2 --load 0.3 --nodes 64") == figures(
    "2 --load 0.3 --nodes 64 --cycles 200000")
near(cube("4 --data-share 0.333333333333")["max_throughput"], plain["max_throughput"])
distinct = [plain] + [figures("4 " + option) for option in (
    "--nodes 5000", "--radix 7", "--constraint node_size", "--wires 30", "--ratio 9",
    "--data-share 0.5", "--constraint bisection_width --wires 40000")]
distinct += [loaded] + [figures("4 --load 0.5 --cycles 20000 " + option) for option in (
    "--ring-buffer 40", "--input-queue 40", "--output-queue 2", "--ramp 0", "--seed 0",
    "--confidence 0.5")]
for a, b in itertools.combinations(distinct, 2):
    assert a != b, (distinct.index(a), distinct.index(b))
assert figures("12 --lengths linear") != figures("12")
END
check "figures" python3 "$work/figures.py" "$jm" "$work"
finish

# jm net model: what must hold between figures, and what each option and each option of
# a workload does.
. tests/cli/check.sh
cat >"$work/figures.py" <<'END'
import itertools, json, math, os, subprocess, sys

jm, work = sys.argv[1:]
path = os.path.join(work, "figures.json")
TORUS, ADAPTIVE = "torus=4x4,links=multiple", "torus=8x8,lanes=4,escape=2"

def run(topology, workload, more="", status=0):
    done = subprocess.run([jm, "net", "model", "--topology", topology, "--workload",
                           workload, *more.split()], text=True, capture_output=True)
    assert done.returncode == status, (topology, workload, more, done)
    return done.stdout

def figures(topology, workload, more=""):
    return json.loads(run(topology, workload, more + " --json -"))

def near(value, wanted, share=1e-9):
    assert math.isclose(value, wanted, rel_tol=share), (value, wanted)

# ---- shared memory -------------------------------------------------------------------
def shared(topology, workload, processors, tau=25, more=""):
    j = figures(topology, workload, more)
    own, each = j["workload"], j["processors"]
    assert j["model"] == "shared" and len(each) == processors
    assert list(own) == ["throughput", "processor_efficiency", "max_efficiency",
                         "min_efficiency", "max_min_ratio", "network_residence_time",
                         "memory_time", "response_time"]
    near(own["processor_efficiency"], sum(each) / processors)
    near(own["max_efficiency"], max(each))
    near(own["min_efficiency"], min(each))
    near(own["max_min_ratio"], max(each) / min(each))
    near(own["response_time"], own["network_residence_time"] + own["memory_time"])
    # A request and its reply for each service.
    near(own["throughput"], 2 * own["processor_efficiency"] / 100 / tau, 1e-4)
    return j

shared(TORUS, "memory", 16)
shared(TORUS, "memory,n_out=2,tau=20", 16, 20)
shared("clos=2x2", "memory", 16)
shared("mesh=4x2x1", "memory", 8, more="--buffers unlimited")
# The hot node is 2,2, in the lowest plane of a mesh, else the first: its processor
# waits most, being the only one without requests to its own memory.
for topology, hot in ((TORUS, 10), ("torus=6x6,links=multiple", 14), ("mesh=5x5x1", 12),
                      ("mesh=3x3x1", 8), ("mesh=4x2x1", 0), ("mesh=2x2x1", 0),
                      ("mesh=3x2x1", 0), ("mesh=9x4x1", 20), ("mesh=3x5x1", 8),
                      ("mesh=5x3x1", 12), ("mesh=3x3x4", 8), ("torus=4x9", 10),
                      ("torus=9x4,links=multiple", 20)):
    each = figures(topology, "memory,f_hot=0.3", "--buffers unlimited")["processors"]
    assert each.index(min(each)) == hot, (topology, each)
def efficiency(options, more="", topology=TORUS):
    own = figures(topology, "memory" + options, more)["workload"]
    return own["processor_efficiency"]
usual = efficiency("")
# Options of the workload: each acts, and those of reads or writes on these alone.
near(efficiency(",n_out=1,tau=25,f_nn=0,f_hot=0,d_mem=4,read=4,write=4,p_1=0.8,"
                "l_msg1=3,l_resp1=9,l_msg2=11,l_resp2=3"), usual)
for option in ("n_out=2", "tau=26", "f_nn=0.5", "f_hot=0.1", "d_mem=5", "read=5",
               "write=5", "p_1=0.7", "l_msg1=4", "l_resp1=8", "l_msg2=10", "l_resp2=4"):
    assert abs(efficiency("," + option) / usual - 1) > 1e-5, option
for share, idle, busy in ((1, ("write=9", "l_msg2=20", "l_resp2=20"),
                           ("read=9", "l_msg1=20", "l_resp1=20")),
                          (0, ("read=9", "l_msg1=20", "l_resp1=20"),
                           ("write=9", "l_msg2=20", "l_resp2=20"))):
    alone = efficiency(f",p_1={share}")
    for option in idle:
        near(efficiency(f",p_1={share},{option}"), alone, 1e-6)
    for option in busy:
        assert efficiency(f",p_1={share},{option}") < alone * 0.999, option
# A memory's service is part of its time, to the cycle where nothing waits.
def memory(options):
    return figures(TORUS, "memory,tau=100000" + options)["workload"]["memory_time"]
near(memory(",p_1=1,read=50") - memory(",p_1=1,read=40"), 10, 1e-3)
near(memory(",p_1=0,write=50") - memory(",p_1=0,write=40"), 10, 1e-3)
near(memory(",p_1=0.8,read=50,write=20"), 0.8 * 50 + 0.2 * 20, 1e-2)
# Equations: the default is as printed; others differ, where the network is busy.
busy = ",n_out=4,tau=20,f_hot=0.1"
terms = {name: efficiency(busy, "--terms " + name) for name in (
    "printed", "queue", "twice", "worst", "rate", "no_tail", "longer", "thesis")}
assert terms["printed"] == efficiency(busy)
for a, b in itertools.combinations(terms, 2):
    assert terms[a] != terms[b], (a, b)
few = ",n_out=4,tau=20"
unlimited = efficiency(few, "--buffers unlimited", "mesh=2x2x2")
assert unlimited != efficiency(few, "--buffers unlimited --terms own", "mesh=2x2x2")
assert efficiency(busy, "--buffers flit") == efficiency(busy)
assert efficiency(busy, "--buffers unlimited") != efficiency(busy)
# How it is solved changes no more than the last digits.
j = figures(TORUS, "memory" + busy)
assert figures(TORUS, "memory" + busy, "--tolerance 1e-6 --sweeps 20000") == j
for option in "--weight 0.3", "--no-symmetry", "--tolerance 1e-9":
    other = figures(TORUS, "memory" + busy, option)
    near(other["workload"]["processor_efficiency"],
         j["workload"]["processor_efficiency"], 1e-4)
    assert other != j or option == "--no-symmetry", option
assert figures(TORUS, "memory" + busy, "--sweeps %d" % j["sweeps"]) == j

# ---- messages at random times --------------------------------------------------------
def adaptive(workload, more=""):
    j = figures(ADAPTIVE, workload, more)
    own = j["workload"]
    assert j["model"] == "adaptive" and j["processors"] == []
    assert list(own) == ["mean_latency", "zero_load_latency", "busy_x", "busy_y",
                         "wait_we", "wait_ne", "wait_ns", "wait_ws"]
    assert own["mean_latency"] > own["zero_load_latency"]
    return own

loaded = adaptive("poisson,rate=0.012")
idle = adaptive("poisson,rate=1e-7")
assert loaded["busy_x"] > loaded["busy_y"] > 0
# Channels of X are held for longer than those of Y, so messages that continue east wait
# longer than those that continue south.
waits = sorted((name for name in loaded if name.startswith("wait")), key=loaded.get)
assert waits == ["wait_ws", "wait_ns", "wait_we", "wait_ne"], waits
near(idle["mean_latency"], idle["zero_load_latency"], 1e-4)
near(loaded["zero_load_latency"], idle["zero_load_latency"])
assert idle["busy_x"] < 1e-4 and idle["wait_we"] < 1e-3
# Two flits more pass two cycles later.
near(adaptive("poisson,rate=1e-7,length=14")["zero_load_latency"],
     idle["zero_load_latency"] + 2)
assert adaptive("poisson") == adaptive("poisson,rate=0.001,length=12")
assert adaptive("poisson,rate=0.012", "--reading mended") == loaded
readings = [adaptive("poisson,rate=0.012", "--reading " + name)["mean_latency"]
            for name in ("mended", "product", "flow", "holding", "printed")]
assert len(set(readings)) == 5, readings

# ---- without a solution --------------------------------------------------------------
for topology, workload, more, state in (
        ("torus=12x12,lanes=4,escape=2", "poisson,rate=0.05", "", "saturated"),
        (TORUS, "memory" + busy, "--sweeps 3", "not converged")):
    assert run(topology, workload, more, 3) == ""
    assert run(topology, workload, more + " --json " + path, 3) == ""
    written = open(path).read()
    assert run(topology, workload, more + " --json -", 3) == written
    j = json.loads(written)
    assert j["state"] == state and j["processors"] == [] and len(j["workload"]) == 8
    assert set(j["workload"].values()) == {None}, j
    assert j["sweeps"] == (3 if more else j["sweeps"]) > 0
END
check "figures" python3 "$work/figures.py" "$jm" "$work"

finish

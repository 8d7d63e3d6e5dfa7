# --links and --map of jm net run and jm net sweep, and --plot: flits by lane against
# counts by wire and by hand, and pictures. recorded/refused-net has what they need.
. tests/cli/check.sh
cd "$work" || exit 1

cat >wires.py <<'END'
import csv, json, subprocess, sys

jm = sys.argv[1]

def run(topology, workload, more=""):
    """The results of a run as JSON, and its table of wires."""
    done = subprocess.run(
        [jm, "net", "run", "--topology", topology, "--workload", workload, "--json",
         "--links", "links.csv", *more.split()], capture_output=True, text=True)
    assert done.returncode in (0, 3) and not done.stderr, done.stderr
    return json.loads(done.stdout), list(csv.DictReader(open("links.csv")))

def flits(rows):
    return sum(int(row["flits"]) for row in rows)

# By lanes as by groups of wires, in the window of the run alone.
for topology in "torus=4x4,lanes=4,escape=2", "clos=2x2,levels=2", "torus=3x2x2":
    load = "poisson,rate=0.02,length=6"
    whole, rows = run(topology, load, "--cycles 3000 --warmup 0")
    assert flits(rows) == sum(whole["groups"].values()) > 1000, topology
    start, _ = run(topology, load, "--cycles 1000 --warmup 0")
    _, rows = run(topology, load, "--cycles 3000 --warmup 1000")
    assert flits(rows) == sum(whole["groups"].values()) - sum(start["groups"].values())
    for row in rows:
        assert float(row["busy"]) == int(row["flits"]) / 2000, row
        if row["wait"]:
            assert float(row["wait"]) >= 0 and float(row["held"]) >= float(row["busy"])

# A ring of 8 with one direction, Adve and Vernon 1994: of the messages over the wire
# that leaves node i downwards, (7 - i) (8 - i) / 56 are in the high lane.
_, rows = run("torus=8,oneway=1", "poisson,rate=0.02,length=6", "--cycles 100000")
share = [0] * 8
for i in range(8):
    lane = {int(r["lane"]): int(r["flits"]) for r in rows if r["from"] == str(i)}
    share[i] = lane[1] / (lane[0] + lane[1])
    assert {r["to"] for r in rows if r["from"] == str(i)} == {str((i - 1) % 8)}
for i in range(8):
    assert abs(share[i] - (7 - i) * (8 - i) / 56) < 0.03, (i, share)

# Hardly any message meets another there: a lane is held for as long as flits take, and
# heads do not wait.
_, rows = run("torus=8,oneway=1", "poisson,rate=0.001,length=6", "--cycles 100000")
for row in rows:
    if int(row["flits"]) > 600:
        assert float(row["wait"]) < 0.5, row
        assert 1 <= float(row["held"]) / float(row["busy"]) < 1.1, row

# Engines that count no lanes: each direction of a wire. All of the 13 flits but the
# header's two that are for other dimensions cross the only wire.
whole, rows = run("mesh=2x1x1", "poisson,rate=0.01,length=13", "--cycles 50000")
assert [(r["from"], r["to"]) for r in rows] == [("0,0,0", "1,0,0"), ("1,0,0", "0,0,0")]
for row in rows:
    crossed = float(row["busy"]) / whole["throughput"]["mean"]
    assert 10 < crossed < 14 and row["held"] == row["wait"] == "", (row, crossed)

# A sweep has the rows of the runs at its rates.
sweep = [jm, "net", "sweep", "--topology", "torus=4x4", "--workload", "poisson",
         "--cycles", "2000", "--rates", "0.3,0.01", "--links", "-", "--seed", "3"]
done = subprocess.run(sweep + ["--jobs", "2", "--backlog", "200"], text=True,
                      capture_output=True)
rows = list(csv.DictReader(done.stdout.splitlines()))
assert len(rows) == 256 and list(rows[0])[0] == "rate"
for rate in "0.01", "0.3":
    _, alone = run("torus=4x4", "poisson,rate=" + rate,
                   "--cycles 2000 --seed 3 --backlog 200")
    of = [{**row} for row in rows if row["rate"] == rate]
    assert [{**row, "rate": rate} for row in alone] == of, (rate, of[:2], alone[:2])
    assert flits(of) > 100 and any(row["busy"] for row in of)
END
check "flits by lane" python3 wires.py "$jm"

# ---- pictures ------------------------------------------------------------------------
cat >whole.py <<'END'
import sys, xml.etree.ElementTree as tree
for name in sys.argv[1:]:
    root = tree.parse(name).getroot()
    assert root.tag.endswith("svg") and len(list(root.iter())) > 60, name
END
run="$jm net run --cycles 2000 --workload poisson,rate=0.01,length=13"
sweep="$jm net sweep --cycles 2000 --workload poisson --topology torus=4x4
    --rates 0.01,0.02"
if command -v gnuplot >/dev/null; then
    for topology in mesh=4x3x2 torus=5 torus=3x2x2x3 torus=2x8,ends=0; do
        $run --topology $topology --param header_flits=1,buffer_words=40 \
            --map "$topology.svg" >out
        check "a map of $topology" python3 whole.py "$topology.svg"
    done
    status 0 $sweep --saturation --plot plot.svg --map map.svg --quiet
    check "pictures of a sweep" python3 whole.py plot.svg map.svg
    says out 'highest rate'
    rows 1 plot.svg '3 x zero load'
    status 0 $sweep --plot -
    cp out alone.svg
    check "a plot on standard output" python3 whole.py alone.svg
    $run --topology torus=4x4 --map - >alone.svg
    check "a map on standard output" python3 whole.py alone.svg
    rows 0 alone.svg '3 x zero load'
else
    echo "skipped: pictures: no gnuplot"
fi
# A map has a line for each wire and direction, whose lanes stand together.
mkdir empty
printf '#!/bin/sh\necho "<svg>" && cat && echo "</svg>"\n' >empty/gnuplot
chmod +x empty/gnuplot
for topology in torus=4x3x5,lanes=2 mesh=4x3x2; do
    PATH=$work/empty:$PATH $run --topology $topology --quiet --param buffer_words=40 \
        --links links.csv --map drawn.svg >out
    check "lines of a map of $topology" python3 - <<'END'
import csv, itertools, math
text = open("drawn.svg").read()
rows = text.split("$wires << END\n")[1].split("\nEND")[0].splitlines()[1:]
links = itertools.groupby(csv.DictReader(open("links.csv")),
                          lambda row: (row["wire"], row["from"]))
busy = [sum(float(lane["busy"]) for lane in lanes) for _, lanes in links]
assert len(rows) == len(busy) > 7, (len(rows), len(busy))
for row, wanted in zip(rows, busy):
    assert math.isclose(float(row.split(",")[-1]), wanted, rel_tol=1e-5), (row, wanted)
assert len({tuple(row.split(",")[:2]) for row in rows}) == len(rows)
END
done
finish

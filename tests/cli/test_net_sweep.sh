# jm net sweep: each rate against jm net run, saturation against its definition, and one
# result whatever the jobs, ranks and interruptions.
. tests/cli/check.sh
. tests/exp/ranks.sh
page=$PWD/tools/docs/networks.md
cd "$work" || exit 1

small="--topology torus=4x4,lanes=2 --workload poisson,length=6"
sweep="$jm net sweep $small --cycles 3000"

# ---- rates against runs --------------------------------------------------------------
cat >rates.py <<'END'
import csv, json, math, subprocess, sys

jm, *options = sys.argv[1:]
rows = list(csv.DictReader(open("rates.csv")))
whole = json.load(open("rates.json"))
assert [float(r["rate"]) for r in rows] == [0.01, 0.02, 0.05, 0.06, 0.07, 0.3], rows

def near(text, value):
    assert text == "" if value is None else math.isclose(
        float(text), value, rel_tol=1e-8), (text, value)

for row, told in zip(rows, whole["rates"]):
    for name, value in told.items():
        if name == "state":
            assert row[name] == value
        else:
            near(row[name], value)
    done = subprocess.run(
        [jm, "net", "run", "--topology", "torus=4x4,lanes=2", "--workload",
         f"poisson,length=6,rate={row['rate']}", "--json", *options],
        capture_output=True, text=True)
    run = json.loads(done.stdout)
    assert done.returncode == (0 if row["state"] == "settled" else 3)
    assert row["state"] == run["state"], row
    near(row["accepted"], run["throughput"]["mean"])
    near(row["latency"], run["latency"]["mean"])
    near(row["half_width"], run["latency"]["half_width"])
    near(row["offered"], run["workload"]["messages_sent"]["mean"])
    near(row["cycles"], run["cycles"])
    if row["latency"]:
        assert float(row["p50"]) <= float(row["p95"]) <= float(row["p99"])
assert {r["state"] for r in rows} >= {"settled", "saturated"}, rows
assert whole["saturation"] is None and whole["cycles"] == 3000
END
options="--seed 7 --warmup 500 --backlog 400 --param heads=2"
status 0 $sweep $options --rates 0.3,0.01..0.02/2,0.05..0.07/0.01,0.06 --out rates.csv \
    --json rates.json
check "rates" python3 rates.py "$jm" --cycles 3000 $options
rows 6 out '^  0\.[0-9]+ .* [a-z]+$'
check "nothing else is left" test ! -e rates.csv.runs.jsonl
status 0 $sweep --rates 0.02
rows 1 out '3000 cycles, 600 of them'
status 3 $sweep --rates 0.3

# Percentiles: in a ring of 32 with one direction a message that meets no other takes
# its distance, 1 to 31 alike, its length and a cycle.
status 0 $jm net sweep --topology torus=32,oneway=1 --workload poisson,length=2 \
    --rates 0.0002 --cycles 200000 --out -
rows 1 out '^0\.0002,.*,19,33,34,200000,settled$'

# ---- jobs, ranks, interruptions ------------------------------------------------------
found="$sweep --saturation --rates 0.02..0.1/4"
status 0 $found --jobs 1 --out one.csv --json one.json
cp out text
status 0 $found --jobs 3 --out three.csv --json three.json
check "jobs change nothing" cmp one.csv three.csv
check "jobs change nothing in JSON" cmp one.json three.json
check "jobs change no text" cmp text out
status 0 $found --jobs 1 --out -
check "CSV on standard output" cmp one.csv out
status 0 $found --json -
check "JSON on standard output" cmp one.json out
if has_ranks; then
    ranks 2 $found --out ranks.csv >ranks.out 2>ranks.err
    check "two ranks: $(head -3 ranks.err)" cmp one.csv ranks.csv
else
    echo "skipped: ranks: no jm-mpi, or no mpirun"
fi
# Rates that a stopped sweep has finished are not run again. The first of its rates ends
# at once, by a backlog, the other one never.
stopped="$small --backlog 100 --warmup 600 --rates 0.01,0.3 --jobs 1"
cut_short TERM "[ -s slow.csv.runs.jsonl ] || ! rm -f slow.csv*" \
    $jm net sweep $stopped --cycles 4000000000 --out slow.csv
check "a stopped sweep: status $got" test $got -eq 143
says err '1 of 2 rates are done and kept; the same command with --resume goes on'
check "no results yet" test ! -e slow.csv
status 2 $jm net sweep $stopped --cycles 4000000000 --out slow.csv
says err 'continue it with --resume'
# A mark in the record shows that it is taken, by the sweep with the same options alone.
status 0 $jm net sweep $stopped --cycles 3000 --out fresh.csv
sed 's/cycles=4000000000/cycles=3000/; s/"p99":[^,]*/"p99":12345.0/' \
    slow.csv.runs.jsonl >kept
for seed in 1 2; do
    cp kept "seed$seed.csv.runs.jsonl"
    status 0 $jm net sweep $stopped --cycles 3000 --seed $seed --resume \
        --out "seed$seed.csv"
done
rows 1 seed1.csv '^0\.3,.*,12345,'
rows 0 seed2.csv 12345
sed '$d' fresh.csv | cmp -s - seed1.csv && fail "nothing is marked"
sed '$d' fresh.csv >begin
sed '$d' seed1.csv >other
check "the other rate was run" cmp begin other
# A rate that differs in its tenth digit is another one.
cp kept close.csv.runs.jsonl
status 0 $jm net sweep $small --backlog 100 --warmup 600 --rates 0.01,0.3000000001 \
    --jobs 1 --cycles 3000 --resume --out close.csv
rows 1 close.csv '^0\.3000000001,'
rows 0 close.csv 12345
for damage in 's/saturated/sated/' 's/"p95":[^,]*/"p95":-1/' 's/"offered":/"of":/' \
    's/"half_width":null/"half_width":1.0/'; do
    sed "$damage" kept >odd.csv.runs.jsonl
    status 2 $jm net sweep $stopped --cycles 3000 --resume --out odd.csv
    says err 'odd.csv.runs.jsonl:1: error: no run can have this result: '
    check "$damage: no results" test ! -e odd.csv
done
# The counts of wires are part of the record of a sweep that asks for them.
sed 's/ param=/ param= wires/' kept >odd.csv.runs.jsonl
status 2 $jm net sweep $stopped --cycles 3000 --resume --out odd.csv --links links.csv
says err 'odd.csv.runs.jsonl:1: error: no run can have this result: wires'
rm odd.csv.runs.jsonl

# ---- saturation ----------------------------------------------------------------------
cat >limits.py <<'END'
import csv, json, sys
highest, low = float(sys.argv[2]), float(sys.argv[3])
rows = [{k: v if k == "state" else float(v or "nan") for k, v in row.items()}
        for row in csv.DictReader(open(sys.argv[1] + ".csv"))]
found = json.load(open(sys.argv[1] + ".json"))["saturation"]
rates = [row["rate"] for row in rows]
assert rates == sorted(set(rates))
zero = rows[rates.index(float("%.4g" % (highest / 100)))]["latency"]
assert found["zero_load_latency"] == zero

def limit(name, below):
    """The highest rate below the limit; the next one up is within 1 %."""
    at = max(i for i, row in enumerate(rows) if below(row))
    assert found[name] == rates[at], (name, found, rates[at])
    assert rates[at] < rates[at + 1] <= 1.01 * rates[at], (name, rates[at:at + 2])

limit("triple_rate", lambda row: row["latency"] <= 3 * zero)
limit("settled_rate", lambda row: row["state"] == "settled")
assert (rates[-1] > highest) == (low == 1), rates
END
check "limits within the rates" python3 limits.py one 0.1 0
# They are found above and below the rates given.
status 0 $sweep --saturation --rates 0.02 --out low.csv --json low.json
check "limits above" python3 limits.py low 0.02 1
status 0 $sweep --saturation --rates 0.5..0.9/2 --out high.csv --json high.json
check "limits below" python3 limits.py high 0.9 0
rows 1 out '^latency at zero load: [0-9.]+ cycles$'
rows 1 out '^saturation, at three times that: rate [0-9.]+$'
rows 1 out '^highest rate that settles: rate [0-9.]+$'
# A search ends at the rate at which the sources send a flit each cycle.
status 0 $jm net sweep --topology torus=4x4,lanes=2 --rates 0.01 --saturation --quiet \
    --workload pattern=neighbor,length=4 --cycles 3000 --out ends.csv
tail -1 ends.csv >last
rows 1 last '^0\.25,'
# The output shown on the manual's page about networks.
status 0 "$jm" net sweep --topology torus=8x8,lanes=2 --workload poisson,length=12 \
    --rates 0.002..0.024/12 --saturation --quiet
tail -3 out | sed 's/^/    /' >told
grep -E '^    (latency at zero|saturation, at|highest rate)' "$page" >shown
check "the limits on the page" cmp shown told

# Rings that close, without lanes that cut them: messages wait for each other.
closed="--topology torus=4x4,lanes=1 --cycles 20000 --quiet"
status 0 $jm net sweep $closed --param circles=1 --rates 0.002,0.05 --backlog 100000 \
    --workload pattern=uniform,length=16 --out closed.csv
rows 1 closed.csv '^0\.002,.*,settled$'
rows 1 closed.csv '^0\.05,.*,deadlocked$'
# A run that ends by its backlog, after the circle has closed, is deadlocked too.
status 3 $jm net sweep $closed --backlog 300 --param circles=1 --rates 0.05 \
    --workload pattern=uniform,length=16 --out ended.csv
rows 1 ended.csv '^0\.05,.*,14871,deadlocked$'
finish

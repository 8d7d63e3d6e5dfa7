# Experiments of papers: their tables as cells, their verdicts, and a page of their own.
. tests/cli/check.sh

out=$work/papers
cells=$out/sc-tables.cells.csv

# ---- printed tables ------------------------------------------------------------------
status 0 $jm exp run sc-tables sc-readings --out "$out"
check "the head of the cells" \
    grep -qx 'table,params,quantity,origin,value,unit' "$cells"
rows 403 "$cells" ''
rows 402 "$cells" ',configuration,[0-9]+(\.[0-9]+)?,[a-z ]+(/[a-z ]+)*$'
cut -d, -f1-4 "$cells" | LC_ALL=C sort | uniq -d >"$work/twice"
rows 0 "$work/twice" ''
cell() { # TABLE PARAMS QUANTITY,ORIGIN,VALUE,UNIT
    check "$1 $2 $3" grep -qxF "Figure $1,network=$2,$3" "$cells"
}
cell '5(a)' 'pipelined;N=4096;constraint=link_width;n=12;k=2' \
    'max_throughput,configuration,52.7058823529,bits/cycle/processor'
cell '7(b)' 'pipelined;N=1048576;constraint=node_size;n=3;k=102' \
    'wires_across_bisection,configuration,541008,wires'
cell '7(a)' 'pipelined;N=1048576;constraint=link_width;n=20;k=2' \
    'wires_across_bisection,configuration,33554432,wires'
cell '9(c)' 'synchronous;N=4096;constraint=bisection_width;n=12;k=2' \
    'roundtrip_latency_synchronous,configuration,1270,base cycles'
# The printed value of every cell is known, and each is judged.
rows 402 "$out/sc-tables.printed.csv" '^SC-.*,reproduced$'
rows 0 "$out/sc-tables.printed.csv" ',not$'
rows 9 "$out/claims.json" '"id": "SC-[579][abc]"'
rows 0 "$out/claims.json" '"verdict": "(in part|not|not measured)"'
# Claims of the thesis that no experiment measures are not the papers'.
rows 0 "$out/claims.json" '"id": "TC-'
rows 0 "$out/claims.json" '"source": "thesis"'

# ---- tables that are simulated -------------------------------------------------------
status 0 $jm exp run av-tables qu-tables --set cycles=1000 --quiet --out "$work/av"
av=$work/av/av-tables.cells.csv
qu=$work/av/qu-tables.cells.csv
rows 24 "$av" '^Table III-A,.*,simulation,'
rows 16 "$av" '^Table III-B,.*,simulation,'
rows 18 "$av" '^Table IV,.*,simulation,'
rows 64 "$av" '^Table V-A,.*;row=[0-7];col=[0-7],processor_efficiency,simulation,'
rows 64 "$av" '^Table V-B,.*;row=[0-7];col=[0-7],processor_efficiency,simulation,'
rows 26 "$av" ',parameter,'
latency='mean_length=12,mean_latency,simulation,'
rows 24 "$qu" "^Table 1,k=[48];rate=0.0[01][0-9];$latency"
rows 16 "$qu" "^Table 2,k=1[26];rate=0.00[0-9];$latency"
# Beside them stand what the models say, and how much that is off the simulation.
for origin in analytical percent_error; do
    rows 24 "$av" "^Table III-A,.*,$origin,"
    rows 16 "$av" "^Table III-B,.*,$origin,"
    rows 18 "$av" "^Table IV,.*,$origin,"
done
rows 64 "$av" '^Table V-A,.*;row=[0-7];col=[0-7],processor_efficiency,analytical,'
rows 64 "$av" '^Table V-B,.*;row=[0-7];col=[0-7],processor_efficiency,analytical,'
for origin in model percent_error; do
    latency="mean_length=12,mean_latency,$origin,"
    rows 24 "$qu" "^Table 1,k=[48];rate=0.0[01][0-9];$latency"
    rows 16 "$qu" "^Table 2,k=1[26];rate=0.00[0-9];$latency"
done
# All cells of the model that are judged are reproduced; the simulation is another than
# the printed one.
others=',(simulation|percent_error),'
rows 0 "$work/av/av-tables.printed.csv" "$others.*,(reproduced|reported|not)\$"
rows 93 "$work/av/av-tables.printed.csv" "$others.*,not judged\$"
rows 99 "$work/av/av-tables.printed.csv" ',analytical,.*,reproduced$'
rows 0 "$work/av/av-tables.printed.csv" ',analytical,.*,not$'
rows 0 "$work/av/qu-tables.printed.csv" ',model,.*,not$'
cut -d, -f1-4 "$av" "$qu" | grep -v ^table | LC_ALL=C sort | uniq -d >"$work/twice"
rows 0 "$work/twice" ''
# A point is what `jm net run` gives for the same network, workload, cycles and seed.
status 3 $jm net run --topology torus=8x8,links=multiple \
    --workload memory,n_out=4,tau=20 --cycles 1000
says out "(short)"
efficiency=$(sed -n 's/^ *processor_efficiency *\([0-9.]*\) .*/\1/p' "$work/out")
at='Table III-B,topology=bi_torus;k=8;links=multiple;n_out=4;tau=20'
check "the same efficiency" awk -v a="$efficiency" -v "at=$at,processor_efficiency" \
    -F, 'index($0, at) && $4 == "simulation" && $5 - a < 1e-3 && a - $5 < 1e-3 { n++ }
         END { exit n != 1 }' "$av"

# Each run of traffic says whether it had settled.
check "states" python3 - "$work/av/runs.jsonl" <<'END'
import json, sys
states = {}
for record in map(json.loads, open(sys.argv[1])):
    if "mean_latency_half" in record or "processor_efficiency_half" in record:
        states.setdefault(record["state"], []).append(record["key"])
assert sum(map(len, states.values())) > 30, states
assert any("links=multiple" in k and "tau=20 " in k + " " for k in states["short"])
END

# ---- simulated points ----------------------------------------------------------------
curve="exp run sc-fig6b --set cycles=2000 --set load=0.2,0.4 --set dimensions=3,6"
status 0 $jm $curve --jobs 1 --out "$work/one"
status 0 $jm $curve --jobs 4 --out "$work/four"
check "the same bytes for any number of jobs" \
    cmp "$work/one/sc-fig6b.curves.csv" "$work/four/sc-fig6b.curves.csv"
rows 4 "$work/one/sc-fig6b.curves.csv" '^sc-fig6b,[0-9]+,cube_node,solved,1,,simulation'
check "no cells of a figure" test ! -e "$work/one/sc-fig6b.cells.csv"

# ---- the page ------------------------------------------------------------------------
status 0 $jm exp report --out "$out"
check "a title of its own" grep -q '<title>Networks of papers' "$out/report.html"
check "what was not run of the papers" grep -q 'sc-fig13c' "$out/report.html"
rows 0 "$out/report.html" 'fig4-15'
finish

# Experiments of papers: their tables as cells, their verdicts, and a page of their own.
. tests/cli/check.sh
out=$work/papers

# ---- printed tables ------------------------------------------------------------------
# The printed value of every cell is known, and all are reproduced.
status 0 $jm exp run sc-tables sc-readings --out "$out"
cells=$out/sc-tables.cells.csv
rows 402 "$cells" ',configuration,[0-9]+(\.[0-9]+)?,[a-z ]+(/[a-z ]+)*$'
rows 402 "$out/sc-tables.printed.csv" '^SC-.*,reproduced$'
rows 0 "$out/sc-tables.printed.csv" ',not$'
rows 9 "$out/claims.json" '"id": "SC-[579][abc]"'
rows 0 "$out/claims.json" '"verdict": "(in part|not|not measured)"'
# Claims of the thesis that no experiment measures are not the papers'.
rows 0 "$out/claims.json" '"id": "TC-'
rows 0 "$out/claims.json" '"source": "thesis"'

# ---- tables that are simulated -------------------------------------------------------
status 0 $jm exp run av-tables qu-tables --set cycles=1000 --quiet --out "$work/av"
# All cells of the model that are judged are reproduced; the simulation is another than
# the printed one.
others=',(simulation|percent_error),'
rows 0 "$work/av/av-tables.printed.csv" "$others.*,(reproduced|reported|not)\$"
rows 93 "$work/av/av-tables.printed.csv" "$others.*,not judged\$"
rows 99 "$work/av/av-tables.printed.csv" ',analytical,.*,reproduced$'
rows 0 "$work/av/av-tables.printed.csv" ',analytical,.*,not$'
rows 0 "$work/av/qu-tables.printed.csv" ',model,.*,not$'
cut -d, -f1-4 "$work"/*/*.cells.csv | grep -v ^table | LC_ALL=C sort | uniq -d \
    >"$work/twice"
rows 0 "$work/twice" ''
# A point is what `jm net run` gives for the same network, workload, cycles and seed.
status 3 $jm net run --topology torus=8x8,links=multiple \
    --workload memory,n_out=4,tau=20 --cycles 1000
says out "(short)"
efficiency=$(sed -n 's/^ *processor_efficiency *\([0-9.]*\) .*/\1/p' "$work/out")
at='Table III-B,topology=bi_torus;k=8;links=multiple;n_out=4;tau=20'
check "the same efficiency" awk -v a="$efficiency" -v "at=$at,processor_efficiency" \
    -F, 'index($0, at) && $4 == "simulation" && $5 - a < 1e-3 && a - $5 < 1e-3 { n++ }
         END { exit n != 1 }' "$work/av/av-tables.cells.csv"

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
for jobs in 1 4; do
    status 0 $jm $curve --jobs $jobs --out "$work/jobs$jobs"
done
check "the same bytes for any number of jobs" \
    cmp "$work/jobs1/sc-fig6b.curves.csv" "$work/jobs4/sc-fig6b.curves.csv"
check "no cells of a figure" test ! -e "$work/jobs1/sc-fig6b.cells.csv"

# ---- the page ------------------------------------------------------------------------
status 0 $jm exp report --out "$out"
check "a title of its own" grep -q '<title>Networks of papers' "$out/report.html"
check "what was not run of the papers" grep -q 'sc-fig13c' "$out/report.html"
rows 0 "$out/report.html" 'fig4-15'
finish

# jm net: results for people and programs, saved runs, bad input.
. tests/cli/check.sh

net="$jm net"
short="--cycles 20000"
four="$net run --topology torus=4x4 --workload memory,n_out=2,tau=25 $short"

status 2 $net runs
says err "no command 'runs'; there are: run list model check trace"
check "the message ends its line" test "$(wc -l <"$work/err")" -eq 1
status 0 $four
says out "processor_efficiency"
status 0 $four --json
cp "$work/out" "$work/first.json"
status 0 $four --json
check "the same seed gives the same bytes" cmp "$work/out" "$work/first.json"
status 0 $four --stats -
check "--stats - is the same" cmp "$work/out" "$work/first.json"
status 0 $four --stats "$work/stats"
check "--stats FILE is the same" cmp "$work/stats" "$work/first.json"
says out "latency"
status 0 $four --json --seed 2
check "another seed gives others" test "$(cmp "$work/out" "$work/first.json")"

# A point of table III-B of Adve and Vernon (1994) by simulation: efficiency 44.8 %,
# residence 144.06 cycles; and what must hold between the measures. A customer sends a
# request and gets a reply for each service of 20 cycles. Each message of the 6.2 flits
# that are the mean crosses 256/63 wires; messages and flits are counted from cycle 0.
table="torus=8x8,links=multiple"
status 0 $net run --topology $table --cycles 100000 --batches 20 --json \
    --workload memory,n_out=4,tau=20
check "table III-B" python3 - "$work/out" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
own = r["workload"]
e, wait = own["processor_efficiency"], own["network_residence_time"]["mean"]
def near(what, value, wanted, share):
    assert abs(value / wanted - 1) < share, (what, value, wanted)
near("efficiency", e["mean"], 44.8, 0.02)
near("residence", wait, 144.06, 0.03)
near("latency", r["latency"]["mean"], wait / 2, 0.01)
near("throughput", r["throughput"]["mean"], 2 * e["mean"] / 100 / 20, 0.02)
near("messages", r["messages"], r["throughput"]["mean"] * 64 * 100000, 0.02)
near("flits", sum(r["groups"].values()), r["messages"] * 6.2 * 256 / 63, 0.02)
each = r["processors"]
assert len(each) == 64
near("mean of processors", sum(each) / 64, e["mean"], 1e-9)
near("busiest", max(each), own["max_efficiency"]["mean"], 1e-9)
assert 0.15 < e["half_width"] < 0.8, e
END

# Messages so rare that some batches have none: latency has a mean but nothing has an
# interval. Batches that all have some give both.
rare() { # STATUS CYCLES RATE
    status "$1" $net run --topology torus=4x4 --cycles "$2" --json \
        --workload poisson,rate="$3"
}
intervals() { # PYTHON: of the results r, latency l, throughput t
    check "intervals: $1" python3 -c "import json, sys
r = json.load(open(sys.argv[1])); l, t = r['latency'], r['throughput']
own = r['workload']['mean_latency']
assert $1, (r['messages'], l, t, own)" "$work/out"
}
rare 3 20000 0.00005
intervals "0 < r['messages'] < 40 and l['mean'] > 12 and own['mean'] > 12"
intervals "l['half_width'] is None and own['half_width'] is None"
intervals "t['mean'] > 0 and t['half_width'] is None and r['state'] == 'short'"
rare 3 20000 1e-9
intervals "r['messages'] == 0 and l['mean'] is None and own['mean'] is None"
intervals "l['half_width'] is None and t == {'mean': 0, 'half_width': None}"
rare 0 20000 0.005
intervals "0 < l['half_width'] < l['mean'] / 20"

# Progress on a terminal alone: each 4096 cycles a run looks at the clock, tells how far
# it is after a second and each half second, and clears that line at its end.
light="$net run --topology torus=2x2 --workload poisson"
if preload "progress of a run"; then
    status 0 ticking 100 $light --cycles 100000
    tr '\r' '\n' <"$work/err" | sed 's/[0-9]* messages/N messages/' >"$work/told"
    for cycle in 36865 57345 77825 98305; do
        printf '\n%s of 100000 cycles, N messages\033[K' $cycle
    done >"$work/wanted"
    printf '\n\033[K' >>"$work/wanted"
    check "a line each half second" cmp "$work/told" "$work/wanted"
    told=$(tr '\r' '\n' <"$work/err" | sed -n 's/^36865 .*, \([0-9]*\) messages.*/\1/p')
    status 0 $light --cycles 36865 --json
    rows 1 "$work/out" "^ \"messages\": ${told:-none},"
    status 0 ticking 100 $light --cycles 30000
    silent err
    status 0 ticking 100 $light --cycles 100000 --quiet
    silent err
fi
status 0 $light --cycles 100000
silent err

# Saved in the warm-up and in a batch, and gone on with.
for cycle in 1000 4000 7777 20000; do
    status 0 $four --save-at $cycle:"$work/saved" --quiet
    status 0 $net run --restore "$work/saved" --json
    check "restored at $cycle" cmp "$work/out" "$work/first.json"
done
printf 'JMNET' >"$work/broken"
status 2 $net run --restore "$work/broken"
says err "no saved run"
head -c 900 "$work/saved" >"$work/broken"
status 2 $net run --restore "$work/broken"
says err "damaged"

bad() { # TEXT OPTION...: bad usage, one line, nothing on standard output
    wanted_text=$1
    shift
    status 2 $net "$@"
    says err "$wanted_text"
    silent out
    rows 1 "$work/err" ''
}
bad "expected a command"
bad "no command 'walk'" walk
bad "--topology is missing" run --workload memory
bad "--workload is missing" run --topology torus=4x4
bad "there is no topology ring" run --topology ring=4 --workload memory
bad "tau is 0" run --topology torus=4x4 --workload memory,tau=0
bad "hot=16: the last of 16 nodes is 15" \
    run --topology torus=4x4 --workload poisson,rate=0.01,hot=16
bad "are too few" run --topology torus=4x4 --workload memory --cycles 100 --warmup 90
bad "no parameter thru" run --topology torus=4x4 --workload memory --param thru=1
bad "fair=1" run --topology torus=4x4 --workload memory --param fair=1
bad "give --param buffer_words=11" run --topology torus=4x4 --workload memory \
    --param buffer_words=4
bad "is that of the saved run" run --restore x --seed 3
bad "CYCLE:FILE is expected" run --topology torus=4x4 --workload memory --save-at x:y
bad "goes from cycle 0 to 20000" run --topology torus=4x4 --workload memory $short \
    --save-at 20001:"$work/late"
bad "not within 2x2 to 32x32" check --topology torus=0x8
bad "larger than" run --restore /dev/zero
bad "No such file" run --restore missing
bad "no saved run" run --restore "$0"
bad "65536 nodes are more than 4096" check --topology mesh=32x32x64
bad "there is no option lane" check --topology torus=4x4,lane=2
bad "no whole number" run --topology torus=4x4 --workload memory,n_out=1.5
status 2 $four --stats /nonexistent/stats
says err "/nonexistent/stats"

# A mesh takes every workload, or says in one sentence which parameters make it fit.
workloads=$("$jm" net list | sed -n '/^Workloads/,/^Param/s/^\([a-z]*\): .*/\1/p')
for program in ping-pong equal-dist unequal-dist all-to-all; do
    status 0 $net trace --program $program --nodes 8 --rounds 1 \
        --output "$work/$program"
    workloads="$workloads trace=$work/$program"
done
for workload in $workloads poisson,length=60 memory,l_msg1=60,l_msg2=31; do
    mesh="run --topology mesh=4x2x2 --workload $workload --cycles 40000"
    # shellcheck disable=SC2086 # of several words
    bad "give --param " $mesh
    given=$(sed -n 's/.*give --param \([a-z_]*=[0-9]*\(,[a-z_]*=[0-9]*\)*\).*/\1/p' \
        "$work/err")
    "$jm" net $mesh --param "$given" --json >"$work/out" 2>"$work/err"
    case $?,$workload in
    0,* | 3,[mp]*) ;;
    *) fail "$workload with $given: $(cat "$work/err")" ;;
    esac
    check "messages of $workload" grep -qE '"messages": [1-9]' "$work/out"
done

# ---- models --------------------------------------------------------------------------
# Points of table III-B of Adve and Vernon and of table 1 of Quaglia and others.
many="$net model --topology torus=8x8,links=multiple"
status 0 $many --workload memory,n_out=1,tau=20,read=4,write=8
says out "model shared, solved after"
says out "processor_efficiency          34.2"
says out "network_residence_time        33.6"
status 0 $net model --topology torus=4x4,lanes=4,escape=2 --workload poisson,rate=0.015
says out "mean_latency                  14.49"
# By the papers' names: the workload's model, and the cubes of `jm model pipelined`.
for point in "av:memory --topology torus=4x4,links=multiple" \
    "quaglia:poisson --topology torus=4x4,lanes=4,escape=2"; do
    name=${point%%:*} rest=${point#*:}
    # shellcheck disable=SC2086 # of several words
    status 0 $net model --workload $rest
    cp "$work/out" "$work/unnamed"
    # shellcheck disable=SC2086
    status 0 $net model "$name" ${rest#* }
    check "$name solves ${rest%% *}" cmp "$work/out" "$work/unnamed"
done
status 0 $net model scott --dimensions 3
cp "$work/out" "$work/named"
status 0 "$jm" model pipelined --dimensions 3
check "scott is jm model pipelined" cmp "$work/out" "$work/named"
# JSON has what the text has, and the measures have the names of those of a run.
status 0 $many --workload memory,n_out=2 --json "$work/model.json"
says out "max_efficiency"
status 0 $many --workload memory,n_out=2 --json -
check "--json - is --json FILE without the text" cmp "$work/out" "$work/model.json"
check "the JSON of a model" python3 - "$work/model.json" "$work/first.json" <<'END'
import json, sys
model, run = (json.load(open(name)) for name in sys.argv[1:])
assert model["model"] == "shared" and model["state"] == "solved"
assert len(model["processors"]) == 64
mean = sum(model["processors"]) / 64
assert abs(mean - model["workload"]["processor_efficiency"]) < 1e-9
common = set(model["workload"]) & set(run["workload"])
assert len(common) >= 6, common
END
status 0 $net model --topology mesh=2x2x2 --workload memory --buffers unlimited
says out "network_residence_time"
# Without a solution: status 3, and no number anywhere.
status 3 $net model --topology torus=16x16,lanes=4,escape=2 \
    --workload poisson,rate=0.05 --json "$work/model.json"
says err "no solution: saturated"
check "no text" test ! -s "$work/out"
check "no number" grep -q '"mean_latency": null' "$work/model.json"
status 3 $many --workload memory,n_out=4,tau=20 --sweeps 10
says err "no solution: not converged"
check "no text" test ! -s "$work/out"
# Results that cannot be written, and bad input.
status 2 $net model --topology torus=4x4 --workload memory --json "$work/none/x"
refused_model() { # MESSAGE ARGUMENTS
    message=$1
    shift
    status 2 $net model "$@"
    says err "$message"
}
refused_model "workload is missing" --topology torus=4x4
refused_model "av solves --workload memory, not poisson" av --topology torus=4x4 \
    --workload poisson
refused_model "'adve'" adve --topology torus=4x4
refused_model "multiples of 4" --topology torus=6x6,lanes=4,escape=2 --workload poisson
refused_model "with escape lanes" --topology torus=8x8 --workload poisson
refused_model "a channel holds 2 flits" --topology torus=4x4,places=2 --workload memory
refused_model "a channel holds 2 flits" --topology mesh=4x4x4 --workload memory
refused_model "one source for each processor" --topology torus=4x4,links=2 \
    --workload memory
refused_model "one route for each" --topology torus=4x4,lanes=4,escape=2 \
    --workload memory
refused_model "needs --workload memory" --topology torus=4x4,lanes=4,escape=2 \
    --workload poisson --sweeps 3
refused_model "terms needs --workload memory" --topology torus=4x4,lanes=4,escape=2 \
    --workload poisson --terms own
refused_model "needs --workload poisson" --topology torus=4x4 --workload memory \
    --reading flow
finish

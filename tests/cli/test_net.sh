# jm net: figures of papers, intervals, progress at a terminal, workloads on a mesh.
. tests/cli/check.sh

net="$jm net"
short="--cycles 20000"
four="$net run --topology torus=4x4 --workload memory,n_out=2,tau=25 $short"

status 0 $four --json
cp "$work/out" "$work/first.json"
status 0 $four --json
check "the same seed gives the same bytes" cmp "$work/out" "$work/first.json"
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
    for cycle in 36864 57344 77824 98304; do
        printf '\n%s of 100000 cycles, N messages\033[K' $cycle
    done >"$work/wanted"
    printf '\n\033[K' >>"$work/wanted"
    check "a line each half second" cmp "$work/told" "$work/wanted"
    told=$(tr '\r' '\n' <"$work/err" | sed -n 's/^36864 .*, \([0-9]*\) messages.*/\1/p')
    status 0 $light --cycles 36864 --json
    rows 1 "$work/out" "^ \"messages\": ${told:-none},"
    status 0 ticking 100 $light --cycles 30000
    silent err
    status 0 ticking 100 $light --cycles 100000 --quiet
    silent err
fi
status 0 $light --cycles 100000
silent err

# A mesh takes every workload, or says in one sentence which parameters make it fit.
workloads=$("$jm" net list | sed -n '/^Workloads/,/^Param/s/^\([a-z]*\): .*/\1/p' |
    sed "s|^table$|table=$work/table|")
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

# ---- models --------------------------------------------------------------------------
# Points of table III-B of Adve and Vernon and of table 1 of Quaglia and others.
many="$net model --topology torus=8x8,links=multiple"
status 0 $many --workload memory,n_out=1,tau=20,read=4,write=8
says out "model shared, solved after"
says out "processor_efficiency          34.2"
says out "network_residence_time        33.6"
status 0 $net model --topology torus=4x4,lanes=4,escape=2 --workload poisson,rate=0.015
says out "mean_latency                  14.49"
finish

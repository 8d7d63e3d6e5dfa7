# jm model: its figures against published ones and against each other.
. tests/cli/check.sh

model="$jm model"

# near FILE KEY VALUE SHARE: a number of a JSON file (a line each) is near a value.
near() {
    checks=$((checks + 1))
    awk -v key="\"$2\":" -v want="$3" -v share="$4" '
        $1 == key { value = $2; sub(",", "", value); found = 1; exit }
        END {
            gap = value - want
            exit !(found && value != "null" && gap * gap <= (share * want) ^ 2)
        }' "$1" || fail "$2 in $1 is not near $3: $(grep -m 1 "\"$2\"" "$1")"
}

# ---- the progress of a solve, on a terminal alone ------------------------------------
# Each sweep reads the clock once: a line after a second, then one each half second. The
# last sweep is that of the result. At the end the line is cleared, once.
four="$model amva --mesh 4x4x4 --service 15"
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

# ---- chapter 3 -----------------------------------------------------------------------
three="$model chapter3 --servers 512 --customers 1024 --queue 64"
status 0 $three
says out "10^422.4606"
status 0 $three --json -
silent err
near "$work/out" log10_s 422.4606 1e-6
near "$work/out" log10_t 422.4606 1e-6
near "$work/out" rate_upper 5.04e-10 1e-2
near "$work/out" rate_exact 3.29e-10 1e-2
rows 0 "$work/out" 'servers,|mean_k1|rate_slow'
rows 1 "$work/out" '^ "p_no_overflow": 0\.[0-9]{9}'
status 0 $model chapter3 --servers 512 --customers 2560 --queue 64 --slow 1.25 --json -
near "$work/out" mean_k1 516.0 1e-3
near "$work/out" p_no_overflow 0.9963 1e-3
status 0 $three --slow 1.5 --slow-servers 2 --json "$work/two.json"
says out "with 1.5 times the load"
near "$work/two.json" p_ge_queue 0.156 1e-2
check "the last line of JSON has its end" test -z "$(tail -c 1 "$work/two.json")"
status 0 $model chapter3 --servers=5 --customers=3 --queue=1 --json -
near "$work/out" p_no_overflow 0.285714285714 1e-9
# No customer overflows nothing.
status 0 $model chapter3 --servers 5 --customers 0 --queue 1 --json -
near "$work/out" p_no_overflow 1 0
rows 2 "$work/out" '"rate_(upper|exact)": 0\.0'

# ---- simulated -----------------------------------------------------------------------
eight="$model servers --servers 8 --customers 24 --queue 7 --warm-up 100 --time 100000"
status 0 $model chapter3 --servers 8 --customers 24 --queue 7 --json "$work/eight.json"
exact=$(awk '$1 == "\"p_no_overflow\":" { print $2 + 0 }' "$work/eight.json")
rate=$(awk '$1 == "\"rate_exact\":" { print $2 + 0 }' "$work/eight.json")
status 0 $eight --json -
silent err
near "$work/out" p_no_overflow "$exact" 0.04
near "$work/out" rate "$rate" 0.04
near "$work/out" mean_k1 3 0.05
cp "$work/out" "$work/first.json"
status 0 $eight --seed 1 --json -
check "same seed, same bytes" cmp "$work/first.json" "$work/out"
status 0 $eight --seed 2 --json -
check "another seed" sh -c '! cmp -s "$1" "$2"' sh "$work/first.json" "$work/out"
status 0 $eight --service constant --json "$work/constant.json"
says out "constant service"
constant=$(awk '$1 == "\"p_no_overflow\":" { print $2 + 0 }' "$work/constant.json")
check "constant service overflows less" \
    awk -v a="$constant" -v b="$exact" 'BEGIN { exit !(a > 1.1 * b) }'
status 0 $eight --slow 4 --json -
rows 1 "$work/out" '"mean_k1": (1[5-9]|2[0-4])\.'
# Ranges that have their lower ends: no warm-up, and times that are all the same.
status 0 $model servers --servers 2 --customers 1 --queue 1 --warm-up 0 --time 1000 \
    --service constant --spread 0 --json -
near "$work/out" p_no_overflow 1 0
near "$work/out" mean_k1 0.5 0.2
# ---- mean values ---------------------------------------------------------------------
small="$model amva --mesh 4x4x4 --service 15"
status 0 $small
says out "solved after"
says out "at (1,1,1)"
status 0 $small --json -
silent err
near "$work/out" rate 0.03413 1e-3
rows 1 "$work/out" '"state": "solved"'
rows 64 "$work/out" '"rank": '
rows 64 "$work/out" '"node_queue": [0-9]+\.[0-9]{9}'
cp "$work/out" "$work/first.json"
status 0 $small --json -
check "same input, same bytes" cmp "$work/first.json" "$work/out"
status 0 $small --workload snakes --map "$work/map.csv"
rows 65 "$work/map.csv" ','
rows 1 "$work/map.csv" '^21,1,1,1,16\.53'
status 0 $model amva --line 16 --service 10 --fair --json "$work/line.json"
check "mesh is the line's" test "$(grep -c '"rank"' "$work/line.json")" -eq 16
near "$work/line.json" node_queue 14.246 1e-3
status 0 $model amva --mesh 16x1x1 --service 10 --alpha 0.1 --p-first --map -
rows 1 "$work/out" '^9,9,0,0,9\.58'
status 0 $small --length 4 --reply-length 12 --json -
near "$work/out" rate 0.0341 0.05

# A point without a solution: status 3, no numbers.
status 3 $small --sweeps 5 --first-try --json - --map "$work/none.csv"
rows 1 "$work/out" '"state": "not converged"'
rows 1 "$work/out" '"rate": null'
rows 1 "$work/out" '"bisection": null'
rows 1 "$work/out" '"nodes": null'
rows 1 "$work/none.csv" ''
says err "no solution: not converged"
rows 1 "$work/err" ''

# ---- pipelined cubes -----------------------------------------------------------------
cube="$model pipelined --dimensions"
status 0 $cube 6 --constraint node_size
says out "at most 8.78431 bits"
says out "122 cycles in an empty network"
rows 0 "$work/out" simulated
status 0 $cube 12 --constraint node_size --synchronous --json -
silent err
near "$work/out" max_throughput 2.635 2e-4
near "$work/out" roundtrip_latency_synchronous 730 1e-9
near "$work/out" link_width 8 0
rows 0 "$work/out" '"(simulated|offered)"'
# The radix of a million nodes in three dimensions, and other readings of the paper.
status 0 $cube 3 --nodes 1048576 --constraint node_size --json "$work/cube.json"
near "$work/cube.json" radix 102 0
near "$work/cube.json" wires_across_bisection 541008 0
status 0 $cube 12 --data-share 0.3 --lengths linear --json -
near "$work/out" max_throughput 52.148 1e-5
near "$work/out" wire_delay_actual 1.25 0
status 0 $cube 2 --nodes 256 --wires 8 --radix 16 --json -
near "$work/out" wires_per_node 32 0
# Simulated: the same seed, the same bytes; another one, others.
load="$cube 4 --load 0.5 --cycles 20000 --json -"
status 0 $load
near "$work/out" offered 3.7645 1e-4
near "$work/out" throughput 3.7645 0.2
rows 1 "$work/out" '"converged": true'
cp "$work/out" "$work/first"
status 0 $load
cmp -s "$work/out" "$work/first" || fail "the same seed gives other results"
status 0 $load --seed 2
cmp -s "$work/out" "$work/first" && fail "another seed gives the same results"
status 0 $cube 4 --load 0.5 --cycles 20000
says out "simulated at 0.5"

finish

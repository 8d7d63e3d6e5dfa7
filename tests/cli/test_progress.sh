# The progress of a model and of a network's run, on a terminal alone: a line after a
# second, then one each half second; at the end the line is cleared, once.
. tests/cli/check.sh
amva="$jm model amva --mesh 4x4x4 --service 15"
run="$jm net run --topology torus=2x2 --workload poisson"

for command in "$amva --json $work/four.json" "$run --cycles 100000"; do
    status 0 $command
    silent err
done
preload "progress" || { finish && exit; }
told() { # lines of progress, as those of a text
    tr '\r' '\n' <"$work/err"
}
# Each sweep reads the clock once. The last sweep is that of the result.
sweeps=$(sed -n 's/.*"sweeps": \([0-9]*\),.*/\1/p' "$work/four.json")
for pace in 100:10:5 250:4:2 600:2:1 2000:1:1 10:100:50; do
    rest=${pace#*:}
    status 0 ticking "${pace%%:*}" $amva
    seq "${rest%:*}" "${rest#*:}" "$sweeps" |
        sed 's/.*/sweep &, change/' >"$work/wanted"
    told | sed -n 's/^\(sweep [0-9]*, change\) [^ ]*.\[K$/\1/p' >"$work/lines"
    check "progress, a look each ${pace%%:*} ms" diff "$work/wanted" "$work/lines"
    told >"$work/told"
    rows "$(test -s "$work/lines" && echo 1 || echo 0)" "$work/told" '^.\[K$'
done
status 0 ticking 600 $amva
change=$(python3 -c 'import json, sys
print("%.2g" % json.load(open(sys.argv[1]))["change"])' "$work/four.json")
says err "sweep $sweeps, change $change"
# A run looks at the clock each 4096 cycles.
status 0 ticking 100 $run --cycles 100000
told | sed 's/[0-9]* messages/N messages/' >"$work/told"
for cycle in 36864 57344 77824 98304; do
    printf '\n%s of 100000 cycles, N messages\033[K' $cycle
done >"$work/wanted"
printf '\n\033[K' >>"$work/wanted"
check "a line each half second" cmp "$work/told" "$work/wanted"
messages=$(told | sed -n 's/^36864 .*, \([0-9]*\) messages.*/\1/p')
status 0 $run --cycles 36864 --json
rows 1 "$work/out" "^ \"messages\": ${messages:-none},"
for command in "$run --cycles 30000" "$run --cycles 100000 --quiet" "$amva --quiet"; do
    status 0 ticking 100 $command
    silent err
done
finish

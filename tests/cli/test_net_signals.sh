# Effects of signals on jm net and jm model, and outputs that cannot be written: a run
# reports what it has measured by then, all else prints one line, no file is left half
# done, and no long run is lost.
. tests/cli/check.sh
cd "$work" || exit 1
printf 'programs 1\nnodes 2\nnode 0\n' >programs
printf '  send 1 128000\n%.0s' $(seq 30000) >>programs
printf 'node 1\n' >>programs
printf '  receive 0\n%.0s' $(seq 30000) >>programs
printf 'programs 1\nnodes 2\nnode 0\n send 1 128\nnode 1\n receive 0\n' >short
torus="--topology torus=8x8,lanes=2 --workload trace"
replay="$torus=programs,engine=flits"
# Work of minutes, in batches of 1200000 cycles; a warm-up of many hours.
small="--topology torus=2x2 --workload poisson,rate=0.02"
long="$small --cycles 4000000000 --warmup 2000000000 --batches 1000"
batched="$small --cycles 1200001000 --warmup 1000 --batches 1000"

# ended SIGNAL COMMAND...: a signal ends the command in the midst of its work, so late
# that standard error has $enough; the status must be 128 + n.
enough=interrupted
ended() {
    name=$1
    shift
    cut_short "$name" 'grep -qE "$enough" err' "$@"
    case $name in
    HUP) check "SIGHUP: $*" test "$got" -eq 129 ;;
    INT) check "SIGINT: $*" test "$got" -eq 130 ;;
    QUIT) check "SIGQUIT: $*" test "$got" -eq 131 ;;
    TERM) check "SIGTERM: $*" test "$got" -eq 143 ;;
    XCPU) check "SIGXCPU: $*" test "$got" -eq 152 ;;
    esac
}

# The results of an interrupted run are those of a run that ends with its last batch.
cat >same.py <<'END2'
import json, subprocess, sys
jm, name, size = sys.argv[1:]
cut = json.load(open(name))
assert cut["complete"] is False, cut
batches, cycles = cut["batches"], cut["cycles"]
assert batches == (cycles - 1000) // int(size) >= 2, (batches, cycles)
of = [jm, "net", "run", "--topology", cut["topology"], "--workload",
      cut["workload_text"], "--json", "--warmup", "1000"]
def run(cycles, batches):
    return json.loads(subprocess.run(
        of + ["--cycles", str(cycles), "--batches", str(batches)],
        capture_output=True).stdout)
whole = run(1000 + batches * int(size), batches)
assert whole["complete"] is True
for key in ("state", "latency", "throughput", "workload", "processors", "batches",
            "seed"):
    assert cut[key] == whole[key], (key, cut[key], whole[key])
whole = run(cycles, 2)
for key in "cycles", "messages", "groups":
    assert cut[key] == whole[key], (key, cut[key], whole[key])
END2
enough='([2-9]|[0-9][0-9]+) of 1000 batches'
for signal in HUP INT QUIT TERM XCPU; do
    # shellcheck disable=SC2086
    ended $signal "$jm" net run $batched --stats $signal.json \
        --save-at 1500:$signal.saved --quiet
    rows 1 err '^jm net run: interrupted after [0-9]+ cycles: [0-9]+ of 1000 batches'
    rows 1 err .
    rows 1 out '^INTERRUPTED after [0-9]+ cycles: [0-9]+ of 1000 batches measured$'
done
check "what was measured before a signal" python3 same.py "$jm" TERM.json 1200000
# The same for a run that continues a saved one; the saves of both are whole.
ended TERM "$jm" net run --restore TERM.saved --json --save-at 1500:again.saved
check "the saves" cmp TERM.saved again.saved
cp out restored.json
enough=interrupted
check "a restored run" python3 same.py "$jm" restored.json 1200000
# Before the end of the first batch there is nothing to tell, which is no failure; a
# batch has no interval.
# shellcheck disable=SC2086
ended INT "$jm" net run $long --stats none.json --save-at 4000000000:late
says err "warning: the run ended before cycle 4000000000; late was not saved"
rows 1 out ': 0 of 1000 batches measured$'
rows 1 out '^not settled: .*\(short\)$'
rows 4 out .
check "no batch" python3 -c 'import json
run = json.load(open("none.json"))
assert run["batches"] == 0 and run["messages"] > 0 and not run["complete"]
for of in run["latency"], run["throughput"], *run["workload"].values():
    assert of == {"mean": None, "half_width": None}, of'
check "no late save" test ! -e late
# An ignored signal does not end a run.
# shellcheck disable=SC2086
keeps_ignoring "$jm" net run $long

none="jm: interrupted, without results"
memory="--topology torus=32x32 --workload memory,n_out=8"
# A program that waits for a reader can be ended too, before a run and after.
mkfifo nobody
closed="--servers 8 --customers 9 --queue 4"
for command in "net run $long --stats" "net run $torus=short --stats" \
    "model chapter3 $closed --json" "net trace --program ping-pong --output" \
    "model amva --mesh 2x2x2 --map here.csv --json"; do
    # shellcheck disable=SC2086
    ended TERM "$jm" $command nobody
    check "one line: $command" test "$(cat err)" = "$none"
done
check "no map without its JSON" test "$(ls | grep -c here)" -eq 0
check "the pipe is there" test -p nobody

# Unwritable outputs are detected before work that would take minutes or hours.
for command in "net run $long --stats" "net run $long --json --stats" \
    "net run $long --save-at 2000000000:none/x --stats" "net run $replay --stats" \
    "net model $memory --json" \
    "model servers --servers 512 --customers 4096 --queue 64 --time 10000000 --json" \
    "model amva --mesh 32x32x16 --map" "model amva --mesh 32x32x16 --json" \
    "model pipelined --dimensions 6 --load 0.5 --cycles 100000000 --json"; do
    # shellcheck disable=SC2086
    status 2 timeout 100 "$jm" $command none/x
    rows 1 err '^none/x: error: cannot write: No such file or directory$'
    rows 1 err .
    silent out
done
# shellcheck disable=SC2086
status 2 timeout 100 "$jm" net run $long --save-at 2000000000:none/y --stats good.json
rows 1 err '^none/y: error: cannot write: No such file or directory$'
check "no statistics without a run" test ! -e good.json
# The JSON of programs goes to standard output and to the file if both are asked for.
# shellcheck disable=SC2086
status 0 "$jm" net run $torus=short --json --stats short.json
check "both have it" cmp out short.json
check "it is complete" grep -q '"complete": true' short.json
# The thread sanitizer calls handlers of signals only at calls of the system, between
# which these commands may compute for minutes.
if nm "$jm" | grep -q __tsan_init; then
    finish
    exit
fi
# Work whose parts are no results: one line, whatever is under way, and no file.
for command in "net run $replay --stats" "net run $replay --json --stats" \
    "net model $memory --json" \
    "model servers --servers 512 --customers 4096 --queue 64 --time 10000000 --json" \
    "model amva --mesh 32x32x16 --map a.csv --json" \
    "model pipelined --dimensions 6 --load 0.5 --cycles 100000000 --json"; do
    # shellcheck disable=SC2086
    ended TERM "$jm" $command whole
    check "one line: $command" test "$(cat err)" = "$none"
    silent out
done
for signal in HUP INT QUIT XCPU; do
    # shellcheck disable=SC2086
    ended $signal "$jm" net model $memory --json whole
    check "one line after SIG$signal" test "$(cat err)" = "$none"
done
ended TERM "$jm" net check --topology torus=16x16x16
check "one line of a check" test "$(cat err)" = "$none"
check "nothing is left" test "$(ls | grep -cE '\.tmp|whole|a\.csv')" -eq 0
# A file that is there stays as it was until the results are.
echo old >old.json
# shellcheck disable=SC2086
ended TERM "$jm" net model $memory --json old.json
check "the old results" test "$(cat old.json)" = old
finish

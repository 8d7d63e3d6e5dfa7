# Exit statuses of jm run, and what is said beside them.
. tests/cli/check.sh

run() {
    "$jm" run --bare "$@"
}

for value in 0 1 7 124 125; do
    status $value run --set value=$value "$programs/exit.s"
    silent out
    silent err
done
status 125 run --set value=126 "$programs/exit.s"
status 125 run --set value=-1 "$programs/exit.s"
status 125 run --set value=0x100 "$programs/exit.s"
status 5 run --set value=SYM:5 "$programs/exit.s"
status 3 run --mesh 3x2x2 --set value=3 "$programs/exit.s"

# Without its exit a program that goes idle looks finished.
status 0 run "$programs/idle.s"
says err "warning: idle after"
rows 1 "$work/err" HOST_EXIT
status 0 run --quiet "$programs/idle.s"
silent err
status 0 run --no-host "$programs/idle.s"
silent err
status 1 run --expect-exit "$programs/idle.s"
says err "error: idle after"
status 1 run --expect-exit --quiet --stats "$work/s.json" "$programs/idle.s"
says err "error: idle after"
check "the statistics say idle" grep -q '^"stop":"idle",' "$work/s.json"
status 7 run --expect-exit "$programs/exit.s"
silent err
status 126 run --expect-exit --cycles 10 "$programs/loop.s"
rows 0 "$work/err" HOST_EXIT
status 0 run --mesh 4x4x4 "$programs/idle.s"

status 126 run --cycles 1000 "$programs/loop.s"
says err "1000 cycles"
status 126 run --cycles 0 "$programs/loop.s"
status 126 run --cycles 50 "$programs/exit.s"

status 127 run "$programs/stop.s"
says err "node 0"
says err "broken"
status 127 run --mesh 2x1x1 "$programs/deadlock.s"
says err "deadlock"
status 127 run --mesh 2x1x1 "$programs/stop_one.s"
says err "node 1"
status 3 run --keep-going --mesh 2x1x1 "$programs/stop_one.s"
status 0 run --keep-going --mesh 2x1x1 "$programs/stop.s"
says err "nodes 0-1:"
status 0 run --keep-going --quiet --mesh 2x1x1 "$programs/stop.s"
silent err

# The host page as plain memory: the exit is only a word written, and the node idles.
status 0 run --no-host "$programs/exit.s"
status 0 run --no-host --dump 0:FFF00 "$programs/exit.s"
says out "0 FFF00 100000007"

# An interrupt ends the run in order; one that is ignored does not end it.
for pair in INT:2 TERM:15; do
    signal=${pair%:*}
    env --default-signal=INT "$jm" run --bare --stats "$work/$signal.json" \
        "$programs/loop.s" 2>"$work/err" &
    sleep 0.5
    kill -$signal $!
    wait $!
    got=$?
    checks=$((checks + 1))
    [ $got -eq $((128 + ${pair#*:})) ] || fail "status $got after SIG$signal"
    check "statistics after SIG$signal" grep -q '"stop":"limit"' "$work/$signal.json"
    says err "interrupted"
done
"$jm" run --bare --cycles 20000000 "$programs/loop.s" 2>"$work/err" &
sleep 0.1
kill -INT $!
wait $!
got=$?
checks=$((checks + 1))
[ $got -eq 126 ] || fail "an ignored interrupt ended the run"

status 2 "$jm"
status 0 "$jm" --help
says out "run"
status 0 "$jm" --version
says out "jm 1."
status 0 "$jm" run --help
says out "--mesh XxYxZ"
status 0 "$jm" run --help=parameters
says out "row_external"
status 2 "$jm" rnu
says err "did you mean 'run'"
finish

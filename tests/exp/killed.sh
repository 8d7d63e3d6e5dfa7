# shellcheck shell=sh
# Sourced by tests of sweeps that are killed; $jm is jm.

# killed FOLDER RUNS ALL ARGUMENT...: kills `jm exp run ARGUMENT... --out FOLDER` once
# its journal has so many runs; if it has all before it is killed, tries again. Sets
# done_before to the runs it has, and workers_left to the workers that do not end.
killed() {
    killed_out=$1
    killed_runs=$2
    killed_all=$3
    shift 3
    rm -rf "$killed_out.before"
    [ ! -e "$killed_out" ] || cp -r "$killed_out" "$killed_out.before"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        kill_sweep "$@"
        done_before=$(wc -l <"$killed_out/runs.jsonl")
        [ "$done_before" -ge "$killed_all" ] || break
        rm -rf "$killed_out"
        [ ! -e "$killed_out.before" ] || cp -r "$killed_out.before" "$killed_out"
    done
}

kill_sweep() { # ARGUMENT...
    "$jm" exp run "$@" --out "$killed_out" >/dev/null 2>&1 &
    process=$!
    journal=$killed_out/runs.jsonl
    until [ "$(cat "$journal" 2>/dev/null | wc -l)" -ge "$killed_runs" ]; do
        kill -0 $process 2>/dev/null || break
        sleep 0.01
    done
    workers=$(cat /proc/$process/task/$process/children 2>/dev/null)
    kill -9 $process 2>/dev/null
    wait $process 2>/dev/null
    waited=0
    workers_left=0
    for worker in $workers; do
        while [ -e "/proc/$worker/exe" ] && [ $waited -lt 1200 ]; do
            sleep 0.05
            waited=$((waited + 1))
        done
        [ ! -e "/proc/$worker/exe" ] || workers_left=$((workers_left + 1))
    done
}

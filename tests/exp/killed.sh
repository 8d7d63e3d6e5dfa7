# shellcheck shell=sh
# Sourced by tests of sweeps that are killed; $jm is jm.

# killed FOLDER RUNS ARGUMENT...: kills `jm exp run ARGUMENT... --out FOLDER` once its
# journal has so many runs, or after a minute. Sets done_before to the runs it has, and
# workers_left to the workers that have not ended two seconds later.
killed() {
    killed_out=$1
    killed_runs=$2
    shift 2
    "$jm" exp run "$@" --out "$killed_out" >/dev/null 2>&1 &
    process=$!
    waited=0
    until [ $waited -ge 1200 ] ||
        [ "$(cat "$killed_out/runs.jsonl" 2>/dev/null | wc -l)" -ge "$killed_runs" ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
    workers=$(cat /proc/$process/task/$process/children)
    kill -9 $process
    wait $process 2>/dev/null
    waited=0
    workers_left=0
    for worker in $workers; do
        while [ -e "/proc/$worker/exe" ] && [ $waited -lt 40 ]; do
            sleep 0.05
            waited=$((waited + 1))
        done
        [ ! -e "/proc/$worker/exe" ] || workers_left=$((workers_left + 1))
    done
    done_before=$(wc -l <"$killed_out/runs.jsonl")
}

# shellcheck shell=sh
# Sourced by tests of sweeps that are killed; $jm is jm.

# killed FOLDER RUNS ARGUMENT...: kills `jm exp run ARGUMENT... --out FOLDER` once its
# journal has so many runs, or after a minute. Sets done_before to the runs it has.
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
    kill -9 $process
    wait $process 2>/dev/null
    done_before=$(wc -l <"$killed_out/runs.jsonl")
}

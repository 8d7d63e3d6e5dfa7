#!/bin/sh
# made.sh FOLDER ARGUMENT...: makes up the results of `jm exp run ARGUMENT...`: stops
# the sweep at once, makes up its journal, and continues it.
set -u
: "${BUILD:=build}"
jm=$(cd "$BUILD" && pwd)/jm
data=$1
shift
setsid "$jm" exp run "$@" --jobs 1 --quiet --out "$data" >/dev/null 2>&1 &
sweep=$!
while kill -0 $sweep && [ ! -s "$data/experiments.json" ]; do
    sleep 0.01
done 2>/dev/null
kill -9 -$sweep 2>/dev/null
wait $sweep 2>/dev/null
# The report writes the tables of a sweep that was stopped before it draws.
PATH=/none "$jm" exp report --out "$data" >/dev/null 2>&1
"$jm" exp settings | python3 "$(dirname "$0")/../recorded/journal.py" "$data" >/dev/null
# Runs with no result: the longest messages with the shortest handler.
sed -i '/ p=15 h=74 /s/"stop":"exit","status":0/"stop":"exit","status":2/' \
    "$data/runs.jsonl"
"$jm" exp run "$@" --resume --jobs 1 --quiet --out "$data" >/dev/null 2>&1
[ -s "$data/claims.json" ]

#!/bin/sh
# made.sh FOLDER ARGUMENT...: makes up the results of `jm exp run ARGUMENT...`: stops
# the sweep before its first run, makes up its journal, and continues it.
set -u
: "${BUILD:=build}"
jm=$(cd "$BUILD" && pwd)/jm
data=$1
shift
python3 "$(dirname "$0")/../exp/planned.py" "$jm" exp run "$@" --jobs 1 --quiet \
    --out "$data" >/dev/null 2>&1
"$jm" exp settings | python3 "$(dirname "$0")/../recorded/journal.py" "$data" >/dev/null
# Runs with no result: the longest messages with the shortest handler.
sed -i '/ p=15 h=74 /s/"stop":"exit","status":0/"stop":"exit","status":2/' \
    "$data/runs.jsonl"
"$jm" exp run "$@" --resume --jobs 1 --quiet --out "$data" >/dev/null 2>&1
[ -s "$data/claims.json" ]

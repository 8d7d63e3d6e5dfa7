# A sweep at a terminal shows progress before its first run is done. Ctrl-C, which all
# of its processes get, ends it with what it has, and it says how to go on.
. tests/cli/check.sh

set -- fig4-4 --set mesh=4x4x4 --set L=1500 --set h=90,91 --runs 2 --jobs 2
status 130 python3 tests/exp/terminal.py "$jm" exp run "$@" --out "$work/a b"
sed -n 's/.* to go on: jm //p' "$work/out" | tr -d '\n' >"$work/again"
check "it says what is done: $(cat "$work/out")" \
    grep -q 'interrupted: [0-3] of 4 runs are done' "$work/out"
check "it has tables of that" test -e "$work/a b/fig4-4.points.csv"
check "claims are not judged" \
    grep -q 'runs of fig4-4 were not done' "$work/a b/claims.json"
status 0 "$jm" exp report --out "$work/a b"

# The command that it says does the rest.
status 0 sh -c "'$jm' $(cat "$work/again")"
check "all runs are there" [ "$(wc -l <"$work/a b/runs.jsonl")" -eq 4 ]
status 0 "$jm" exp run "$@" --out "$work/whole"
check "the tables are those of a sweep in one go" \
    cmp -s "$work/a b/fig4-4.csv" "$work/whole/fig4-4.csv"

# Other signals end it too, without a terminal.
timeout -s TERM 1 "$jm" exp run fig4-4 --quiet --jobs 2 --out "$work/term" \
    >"$work/out" 2>"$work/err"
check "a signal ends it: $(cat "$work/err")" \
    grep -q 'interrupted: [0-9]* of [0-9]* runs' "$work/err"
finish

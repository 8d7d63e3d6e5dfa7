# A sweep at a terminal shows progress before its first run is done. Ctrl-C, which all
# of its processes get, ends it with the results so far, and it prints how to continue.
. tests/cli/check.sh

# Runs of which all are done before Ctrl-C comes are too short for this host.
for hops in 1000 10000 100000; do
    rm -rf "$work/a b"
    set -- fig4-4 --set mesh=4x4x4 --set L=$hops --set h=90,91 --runs 2 --jobs 2
    python3 tests/exp/terminal.py "$jm" exp run "$@" --out "$work/a b" >"$work/out"
    got=$?
    ! grep -q 'to go on' "$work/out" || break
done
check "Ctrl-C: status $got" test $got -eq 130
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
cut_short TERM "grep -q interrupted err" "$jm" exp run fig4-4 fig4-6 --full --quiet \
    --jobs 2 --out "$work/term"
check "a signal ends it: $(cat "$work/err")" \
    grep -q 'interrupted: [0-9]* of [0-9]* runs' "$work/err"
finish

# The full form of papers: killed and continued, and by many ranks, it gives the bytes
# of one process that was left alone.
. tests/cli/check.sh
. tests/exp/killed.sh

set -- sources-bisection-hot sc-fig6c pm-fig5 --full --runs 1 --set cycles=5000 --quiet
status 0 $jm exp run "$@" --jobs 1 --out "$work/whole"
all=$(wc -l <"$work/whole/runs.jsonl")
check "many runs" test "$all" -ge 100

# Whatever a process has written but the journal's order, which is that of their ends.
same() { # FOLDER
    for file in "$work"/whole/*.csv "$work/whole/claims.json"; do
        check "$1: ${file##*/}" cmp -s "$file" "$work/$1/${file##*/}"
    done
    cut -d, -f1,2 "$work/$1/runs.jsonl" | LC_ALL=C sort >"$work/keys"
    cut -d, -f1,2 "$work/whole/runs.jsonl" | LC_ALL=C sort | cmp -s - "$work/keys"
    passed $? "$1: each run once"
}

# Twice, at different places.
for part in 4 2; do
    killed "$work/killed" $((all / part)) "$all" "$@" --jobs 2 --resume
    check "killed after $done_before of $all runs" \
        test "$done_before" -ge $((all / part)) -a "$done_before" -lt "$all"
done
status 0 $jm exp run "$@" --jobs 2 --resume --out "$work/killed"
same killed

. tests/exp/ranks.sh
if has_ranks; then
    status 0 ranks 16 $jm exp run "$@" --out "$work/ranks"
    same ranks
else
    echo "skipped: 16 ranks: no jm-mpi, or no mpirun"
fi
finish

# Ranks of MPI do what one process does: with runs that fail, points that are refused,
# more ranks than runs, and nothing left to do; and what jm says without jm-mpi.
. tests/cli/check.sh

# Without the other program, which lies beside this one.
cp "$jm" "$work/jm"
export OMPI_COMM_WORLD_SIZE=2
status 2 "$work/jm" exp run queue-needed --out "$work/none"
says err "jm-mpi is not beside jm"
check "nothing was begun" test ! -e "$work/none"
export OMPI_COMM_WORLD_SIZE=1
status 0 "$work/jm" exp run queue-needed --set m=5 --quiet --out "$work/one"
unset OMPI_COMM_WORLD_SIZE

. tests/exp/ranks.sh
if ! has_ranks; then
    echo "skipped: no mpirun, or no jm-mpi"
    finish
    exit
fi

# both RANKS WANTED OPTIONS...: the same status, words, runs and tables as of one job.
both() {
    number=$1
    wanted=$2
    shift 2
    rm -rf "$work/out"
    "$jm" exp run "$@" --quiet --jobs 1 --out "$work/out" >"$work/told" 2>&1
    check "$*: $?, not $wanted" test $? -eq "$wanted"
    [ -e "$work/out" ] && mv "$work/out" "$work/alone"
    ranks "$number" "$jm" exp run "$@" --quiet --out "$work/out" >"$work/said" 2>&1
    check "$number ranks, $*: $?" test $? -eq "$wanted"
    while IFS= read -r line; do
        check "$number ranks say '$line'" grep -qxF -- "$line" "$work/said"
    done <"$work/told"
    sort "$work/alone/runs.jsonl" >"$work/runs.alone"
    sort "$work/out/runs.jsonl" >"$work/runs.out"
    check "$number ranks, $*: runs" cmp "$work/runs.alone" "$work/runs.out"
    for table in "$work"/alone/*.csv; do
        [ -e "$table" ] || continue
        check "$number ranks: ${table##*/}" cmp "$table" "$work/out/${table##*/}"
    done
    rm -rf "$work/alone"
}
both 3 0 queue-needed placements --set time=300 --set m=3,4
both 5 0 fig4-3 --set L=9 --set p=4 --set h=60
both 2 1 fig4-6 streams --runs 2 --set mesh=5x1x1 --set L=9 --set streams=9 \
    --set pause=3
# An experiment's file, which the leader reads for all.
printf 'title: t\nkind: table\nsweep: mesh=2x1x1 L=9 m=1 h=50,60,70\nruns: 2\n' \
    >"$work/own.exp"
both 3 0 "$work/own.exp"
ranks 2 "$jm" exp run "$work/none.exp" --out "$work/none" >"$work/said" 2>&1
check "a missing file: $?" test $? -eq 2
check "all say why" grep -q "none.exp: error: cannot read: No such file" "$work/said"
check "and nothing else" test "$(grep -c 'error:' "$work/said")" -eq \
    "$(grep -c 'none.exp: error: cannot read: No such file' "$work/said")"
both 3 2 pm-counts --set bench=equal-dist --set clos=clos_3_2 --set layer=fixed \
    --set clos_nodes=8
finish

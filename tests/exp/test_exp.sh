# jm exp: folders that it refuses, the same files for any number of jobs and ranks, runs
# that fail, a sweep that is killed and continued, a full disk, claims over real runs.
. tests/cli/check.sh
. tests/exp/killed.sh
. tests/exp/ranks.sh
tiny='--set mesh=2x2x2 --set L=20'

# same TEXT DIR DIR: all files are the same; the journals' lines, in any order.
same() {
    check "$1" diff -r -x runs.jsonl "$2" "$3"
    sort "$2/runs.jsonl" >"$work/first"
    sort "$3/runs.jsonl" >"$work/second"
    check "$1: journals" cmp "$work/first" "$work/second"
}

# ---- folders -------------------------------------------------------------------------
status 2 "$jm" exp run fig4-4 --set header_flits=9 --out "$work/no"
check "refused commands leave nothing" test ! -e "$work/no"
touch "$work/file"
status 2 "$jm" exp run fig4-3 --out "$work/no/where"
says err "cannot make this folder"
status 2 "$jm" exp run fig4-3 --out "$work/file"
says err "cannot open"
# A table that cannot be written, as its name is taken.
mkdir -p "$work/taken/fig4-3.csv/in"
status 2 "$jm" exp run fig4-3 --quiet --out "$work/taken"
says err "fig4-3.csv: error: cannot"
check "no half table is left" \
    test -z "$(find "$work/taken" -name '*.tmp*' -o -name '*.part')"

# ---- a tiny sweep, in one process, in three, and in two ranks ------------------------
set -- fig4-4 fig4-6 fig4-7 view --set mesh=2x2x2 --set L=20 --set h=45,60 --runs 3
for jobs in 1 3; do
    status 0 "$jm" exp run "$@" --jobs $jobs --out "$work/jobs$jobs"
done
same "one job and three" "$work/jobs1" "$work/jobs3"
check "runs that experiments share are done once" \
    test "$(wc -l <"$work/jobs1/runs.jsonl")" -eq 12
if has_ranks; then
    status 0 ranks 2 "$jm" exp run "$@" --out "$work/ranks"
    same "two ranks" "$work/jobs1" "$work/ranks"
    ! ranks 2 "$jm" exp run "$@" --out "$work/ranks" >"$work/out" 2>&1
    passed $? "a folder that is not empty ends all ranks"
else
    echo "skipped: ranks: no jm-mpi, or no mpirun"
fi
# The handler is longer by h_more.
for handler in "h=45,60 --set h_more=7" h=52,67; do
    # shellcheck disable=SC2086 # several words
    status 0 "$jm" exp run fig4-4 $tiny --set $handler --runs 1 --quiet --out "$work/h"
    sed 's/.*"T":\([0-9]*\).*/\1/' "$work/h/runs.jsonl" | sort >"$work/times$handler"
    rm -r "$work/h"
done
check "h = 45 and h_more = 7 is h = 52" cmp "$work"/times*

# ---- runs that fail ------------------------------------------------------------------
# They say why, and are no data in a claim, which says so.
# shellcheck disable=SC2086
status 1 "$jm" exp run fig4-6 $tiny --set Q=64,100 --set h=45 --runs 2 \
    --out "$work/failed"
says err "Q=100 return=0 seed=1: stopped, status -1"
says err "stopped after"
says err "kernel: a message queue has a power of two of words"
grep -A1 '^TC-082 *not measured  *- ' "$work/out" >"$work/claim"
check "a claim over failed runs says why" \
    grep 'because 2 of 4 runs of fig4-6 did not end as planned (stopped)' "$work/claim"
# With more nodes the last whole lines are reported, those that differ only in the node
# once.
status 1 "$jm" exp run fig4-6 --set mesh=8x4x4 --set L=20 --set Q=100 --set h=45 \
    --runs 1 --jobs 1 --out "$work/many"
rows 1 "$work/err" 'power of two'
rows 1 "$work/err" '^  node [0-9]*: kernel: a message queue'

# ---- killed and continued ------------------------------------------------------------
set -- fig4-4 --set mesh=4x4x2 --set L=150 --set h=45,90 --runs 4
status 0 "$jm" exp run "$@" --jobs 2 --out "$work/whole"
killed "$work/killed" 2 8 "$@" --jobs 2 --quiet
check "killed in the middle, after $done_before runs" \
    test "$done_before" -ge 2 -a "$done_before" -lt 8
check "workers end with a sweep that is killed" test "$workers_left" -eq 0
check "no table of a sweep that was killed" test ! -e "$work/killed/fig4-4.csv"
# A report can be made of the finished runs, and leaves the journal alone.
cp -r "$work/killed" "$work/part"
status 0 "$jm" exp report --out "$work/part"
check "the report says how much there is" \
    grep "$done_before of 8 runs" "$work/part/report.html"
check "the table has what is done" test "$done_before" -eq \
    "$(awk -F, 'NR > 1 && $17 != ""' "$work/part/fig4-4.csv" | wc -l)"
check "the journal is as it was" cmp "$work/part/runs.jsonl" "$work/killed/runs.jsonl"
rows 0 "$work/part/claims.json" '"verdict": "(reproduced|in part|not)"'
check "claims over part of the runs are not measured" \
    grep 'runs of fig4-4 were not done' "$work/part/claims.json"
# A line that was being written does not count.
head -c 100 "$work/whole/runs.jsonl" >>"$work/killed/runs.jsonl"
status 0 "$jm" exp run "$@" --jobs 2 --resume --out "$work/killed"
same "killed and continued" "$work/whole" "$work/killed"
status 0 "$jm" exp run "$@" --resume --out "$work/killed"
rows 8 "$work/killed/runs.jsonl" ''
# Damage in the middle.
for damage in 'no record' '{"key": "m=5"}' '42' '{"key":'; do
    sed "4s/.*/$damage/" "$work/whole/runs.jsonl" >"$work/killed/runs.jsonl"
    status 2 "$jm" exp run fig4-4 --resume --out "$work/killed"
    says err "runs.jsonl:4: error: this is no record of a run"
done

# ---- a disk that is full -------------------------------------------------------------
# 2 KiB are not enough; what had been written counts when there is room again.
full_disk() {
    trap '' XFSZ
    ulimit -f 4
    "$jm" exp run "$@" --jobs 2 --quiet --out "$work/it's full" 2>"$work/messages"
}
(full_disk "$@")
check "a full disk is a failure" test $? -eq 2
check "it says which file" grep 'runs.jsonl: error: cannot write' "$work/messages"
check "no table then" test ! -e "$work/it's full/fig4-4.csv"
# The printed command continues it.
eval "status 0 '$jm' $(sed -n 's/.*; to go on: jm //p' "$work/messages")"
same "full and continued" "$work/whole" "$work/it's full"

# ---- claims --------------------------------------------------------------------------
# Chapter 3: figures of the models, to be had from exact numbers, under their claims.
near() { # CLAIM VALUE: its figure, to a thousandth.
    check "$1: $(grep "^$1 " "$work/out")" awk -v id="$1" -v want="$2" \
        '{ sub(/not judged/, "-") } $1 == id { got = $3; found = 1 }
        END { exit !(found && (got / want - 1) ^ 2 < 1e-6) }' "$work/out"
}
status 0 "$jm" exp run fig3-1 fig3-2 --set L=1 --set mesh=1x1x1 --runs 1 \
    --set overflow_above=64,128 --set time=1 --set warm_up=0 --out "$work/chapter3"
near TC-024 422.4606
near TC-042 0.03874
near TC-044 3.929e-9
near TC-045 6.627e-4
status 0 "$jm" exp run fig3-4 fig3-6 queue-needed --set time=1 --set warm_up=0 \
    --runs 1 --out "$work/queues"
near TC-036 59.04
near TC-049 4.098
near TC-050 24.49
near TC-058 9.112

# verdict FOLDER CLAIM: how it was judged.
verdict() {
    jq -r --arg id "$2" '.claims[] | select(.id == $id).verdict' "$work/$1/claims.json"
}
# Order, and what a wire does; that separate wires for the directions are seen.
status 0 "$jm" exp run order alone streams --out "$work/wire"
for claim in TC-012 TC-023 TC-007 TC-007b TC-007c TC-008 TC-008b TC-008c TC-008d; do
    check "$claim" test "$(verdict wire $claim)" = reproduced
done
status 0 "$jm" exp run streams --set shared_wires=0 --out "$work/separate"
near TC-008d 1
# Runs that block, or end as they should not, are no evidence of order.
sed -i '1s/"stop":"exit","status":0/"stop":"stopped","status":-1/' \
    "$work/wire/runs.jsonl"
status 1 "$jm" exp run order --resume --out "$work/wire"
says err "stopped, status -1"
for claim in TC-012 TC-023; do
    check "$claim: a run that blocks" test "$(verdict wire $claim)" = "not measured"
done
finish

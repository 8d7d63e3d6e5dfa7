# A rank that dies, as in the manual (tools/docs/cluster.md): the whole job ends,
# finished runs are in the journal, and --resume repeats only those under way.
. tests/programs/common.sh

. tests/exp/ranks.sh
if ! has_ranks; then
    echo "skipped: no mpirun, or no jm-mpi"
    exit 0
fi
sweep="fig4-6 --set mesh=6x6x6 --set L=60 --runs 12"

# shellcheck disable=SC2086 # several options
"$jm" exp run $sweep --jobs 2 --out "$folder/whole" >/dev/null 2>&1
passed $? "a sweep that nobody disturbs"

# rank NUMBER: the process of a rank of this test's job.
rank() {
    for process in $(pgrep -f "exp run fig4-6 .* --out $folder/ranks"); do
        tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null |
            grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$process"
    done | head -1
}

lines() {
    cat "$folder/ranks/runs.jsonl" 2>/dev/null | wc -l
}

# Begins a job, and kills the victim when two runs are done. Leaves its status in $got.
victim_dies() {
    rm -rf "$folder/ranks"
    # shellcheck disable=SC2086
    ranks 3 "$jm" exp run $sweep --out "$folder/ranks" >"$folder/output" 2>&1 &
    job=$!
    process=
    while [ -z "$process" ] && kill -0 $job 2>/dev/null; do
        process=$(rank $victim)
    done
    while [ "$(lines)" -lt 2 ] && kill -0 $job 2>/dev/null; do
        sleep 0.02
    done
    kill -KILL "$process"
    wait $job
    got=$?
}

for victim in 1 0; do
    for _ in 1 2 3 4 5 6 7 8 9 10; do # until it is not too late
        victim_dies
        kept=$(lines)
        [ "$kept" -ge 12 ] || break
    done
    passed "$([ $got -ne 0 ]; echo $?)" "without rank $victim the job fails"
    passed "$([ -z "$(rank 0)$(rank 1)$(rank 2)" ]; echo $?)" "and leaves no other rank"
    passed "$([ ! -e "$folder/ranks/fig4-6.csv" ]; echo $?)" "nor tables"
    [ "$kept" -ge 2 ] && [ "$kept" -lt 12 ]
    passed $? "$kept runs of 12 are kept"
    cp "$folder/ranks/runs.jsonl" "$folder/journal"
    # shellcheck disable=SC2086
    "$jm" exp run $sweep --jobs 2 --resume --out "$folder/ranks" >/dev/null 2>&1
    passed $? "it is resumed"
    head -c "$(wc -c <"$folder/journal")" "$folder/ranks/runs.jsonl" |
        cmp -s - "$folder/journal" && [ "$(lines)" -eq 12 ]
    passed $? "what was kept is not repeated"
    for table in "$folder"/whole/*.csv; do
        cmp -s "$table" "$folder/ranks/${table##*/}"
        passed $? "rank $victim: the same ${table##*/}"
    done
done
finish

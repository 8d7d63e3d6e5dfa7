# The tables of experiments, recomputed from the journal by tables.py.
. tests/programs/common.sh
tables=$(dirname "$0")/tables.py

# tables FOLDER "EXPERIMENT..." OPTION...: these run well, and their tables are as
# recomputed.
tables() {
    out=$folder/$1
    names=$2
    shift 2
    files=$(echo "$names" | sed "s|named|$folder/named.exp|")
    # shellcheck disable=SC2086 # of several words
    timeout 600 "$jm" exp run $files "$@" --runs 3 --jobs 1 --quiet --out "$out" \
        >"$folder/output" 2>"$folder/messages"
    passed $? "jm exp run $names: $(head -3 "$folder/messages")"
    # shellcheck disable=SC2086
    python3 "$tables" "$out" $names >"$folder/faults"
    passed $? "tables of $names: $(cat "$folder/faults")"
}

# A program of its own, with queues that overflow, and on more nodes.
cat >"$folder/named.exp" <<'END'
title: A named program
kind: models
sweep: program=radix set.radix_keys=700; mesh=2x1x1 Q=64,512; mesh=1x1x1;
    mesh=3x2x2 Q=64 probe=1,0; mesh=3x2x2 spill_mark=60 spill_cycles=0 Q=64
x: node_count
y: makespan
END

# Queues of 32 words overflow in every run.
tables full "fig4-4 jam table2-1 view" --set mesh=4x2x4 --set L=20 --set Q=32 \
    --set m=8 --set h=45,60
# Some runs overflow, some do not; the machine is not even in any dimension.
tables some "fig4-4 fig4-6" --set mesh=5x3x2 --set L=30 --set Q=64 --set h=45 \
    --set m=6,7
tables headers fig4-13 --set mesh=2x2x2 --set L=20 --set header_flits=0,2
tables closed fig3-1 --set mesh=2x2x2 --set L=20 --set servers=8 --set time=9 \
    --set m=2,1 --set overflow_above=4,8
tables line "fig5-8 fig5-10 fig5-12" --set cycles=2000
tables plane "fig5-21 fig6-2" --set mesh=4x4x2 --set L=20 --set cycles=2000
tables named named
# Some of these runs are cut.
tables cut rts-backoff --set mesh=2x2x2 --set L=20 --set cut=4000
finish

#!/bin/sh
# cure-cost.sh: what the cures for overflow cost a machine in which all are off: host
# instructions for each hop of the Snakes on source lines that ask for one, as
# valgrind's callgrind counts them. The difference of two runs, so that no start is in
# it; counts do not depend on the load of the host. $BUILD/jm must have been compiled
# with -g. Prints the sum, all instructions of a hop, and the lines that cost most.
set -eu
: "${BUILD:=build}"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Lines of nodes and machine that look at a parameter of interface.def, at what follows
# from one, or at the ages of messages.
asks='redirect|bounded|->(units?|shut|ring|braked|brake)\>|alarms\.'
asks="$asks|interface_(look|acts|note_alarm)"
asks="$asks|->ages\\>|open_words|least|send_faults|_mark\\>|above_mark|may_escape"

NODES=64 SNAKES=5 LESS=20 MORE=60

# counted HOPS: "FILE:LINE INSTRUCTIONS" of a run.
counted() {
    valgrind --tool=callgrind --compress-strings=no --compress-pos=no \
        --callgrind-out-file="$folder/out" --log-file="$folder/log" "$BUILD/jm" run \
        --quiet --threads 1 --mesh 4x4x4 --set "snakes_m=$SNAKES" --set snakes_p=3 \
        --set snakes_h=80 --set "snakes_l=$1" "$BUILD/programs/snakes.elf" \
        >"$folder/said" 2>&1 || { cat "$folder/said" "$folder/log" >&2; exit 1; }
    awk '/^(fl|fi|fe)=/ { file = substr($0, 4); next }
        /^calls=/ { getline; next }
        /^[0-9]+ [0-9]+$/ { cost[file ":" $1] += $2 }
        END { for (at in cost) print at, cost[at] }' "$folder/out" |
        sed 's|^[^ ]*/\(emu/\)|\1|' # where it was compiled
}

counted "$MORE" >"$folder/more"
counted "$LESS" >"$folder/less"
find emu/node emu/machine -name '*.[ch]' -exec grep -nE "$asks" {} + |
    grep -vE '^[^:]*:[0-9]+: *(/?\*|//)' | cut -d: -f1,2 >"$folder/asking"
awk -v hops=$((NODES * SNAKES * (MORE - LESS))) '
    FILENAME ~ /asking$/ { asks[$1] = 1; next }
    FILENAME ~ /less$/ { cost[$1] -= $2; next }
    { cost[$1] += $2 }
    END {
        for (at in cost) {
            all += cost[at]
            if (at in asks) { sum += cost[at]; print cost[at] / hops, at }
        }
        if (!sum)
            print "cure-cost: no such line was found in what ran" >"/dev/stderr"
        print sum / hops, "all lines that ask for a cure"
        print all / hops, "instructions of a hop"
    }' "$folder/asking" "$folder/less" "$folder/more" | sort -rn | head -12

#!/bin/sh
# bench-counts.sh FIGURES: counts what the host does for pieces of work, with valgrind's
# cachegrind: the difference of two runs, divided, so that no start is in it. Counts do
# not depend on the load of the host; valgrind knows AVX2 and nothing wider. Prints a
# table beside FIGURES, "name<TAB>count" of an earlier commit, and leaves such a file in
# $BUILD/counts.tsv. $BUILD/jm, bench_net and programs must be there. BIG=1 adds a row
# that takes half a minute.
set -eu
: "${BUILD:=build}"
earlier=${1:?usage: bench-counts.sh FIGURES}
folder=$BUILD/bench
new=$BUILD/counts.tsv
mkdir -p "$folder"
"$BUILD/mdpas" -I "$BUILD/gen" -o "$folder/compute.o" tests/bench/compute.s
"$BUILD/mdpld" -o "$folder/compute.elf" "$folder/compute.o"

# counted EVENT COMMAND...: how many of a line of cachegrind's summary COMMAND caused.
# Runs may end at their limit of cycles, with a status of its own; without a summary
# nothing was counted.
counted() {
    event=$1
    shift
    valgrind --tool=cachegrind --cachegrind-out-file=/dev/null \
        --log-file="$folder/log" $simulated "$@" >/dev/null 2>&1 || :
    sed -n "s/^==[0-9]*== $event: *\([0-9,]*\).*/\1/p" "$folder/log" | tr -d , |
        grep . || { echo "bench-counts: nothing counted: $*" >&2; exit 1; }
}

# per WORK MORE LESS NAME: prints the row of a piece of work, of which the run that
# counted MORE does WORK more than the one that counted LESS.
per() {
    printf '%s\t%s\n' "$4" "$(awk "BEGIN { printf \"%.3f\", ($2 - $3) / $1 }")"
}

NODES=512 SNAKES=2560 MORE=20
snakes() { # EVENT H HOPS
    counted "$1" "$BUILD/jm" run --quiet --mesh 8x8x8 --set snakes_m=5 \
        --set snakes_p=3 --set "snakes_h=$2" --set "snakes_l=$3" \
        "$BUILD/programs/snakes.elf"
}
hop() { # EVENT H NAME
    per $((SNAKES * MORE)) "$(snakes "$1" "$2" $((2 * MORE)))" \
        "$(snakes "$1" "$2" $MORE)" "$3"
}

overflowing() { # CYCLES: the load of figure 4-8
    counted 'I *refs' "$BUILD/jm" run --quiet --mesh 8x8x8 --queue 256 \
        --cycles "$1" --set snakes_m=5 --set snakes_p=3 --set snakes_h=65 \
        --set snakes_l=300 "$BUILD/programs/snakes.elf"
}

compute() { # CYCLES: all nodes compute; leaves the number of MDP instructions
    counted 'I *refs' "$BUILD/jm" run --quiet --mesh 8x8x8 --cycles "$1" \
        --stats "$folder/stats.json" "$folder/compute.elf"
}
issued() {
    sed -n 's/^"instructions": *\([0-9]*\).*/\1/p' "$folder/stats.json"
}
instruction() { # NAME
    less=$(compute 1000) less_issued=$(issued)
    more=$(compute 3000)
    per $(($(issued) - less_issued)) "$more" "$less" "$1"
}

network() { # KEY CYCLES NAME: a workload of bench_net, by its plane engine alone
    per "$2" "$(counted 'I *refs' "$BUILD/bench_net" "$1" $((2 * $2)))" \
        "$(counted 'I *refs' "$BUILD/bench_net" "$1" "$2")" "$3"
}

# blocks FORMAT: 12,500 blocks of eight lines, each with a label of its own.
blocks() {
    awk -v block="$1" 'BEGIN {
        for (i = 0; i < 12500; i++) {
            text = block
            gsub("@", "L" i, text)
            print text
        }
    }'
}
blocks '@: move r0,r1 ; a comment
        add r0,r1,r2
        sub r1,1,r1
        move [3,a1],r0
        move r2,[4,a1] ; store
        eq r0,3,r1
        bt r1,^@
        lsh r0,2,r0' >"$folder/lines.s"
blocks '@: movl %eax,%ebx # a comment
        addl %eax,%ecx
        subl $1,%ebx
        movl 3(%rdi),%eax
        movl %ecx,4(%rdi) # store
        cmpl $3,%eax
        je @
        shll $2,%eax' >"$folder/lines-as.s"
line() { # ASSEMBLER SOURCE NAME
    per 100000 "$(counted 'I *refs' "$1" -o "$folder/lines.o" "$folder/$2.s")" 0 "$3"
}
flow_run() { # TOPOLOGY CYCLES
    counted 'I *refs' "$BUILD/jm" net run --quiet --cycles "$2" --topology "$1" \
        --workload poisson,rate=0.010,length=12
}
flow() { # SIZES CYCLES: the flow engine with messages that rarely meet
    torus=torus=$1,lanes=2,places=4
    per $((2 * $2)) "$(flow_run "$torus" $((3 * $2)))" "$(flow_run "$torus" "$2")" \
        "host instructions a cycle of the flow engine, $1 torus at rate 0.010"
}

# The radix sort of 65,536 keys on 4,096 nodes, from a saved machine on: 5,000 cycles in
# which the keys of the first pass are on their way.
radix_run() { # CYCLES; leaves the number of messages
    counted 'I *refs' "$BUILD/jm" run --quiet --restore "$folder/radix.jms" \
        --cycles "$1" --stats "$folder/stats.json"
}
messages() {
    sed -n 's/^"messages": *\([0-9]*\).*/\1/p' "$folder/stats.json"
}
radix() {
    "$BUILD/jm" run --quiet --mesh 16x16x16 --set radix_keys=65536 \
        --cycles 155001 --save-at "155000:$folder/radix.jms" \
        "$BUILD/programs/radix.elf" >/dev/null 2>&1 || :
    less=$(radix_run 155001) less_sent=$(messages)
    more=$(radix_run 160001)
    per $(($(messages) - less_sent)) "$more" "$less" \
        'host instructions a message of radix, 65,536 keys, 16x16x16'
}

{
    simulated=--cache-sim=no
    line "$BUILD/mdpas" lines 'host instructions a line of mdpas, of 100,000'
    line as lines-as 'host instructions a line of GNU as, of 100,000 like them'
    per 1000000 "$(snakes 'I *refs' 45 1)" 0 \
        'million host instructions a run of Snakes with one hop each, 8x8x8'
    amva=$(counted 'I *refs' "$BUILD/jm" model amva --mesh 8x8x8 --outstanding 5 \
        --service 25 --length 8 --fair)
    per 1000000 "$amva" 0 \
        'million host instructions of jm model amva, 8x8x8, five outstanding, fair'
    hop 'I *refs' 45 'host instructions a hop of Snakes, 8x8x8, h=45'
    hop 'I *refs' 200 'host instructions a hop of Snakes, 8x8x8, h=200'
    per 100000 "$(overflowing 200000)" "$(overflowing 100000)" \
        'host instructions a cycle of Snakes that overflow, 8x8x8, h=65, Q=256'
    instruction 'host instructions an MDP instruction, 8x8x8, every node computes'
    network saturated_8 4000 \
        'host instructions a cycle of the network alone, 8x8x8 saturated'
    network light_8 8000 'host instructions a cycle of the network alone, 8x8x8 light'
    flow 8x8 5000
    flow 8x8x8 1000
    [ "${BIG:-}" != 1 ] || radix
    simulated='--cache-sim=yes --D1=32768,8,64 --LL=524288,16,64'
    hop 'LL misses' 45 'misses a hop of a last cache of 512 KB, 8x8x8, h=45'
} >"$new.part"
mv "$new.part" "$new"

awk -F'\t' -v earlier="$earlier" '
    BEGIN {
        while ((getline <earlier) > 0)
            before[$1] = $2
        print "| what | now | before | now / before |\n|---|---|---|---|"
    }
    {
        printf "| %s | %.1f | ", $1, $2
        if (before[$1]) printf "%.1f | %.3f |\n", before[$1], $2 / before[$1]
        else print "| |"
    }' "$new"

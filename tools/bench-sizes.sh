#!/bin/bash
# bench-sizes.sh: times a node-cycle of large machines beside one of 8x8x8 nodes, Snakes
# at h=45. Each figure is the difference of a run and one of only its first cycles, so
# that no start is in it; machines take turns, so that what the host does meanwhile
# meets all. The working points differ: the wires of a larger machine saturate at a
# lower rate. $BUILD/jm and programs must be there.
set -eu
: "${BUILD:=build}"
rounds=3
start=20000 # cycles: by then the largest machine has booted
limit=126   # status of jm run at its limit of cycles

run() { # SIDE CYCLES: prints the user time of a run
    local TIMEFORMAT=%U
    { time "$BUILD/jm" run --quiet --mesh "$1x$1x$1" --set snakes_m=5 --set snakes_p=3 \
        --set snakes_h=45 --set snakes_l=10000 --cycles "$2" --threads 1 \
        "$BUILD/programs/snakes.elf" >/dev/null 2>&1 || [ $? -eq $limit ]; } 2>&1
}
node_cycle() { # SIDE CYCLES: prints nanoseconds
    local more less
    more=$(run "$1" $((start + $2)))
    less=$(run "$1" "$start")
    awk -v more="$more" -v less="$less" -v side="$1" -v cycles="$2" \
        'BEGIN { print (more - less) / cycles / side ^ 3 * 1e9 }'
}
median() {
    sort -n | sed -n "$(((rounds + 1) / 2))p"
}
small=() middle=() large=()
for ((i = 0; i < rounds; i++)); do
    small+=("$(node_cycle 8 60000)")
    middle+=("$(node_cycle 16 8000)")
    large+=("$(node_cycle 32 2000)")
done
awk -v small="$(printf '%s\n' "${small[@]}" | median)" \
    -v middle="$(printf '%s\n' "${middle[@]}" | median)" \
    -v large="$(printf '%s\n' "${large[@]}" | median)" 'BEGIN {
    row = "%10.2f times one of 8x8x8 (%.2f ns, %.2f ns): a node-cycle of %s, "
    row = row "Snakes h=45, interleaved\n"
    printf row, middle / small, middle, small, "16x16x16"
    printf row, large / small, large, small, "32x32x32" }'

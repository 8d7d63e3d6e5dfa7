#!/bin/bash
# bench-before.sh: times Snakes with jm beside jm of an earlier commit, which is built
# in $BUILD/before from a worktree of git. Runs take turns, so that what the host does
# meanwhile meets both; the ratio is that of the medians of their user times.
set -eu
: "${BUILD:=build}"
commit=4ac2ad5
rounds=5
tree=$BUILD/before

if ! git rev-parse --quiet --verify "$commit^{commit}" >/dev/null 2>&1; then
    echo "no history with $commit: nothing to compare with"
    exit 0
fi
git worktree prune
[ -e "$tree/Makefile" ] || git worktree add --quiet --detach "$tree" "$commit"
make --no-print-directory -s -C "$tree" BUILD=build build/jm build/programs/snakes.elf

run() { # JM ELF: prints the user time of a run
    local TIMEFORMAT=%U
    { time "$1" run --quiet --mesh 8x8x8 --set snakes_m=5 --set snakes_p=3 \
        --set snakes_h=45 --set snakes_l=100 "$2" >/dev/null 2>&1; } 2>&1
}
median() {
    sort -n | sed -n "$(((rounds + 1) / 2))p"
}
before=() now=()
for ((i = 0; i < rounds; i++)); do
    before+=("$(run "$tree/build/jm" "$tree/build/programs/snakes.elf")")
    now+=("$(run "$BUILD/jm" "$BUILD/programs/snakes.elf")")
done
awk -v before="$(printf '%s\n' "${before[@]}" | median)" \
    -v now="$(printf '%s\n' "${now[@]}" | median)" 'BEGIN {
    printf "%10.2f times as fast as the release before (%s s, %s s): ", before / now,
        before, now
    print "Snakes, 8x8x8, h=45, L=100, interleaved" }'

#!/bin/sh
# snakes.sh [RESULTS]: the Snakes' load points of thesis chapter 4 in full length, and
# how much each choice that the sources leave open moves them. Runs $JOBS at a time (2),
# prints the tables and leaves them in $BUILD/snakes/results.md. Fails if a run does not
# account for all its hops or a claim does not hold. With RESULTS: says whether the
# tables are those of that file; GOLDEN=renew renews it. REUSE=1 takes the runs that are
# in $BUILD/snakes already.
set -eu
: "${BUILD:=build}" "${JOBS:=2}"
results=${1:-}
folder=$BUILD/snakes
mkdir -p "$folder"
rm -f "$folder/plan"
[ "${REUSE:-}" ] || rm -f "$folder"/*.json "$folder"/*.report "$folder"/*.failed
export BUILD folder

# ---- what is run: a name, then WORD=VALUE for words snakes_WORD, --OPTION=VALUE ------

plan() { # NAME OPTION...
    line=$1
    shift
    for option; do
        case $option in
        --*) line="$line ${option%%=*} ${option#*=}" ;;
        *) line="$line --set snakes_$option" ;;
        esac
    done
    echo "$line" >>"$folder/plan"
}

for h in 34 45 55 65 70 75 80 90 120 200; do
    plan "h$h" h=$h l=1000
done
for seed in 2 3 4; do
    plan "seed$seed" h=45 l=1000 --seed=$seed
done
for h in 45 65 90; do
    plan "return2-$h" h=$h l=1000 return=2
    plan "return4-$h" h=$h l=1000 return=4
done
plan fair45 h=45 l=1000 --router=fair
plan fair34 h=34 l=1000 --router=fair

# What a choice is called, how it is made.
choices() {
    cat <<'ROWS'
default|
header_flits=2|--param=header_flits=2
header_flits=1|--param=header_flits=1
header_flits=0|--param=header_flits=0
channel_capacity=4|--param=channel_capacity=4
shared_wires=0|--param=shared_wires=0
buffer_words=16|--param=buffer_words=16
buffer_words=64|--param=buffer_words=64
enter_on_lost_wire=0|--param=enter_on_lost_wire=0
jump=1|--param=jump=1
jump=3|--param=jump=3
fault=1|--param=fault=1
fault=16|--param=fault=16
dispatch=2|--param=dispatch=2
dispatch=8|--param=dispatch=8
kernel_backoff=8|--set=kernel_backoff=8
external=0|--param=external=0
kernel_overflow_turns=8|--set=kernel_overflow_turns=8
snakes_generator=1|generator=1
snakes_self=0|self=0
snakes_common=1|common=1
snakes_late=1|late=1
ROWS
}
choices | while IFS='|' read -r name options; do
    # shellcheck disable=SC2086 # options are several words
    {
        plan "choice-$name-jam" h=45 l=300 $options
        plan "choice-$name-45" h=45 l=300 --queue=1024 $options
        plan "choice-$name-65" h=65 l=300 --queue=1024 $options
        plan "choice-$name-90" h=90 l=300 $options
    }
done

# ---- running -----------------------------------------------------------------------

cat >"$folder/one.sh" <<'SCRIPT'
name=$1
shift
"$BUILD/jm" run --quiet --mesh 8x8x8 "$@" --stats "$folder/$name.json" \
    "$BUILD/programs/snakes.elf" >"$folder/$name.out" 2>&1 ||
    mv "$folder/$name.out" "$folder/$name.failed"
"$BUILD/jm" report "$folder/$name.json" >"$folder/$name.report"
SCRIPT
[ "${REUSE:-}" ] || xargs -P "$JOBS" -L 1 sh "$folder/one.sh" <"$folder/plan"

# Only what cannot overflow may fail: where a queue of 1,024 words is full, the network
# waits for its node, and the node may wait for the network.
broken=0
for failed in "$folder"/*.failed; do
    [ -e "$failed" ] || continue
    case $failed in
    */choice-*-[0-9]*.failed) grep -q 'deadlock' "$failed" && continue ;;
    esac
    echo "$failed:"
    head -3 "$failed"
    broken=1
done

# ---- tables ------------------------------------------------------------------------

# value NAME PATTERN: what the one group of the basic expression matches in a report.
value() {
    sed -n "s/.*$2.*/\1/p" "$folder/$1.report" | head -1
}

stretch() {
    printf '%.2f' "$(value "$1" 'ms = \([0-9.]*\) m L h')"
}

overflows() {
    count=$(sed -n 's/^Queue overflows: \([0-9]*\) on.*/\1/p' "$folder/$1.report")
    echo "${count:-0}"
}

bisection() {
    if [ -e "$folder/$1.failed" ]; then
        echo deadlock
    else
        value "$1" 'utilisation: \([0-9.]*\) by eq. 4.3'
    fi
}

longest() {
    value "$1" 'priority-0 queue: \([0-9]*\) words'
}

places() {
    sed -n 's/^  node [0-9]* \(([0-9,]*)\): .*/\1/p' "$folder/$1.report" | tr '\n' ' ' |
        sed 's/ $//'
}

row() { # TITLE NAME: a run in full
    printf '| %s | %.1f | %s | %s | %s | %s | %s | %s |\n' "$1" \
        "$(value "$2" 'T = [0-9]* cycles = \([0-9.]*\) ms')" "$(stretch "$2")" \
        "$(bisection "$2")" \
        "$(value "$2" 'on the x wires \([0-9.]*\),')" \
        "$(value "$2" 'SEND \([0-9]*\)')" "$(overflows "$2")" "$(places "$2")"
}

head_of_rows() { # TITLE
    printf '| %s | T, ms | T/(m L h) | u, eq. 4.3 | x wires | SEND faults ' "$1"
    echo "| overflows | where, first by first |"
    echo "|---|---|---|---|---|---|---|---|"
}

tables() {
    echo "# The Snakes, measured"
    echo
    echo "8x8x8 nodes, m = 5, p = 3, Q = 512, 10 MHz, seed 1. Made by \`make snakes\`."
    echo
    echo "## Load points, L = 1000"
    echo
    head_of_rows h
    for h in 34 45 55 65 70 75 80 90 120 200; do
        row $h h$h
    done
    for seed in 2 3 4; do
        row "45, seed $seed" seed$seed
    done
    for period in 2 4; do
        for h in 45 65 90; do
            row "$h, return $period" return$period-$h
        done
    done
    for h in 34 45; do
        row "$h, fair routers" fair$h
    done
    echo
    echo "## What each choice moves, L = 300"
    echo
    echo "The first column is the whole story: T/(m L h) and the number of overflows;"
    echo "when the first comes is chance. The next two, with Q = 1024, where queues"
    echo "block and never overflow, say what the network bears (u, eq. 4.3) and how"
    echo "long the longest queue becomes, in words; between runs it scatters by 100."
    echo "The last is the processor-limited machine: T/(m L h)."
    echo
    echo "| choice | h = 45 | h = 45, Q = 1024 | h = 65, Q = 1024 | h = 90 |"
    echo "|---|---|---|---|---|"
    choices | while IFS='|' read -r name options; do
        run="choice-$name"
        echo "| $name | $(stretch "$run-jam"), $(overflows "$run-jam") |" \
            "$(bisection "$run-45"), $(longest "$run-45") |" \
            "$(bisection "$run-65"), $(longest "$run-65") | $(stretch "$run-90") |"
    done
}
tables | tee "$folder/results.md"

# ---- claims ------------------------------------------------------------------------

claim() { # TEXT CONDITION, for awk
    awk "BEGIN { exit !($2) }" && return
    echo "does not hold: $1 ($2)"
    broken=1
}
for h in 90 120 200; do
    claim "no overflow at h = $h" "$(overflows h$h) == 0"
    claim "processor-limited at h = $h" \
        "$(stretch h$h) >= 1.05 && $(stretch h$h) <= 1.25"
done
for name in h34 h45 seed2 seed3 seed4; do
    claim "few overflows, $name" "$(overflows $name) > 0 && $(overflows $name) < 10"
    claim "T several times higher, $name" "$(stretch $name) > 3"
    case $(places $name) in
    *[07]*) claim "overflows in the middle, $name" 0 ;;
    esac
done
for h in 45 65 90; do
    claim "no overflow with return 2 at h = $h" "$(overflows return2-$h) == 0"
done
for h in 34 45; do
    case $(places fair$h) in
    *\([2-5],[2-5],[2-5]\)*) claim "fair routers spare the centre, h = $h" 0 ;;
    esac
done
[ -z "$results" ] || if [ "${GOLDEN:-}" = renew ]; then
    cp "$folder/results.md" "$results"
else
    diff -u "$results" "$folder/results.md" && echo "the same as $results"
fi
exit $broken

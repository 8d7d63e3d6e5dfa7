#!/bin/sh
# The Snakes' handler lasts snakes_h cycles, exactly; what cannot be is refused.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/snakes/snakes.sh
. "$(dirname "$0")/snakes.sh"

# minimum OPTION...: the bare handler's time, as a refusal names it.
minimum() {
    snakes 2 h=0 "$@"
    sed -n 's/^.* is too small: the bare handler takes \([0-9]*\) cycles$/\1/p' \
        "$folder/output"
}

# period H OPTION...: one node keeps five snakes to itself, so its tasks follow upon
# each other, without faults: every dispatch comes H cycles after the one before. Seen
# in the trace, not by the program. The last hops are others (L is 12; 9 are looked at).
period() {
    h=$1
    shift
    snakes 0 "h=$h" l=12 "--trace=$folder/trace" "$@"
    says "h=$h $*" "^handler: $h cycles as measured"
    awk -v h="$h" '
        $4 == "dispatch" && $5 > "00100" && /snake_code/ { times[++n] = $1 }
        END {
            for (i = n - 50; i < n - 10; i++) wrong += times[i] - times[i - 1] != h
            exit n < 60 || wrong
        }' "$folder/trace"
    check "h=$h $*: the trace agrees" $?
}

# Figure 4-3 is p = 2: 25 cycles, 4 of dispatch, 3 rows of instructions.
bare=$(minimum p=2)
holds "figure 4-3 with dispatch and fetches" "$bare == 32"
for p in 2 3 4 5 8 11 15 16 33 60; do
    bare=$(minimum p=$p)
    for more in 0 1 2 3 4 5 6 7 8 50 101; do
        period $((bare + more)) p=$p
    done
done
for rule in return=2 return=4 generator=1 late=1 'late=1 p=4' \
    'generator=1 return=4 p=7'; do
    # shellcheck disable=SC2086 # a rule may be several words
    bare=$(minimum $rule)
    for more in 0 1 2 3 10; do
        # shellcheck disable=SC2086
        period $((bare + more)) $rule
    done
done

# Where nothing is drawn twice: rejection costs more than h, which says so.
for rule in imbalance=135 self=0 'generator=1 self=0 imbalance=135 return=2'; do
    # shellcheck disable=SC2086
    snakes 0 --mesh=3x2x2 h=100 l=10 $rule
    says "$rule" '^handler: 100 cycles as measured'
done

# The measurement follows the machine: other timings, the same h.
for timing in jump=1 jump=4 fault=1 dispatch=9 row_onchip=0; do
    snakes 0 --param=$timing h=120 l=12 m=1
    says "$timing" '^handler: 120 cycles as measured'
done

# refused PATTERN OPTION...
refused() {
    pattern=$1
    shift
    snakes 2 "$@"
    says "$*" "$pattern"
}
refused 'snakes_p is not in 2\.\.60' p=1
refused 'snakes_p is not in 2\.\.60' p=61
refused 'snakes_m is not in 1\.\.' m=0
refused 'snakes_l is not in 1\.\.' l=0
refused 'snakes_return is 0, 2 or 4' return=3
refused 'snakes_return is not in 0\.\.4' return=6
refused 'snakes_generator is not in 0\.\.1' generator=2
refused 'snakes_imbalance is not in 100\.\.' imbalance=99
refused 'no node snakes_hot' imbalance=135
refused 'needs another node' self=0
refused 'needs snakes_p >= 3' checking=1 p=2
refused 'longer than the queue less 8' --queue=64 p=56
refused 'more than 2147483647 hops' m=3 l=1000000000
finish

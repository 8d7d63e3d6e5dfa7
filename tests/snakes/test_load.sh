# The load points of thesis chapter 4 on 512 nodes, in short: where the Snakes are
# limited by the processors, where queues overflow, what return trips and fair routers
# change.
# `jm exp run fig4-4` has the full forms.
. tests/snakes/snakes.sh

# load H L OPTION...: m = 5, p = 3, Q = 512 on 8x8x8, all hops accounted for.
load() {
    h=$1 l=$2
    shift 2
    snakes 0 --mesh=8x8x8 "h=$h" "l=$l" "$@"
    says "h=$h $*: all hops" "^$((2560 * l)) hops of $((2560 * l)) done"
    time=$(sed -n 's/.* done in \([0-9]*\) cycles$/\1/p' "$folder/output")
    grep -qx "\"makespan\":$time," "$folder/stats"
    passed $? "h=$h $*: T is the time between the marks"
}

# Processor-limited: five tasks a node and random arrivals leave a processor idle about
# a tenth of the time; the longest queue is far from full.
for point in '90 150' '120 100' '200 80'; do
    # shellcheck disable=SC2086 # h and L
    load $point
    holds "$point: overflows" "$(overflows) == 0"
    holds "$point: T / m L h" "$(stretch) >= 1.05 && $(stretch) <= 1.25"
done

# middle: the nodes that overflowed are none of the surface (figures 4-11, 4-12).
middle() {
    sed -n 's/^  node [0-9]* (\(.*\)): .*/\1/p' "$folder/report" >"$folder/places"
    [ -s "$folder/places" ] && ! grep -q '[07]' "$folder/places"
    passed $? "h=$h: overflows in the middle: $(tr '\n' ' ' <"$folder/places")"
}

# centre: mean words in the queues of the inner 4x4x4 nodes over those of the 8 corners.
centre() {
    tr -d ' ' <"$folder/stats" | sed -n 's/^{"rank":/rank:/p' | awk -F'[:,]' '
        {
            split("", at)
            for (i = 1; i < NF; i++)
                if ($i == "\"x\"" || $i == "\"y\"" || $i == "\"z\"" ||
                    $i == "\"queue_mean_words\"") at[$i] = $(i + 1)
            x = at["\"x\""]; y = at["\"y\""]; z = at["\"z\""]
            words = at["\"queue_mean_words\""]
            if (x > 1 && x < 6 && y > 1 && y < 6 && z > 1 && z < 6) inner += words / 64
            if (x % 7 + y % 7 + z % 7 == 0) corner += words / 8
        }
        END { printf "%.4f", inner / corner }'
}

# The bare handler, and between the domains.
load 34 60
load 65 60

# Network-limited: the queues of the middle overflow, and all pay for it. 300 hops are
# time enough for the first to fill, with any seed.
load 45 300
holds "h=45: overflows" "$(overflows) > 0 && $(overflows) < 10"
holds "h=45: T / m L h" "$(stretch) > 3"
middle
holds "h=45: centre over corners" "$(centre) > 5"

# With fair routers the corners and edges fill instead (section 5.2), and less.
load 45 150 --router=fair
holds "fair: overflows" "$(overflows) == 0"
holds "fair: centre over corners" "$(centre) < 0.5"

# Home every second hop: nothing overflows, however short the handler (figure 4-15).
for h in 42 50 65; do
    load $h 100 return=2
    holds "return 2, h=$h: overflows" "$(overflows) == 0"
done

# A seed is a run.
for seed in 1 1 2; do
    snakes 0 --mesh=4x4x4 h=34 l=50 m=20 --queue=64 --seed=$seed
    [ -e "$folder/seed$seed" ] && {
        cmp -s "$folder/seed$seed" "$folder/stats"
        passed $? "seed $seed twice: the same statistics"
    }
    cp "$folder/stats" "$folder/seed$seed"
done
time1=$(sed -n 's/.*"snakes_cycles":\([0-9]*\),.*/\1/p' "$folder/seed1")
time2=$(sed -n 's/.*"snakes_cycles":\([0-9]*\),.*/\1/p' "$folder/seed2")
holds "other seeds, other times" "$time1 != $time2"
finish

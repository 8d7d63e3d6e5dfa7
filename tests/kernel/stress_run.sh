# shellcheck shell=sh disable=SC2034,SC2154
# One run of stress.s, checked. For scripts that have sourced tests/programs/common.sh;
# $here is this folder.

# Sums of what the nodes counted, from the rows of --dump, and of the statistics'
# overflows: received, chains ended, ticks sent, ticks received.
stress_sums() {
    awk '
        function value(hex, i, n) {
            n = 0
            for (i = 2; i <= 9; i++)
                n = n * 16 + index("0123456789ABCDEF", substr(hex, i, 1)) - 1
            return n
        }
        /^[0-9]+ 0280[0-7] 1/ { sum[substr($2, 5) % 4] += value($3) }
        END { printf "%d %d %d %d\n", sum[0], sum[1], sum[2], sum[3] }' "$folder/output"
}

# stress MESH COUNT HOPS OPTION...: every node starts COUNT chains of 1 + HOPS messages.
# Leaves the number of queue overflows in $overflows.
stress() {
    mesh=$1 count=$2 hops=$3
    shift 3
    nodes=$((${mesh%%x*} * ${mesh##*x}))
    between=${mesh#*x}
    nodes=$((nodes * ${between%x*}))
    dumps=$(awk -v n="$nodes" \
        'BEGIN { for (i = 0; i < n; i++) printf " --dump %d:2800:8", i }')
    # shellcheck disable=SC2086 # options are several words
    run 0 --quiet --mesh "$mesh" --set "stress_count=$count" --set "stress_hops=$hops" \
        "$@" $dumps --stats "$folder/stats" "$here/stress.s"
    # shellcheck disable=SC2046 # four numbers
    set -- "$*" $(stress_sums)
    chains=$((nodes * count))
    [ "$2" -eq $((chains * (hops + 1))) ] && [ "$3" -eq $chains ] && [ "$4" -eq "$5" ]
    passed $? "stress on $mesh, $count chains of $((hops + 1)), $1:
        $2 received, $3 ended, $5 of $4 ticks"
    overflows=$(grep -o '"overflows":[0-9]*' "$folder/stats" | head -1 | cut -d: -f2)
}

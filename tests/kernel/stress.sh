#!/bin/sh
# stress.sh FIRST LAST: runs stress.s under configurations FIRST to LAST, drawn at
# random from their numbers: mesh, queues, network, lengths, priorities, hot spots,
# which nodes are busy and how long. A line for each that fails, a summary at the end.
here=$(dirname "$0")
. tests/programs/common.sh
. tests/kernel/stress_run.sh

# configuration NUMBER: the arguments of stress.
configuration() {
    awk -v state="$(($1 * 7919 + 1))" "$draws"'
        BEGIN {
            for (i = 0; i < 5; i++) draw(2)
            q = one_of("16 32 64 128 256 512"); q1 = one_of("16 32 64 128 256 512")
            most = (q < q1 ? q : q1) - 8
            longest = draw(4) ? 4 + draw(most - 3) : most
            shortest = draw(4) ? 4 : longest
            mesh = one_of("1x1x1 2x1x1 4x1x1 3x2x2 4x4x1 2x2x4 3x3x3")
            split(mesh, side, "x")
            count = 1 + draw(12)
            hops = draw(25)
            # a run of some seconds at most
            room = int(100000 / (side[1] * side[2] * side[3] * count * longest))
            print mesh, count, hops < room ? hops : room, "--seed", 1 + draw(1000),
                "--queue", q, "--queue1", q1,
                "--router", one_of("unfair fair"),
                "--param", "channel_capacity=" one_of("1 2 2 4 8"),
                "--param", "header_flits=" one_of("0 1 2 3 3"),
                "--param", "buffer_words=" one_of("4 8 8 16"),
                "--param", "shared_wires=" draw(2),
                "--set", "stress_shortest=" shortest,
                "--set", "stress_longest=" longest,
                "--set", "stress_busy=" one_of("1 30 300 2000"),
                "--set", "stress_pause=" one_of("1 1 30 300"),
                "--set", "stress_hot=" one_of("0 0 100 500 1000"),
                "--set", "stress_urgent=" one_of("0 0 200 500 1000"),
                "--set", "kernel_backoff=" one_of("0 0 0 6")
        }'
}

total=0
number=$1
while [ "$number" -le "$2" ]; do
    # shellcheck disable=SC2046 # several arguments
    stress $(configuration "$number")
    total=$((total + overflows))
    number=$((number + 1))
done
echo "$total queue overflows"
finish

# Queue overflow: order and completeness under stress, and what it cannot handle.
here=$(dirname "$0")
. tests/programs/common.sh
. tests/kernel/stress_run.sh

# many MINIMUM: the last run had at least so many overflows.
many() {
    [ "${overflows:-0}" -ge "$1" ]
    passed $? "$overflows overflows, at least $1 wanted"
}

# All sizes of queues, with the longest messages they can overflow with: all of one
# length, which leaves room for a single row beside the running one, and mixed.
while read -r size count hops; do
    for shortest in $((size - 8)) 4; do
        stress 3x2x1 "$count" "$hops" --queue "$size" --queue1 "$size" \
            --set stress_urgent=300 --set stress_hot=300 \
            --set "stress_shortest=$shortest" --set "stress_longest=$((size - 8))"
        many 20
    done
done <<END
16 12 12
32 12 12
64 12 6
128 8 3
256 6 2
512 6 1
END

# Queues of different sizes, with one priority idle or both in use: each queue fills to
# its own size and no further. Senders pause in the middle of messages, so that full
# queues of either priority are met by tasks of the other and by background.
while read -r size0 size1 urgent full0 full1; do
    stress 2x2x1 8 20 --queue "$size0" --queue1 "$size1" \
        --set "stress_urgent=$urgent" --set stress_hot=300 --set stress_ticks=0 \
        --set stress_pause=200 --set stress_busy=300 \
        --set "stress_longest=$(((size0 < size1 ? size0 : size1) - 8))"
    [ "$(most queue_max_words)" -eq "$full0" ] &&
        [ "$(most queue1_max_words)" -eq "$full1" ]
    passed $? "queues of $size0 and $size1, $urgent urgent: up to \
        $(most queue_max_words) and $(most queue1_max_words) words, \
        not $full0 and $full1"
done <<END
16 64 0 16 0
16 64 1000 0 64
64 16 0 64 0
64 16 1000 0 16
16 64 800 16 64
64 16 500 64 16
32 128 950 32 128
128 32 500 128 32
END

# Tasks of priority 1 that have taken their messages out of the queue (Q = 0) meet the
# full queue of priority 0, which holds the message of the task that they interrupted.
while read -r size0 size1 urgent; do
    stress 2x2x1 8 20 --queue "$size0" --queue1 "$size1" --set stress_moved=1000 \
        --set "stress_urgent=$urgent" --set stress_hot=300 --set stress_ticks=0 \
        --set stress_pause=200 --set stress_busy=300 --set stress_longest=24
    many 50
done <<END
32 128 500
32 32 300
END

# Thousands of overflows, and a hot spot whose queue never gets empty.
stress 4x4x1 10 30 --queue 32 --set stress_longest=24 --set stress_busy=300
many 5000
stress 4x4x2 10 10 --queue 64 --set stress_hot=1000 --set stress_hot_node=13 \
    --set stress_longest=12
many 5
# Nobody but senders in the middle of a message and background meet the full queues.
stress 2x2x2 10 20 --queue 16 --queue1 16 --set stress_longest=8 \
    --set stress_pause=300 --set stress_urgent=500
many 100
sh "$here/stress.sh" 1 10 >"$folder/stress"
passed $? "stress.sh 1 10: $(cat "$folder/stress")"

# Overflows that cannot be handled are reported and stop the node: messages longer than
# Q - 8, the running one and one behind it; overflow memory that is used up.
refused() {
    text=$1
    shift
    run 127 --quiet "$@"
    grep -q "^kernel: queue overflow on node [0-9]*, priority [01]: $text\$" \
        "$folder/output"
    passed $? "$*: says that $text"
}
longer="a message is longer than the queue less 8 words"
refused "$longer" --mesh 2x2x1 --queue 32 --set stress_longest=28 \
    --set stress_shortest=25 --set stress_hot=1000 "$here/stress.s"
refused "$longer" --mesh 2x2x1 --queue 64 --set stress_longest=60 \
    --set stress_hot=1000 "$here/stress.s"
refused "$longer" --mesh 2x2x1 --queue1 16 --set stress_longest=12 \
    --set stress_urgent=1000 --set stress_hot=1000 "$here/stress.s"
refused "the overflow memory is used up" --mesh 4x4x1 --queue 32 \
    --set kernel_overflow_limit0=256 --set stress_hot=1000 "$here/stress.s"
refused "the overflow memory is used up" --mesh 4x4x1 --queue1 32 \
    --set kernel_overflow_limit1=256 --set stress_hot=1000 --set stress_urgent=1000 \
    "$here/stress.s"
# Each priority may use its memory, less a row.
for priority in 0 1; do
    words=$("$BUILD/mdpobjdump" -h "$BUILD/programs/hello.elf" |
        awk -v name="overflow_memory$priority" '$0 ~ name { print $3 }')
    run 0 --quiet --dump "0:kernel_overflow_limit$priority" programs/hello/hello.s
    limit=$(sed -n 's/^0 [0-9A-F]* 1\([0-9A-F]*\)$/\1/p' "$folder/output")
    [ $((0x$limit + 4)) -eq "$words" ]
    passed $? "priority $priority: $words words of memory, at most $limit used"
done
refused "a message has no length" --queue 16 "$here/empty.s"

# A limit on retries; waiting longer and longer between them.
run 127 --quiet --mesh 4x4x1 --set kernel_retry_limit=20 "$here/stress.s"
grep -Eq "^(node [0-9]+: )?kernel: fault SEND on node" "$folder/output"
passed $? "a limit on retries is kept"
for backoff in 0 6; do
    stress 4x4x1 5 5 --set "kernel_backoff=$backoff" --set stress_busy=1000 \
        --set stress_hot=1000
    total SEND >"$folder/sends$backoff"
done
[ "$(cat "$folder/sends6")" -lt "$(cat "$folder/sends0")" ]
passed $? "back-off makes for fewer SEND faults"

# Overflow made dearer: nothing else changes.
for turns in 0 16; do
    stress 4x4x1 4 10 --queue 32 --set "kernel_overflow_turns=$turns"
    grep -o '"cycles":[0-9]*' "$folder/stats" | head -1 | cut -d: -f2 \
        >"$folder/cycles$turns"
done
[ "$(cat "$folder/cycles16")" -gt "$(cat "$folder/cycles0")" ]
passed $? "16 turns a word take longer than none"
finish

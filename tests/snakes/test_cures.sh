# Through marks, brake and spilling no message is lost, doubled, changed or overtaken: a
# part of what `make stress` runs; and with a hot spot each cure has its effect.
here=$(dirname "$0")
"$here/stress.sh" 1 16 || exit 1
. "$here/snakes.sh"

hot="--mesh=4x4x4 --queue=64 m=8 h=200 l=40 imbalance=300 --param=send_faults=0"
# shellcheck disable=SC2086 # several options
snakes 0 $hot
holds "as built: overflows" "$(overflows) > 0"
# shellcheck disable=SC2086
snakes 0 $hot --param=spill_mark=1016 --param=spill_cycles=0
holds "without end: overflows" "$(overflows) == 0"
holds "without end: words in the queue" "$(most queue_max_words) == 60"
# With fewer words the brakes of a circle of nodes wait for each other, until the kernel
# empties a queue after all.
# shellcheck disable=SC2086
snakes 0 $hot --queue=256 --queue1=128 --param=brake_mark=248 --param=hwm_mark=100 \
    --param=escape_mark=100
holds "brake: words in the queue" "$(most queue_max_words) == 248"
holds "brake: overflows" "$(overflows) == 0"
# A ring of at most 184 words with the queue, before the brake: the rest waits in the
# network.
# shellcheck disable=SC2086
snakes 0 $hot --queue1=128 --param=spill_mark=56 --param=brake_mark=184 \
    --param=brake_ring=1 --param=escape_mark=40 --param=open_words=5
holds "ring: words in the queue" "$(most queue_max_words) == 56"
holds "ring: words in it" "$(most spill_peak) > 64 && $(most spill_peak) <= 184"
holds "ring: overflows" "$(overflows) == 0"
holds "ring: brakes" "$(most brake_cycles) > 0"
# Snakes that come back wait before they are sent again; at once they would bounce for
# ever.
snakes 0 --mesh=4x4x4 --queue=64 m=4 h=300 l=40 --param=rts=1 --param=rts_backoff=300 \
    --cycles=400000
accepted=$(($(total messages_in) - $(total messages1_in)))
holds "returns: some" "$(total returns_in) > 0"
holds "returns: all come home" "$(total returns_out) == $(total returns_in)"
holds "returns: all go out again" "$(total resent) == $(total returns_in)"
holds "returns: words in the queue" "$(most queue_max_words) <= 60"
holds "returns: each message is acknowledged" "$(total acks_in) == $accepted"
holds "returns: words still reserved" "$(total rts_reserved) == 0"

# All tasks wait for return memory, which is full of messages that bounce: the machine
# says so, not node 0, which sees no snake for long.
for backoff in 0 2000 20000; do
    snakes 127 --mesh=2x2x2 --seed=824506 --queue=32 --queue1=128 m=10 l=40 p=7 h=200 \
        imbalance=1000 hot=1 --param=rts=1 --param=rts_backoff=$backoff \
        --param=buffer_words=34
    grep -q "livelock: .* keeps each back for $backoff cycles" "$folder/messages"
    passed $? "back-off $backoff: a livelock"
    ! grep -q 'lost' "$folder/output"
    passed $? "back-off $backoff: no snake is said to be lost"
done

# A trace names each return, each spilled row (of 4 words), and a brake that goes on and
# off. The input opens also when the kernel has emptied a queue.
small="--mesh=4x4x4 --queue=64 m=8 h=200 l=10 imbalance=300 --param=send_faults=0"
# shellcheck disable=SC2086
snakes 0 $small --param=rts=1 --param=rts_backoff=5000 --trace="$folder/trace" \
    --trace-kinds=return
holds "traced returns" \
    "$(grep -c ' return - - p0 #' "$folder/trace") == $(total returns_out)"
# shellcheck disable=SC2086
snakes 0 $small --param=spill_mark=40 --trace="$folder/trace" --trace-kinds=spill
holds "traced spills" \
    "4 * $(grep -c ' spill - - p0 #' "$folder/trace") == $(total spilled)"
# shellcheck disable=SC2086
snakes 0 $small --param=brake_mark=40 --param=escape_mark=20 --param=hwm_mark=20 \
    --trace="$folder/trace" --trace-kinds=brake
awk '$4 != "brake" || ($7 == "on" && on[$2]) || ($7 == "off" && !on[$2]) { wrong++ }
    { on[$2] = $7 == "on"; times += on[$2] }
    END { exit wrong || times < 100 }' "$folder/trace"
passed $? "brakes go on and off: $(head -3 "$folder/trace")"
finish

# The kernel through small programs of this folder: boot with and without a host page,
# fault reports, retries, node addresses, frames, costs.
here=$(dirname "$0")
. tests/programs/common.sh

# reported ROW: the data of the word in this row of the last report.
reported() {
    sed -n "s/^  $1 *[A-Z0-9]*:\([0-9A-F]*\)\$/0x\1/p" "$folder/output" | head -1
}

# places OPTION...: FIP and FIR in the report of a run with these options are those of
# the instruction that faults first in its trace. No FIR is kept of a MSG fault.
places() {
    run 127 --trace "$folder/trace" "$@" "$here/faults.s"
    fault=$(awk '$4 == "fault" { print $3, $5, $NF; exit }' "$folder/trace")
    context=${fault%% *} kind=${fault##* }
    address=${fault#* }
    address=${address%% *}
    # In instructions, two to a word: bits 29:9 of an IP, which is behind that one.
    behind=$(($(reported FIP) >> 9 & 0x1FFFFF))
    [ $(((behind - 1) / 2)) -eq $((0x$address)) ] || [ "$kind" = MSG ]
    passed $? "$*: FIP is behind $address"
    fir=$(reported FIR)
    run 127 "$@" --dump "0:$address" "$here/faults.s"
    word=$(sed -n "s/^0 $address //p" "$folder/output")
    instruction=$((0x$word >> (behind % 2 * 17) & 0x1FFFF))
    case $context$kind in
    *MSG) instruction=0 ;;
    esac
    [ $((fir)) -eq $instruction ]
    passed $? "$*: FIR $fir is the instruction at $address, $word"
}

# Reports: first line, FOP0 and FOP1 of each fault that a program can raise, in each
# context that can raise it. SEND is reported when it has been retried too often.
while read -r number where name context fop0 fop1; do
    case $number in '#') continue ;; esac
    run 127 --set kernel_retry_limit=3 --set "fault_case=$number" \
        --set "fault_where=$where" "$here/faults.s"
    text=$(echo "$context" | tr _ ' ')
    grep -qx "kernel: fault $name on node 0, $text" "$folder/output"
    passed $? "fault $number in $text: names it"
    [ "$fop0" = - ] || grep -qx "  FOP0 $fop0" "$folder/output"
    passed $? "fault $number in $text: FOP0 $fop0"
    [ "$fop1" = - ] || grep -qx "  FOP1 $fop1" "$folder/output"
    passed $? "fault $number in $text: FOP1 $fop1"
    places --set kernel_retry_limit=3 --set "fault_case=$number" \
        --set "fault_where=$where"
done <"$here/faults.txt"

# What no program can raise is posted, once the node waits for it.
for fault in INTERRUPT DRAMERR; do
    for where in 0 1 2; do
        context="priority $((where - 1))"
        [ $where -gt 0 ] || context=background
        "$BUILD/jm" debug --no-init --mesh 2x1x1 --set fault_case=1 \
            --set fault_where=$where -ex 'run 1000' -ex "post $fault 1" -ex continue \
            -ex quit "$here/faults.s" >"$folder/output"
        grep -qx "kernel: fault $fault on node 1, $context" "$folder/output"
        passed $? "$fault in $context is reported"
    done
done

# So many SEND faults are retried, and the next is reported.
for limit in 1 3 20; do
    run 127 --set kernel_retry_limit=$limit --set fault_case=3 --stats "$folder/stats" \
        "$here/faults.s"
    grep -q "\"SEND\":$((limit + 1))[,}]" "$folder/stats"
    passed $? "a retry limit of $limit"
done

for mesh in 2x1x1 8x1x1 4x4x4 32x1x1; do
    run 0 --mesh "$mesh" --stats "$folder/stats" "$here/retry.s"
    grep -qx "a message of 41 words arrived" "$folder/output"
    passed $? "retry on $mesh"
    grep -q '"EARLY":[1-9]' "$folder/stats" && grep -q '"SEND":[1-9]' "$folder/stats"
    passed $? "retry on $mesh: both faults happened"
done
# Back-off: each retry of a SEND waits twice as long as the one before.
retries() {
    run 0 --mesh 4x4x1 --set "kernel_backoff=$1" --stats "$folder/stats" \
        programs/hotspot/hotspot.s
    "$BUILD/jm" report "$folder/stats" >"$folder/report"
    retried=$(sed -n 's/^Faults: SEND \([0-9]*\).*/\1/p' "$folder/report")
}
retries 0
often=$retried
retries 8
[ "$retried" -gt 0 ] && [ $((retried * 2)) -lt "$often" ]
passed $? "with back-off $retried SEND faults, without $often"

run 0 --mesh 8x8x8 "$here/costs.s"
[ "${GOLDEN:-}" = renew ] && cp "$folder/output" "$here/costs.txt"
same_output "costs of the routines" "$here/costs.txt"

# nodes MESH OPTION...: what each node knows of itself, against x + X*(y + Y*z).
nodes() {
    mesh=$1
    shift
    x=${mesh%%x*}
    z=${mesh##*x}
    y=${mesh#*x}
    y=${y%x*}
    dumps=$(awk -v n=$((x * y * z)) \
        'BEGIN { for (i = 0; i < n; i++) printf " --dump %d:2800:3", i }')
    # shellcheck disable=SC2086 # options are several words
    run 0 --mesh "$mesh" "$@" $dumps "$here/nodes.s"
    awk -v X="$x" -v Y="$y" -v Z="$z" 'BEGIN {
        for (r = 0; r < X * Y * Z; r++) {
            node = r % X + 32 * (int(r / X) % Y) + 1024 * int(r / (X * Y))
            printf "%d 02800 1%08X\n%d 02801 1%08X\n%d 02802 1%08X\n",
                   r, r, r, X * Y * Z, r, node
        }
    }' >"$folder/expected"
    same_output "nodes of $mesh $*" "$folder/expected"
}
for mesh in 1x1x1 5x1x1 1x6x1 1x1x7 3x5x2 32x2x1 2x32x2; do
    nodes "$mesh"
done
# Without a host each node has a seed of its own, its rank and one.
run 0 --mesh 3x4x2 --no-host --set kernel_size_x=3 --set kernel_size_y=4 \
    --set kernel_size_z=2 --dump 0:kernel_seed --dump 17:kernel_seed "$here/nodes.s"
grep -q '^0 [0-9A-F]* 100000001$' "$folder/output" &&
    grep -q '^17 [0-9A-F]* 100000012$' "$folder/output"
passed $? "seeds without a host"
nodes 3x4x2 --no-host --set kernel_size_x=3 --set kernel_size_y=4 --set kernel_size_z=2

# Queue sizes: all that exist, and one the kernel must refuse.
for size in 8 16 64 512 1024; do
    run 0 --quiet --queue "$size" --mesh 3x3x1 programs/hotspot/hotspot.s
    run 0 --quiet --queue1 "$size" --mesh 3x3x1 programs/random/random.s
done
run 127 --set kernel_queue1=24 "$here/no_main.s"
grep -q "kernel: a message queue has" "$folder/output"
passed $? "a queue of 24 words is refused"

run 0 --mesh 3x1x1 "$here/no_main.s"
run 0 "$here/frames.s"
# The heap has 4,369 frames, of which the program has taken two.
run 0 --set frames_many=4367 "$here/frames.s"
run 127 --set frames_many=4368 "$here/frames.s"
grep -qx "kernel: the heap is used up" "$folder/output"
passed $? "the heap ends with a report"

# Every image of these tests comes back from its disassembly.
for source in "$here"/*.s; do
    name=$(basename "$source" .s)
    "$BUILD/mdpas" -I kernel -I "$BUILD/gen" -o "$folder/$name.o" "$source" &&
        "$BUILD/mdpld" -o "$folder/$name.elf" "$folder/$name.o" "$BUILD/libkernel.a"
    passed $? "$name: assembles and links"
    same_words "$name" "$folder/$name.elf"
done
finish

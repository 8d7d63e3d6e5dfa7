# The kernel's message services, through the programs of services/: every service
# between many pairs of nodes on meshes of many shapes, under queue overflow, in random
# schedules; what they refuse; what they cost. A program checks itself and all nodes
# vote for the end.
here=$(dirname "$0")/services
. tests/programs/common.sh

# voted NAME OPTION...: the run ends by a vote, not for want of anything to do.
voted() {
    name=$1
    shift
    run 0 --quiet "$@" --stats "$folder/stats" "$here/$name.s"
    grep -q '"stop": *"exit"' "$folder/stats"
    passed $? "$name $*: ended by a vote"
}

# overflowed TEXT: the run before had queue overflows.
overflowed() {
    grep -q '"overflows": *[1-9]' "$folder/stats"
    passed $? "$1: queues overflowed"
}

for mesh in 1x1x1 2x1x1 5x1x1 3x2x2 1x7x3 1x1x40; do
    for name in reduce broadcast names objects spawn random; do
        voted "$name" --mesh "$mesh"
    done
done
for mesh in 1x1x1 2x1x1 5x1x1 3x2x2 1x7x3 1x1x40; do
    voted scan --mesh "$mesh"
done
voted scan --mesh 8x8x8 --set scan_times=3
voted scan --mesh 3x3x3 --queue 64 --queue1 64 --param hwm_mark=8
voted races
voted races --mesh 3x1x1
voted blocks
voted urgent --mesh 3x2x2
voted urgent --mesh 5x1x1 --queue 16 --queue1 16
voted slow --mesh 3x2x2
voted slow --mesh 5x1x1 --queue 32 --set slow_pause=5

# The machine of the thesis; a reduction folds 488 nodes into 256.
voted reduce --mesh 8x8x8 --set reduce_times=2
voted reduce --mesh 8x8x7 --set reduce_times=1
voted reduce --mesh 3x3x3 --set reduce_times=20 --set reduce_pause=1
voted broadcast --mesh 8x8x8 --set broadcast_stride=171
voted broadcast --mesh 5x3x4 --set broadcast_stride=59
voted spawn --mesh 4x4x4 --set spawn_n=13 --set spawn_times=1
voted objects --mesh 4x4x2 --set objects_words=1000 --set objects_rounds=1

# Nothing is kept that has ended: little memory does for many tasks. Serials run over.
voted spawn --set spawn_times=40 --set spawn_n=5 --set block_heap_words=1000
voted objects --mesh 2x2x1 --set object_serial=65520 --set objects_rounds=6
# Serials go 4, 8 .. 65532 and then 1, 5 ..
run 0 --mesh 2x2x1 --set object_serial=65520 --set objects_rounds=6 \
    --dump 0:object_serial "$here/objects.s"
serial=$(sed -n 's/^0 [0-9A-F]* 1\([0-9A-F]*\)$/\1/p' "$folder/output")
[ $((0x$serial % 4)) -eq 1 ]
passed $? "serials behind the last of 16 bits: $serial"

# Blocks of all lengths around the chunks, from both corners, through small queues.
for length in 0 1 2 31 32 33 64 65 200; do
    voted remote --mesh 3x2x2 --set "remote_length=$length"
done
voted remote --mesh 5x3x1 --set remote_from=-1
voted remote --mesh 3x2x2 --set remote_length=50 --queue 16

# Under overflow nothing changes but time.
for size in 16 32; do
    for name in broadcast names random; do
        voted "$name" --mesh 3x2x2 --queue "$size"
        overflowed "$name --queue $size"
    done
    voted spawn --mesh 3x2x2 --queue "$size" --set spawn_roots=12 --set spawn_n=7
    overflowed "spawn --queue $size"
done

# Schedules.
for seed in 1 2 3 4 5 6 7 8; do
    voted random --seed "$seed" --mesh 4x3x1 --queue $((16 << seed % 4))
    voted spawn --seed "$seed" --mesh 2x3x2
done

# Refusals: case, line of the report.
while read -r number report; do
    run 127 --set "report_case=$number" --mesh 2x1x1 "$here/reports.s"
    grep -qx "kernel: $report" "$folder/output"
    passed $? "case $number: $report"
done <"$here/reports.txt"
run 127 --set report_case=3 "$here/reports.s"
grep -qx "kernel: fault XLATE on node 0, priority 0" "$folder/output"
passed $? "an unknown name on its home"
run 127 --set block_heap_words=20 "$here/objects.s"
grep -qx "kernel: the heap of blocks is used up" "$folder/output"
passed $? "a small heap is used up"

# Costs: routines and handlers on a quiet machine, all nodes against their
# number.
run 0 --mesh 2x1x1 --trace "$folder/trace" "$here/costs.s"
awk -f "$here/handlers.awk" "$folder/trace" | cat "$folder/output" - >"$folder/costs"
for mesh in 1x1x1 2x1x1 2x2x2 3x3x1 4x4x4 8x8x8; do
    run 0 --mesh "$mesh" "$here/scale.s"
    cat "$folder/output" >>"$folder/costs"
done
mv "$folder/costs" "$folder/output"
[ "${GOLDEN:-}" = renew ] && cp "$folder/output" "$here/costs.txt"
same_output "costs of the services" "$here/costs.txt"
finish

#!/bin/sh
# Programs refuse impossible requests with one line and status 2, before anything else.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/programs/common.sh
. "$(dirname "$0")/common.sh"

# refused PROGRAM LINE OPTION...
refused() {
    program=$1 line=$2
    shift 2
    run 2 "$@" "$BUILD/programs/$program.elf"
    [ "$(cat "$folder/output")" = "$line" ]
    check "$program $*: $line" $?
}
refused bench "bench: two nodes at least"
for size in 8 16 64; do
    refused bench "bench: queues of 128 words at least" --mesh 2x1x1 --queue $size
done
for table in -1 9 0x7FFFFFFF; do
    refused bench "bench: bench_only is a table, 1 to 8, or 0 for all" --mesh 2x1x1 \
        --set "bench_only=$table"
done
refused bench "bench: a reading of the clock does not take 6 cycles" --mesh 2x1x1 \
    --param external=0
for wrong in scale=0 scale=17 degree=0 degree=65 labels=-1 labels=2; do
    refused graph \
        "graph: graph_scale is 1 to 16, graph_degree 1 to 64, graph_labels 0 or 1" \
        --set "graph_$wrong"
done
refused snake "snake: the generator of figure 4-3 needs powers of two for sides" \
    --mesh 3x1x1
finish

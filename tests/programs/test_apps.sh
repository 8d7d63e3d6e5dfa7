# The applications, those that include lib/app.inc: right on machines of many shapes,
# with small queues, either router, several threads and every cure for overflow, whose
# messages of priority 1 overtake others. apps.py computes the right results by itself.
. tests/programs/common.sh
seed=0

# right PROGRAM OPTION...: another input in every run.
right() {
    program=$1
    shift
    seed=$((seed + 1))
    run 0 --quiet --expect-exit --set input_seed=$seed --stats "$folder/$seed" "$@" \
        "$BUILD/programs/$program.elf"
    echo "$program $folder/$seed $*" >>"$folder/runs"
}

# varied PROGRAM OPTION...: the machines. In order: as built, high-water mark, a brake
# with an escape, a bounded ring with an escape, an endless ring, virtual channels.
varied() {
    right "$@" --mesh 1x1x1
    right "$@" --mesh 3x5x1 --queue 64
    right "$@" --mesh 4x4x4 --queue 128 --queue1 64 --param hwm_mark=8 --threads 2
    right "$@" --mesh 2x4x4 --queue 64 --router fair --param brake_mark=56 \
        --param escape_mark=16 --param open_words=5
    right "$@" --mesh 3x3x3 --queue 64 --queue1 64 --param spill_mark=56 \
        --param brake_mark=184 --param brake_ring=1 --param escape_mark=4 \
        --param buffer_words=34 --param open_words=17
    right "$@" --mesh 2x1x1 --queue 64 --param spill_mark=60 --param spill_cycles=0
    right "$@" --mesh 4x2x2 --queue 64 --queue1 64 --param virtual_channels=2
}

varied nqueens --set nqueens_n=7
right nqueens --mesh 8x8x8
right nqueens --mesh 1x2x1 --set nqueens_n=1
right nqueens --mesh 2x2x1 --set nqueens_n=6 --set nqueens_depth=5 --queue 64

# Return to sender: without a wait messages bounce forever, as the README says.
right nqueens --mesh 2x1x1 --set nqueens_n=7 --queue 64 --param rts=1 \
    --param send_faults=0 --param rts_backoff=1000
run 127 --quiet --mesh 2x1x1 --set nqueens_n=7 --queue 64 --param rts=1 \
    --param send_faults=0 --param rts_patience=5000 --param deadlock_cycles=50000 \
    "$BUILD/programs/nqueens.elf"
grep -q '^  livelock: ' "$folder/messages"
passed $? "nqueens with rts=1 and no wait: a livelock"

varied radix --set radix_keys=700
right radix --mesh 8x8x8 --set radix_keys=2000
right radix --mesh 4x4x4 --set radix_keys=1
right radix --mesh 2x2x1 --set radix_keys=777 --queue 64

varied lcs --set lcs_n=90 --set lcs_m=70
right lcs --mesh 8x8x8 --set lcs_n=600 --set lcs_m=40
right lcs --mesh 2x3x4 --set lcs_n=1 --set lcs_m=1
right lcs --mesh 2x2x3 --set lcs_n=24 --set lcs_m=30 --queue 64
right lcs --mesh 1x1x1 --set lcs_n=257 --set lcs_m=5
# The longest strip on chip, with letters of which the last one in it counts.
right lcs --mesh 1x1x1 --set lcs_n=256 --set lcs_m=100 --set input_seed=5

varied fft --set fft_points=256
right fft --mesh 8x8x8 --set fft_points=1024
right fft --mesh 2x3x4 --set fft_points=4
right fft --mesh 1x1x1 --set fft_points=4096

varied graph --set graph_scale=6
varied graph --set graph_scale=5 --set graph_labels=1
right graph --mesh 8x8x8 --set graph_scale=7 --set graph_labels=1
right graph --mesh 2x3x4 --set graph_scale=1 --set graph_degree=1
right graph --mesh 3x2x1 --set graph_scale=2 --set graph_degree=64
right graph --mesh 2x2x1 --set graph_scale=7 --set graph_degree=2 --queue 64

varied tour --set tour_hops=30
varied tour --set tour_hops=20 --set tour_random=1
right tour --mesh 8x8x8 --set tour_hops=10
right tour --mesh 4x4x2 --set tour_hops=60 --set tour_more=60 --set tour_hot=9 \
    --queue 64
varied tsp --set tsp_n=8
right tsp --mesh 8x8x8 --set tsp_n=9
right tsp --mesh 2x3x4 --set tsp_n=3
right tsp --mesh 2x2x1 --set tsp_n=11 --set tsp_grain=2 --queue 64

wrong=$(python3 tests/programs/apps.py <"$folder/runs")
passed $? "results: $wrong"
finish

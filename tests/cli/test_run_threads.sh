# jm run --threads: the same bytes for any number of threads. The machine is as large as
# it must be for three.
. tests/cli/check.sh

mesh=16x16x24

# same WHAT OPTION...: a run, its status, output and statistics, by each number of
# threads.
same() {
    what=$1
    shift
    for threads in 1 2 3; do
        "$jm" run --mesh $mesh --threads $threads --stats "$work/stats.$threads" "$@" \
            >"$work/out.$threads" 2>"$work/err.$threads"
        echo $? >>"$work/out.$threads"
        for file in out err stats; do
            check "$what, $threads threads: $file" \
                cmp "$work/$file.1" "$work/$file.$threads"
        done
    done
}

snakes="$build/programs/snakes.elf --set snakes_h=45 --set snakes_l=9"
# shellcheck disable=SC2086 # several words
same "traffic" --cycles 2500 --queue 64 --save-at 1700:"$work/saved" $snakes
same "goes on" --restore "$work/saved" --cycles 2500
# shellcheck disable=SC2086
same "to its end" --set snakes_m=1 --set snakes_h=60 $build/programs/snakes.elf \
    --set snakes_l=2
tail -1 "$work/out.3" >"$work/last"
rows 1 "$work/last" '^0$'

# Every node writes to the host, many in the same cycle; the lowest rank that exits in
# the last cycle says how.
cat >"$work/host.s" <<'END'
        .include "kernel.inc"
        .global main
main:   load    kernel_rank,r1
        store   r1,HOST_MARK
        store   r1,HOST_PUTW
        .word   INT:3077
        ge      r1,r0,r0
        bf      r0,^stay
        .word   INT:-3000
        add     r1,r0,r1
        store   r1,HOST_EXIT
stay:   goto    kernel_idle
END
same "host" "$work/host.s"
rows 1 "$work/out.3" '^77$'
check "many nodes print" test "$(grep -c 'INT:' "$work/out.3")" -gt 1000

# Every node stops.
cat >"$work/stop.s" <<'END'
        .include "kernel.inc"
        .global main
main:   suspend
END
same "stop" "$work/stop.s"
rows 1 "$work/out.3" '^127$'
same "stops and goes on" --keep-going "$work/stop.s"

status 2 "$jm" run --threads 0 "$work/stop.s"
says err "--threads"
finish

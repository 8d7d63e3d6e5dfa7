# SIGINT ends whatever is running: a run, a script, stop commands that loop, the wait
# for a line. In batch mode the debugger then ends with 130. Other signals end the
# session.
. tests/cli/check.sh

# interrupted WHAT LINES [MORE]: the debugger that reads the lines, and then those that
# the command MORE prints, must end on the signal, with a message.
interrupted() {
    rm -f "$work/pipe" "$work/out" # an earlier one has begun, too
    mkfifo "$work/pipe"
    "$jm" debug --quiet --no-init --mesh 2x1x1 --bare tests/bench/compute.s \
        <"$work/pipe" >"$work/out" 2>&1 &
    pid=$!
    (printf '%b' "$2" && exec ${3:-sleep 600}) >"$work/pipe" 2>/dev/null &
    writer=$!
    until grep -q begun "$work/out" || ! kill -0 "$pid"; do
        sleep 0.05
    done 2>/dev/null
    sleep 0.1
    kill -INT "$pid"
    gone "$pid"
    check "$1: status 130, not $got" test "$got" -eq 130
    kill "$writer" 2>/dev/null
    wait "$writer" 2>/dev/null
    check "$1: it says so" grep -q '^\(.*: \)\?interrupted' "$work/out"
    check "$1: what follows is not done" test "$(grep -c after "$work/out")" -eq 0
}

{ echo 'echo begun' && yes 'print 1' | head -n 4000000; } >"$work/long.jmd"
printf 'echo begun\nuntil 0 == 1\nuntil 0 == 1\necho after\n' >"$work/runs.jmd"
for_ever='echo begun\nuntil 0 == 1\necho after\n'
interrupted "a run" "$for_ever"
# Many short runs must not add up to one long uninterruptible one.
interrupted "a run after short ones" "$(yes 'cycle\n' | head -60 | tr -d '\n')$for_ever"
interrupted "a wait for input" 'echo begun\n'
interrupted "lines without end" 'echo begun\n' "yes where"
# Each time round the loop is a stop, so no run in it lasts.
interrupted "a loop of stops" \
    'echo begun\nwatch ($cycle)\ncommands\ncontinue\nend\ncontinue\necho after\n'
# The interrupt ends a run; the loop must not begin another.
interrupted "a run in a loop" 'watch ($cycle)\ncommands\necho begun\ndisable
until 0 == 1\nenable\ncontinue\nend\ncontinue\necho after\n'
interrupted "a long script" "source $work/long.jmd\necho after\n"
interrupted "a script of runs" "source $work/runs.jmd\necho after\n"
check "a script says where it ends" grep -q 'runs.jmd:2: interrupted; the script ends' \
    "$work/out"

# Other signals end the session like `quit`: its files are complete.
cat >"$work/busy.s" <<'EOT'
        .include "kernel.inc"
        .global main
main:   move    0,r2
        .msg    arrive,1,F
loop:   send    r2,0
        sende   r0,0
        br      ^loop
arrive: suspend
EOT
printf 'trace trace.out\nrecord record.out\nuntil ($cycle) > 3000\n' >"$work/wait.jmd"
{ cat "$work/wait.jmd" && printf 'until 0 == 1\necho after\n'; } >"$work/run.jmd"
{ cat "$work/wait.jmd" && printf 'trace pipe\necho after\n'; } >"$work/reader.jmd"
{ cat "$work/wait.jmd" && printf 'source pipe\necho after\n'; } >"$work/writer.jmd"
ended() { # SIGNAL:NUMBER SCRIPT
    for seconds in 0.1 0.5 2.5 12 60; do # until the signal comes in the last command
        end_after "$seconds" "$1" "$2"
        ! grep -q interrupted "$work/out" ||
            ! cmp -s "$work/$2.recorded" "$work/files/record.out" || break
    done
    check "SIG$1, $2: status $got" test "$got" -eq $((128 + ${1#*:}))
    check "SIG$1, $2: it says so" grep -q interrupted "$work/out"
    check "SIG$1, $2: what follows is not done" \
        test "$(grep -c after "$work/out")" -eq 0
    check "SIG$1, $2: the record" cmp "$work/$2.recorded" "$work/files/record.out"
    check "SIG$1, $2: the trace" grep -q '^[0-9]* 0 .* send ' "$work/files/trace.out"
    check "SIG$1, $2: its last line" test -z "$(tail -c 1 "$work/files/trace.out")"
    check "SIG$1, $2: nothing else" test "$(ls "$work/files" | tr '\n' ' ')" = \
        "pipe record.out trace.out "
}
end_after() { # SECONDS SIGNAL:NUMBER SCRIPT
    rm -rf "$work/files" "$work/input"
    mkdir "$work/files"
    mkfifo "$work/files/pipe" "$work/input"
    exec 4<>"$work/input"
    cat "$work/$3.jmd" >&4
    (cd "$work/files" && exec env --default-signal=HUP,QUIT \
        timeout --preserve-status -s "${2%:*}" -k 60 "$1" \
        "$jm" debug --quiet --no-init --mesh 2x1x1 ../busy.s <&4 >../out 2>&1)
    got=$?
    exec 4>&-
}
for script in run wait reader writer; do
    sed -e 1,2d -e '/^echo/d' "$work/$script.jmd" >"$work/$script.recorded"
    ended INT:2 $script
    ended TERM:15 $script
done
for pair in HUP:1 QUIT:3 XCPU:24; do
    ended $pair run
    ended $pair wait
done
# A signal that was ignored from the start stays ignored, except SIGINT.
keeps_ignoring "$jm" debug --quiet --no-init --bare tests/bench/compute.s \
    -ex 'until 0 == 1'

# Nor does an ignored one keep others from ending the wait for a line; and a wait leaks
# no descriptor, so that many lines need no more of them.
waiting() { # WHAT SETUP SIGNAL...: a session after lines, with the signals in a row
    name=$1 setup=$2
    shift 2
    rm -f "$work/input" "$work/out"
    mkfifo "$work/input"
    exec 4<>"$work/input"
    { seq 60 | sed 's/.*/print &/' && echo 'echo begun'; } >&4
    (eval "$setup" && exec "$jm" debug --quiet --no-init --bare \
        tests/bench/compute.s <&4 4>&- >"$work/out" 2>&1) &
    pid=$!
    until grep -q begun "$work/out" || ! kill -0 "$pid"; do
        sleep 0.05
    done 2>/dev/null
    for signal in "$@"; do
        sleep 0.1
        kill -"$signal" "$pid"
    done
    gone "$pid"
    exec 4>&-
    check "$name: status $got" test "$got" -eq 143
}
waiting "a wait" : TERM
waiting "a wait with an ignored signal" "trap '' HUP" HUP TERM
waiting "waits with few descriptors" "ulimit -n 16" TERM
finish

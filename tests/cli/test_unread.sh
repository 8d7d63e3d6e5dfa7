# A program blocked in writing to a full pipe, which somebody holds open but does not
# read, ends on a signal with no temporary file left. A slow reader still gets
# everything.
. tests/cli/check.sh
cp "$programs/loop.s" "$work"
cd "$work" || exit 1
cat >chatter.s <<'END'
        .include "kernel.inc"
        .global main
main:   print   text
        br      ^main
        .ext
text:   .asciz  "a line for the pipe, and again and again\n"
END
cat >full.py <<'END'
# Waits until descriptor 3 can take no more, for two minutes at most.
import select, sys, time
for _ in range(2400):
    if not select.select([], [3], [], 0)[1]:
        sys.exit(0)
    time.sleep(0.05)
sys.exit(1)
END
yes 'print 123456789' | head -50000 >commands
mkfifo pipe

# unread NAME:NUMBER TITLE COMMAND...: runs a command that writes to `pipe` until that
# is full, and sends it the signal.
unread() {
    signal=${1%:*} number=${1#*:} title="$2, SIG${1%:*}"
    shift 2
    exec 3<>pipe # a reader that does not read
    env --default-signal=INT "$@" &
    pid=$!
    check "$title: the pipe is full" python3 full.py
    sleep 0.1
    kill -"$signal" "$pid"
    gone "$pid"
    check "$title: status $got" test $got -eq $((128 + number))
    exec 3<&-
}

for pair in TERM:15 INT:2; do
    unread $pair "output of a run" sh -c 'exec "$@" >pipe 2>err' - \
        "$jm" run --quiet --stats out.json --sample 1000:out.csv chatter.s
    unread $pair "a trace" sh -c 'exec "$@" >out 2>err' - \
        "$jm" run --trace pipe --stats "${pair%:*}.json" "$build/programs/random.elf" \
        --mesh 4x4x1
    check "statistics beside a trace" grep -q '"stop":"limit"' "${pair%:*}.json"
    unread $pair "output of the debugger" \
        sh -c 'exec "$@" >pipe 2>err' - "$jm" debug --no-init --bare -x commands loop.s
    unread $pair "a trace of the debugger" sh -c 'exec "$@" >out 2>err' - "$jm" debug \
        --no-init -ex 'trace pipe' -ex 'continue' "$build/programs/random.elf" \
        --mesh 4x4x1
    unread $pair "a saved machine" sh -c 'exec "$@" >out 2>err' - "$jm" run \
        --mesh 8x8x8 --save-at 3000:pipe "$build/programs/random.elf"
done
check "no results of runs without a reader" test ! -e out.json -a ! -e out.csv
check "no temporary files" test "$(ls | grep -c '\.tmp')" -eq 0

# A reader that is slow, but takes less than two seconds a page, gets everything, signal
# or not.
slowly='import os, sys, time
open("begun", "w")
while True:
    page = os.read(0, 4096)
    if not page: break
    sys.stdout.buffer.write(page); time.sleep(0.02)'
for seconds in 1 2 1 10; do # again if the host lets it wait for longer than it may
    rm -f begun
    sh -c 'echo $$ >pid && exec "$@"' - "$jm" run --quiet --stats - chatter.s 2>err |
        python3 -c "$slowly" >got &
    until [ -e begun ]; do
        sleep 0.05
    done
    sleep $seconds
    kill -TERM "$(cat pid)"
    wait $!
    ! grep -q interrupted err || [ "$(tail -1 got)" != "]}" ] || break
done
check "a slow reader gets all" test "$(tail -1 got)" = "]}"
check "it is told" grep -q interrupted err
finish

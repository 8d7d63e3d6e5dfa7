# Standard output that goes away or is full, and how far a run is.
. tests/cli/check.sh

run() {
    "$jm" run --bare "$@"
}

run --quiet --dump 0:0:100000 "$programs/idle.s" 2>"$work/err" | head -1 >"$work/out"
says out "0 00000 000000000"
silent err
if [ -w /dev/full ]; then
    checks=$((checks + 1))
    run --stats "$work/full.json" --dump 0:0:100 "$programs/idle.s" >/dev/full \
        2>"$work/err"
    [ $? -eq 2 ] || fail "status of a full disk"
    says err "standard output"
    check "no statistics beside lost output" test ! -e "$work/full.json"
fi

# The progress of a run, only on a terminal: a long run shows it, and clears it at its
# end.
cat >"$work/progress.py" <<'END'
import os, pty, re, signal, sys
def run(*command):
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], command)
    seen = b""
    told = None
    try:
        while more := os.read(terminal, 4096):
            seen += more
            row = re.search(rb"\r(\d+) cycles, (\d+) a second, (\d+) messages\x1b\[K",
                            seen)
            if row and not told:
                told = row
                os.kill(child, signal.SIGINT)
    except OSError:
        pass  # the program has ended
    os.waitpid(child, 0)
    return told, seen
jm, loop, idle = sys.argv[1:]
told, seen = run(jm, "run", "--bare", "--no-host", loop)
assert told and int(told[1]) > 0 and int(told[2]) > 0 and int(told[3]) == 0, seen
assert b"\r\x1b[K" in seen, seen
told, seen = run(jm, "run", "--bare", "--no-host", idle)
assert not told and b"\x1b" not in seen, seen
told, seen = run(jm, "run", "--bare", "--quiet", "--cycles", "1000000000", loop)
assert not told and b"\x1b" not in seen, seen
END
if has_terminals "how far a run is"; then
    check "progress" timeout 600 python3 "$work/progress.py" "$jm" "$programs/loop.s" \
        "$programs/idle.s"
fi
finish

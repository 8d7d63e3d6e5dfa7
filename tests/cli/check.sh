# Helpers of the test scripts in this folder; sourced from the top of the tree.
: "${BUILD:=build}"
case "$BUILD" in
/*) build=$BUILD ;;
*) build=$PWD/$BUILD ;;
esac
jm=$build/jm
programs=$PWD/tests/cli/programs
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
checks=0
failures=0

# fail WHAT: records a failed check; with CHECK_FAIL_FAST in the environment it ends the
# script.
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
    [ -z "${CHECK_FAIL_FAST:-}" ] || exit 1
}

# passed STATUS WHAT: the last command, whose status is $?, must have succeeded. The
# status stands first, before substitutions in WHAT can change it.
passed() {
    checks=$((checks + 1))
    [ "$1" -eq 0 ] || fail "$2"
}

# check WHAT COMMAND...: the command must succeed.
check() {
    checks=$((checks + 1))
    what=$1
    shift
    "$@" >"$work/check.out" 2>&1 || {
        fail "$what: $*"
        head -5 "$work/check.out"
    }
}

# has_terminals WHAT: whether this host has pseudo-terminals; a bare chroot without
# /dev/pts has none. If not, says that WHAT was skipped, and why.
has_terminals() {
    python3 -c 'import pty; pty.openpty()' 2>"$work/err" && return
    echo "skipped: $1: no pseudo-terminal here: $(tail -1 "$work/err")"
    return 1
}

# preload WHAT: builds $work/preload.so of tests/cli/preload.c, which simulates a host.
# If programs cannot be started with it (a sanitizer must come first), says that WHAT
# was skipped.
preload() {
    # shellcheck disable=SC2086 # a compiler may be two words
    ${CC:-gcc} -shared -fPIC -o "$work/preload.so" tests/cli/preload.c 2>"$work/err" &&
        LD_PRELOAD=$work/preload.so "$jm" --version >"$work/out" 2>>"$work/err" &&
        return
    echo "skipped: $1: nothing can be preloaded here: $(tail -1 "$work/err")"
    return 1
}

# ticking MS COMMAND...: runs the command on a clock that advances by this many
# milliseconds each time it is read, with standard error as a terminal.
ticking() {
    tick=$1
    shift
    env TICK="$tick" LD_PRELOAD="$work/preload.so" "$@"
}

# status N COMMAND...: the command must end with status N; its output is left in
# $work/out and $work/err.
status() {
    checks=$((checks + 1))
    wanted=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$wanted" ] || {
        fail "status $got, not $wanted: $*"
        head -5 "$work/err"
    }
}

# cut_short SIGNAL CONDITION COMMAND...: sends the signal to the command in the midst of
# its work: so late that the shell CONDITION holds in $work. Where it came too early or
# too late, tries again. Work should take a minute or more. Status and output are left
# in $got, $work/out and $work/err.
cut_short() {
    signal=$1
    condition=$2
    shift 2
    for seconds in 0.2 0.8 3 12 50 0.4 6; do
        timeout --preserve-status -s "$signal" "$seconds" "$@" >"$work/out" \
            2>"$work/err"
        got=$?
        ! (cd "$work" && eval "$condition") || break
    done
}

# gone PID: waits until a process in the background has ended, for a minute at most,
# else kills it. Its status is left in $got.
gone() {
    for _ in $(seq 1200); do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.05
    done
    kill -KILL "$1" 2>/dev/null
    wait "$1"
    got=$?
}

# keeps_ignoring COMMAND...: a long command that starts with SIGHUP ignored does not end
# by one, but by the SIGTERM that follows.
keeps_ignoring() {
    trap '' HUP
    "$@" >"$work/out" 2>"$work/err" &
    trap - HUP
    sleep 0.3
    kill -HUP $!
    sleep 0.1
    kill -TERM $!
    wait $!
    got=$?
    check "an ignored hangup: status $got: $*" test $got -eq 143
}

# says FILE TEXT: FILE ("out" or "err" of the last status) must hold TEXT.
says() {
    checks=$((checks + 1))
    grep -qF -- "$2" "$work/$1" || {
        fail "no '$2' in $1:"
        head -5 "$work/$1"
    }
}

# rows N FILE REGEX: N lines of FILE must match the extended expression.
rows() {
    checks=$((checks + 1))
    found=$(grep -cE -- "$3" "$2")
    [ "$found" -eq "$1" ] || fail "$found lines, not $1, of $2 match $3"
}

# silent FILE: "out" or "err" of the last status must be empty.
silent() {
    checks=$((checks + 1))
    [ ! -s "$work/$1" ] || {
        fail "unexpected text in $1:"
        head -5 "$work/$1"
    }
}

# finish: the last line of a script; its status is the script's.
finish() {
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
}

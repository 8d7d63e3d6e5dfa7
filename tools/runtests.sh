#!/bin/sh
# runtests.sh TEST...: runs tests, TEST_JOBS at a time, or one more than there
# are processors, as some wait; prints a line for each, with its processor seconds. A
# test is an area, whose Criterion program is $BUILD/test-AREA, a script, or a file of
# cases for tests/recorded/recorded.py. What failed is named again at the end, with its
# whole output. With GOLDEN=renew in the environment tests renew their expected outputs.
set -u
: "${BUILD:=build}"
export BUILD
# Leaks are known by the two innermost frames: with more, a test's own leaks would look
# like Criterion's, which are let pass. For longer stacks set ASAN_OPTIONS yourself.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:malloc_context_size=2}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=tools/lsan.supp:print_suppressions=0}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"

# One line about what ran: Criterion's synthesis, or a script's last line.
summary() {
    sed -n 's/^.*Synthesis: *//p' "$output" | sed 's/ | /, /g' | grep . ||
        tail -1 "$output"
}

# What failed in the output of a Criterion program or of a script.
failing() {
    sed -n -e 's/^\[\(FAIL\|CRASH\|TIMEOUT\)\] *\([^ ]*[^ :]\).*/    \2/p' \
        -e 's/^FAILED: /    /p' "$output" | sort -u
}

# Runs test $1; its output goes to $output.
run() {
    case "$1" in
    # A job in the background ignores signals that some scripts send.
    *.sh) env --default-signal=HUP,INT,QUIT sh "$1" ;;
    *.cases) python3 tests/recorded/recorded.py "$1" ;;
    *) "$BUILD/test-$1" --short-filename ;;
    esac >"$output" 2>&1
}

# one TEST FOLDER: runs it, prints its line, and leaves its name and output in
# FOLDER/failed and FOLDER/output if it failed.
one() {
    name=${1#tests/}
    name=${name%.*}
    output=$(mktemp) || exit 1
    run "$1"
    status=$?
    times >"$2/$$.times"
    seconds=$(awk -F'[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }' \
        "$2/$$.times")
    # Criterion does not look at how its test processes end after the test.
    grep -qE '(ERROR|WARNING): [A-Z][a-z]+Sanitizer|: runtime error: ' "$output" &&
        status=1
    if [ "$status" -eq 0 ]; then
        printf 'ok   %-22s %4d s  %s\n' "$name" "$seconds" "$(summary)"
    else
        printf 'FAIL %-22s %4d s  status %d\n' "$name" "$seconds" "$status"
        {
            echo "---- $name: what it printed"
            cat "$output"
        } >"$2/$$.output"
        {
            echo "  $name"
            failing
        } >"$2/$$.failed"
    fi
    rm -f "$output"
}

if [ "${1:-}" = --one ]; then
    one "$3" "$2"
    exit 0
fi
# python3 may be a script that looks for the interpreter at each start, as pyenv's is:
# the tests, which start it some hundred times, find the interpreter itself.
# Without its site packages, of which they need none, it starts in a third of the time.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -n "$python" ]; then
    mkdir "$folder/bin"
    printf '#!/bin/sh\nexec "%s" -S "$@"\n' "$python" >"$folder/bin/python3"
    chmod +x "$folder/bin/python3"
    PATH=$folder/bin:$PATH
fi
trap 'exit 130' INT TERM
printf '%s\n' "$@" |
    xargs -n 1 -P "${TEST_JOBS:-$(($(nproc) + 1))}" sh "$0" --one "$folder" || exit 1
set -- "$#" "$folder"/*.failed
[ -e "$2" ] || exit 0
count=$1
shift
cat "$folder"/*.output
echo "---- failed: $# of $count"
cat "$@"
exit 1

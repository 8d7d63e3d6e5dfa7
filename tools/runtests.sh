#!/bin/sh
# runtests.sh AREA-OR-SCRIPT...: runs the Criterion programs $BUILD/test-AREA and the
# test scripts, and prints a line for each. What failed is named again at the end, with
# its whole output. With GOLDEN=renew in the environment tests renew their expected
# outputs.
set -u
: "${BUILD:=build}"
export BUILD
# Leaks are known by the two innermost frames: with more, a test's own leaks would look
# like Criterion's, which are let pass. For longer stacks set ASAN_OPTIONS yourself.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:malloc_context_size=2}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=tools/lsan.supp:print_suppressions=0}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
output=$(mktemp) && failures=$(mktemp) || exit 1
trap 'rm -f "$output" "$failures"' EXIT

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

# Runs test $1, called $name from now on; its output is in $output.
run() {
    case "$1" in
    *.sh)
        name=$(basename "$(dirname "$1")")/$(basename "$1" .sh)
        # A job in the background ignores signals that some scripts send.
        env --default-signal=HUP,INT,QUIT sh "$1" >"$output" 2>&1
        ;;
    *)
        name=$1
        "$BUILD/test-$1" --short-filename >"$output" 2>&1
        ;;
    esac
}

failed=
count=0
for test in "$@"; do
    started=$(date +%s)
    run "$test"
    status=$?
    # Criterion does not look at how its test processes end after the test.
    grep -qE '(ERROR|WARNING): [A-Z][a-z]+Sanitizer|: runtime error: ' "$output" &&
        status=1
    seconds=$(($(date +%s) - started))
    if [ "$status" -eq 0 ]; then
        printf 'ok   %-22s %4d s  %s\n' "$name" "$seconds" "$(summary)"
    else
        printf 'FAIL %-22s %4d s  status %d\n' "$name" "$seconds" "$status"
        {
            echo "---- $name: what it printed"
            cat "$output"
        } >>"$failures"
        failed="$failed
  $name
$(failing)"
        count=$((count + 1))
    fi
done
[ "$count" -eq 0 ] && exit 0
cat "$failures"
echo "---- failed: $count of $#$failed"
exit 1

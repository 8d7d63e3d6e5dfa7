#!/bin/sh
# runtests.sh AREA-OR-SCRIPT...: runs the Criterion programs $BUILD/test-AREA and the
# test scripts; a line for each, the whole output of one that fails. With GOLDEN=renew
# in the environment tests renew their expected outputs.
set -u
: "${BUILD:=build}"
export BUILD
# Leaks are known by the two innermost frames: with more, a test's own leaks would look
# like Criterion's, which are let pass. For longer stacks set ASAN_OPTIONS yourself.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:malloc_context_size=2}"
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=tools/lsan.supp:print_suppressions=0}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT

# One line about what ran: Criterion's synthesis, or a script's last line.
summary() {
    sed -n 's/^.*Synthesis: *//p' "$output" | sed 's/ | /, /g' | grep . ||
        tail -1 "$output"
}

failed=0
for test in "$@"; do
    started=$(date +%s)
    case "$test" in
    *.sh)
        name=$(basename "$(dirname "$test")")/$(basename "$test" .sh)
        sh "$test" >"$output" 2>&1
        ;;
    *)
        name=$test
        "$BUILD/test-$test" --short-filename >"$output" 2>&1
        ;;
    esac
    status=$?
    # Criterion does not look at how its test processes end after the test.
    grep -qE '(ERROR|WARNING): [A-Z][a-z]+Sanitizer|: runtime error: ' "$output" &&
        status=1
    seconds=$(($(date +%s) - started))
    if [ "$status" -eq 0 ]; then
        printf 'ok   %-22s %4d s  %s\n' "$name" "$seconds" "$(summary)"
    else
        cat "$output"
        printf 'FAIL %-22s %4d s  status %d\n' "$name" "$seconds" "$status"
        failed=$((failed + 1))
    fi
done
[ "$failed" -eq 0 ] || echo "$failed of $# failed"
[ "$failed" -eq 0 ]

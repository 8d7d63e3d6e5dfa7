#!/bin/sh
# fuzz.sh FUZZER...: runs each libFuzzer program $BUILD/FUZZER for $FUZZ_SECONDS. It
# starts from its corpus in tests/fuzz/corpus/FUZZER; inputs that reach new code are
# added to it, the smallest that do. A crashing input is left in $BUILD.
set -u
: "${BUILD:=build/fuzz}" "${FUZZ_SECONDS:=60}"
[ $# -gt 0 ] || {
    echo "fuzz.sh: there are no fuzzers" >&2
    exit 1
}
failed=0
for fuzzer in "$@"; do
    corpus=tests/fuzz/corpus/$fuzzer
    found=$BUILD/found-$fuzzer
    log=$BUILD/$fuzzer.log
    mkdir -p "$corpus" "$found"
    if "$BUILD/$fuzzer" -max_total_time="$FUZZ_SECONDS" -timeout=30 -rss_limit_mb=2048 \
        -artifact_prefix="$BUILD/$fuzzer-" "$found" "$corpus" >"$log" 2>&1 &&
        "$BUILD/$fuzzer" -merge=1 "$corpus" "$found" >>"$log" 2>&1; then
        printf 'ok   %-20s %s\n' "$fuzzer" \
            "$(grep -E '^#[0-9]+.*DONE|Done [0-9]+ runs' "$log" | tail -1)"
    else
        tail -40 "$log"
        printf 'FAIL %s (log: %s)\n' "$fuzzer" "$log"
        failed=1
    fi
done
exit $failed

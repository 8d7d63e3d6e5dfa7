#!/bin/sh
# fuzz.sh FUZZER...: runs each libFuzzer program $BUILD/FUZZER for $FUZZ_SECONDS. It
# starts from what tests/fuzz/corpus keeps: the named inputs in FUZZER/ and the pack
# FUZZER.a, an archive; and from what tests/fuzz/seeds_NAME.sh makes with the program
# $JM. Inputs that reach new code join the pack, the smallest that do. A crashing
# input is left in $BUILD. Beside each fuzzer stands how many inputs it tried, and how
# many in a second.
set -u
: "${BUILD:=build/fuzz}" "${FUZZ_SECONDS:=60}" "${JM:=build/jm}"
[ $# -gt 0 ] || {
    echo "fuzz.sh: there are no fuzzers" >&2
    exit 1
}

# pack FOLDER ARCHIVE: all files of the folder, in order of their names, replace it.
pack() {
    archive=$PWD/$2
    (cd "$1" && find . -type f | sort | xargs ar rcSD "$archive.new") &&
        mv "$archive.new" "$archive"
}

# Freed memory is used again soon, and inputs are drawn without a count of how rare what
# each of them reached is: both would take most of the time.
export ASAN_OPTIONS="quarantine_size_mb=8${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

# rate LOG: what libFuzzer says of the runs it has done, and their rate.
rate() {
    sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) second.*/\1 \2/p' "$1" | head -1 |
        awk '{printf "%9d inputs, %6d a second", $1, $1 / ($2 ? $2 : 1)}'
}

failed=0
for fuzzer in "$@"; do
    named=tests/fuzz/corpus/$fuzzer
    packed=tests/fuzz/corpus/$fuzzer.a
    kept=$BUILD/kept-$fuzzer
    found=$BUILD/found-$fuzzer
    log=$BUILD/$fuzzer.log
    rm -rf "$kept"
    mkdir -p "$kept" "$found"
    [ ! -e "$packed" ] || (cd "$kept" && ar x "$OLDPWD/$packed") || exit 1
    set -- "$kept"
    [ ! -d "$named" ] || set -- "$kept" "$named"
    # What has a version is made anew, and not kept: the next version refuses it.
    seeds=tests/fuzz/seeds_${fuzzer#fuzz_}.sh
    if [ -e "$seeds" ]; then
        sh "$seeds" "$JM" "$BUILD/seeds-$fuzzer" || exit 1
        set -- "$@" "$BUILD/seeds-$fuzzer"
    fi
    before=$(find "$kept" -type f | wc -l)
    if "$BUILD/$fuzzer" -max_total_time="$FUZZ_SECONDS" -entropic=0 -timeout=30 \
        -rss_limit_mb=2048 -artifact_prefix="$BUILD/$fuzzer-" "$found" "$@" \
        >"$log" 2>&1 &&
        "$BUILD/$fuzzer" -merge=1 "$@" "$found" >>"$log" 2>&1; then
        [ -e "$seeds" ] || [ "$(find "$kept" -type f | wc -l)" -eq "$before" ] ||
            pack "$kept" "$packed" || failed=1
        printf 'ok   %-16s %s\n' "$fuzzer" "$(rate "$log")"
    else
        tail -40 "$log"
        printf 'FAIL %s (log: %s)\n' "$fuzzer" "$log"
        failed=1
    fi
done
exit $failed

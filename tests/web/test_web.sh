#!/bin/sh
# The machine in a browser: every program of programs/ prints the statistics there that
# it prints here, byte for byte; the page runs, stops, goes back, and refuses.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/programs/common.sh
. "$(dirname "$0")/../programs/common.sh"
here=$(cd "$(dirname "$0")" && pwd)

for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
if [ -z "$browser" ] || ! [ -e "$BUILD/web/index.html" ]; then
    echo "skipped: no Chromium, or no page (make web)"
    exit 0
fi

# same_stats NAME OPTION...
same_stats() {
    name=$1
    shift
    "$BUILD/jm" run --quiet --stats - "$@" "programs/$name/$name.s" \
        >"$folder/wanted" 2>/dev/null
    tools/webcheck.sh "$name" --quiet "$@" >"$folder/got" 2>"$folder/messages"
    cmp -s "$folder/wanted" "$folder/got"
    check "$name $*: the statistics in the page: $(cat "$folder/messages")" $?
}
for source in programs/*/*.s; do
    name=$(basename "$source" .s)
    # shellcheck disable=SC2046 # options are several words
    same_stats "$name" $(sed -n 's/^; run: //p' "$source")
done
same_stats hello

# in_page NAME WHAT: does the steps of standard input in the page. A profile each: a
# browser that is about to end may still hold its own.
in_page() {
    cat "$here/begin.steps" - >"$folder/steps"
    python3 tests/report/browse.py "$browser" "$folder/$1.profile" \
        "$(cd "$BUILD" && pwd)/web/index.html" "$folder/steps" >"$folder/said"
    check "$2: $(cat "$folder/said")" $?
}
for steps in page events keys exact memory; do
    in_page "$steps" "$steps of the page in a browser" <"$here/$steps.steps"
done

# The tutorial in the page, with its programs.
# program NAME NUMBER: a step that sets NAME to the tutorial's program of that number.
program() {
    awk -v wanted="$2" '/^```asm$/ { n++; on = 1; next } /^```$/ { on = 0 }
        on && n == wanted' tools/docs/tutorial.md | base64 -w 0 |
        sed "s/.*/do window.$1 = atob('&')/"
    echo
}
{
    program ring 1
    program found 2
    cat "$here/tutorial.steps"
} >"$folder/tutorial"
in_page tutorial "the tutorial in the page" <"$folder/tutorial"

# A machine that jm has saved is refused with a word.
"$BUILD/jm" run --quiet --mesh 2x2x2 --cycles 300 --save-at 300:"$folder/saved" \
    programs/greet/greet.s >/dev/null 2>&1
{
    base64 -w 3000 "$folder/saved" |
        sed 's/.*/do window.text = (window.text || "") + "&"/'
    cat "$here/saved.steps"
} >"$folder/saved.steps"
in_page saved "saved machines" <"$folder/saved.steps"

bytes=$(cd "$BUILD/web" && cat index.html jm.js jm.wasm | gzip -9 | wc -c)
[ "$bytes" -lt 2097152 ]
check "the page has $bytes bytes compressed, not below 2 MB" $?
finish

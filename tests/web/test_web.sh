# The machine in a browser: every program of programs/ prints the statistics there that
# it prints here, byte for byte; the page runs, stops, goes back, and refuses.
. tests/programs/common.sh
here=$(cd "$(dirname "$0")" && pwd)

for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
if [ -z "$browser" ] || ! [ -e "$BUILD/web/index.html" ]; then
    echo "skipped: no Chromium, or no page (make web)"
    exit 0
fi

# browse NAME WHAT: does the steps of the file $folder/NAME in the page.
browse() {
    python3 tests/report/browse.py "$browser" "$folder/$1.profile" \
        "$(cd "$BUILD" && pwd)/web/index.html" "$folder/$1" >"$folder/said"
    passed $? "$2: $(cat "$folder/said")"
}

# Every program, one after the other in one browser, on 64 nodes at most.
ended='new Promise(r => { const f = () => document.title === "done" ? r(true) :'
ended="$ended setTimeout(f, 20); f(); })"
for source in programs/*/*.s; do
    name=$(basename "$source" .s)
    options=$(sed -n '/^; run: /{s///; s/8x8x8/4x4x4/; p}' "$source")
    # shellcheck disable=SC2086 # options are several words
    "$BUILD/jm" run --quiet --stats - $options "$source" >"$folder/$name.wanted" \
        2>/dev/null
    cat <<END
open #run=$name&options=$(printf '%s' "--quiet $options" | sed 's/ /%20/g')&stats
check $name ends: $ended
put $name.got document.getElementById("stats").textContent
END
done >"$folder/programs"
browse programs "programs in the page"
for wanted in "$folder"/*.wanted; do
    [ -s "$wanted" ] && cmp -s "$wanted" "${wanted%wanted}got"
    passed $? "$(basename "$wanted" .wanted): the statistics in the page"
done
"$BUILD/jm" run --quiet --stats - programs/hello/hello.s >"$folder/wanted" 2>/dev/null
tools/webcheck.sh hello --quiet >"$folder/got" 2>"$folder/messages"
cmp -s "$folder/wanted" "$folder/got"
passed $? "tools/webcheck.sh hello: $(cat "$folder/messages")"

# in_page NAME WHAT: does the steps of standard input in the page.
in_page() {
    cat "$here/begin.steps" - >"$folder/$1.page"
    browse "$1.page" "$2"
}
for steps in page events keys exact memory; do
    echo open
    cat "$here/begin.steps" "$here/$steps.steps"
done >"$folder/steps"
browse steps "steps of the page in a browser"

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
passed $? "the page has $bytes bytes compressed, not below 2 MB"
finish

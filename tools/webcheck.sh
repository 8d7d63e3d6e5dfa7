#!/bin/sh
# webcheck.sh PROGRAM [OPTION...]: runs a program in the page of `make web` in headless
# Chromium, as `jm run OPTION... --stats - PROGRAM` would, and prints what that prints.
# PROGRAM is a name or path in programs/. Status 1: the page fails; 3: no Chromium.
set -u
: "${BUILD:=build}"
[ $# -ge 1 ] || { echo "usage: webcheck.sh PROGRAM [OPTION...]" >&2; exit 2; }
page=$(cd "$BUILD/web" 2>/dev/null && pwd)/index.html
[ -e "$page" ] && [ -x "$BUILD/browse" ] || {
    echo "webcheck.sh: no page in $BUILD/web: make web" >&2
    exit 2
}
for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
[ -n "$browser" ] || { echo "webcheck.sh: no Chromium" >&2; exit 3; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

program=$1
shift
options=$(printf '%s' "$*" |
    sed -e 's/%/%25/g' -e 's/ /%20/g' -e 's/&/%26/g' -e 's/+/%2B/g')
done='new Promise(r => { const f = () => document.title === "done" ? r(true) :'
done="$done setTimeout(f, 20); f(); })"
cat >"$folder/steps" <<END
check the page ends the run: $done
put stats document.getElementById("stats").textContent
put messages document.getElementById("diagnostics").textContent
END
"$BUILD/browse" "$browser" "$folder/profile" \
    "$page#run=$program&options=$options&stats" "$folder/steps" >"$folder/said" || {
    cat "$folder/said" >&2
    exit 1
}
cat "$folder/messages" >&2
cat "$folder/stats"

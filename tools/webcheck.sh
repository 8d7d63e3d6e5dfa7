#!/bin/sh
# webcheck.sh PROGRAM [OPTION...]: runs a program in the page of `make web` in headless
# Chromium, as `jm run OPTION... --stats - PROGRAM` would, and prints what that prints.
# PROGRAM is a name or path in programs/.
#
# webcheck.sh --pace [SECONDS]: prints how long the page takes to show its first
# machine, how many frames a second it draws of 512 running nodes (Snakes, h = 45), and
# what a frame costs. SECONDS is 5 if not given, at most 60.
#
# webcheck.sh --memory MESH...: prints what greet takes on these meshes, loaded and
# after 2,000 cycles, or what the page says instead.
#
# Status 1: the page fails; 3: no Chromium.
set -u
: "${BUILD:=build}"
usage() {
    echo "usage: webcheck.sh PROGRAM [OPTION...] | --pace [SECONDS] |" \
        "--memory MESH..." >&2
    exit 2
}
[ $# -ge 1 ] || usage
page=$(cd "$BUILD/web" 2>/dev/null && pwd)/index.html
[ -e "$page" ] || {
    echo "webcheck.sh: no page in $BUILD/web: make web" >&2
    exit 2
}
for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
[ -n "$browser" ] || { echo "webcheck.sh: no Chromium" >&2; exit 3; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# browse FRAGMENT: opens the page there and does the steps in $folder/steps.
browse() {
    python3 tests/report/browse.py "$browser" "$folder/profile" "$page$1" \
        "$folder/steps" >"$folder/said" && return
    cat "$folder/said" >&2
    exit 1
}

if [ "$1" = --pace ]; then
    seconds=${2:-5}
    case $seconds in '' | *[!0-9]* | 0 | ???*) usage ;; esac
    [ "$seconds" -le 60 ] || usage
    { echo "do window.seconds = $seconds"; cat tools/web/pace.steps; } >"$folder/steps"
    browse ""
    cat "$folder/pace"
    exit
fi
if [ "$1" = --memory ]; then
    shift
    case $* in '' | *[!0-9x\ ]*) usage ;; esac
    cat tools/web/memory.steps >"$folder/steps"
    for mesh in "$@"; do
        echo "do takes('$mesh')"
    done >>"$folder/steps"
    echo "put taken taken" >>"$folder/steps"
    browse ""
    cat "$folder/taken"
    exit
fi

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
browse "#run=$program&options=$options&stats"
cat "$folder/messages" >&2
cat "$folder/stats"

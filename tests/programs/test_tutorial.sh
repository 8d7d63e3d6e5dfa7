#!/bin/sh
# The tutorial's programs do what it says: the first is right on a row and stops on a
# plane, with the words that the tutorial shows; the second is right everywhere.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/programs/common.sh
. "$(dirname "$0")/common.sh"
tutorial=tools/docs/tutorial.md

# program NUMBER: the tutorial's program of that number.
program() {
    awk -v wanted="$1" '/^```asm$/ { n++; on = 1; next } /^```$/ { on = 0 }
        on && n == wanted' $tutorial
}
program 1 >"$folder/ring.s"
program 2 >"$folder/found.s"

# prints WORD FILE OPTION...
prints() {
    word=$1
    file=$2
    shift 2
    run 0 "$@" "$folder/$file"
    [ "$(cat "$folder/output")" = "$word" ] && grep -qF "$word" $tutorial
    check "$file $* prints $word" $?
}
prints INT:00000006 ring.s --mesh 4x1x1
prints INT:0000001C found.s --mesh 4x2x1
prints INT:0001FF00 found.s --mesh 8x8x8

run 127 --mesh 4x2x1 "$folder/ring.s"
awk '/^    node 3 /{ on = 1 } /^$/ { on = 0 } on' $tutorial | sed 's/^ *//' \
    >"$folder/shown"
[ "$(wc -l <"$folder/shown")" -eq 5 ]
check "the tutorial shows five lines of the stop" $?
while read -r line; do
    sed "s|$folder/||" "$folder/messages" | grep -qF -- "$line"
    check "the stop says: $line" $?
done <"$folder/shown"
finish

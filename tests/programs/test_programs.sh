#!/bin/sh
# Runs every program of programs/ as its first lines say:
#   ; run: OPTIONS    options of jm run; the output must be expected.txt, the status 0
#   ; also: OPTIONS   the same program in another machine; it must find itself right
# from its source and as the image mdpas and mdpld made, and takes each image apart with
# mdpobjdump and builds it again from that. GOLDEN=renew rewrites expected.txt instead.
set -u
: "${BUILD:=build}"
. "$(dirname "$0")/common.sh"

# same_words NAME IMAGE: the disassembly of an image makes the same words again.
same_words() {
    "$BUILD/mdpobjdump" -d "$2" >"$folder/again.s" &&
        "$BUILD/mdpas" -o "$folder/again.o" "$folder/again.s" &&
        "$BUILD/mdpld" -o "$folder/again.elf" "$folder/again.o" &&
        "$BUILD/mdpobjdump" -s "$2" | words >"$folder/first" &&
        "$BUILD/mdpobjdump" -s "$folder/again.elf" | words >"$folder/second" &&
        [ -s "$folder/first" ] && cmp -s "$folder/first" "$folder/second"
    check "$1: assembling its disassembly gives its words" $?
}

for source in programs/*/*.s; do
    name=$(basename "$source" .s)
    expected=$(dirname "$source")/expected.txt
    image=$BUILD/programs/$name.elf
    options=$(sed -n 's/^; run: //p' "$source")
    [ -n "$options" ]
    check "$name: says how to run it" $?

    # shellcheck disable=SC2086 # options are several words
    run 0 $options "$source"
    [ "${GOLDEN:-}" = renew ] && cp "$folder/output" "$expected"
    same_output "$name: source" "$expected"
    # shellcheck disable=SC2086
    run 0 $options "$image"
    same_output "$name: image" "$expected"

    sed -n 's/^; also: //p' "$source" >"$folder/also"
    while read -r options; do
        # shellcheck disable=SC2086
        run 0 $options "$image"
    done <"$folder/also"
    same_words "$name" "$image"
done
finish

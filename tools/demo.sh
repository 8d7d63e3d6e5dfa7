#!/bin/sh
# demo.sh: assembles, links and runs programs/greet on an 8x8x8 machine with the
# command-line tools, then draws what the network did.
set -eu
: "${BUILD:=build}"
folder=$BUILD/demo
mkdir -p "$folder"

# Shows a command as one would type it, then runs it.
show() {
    echo "\$ $*"
    "$@"
}

echo
echo "Every node of an 8x8x8 J-Machine greets node 0 over the network."
echo
show "$BUILD/mdpas" -I kernel -I "$BUILD/gen" -o "$folder/greet.o" \
    programs/greet/greet.s
show "$BUILD/mdpld" -o "$folder/greet.elf" "$folder/greet.o" "$BUILD/libkernel.a"
show "$BUILD/jm" run --mesh 8x8x8 --stats "$folder/greet.json" "$folder/greet.elf"
echo
show "$BUILD/jm" report "$folder/greet.json"

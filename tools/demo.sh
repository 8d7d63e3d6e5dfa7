#!/bin/sh
# demo.sh: assembles, links and runs programs/greet on an 8x8x8 machine with the
# command-line tools; then the load of the thesis, until queues overflow in the middle
# of the machine.
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
show "$BUILD/jm" run --mesh 8x8x8 "$folder/greet.elf"

echo
echo "Lethin's Snakes: each node sends five messages to random nodes, 400 hops each."
echo "A hop needs 45 cycles; the network limits, and queues grow in the middle."
echo
show "$BUILD/jm" run --quiet --mesh 8x8x8 --set snakes_h=45 --set snakes_l=400 \
    --stats "$folder/snakes.json" "$BUILD/programs/snakes.elf"
show "$BUILD/jm" report --queues "$folder/snakes.json"
echo
echo "What the thesis measured, claim by claim, takes some minutes: make thesis"
echo "To look into the machine when the first queue overflows:"
echo "$BUILD/jm debug --mesh 8x8x8 --set snakes_h=45 --set snakes_l=400 \\"
echo "    -ex 'catch overflow' -ex run $BUILD/programs/snakes.elf"

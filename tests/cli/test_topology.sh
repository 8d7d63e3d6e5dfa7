# jm run --topology: programs on tori do what they do on the mesh, and a run continues
# from a saved machine.
. tests/cli/check.sh
cd "$work" || exit 1

# outputs TOPOLOGY MESH: every program prints there what it prints on that mesh, but for
# how long it took. Some print nothing else, or depend on the order of messages.
outputs() {
    for program in "$build"/programs/*.elf; do
        case $program in
        */snakes.elf | */pingpong.elf | */bench.elf) continue ;;
        */wire.elf | */hotspot.elf) continue ;;
        esac
        "$jm" run --quiet --mesh "$2" --cycles 60000 "$program" >mesh.out 2>/dev/null
        is=$?
        "$jm" run --quiet --topology "$1" --cycles 60000 "$program" >torus.out \
            2>/dev/null
        was=$?
        sed -i 's/[0-9]* cycles/cycles/' mesh.out torus.out
        [ $is = 126 ] || check "$program on $1" cmp mesh.out torus.out
        check "status of $program on $1" [ $is = $was ]
    done
}
outputs torus=2x2x2,places=2 2x2x2
outputs torus=3x5,lanes=3,escape=2 3x5x1
outputs torus=4x1x2,ends=0 4x1x2

# The Snakes make all their hops, each of them checked.
snakes="--set snakes_l=6 --set snakes_checking=1 $build/programs/snakes.elf"
for topology in torus=8x8x8 torus=4x4x4,tie=wrap torus=5x4x3,ends=0,lanes=2,places=4; do
    status 0 "$jm" run --quiet --queue 64 --topology $topology --stats whole $snakes
    check "hops on $topology" grep -q "^\([0-9]*\) hops of \1 done" out
    status 0 "$jm" run --quiet --queue 64 --topology $topology --save-at 1500:saved \
        --stats also $snakes
    check "saving on $topology" cmp whole also
    status 0 "$jm" run --quiet --restore saved --topology $topology --stats rest
    check "going on on $topology" cmp whole rest
    status 0 "$jm" run --quiet --queue 64 --topology $topology --trace trace \
        --threads 2 --stats traced $snakes
    check "tracing on $topology" cmp whole traced
done
status 2 "$jm" run --quiet --restore saved --topology torus=5x4x3
check "another network" grep -q "the saved machine is another" err

status 0 "$jm" run --quiet --param header_flits=1 --topology torus=4x4 --stats head \
    "$build/programs/hello.elf"
check "a parameter before the topology" grep -q '"header_flits":1' head
check "the topology among statistics" grep -qx '"topology":"torus=4x4",' head
finish

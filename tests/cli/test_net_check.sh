# jm net check: sizes, distances and routes, each against a count by hand.
. tests/cli/check.sh

check_net() { # SPECIFICATION [OPTION]...
    status 0 "$jm" net check --topology "$@"
    silent err
}
# summary SPECIFICATION PROCESSORS TERMINALS CHANNELS WIRES DISTANCE ROUTES [CONDITION]:
# all that is printed without a route.
summary() {
    check_net "$1"
    {
        printf 'processors    %s, with %s terminals\nchannels      %s\n' "$2" "$3" "$4"
        printf 'wires         %s\n' "$5"
        [ -z "$6" ] || printf 'distance      %s at most\n' "$6"
        printf 'routes        %s a message, all walked; ' "$7"
        echo "no channels wait in a circle${8:-}"
    } >"$work/wanted"
    check "summary of $1" diff "$work/wanted" "$work/out"
}
# Meshes have 18 channels a node and a wire between neighbours. On a ring of 4 the
# others are 1, 1 and 2 away; on one of 3 in one direction 1 and 2. In a cube of side 2
# each other node is away by the bits that differ. Nodes of a cluster meet in a router.
summary mesh=1x1x1 1 1 18 0 '' one
summary mesh=2x1x1 2 2 36 1 '1 wires on average, 1' one
summary mesh=3x1x1 3 3 54 2 '1.33333 wires on average, 2' one
summary mesh=2x2x2 8 8 144 12 '1.71429 wires on average, 3' one
summary torus=4x4 16 16 144 64 '2.13333 wires on average, 4' one
summary torus=4x4,links=multiple 16 128 144 64 '2.13333 wires on average, 4' one
summary torus=4x4,lanes=4,escape=2 16 16 272 64 '2.13333 wires on average, 4' several \
    ' if each holds one message: --param atomic=1'
summary torus=3x3,oneway=1 9 9 45 18 '2.25 wires on average, 4' one
summary clos=1x1 4 4 4 0 '0 wires on average, 0' one
summary clos=1x1,levels=2 16 16 48 32 '1.6 wires on average, 2' one
summary clos=2x2 16 16 24 8 '1.06667 wires on average, 2' one

# With --param the network is that of jm net run with it: lanes that hold one message
# need no condition, headers load wires, and a circle is found.
check_net torus=4x4,lanes=4,escape=2 --param atomic=1
check "atomic lanes" grep -q 'no channels wait in a circle$' "$work/out"
bound() {
    check_net mesh=1x1x8 --pattern bitcomp,length=12 --param "$1"
    sed -n 's/.*gamma \([0-9.]*\) .*/\1/p' "$work/out"
}
[ "$(bound header_flits=1)" != "$(bound header_flits=3)" ]
check "headers load wires" test $? -eq 0
status 2 "$jm" net check --topology torus=4x4,lanes=1 --param circles=1
check "a circle" grep -q 'circle' "$work/err"
status 2 "$jm" net check --topology torus=4x4 --param atomic=2
check "a wrong value" grep -q 'param atomic=2: it takes' "$work/err"

# route SPECIFICATION FROM TO NAMES WIRES [HOW]: channels in order (the wires of a
# route, then those of the node that it ends at), the nodes' names, and how many wires.
route() {
    check_net "$1" --from "$2" --to "$3"
    sed '1,/^routes/d' "$work/out" >"$work/route"
    names=$4
    {
        echo "from ${names%% *}${6:-}"
        for name in $names; do echo "channel at $name"; done | head -n "$5"
        echo "to ${names##* } $5 wires"
    } >"$work/wanted"
    # Of the channels those with a wire and a lane.
    sed -nE 's/^from +(.*)/from \1/p; s/^to +(.*), ([0-9]+) wires$/to \1 \2 wires/p
        s/^channel +[0-9]+ at (.*), wire [0-9]+, lane [0-9]+$/channel at \1/p' \
        "$work/route" >"$work/told"
    check "route from $2 to $3 of $1" diff "$work/wanted" "$work/told"
    rows "$(($(wc -l <"$work/route") - 2))" "$work/route" '^channel '
}
route mesh=3x1x1 2 0 "2,0,0 1,0,0 0,0,0" 2
route mesh=2x2x2 0 7 "0,0,0 1,0,0 1,1,0 1,1,1" 3
route mesh=1x1x1 0 0 "0,0,0" 0
route torus=4x4 0 0 "0,0" 0
route torus=4x4 3 1 "0,3 0,2 0,1" 2
route torus=4x4,links=multiple 15 5 "3,3 2,3 1,3 1,2 1,1" 4
route torus=4x4,links=multiple 0 15 "0,0 3,0 3,3" 2
route torus=4x4,links=multiple 15 0 "3,3 0,3 0,0" 2
route torus=4x4,lanes=4,escape=2 3 1 "0,3 0,2 0,1" 2 ", by the way that is always open"
route clos=2x2 0 15 "0,0/0 0,1/0 1,1/3" 2
# All of one: channels have a number, wire and lane, those inside a node a number.
cat >"$work/wanted" <<'END'
from          2,0,0
channel       37 at 2,0,0, wire 1, lane 1
channel       19 at 1,0,0, wire 0, lane 1
channel       2 at 0,0,0
channel       5 at 0,0,0
channel       8 at 0,0,0
to            0,0,0, 2 wires
END
check_net mesh=3x1x1 --from 2 --to 0
sed '1,/^routes/d' "$work/out" >"$work/route"
check "a whole route" diff "$work/wanted" "$work/route"

finish

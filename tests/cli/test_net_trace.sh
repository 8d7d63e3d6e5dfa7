# jm net trace and jm net run --workload trace=FILE: programs of a paper, programs that
# wait for ever, bad input, and what a run of the machine has recorded.
. tests/cli/check.sh

net="$jm net"
program=$work/program
clos="$net run --topology clos=4x4 --param ties=1"

# ---- programs of the paper, on both engines and other topologies ---------------------
status 0 $net trace --program unequal-dist --bytes 600 --rounds 2 --output "$program"
check "the first line" sh -c "head -1 '$program' | grep -qx 'programs 1'"
rows 128 "$program" '^  send [0-9]+ 600$'
status 0 $clos --workload "trace=$program,engine=worms" --json
cp "$work/out" "$work/worms"
status 0 $clos --workload "trace=$program,engine=flits" --json
time_of() { grep '"run_time"' "$1"; }
check "both engines end in the same cycle" \
    test "$(time_of "$work/out")" = "$(time_of "$work/worms")"
status 0 $net run --topology torus=8x8 --workload "trace=$program"
says out "engine flits"
says out "messages            128"
status 0 $net run --topology clos=2x2,levels=2,layer=random --workload "trace=$program"
says out "engine worms"
status 0 $net run --topology clos=4x4 --workload "trace=$program" --cycles 500
says out "not ended in 500 cycles"

# ---- what is wrong is said, with its line --------------------------------------------
bad() { # TEXT ARGUMENT...
    text=$1
    shift
    status 2 "$@"
    says err "$text"
}
lines() { # LINE...
    printf '%s\n' 'programs 1' 'nodes 4' "$@" >"$program"
}
lines 'node 0' 'receive 1'
stuck="1 program waits for ever; node 0 waits for a message of node 1"
bad "$program:4:1: error: $stuck" $clos --workload "trace=$program"
lines 'node 0' 'send 1 8'
bad "$program:4:1: error: 1 program waits" \
    $clos --workload "trace=$program,engine=flits"
waits() { # PLACE TEXT LINE...: what is said of programs that do not end
    said="$program:$1: error: $2"
    shift 2
    lines "$@"
    for engine in flits worms; do
        bad "$said" $clos \
            --workload "trace=$program,engine=$engine"
    done
}
waits 4:1 "1 program waits for ever; node 3 waits for a message of anyone" \
    'node 3' 'receive any'
waits 4:1 "2 programs wait for ever; node 0 waits for a message of node 2" \
    'node 0' 'receive 2' 'node 2' 'receive 3'
waits 4:1 "1 program waits for ever; node 2 waits for node 3 to receive its message" \
    'node 2' 'send 3 8'
waits 5:2 "1 program waits for ever; node 3 waits for a message of node 1" \
    'node 3' 'compute 9' ' receive 1'
lines 'node 0' 'send 4 8'
bad "$program:4:6: error: the node is '4', not a number from 0 to 3" \
    $clos --workload "trace=$program"
lines 'node 0' '	  send 1 8 9 # bytes' # a tab is a column
bad "$program:4:4: error: 'send NODE BYTES' is expected" \
    $clos --workload "trace=$program"
lines 'node 0' 'send 1 8 9 10'
bad "$program:4:12: error: too much for a line" $clos --workload "trace=$program"
lines 'node 0' 'send 1 99999999999999999999'
bad "$program:4:8: error: the number of bytes is '99999999999999999999'" \
    $clos --workload "trace=$program"
lines 'node 0' 'send 1 999999999999999999999999'
bad "$program:4:8: error: too much for a line" $clos --workload "trace=$program"
lines 'node 0' ' send 0 8'
bad "$program:4:7: error: a node cannot send to itself" \
    $clos --workload "trace=$program"
lines 'node 0' '  sent 1 8'
bad "$program:4:3: error: there is no operation 'sent'" \
    $clos --workload "trace=$program"
lines 'node 0' 'node 2' 'node  0'
bad "$program:5:7: error: the node has a program already" \
    $clos --workload "trace=$program"
: >"$work/empty"
bad "$work/empty:1:1: error: 'programs 1' is expected" \
    $clos --workload "trace=$work/empty"
bad "$work: error: cannot read: Is a directory" $clos --workload "trace=$work"
printf '# none\n\nprograms 2\n' >"$work/two"
bad "$work/two:3:10: error: the version is not 1" $clos --workload "trace=$work/two"
printf 'programs 1\nnodes 5000\n' >"$work/many"
bad "$work/many:2:7: error: the number of nodes is '5000'" \
    $clos --workload "trace=$work/many"
head -c 3000 /dev/zero >"$work/zeros"
bad "$work/zeros:1:1: error: too much" $clos --workload "trace=$work/zeros"
# 275 of the longest computations last longer than any run.
printf 'compute 1000000000\n%.0s' $(seq 275) >"$work/long"
lines 'node 0' "$(cat "$work/long")"
for engine in flits worms; do
    status 0 $clos --workload "trace=$program,engine=$engine"
    says out "not ended in 274877906944 cycles"
done
lines 'node 0' 'send 1 8'
bad "no option 'pause'" $clos --workload "trace=$program,pause=3"
bad "setup is '-1'" $clos --workload "trace=$program,setup=-1"
bad "not 'worm'" $clos --workload "trace=$program,engine=worm"
bad "the file is missing" $clos --workload trace=
bad "/nonexistent" $clos --workload trace=/nonexistent
sed 's/nodes 4/nodes 5/' "$program" >"$work/five"
bad "have 5 nodes" $net run --topology clos=1x1 --workload "trace=$work/five"
bad "--batches is not for programs" $clos --workload "trace=$program" --batches 4
bad "wires are shared by" $net run --topology torus=4x4 \
    --workload "trace=$program,engine=worms"
bad "no wires of several cycles" $net run --topology clos=1x1,delay=2 \
    --workload "trace=$program,engine=worms"
bad "flits_per_word=1" $net run --topology mesh=4x4 --workload "trace=$program"
bad "--program or --records is missing" $net trace --nodes 4
bad "no pairs" $net trace --program equal-dist --nodes 5
status 2 $net trace --program equal-dist --output /nonexistent/file

# ---- what a run has recorded ---------------------------------------------------------
cat >"$work/tour.s" <<'END'
        .include "kernel.inc"
        .global main, total
main:   load    kernel_rank,r1
        move    0,r2
        .msg    arrive,2,F
        send2   r2,r0,0
        sende   r1,0
        goto    kernel_idle
arrive: suspend
        .data
total:  .word   INT:0
END
status 0 $jm run --quiet --mesh 4x4x1 --trace "$work/records" "$work/tour.s"
status 0 $net trace --records "$work/records" --nodes 16 --output "$program"
rows 15 "$program" '^  post 0 8$'
rows 15 "$program" '^  receive [0-9]+$'
for topology in torus=4x4 clos=2x2 clos=1x1,levels=2; do
    status 0 $net run --topology $topology --workload "trace=$program"
    says out "messages            15"
done
# Six queens: nodes take the time that they took on the machine, and networks this light
# a load, so the whole takes as long as there, within a fiftieth.
status 0 $jm run --quiet --mesh 4x4x1 --stats "$work/stats" --trace "$work/queens" \
    programs/queens/queens.s
status 0 $net trace --records "$work/queens" --nodes 16 --output "$program"
cycles=$(sed -n 's/^"cycles":\([0-9]*\),$/\1/p' "$work/stats")
posts=$(grep -c post "$program")
for topology in torus=4x4 clos=2x2 clos=1x1,levels=2; do
    status 0 $net run --topology $topology --quiet --json \
        --workload "trace=$program,setup=0,accept=0,packet=0,reorder=0"
    check "$topology takes $cycles cycles for $posts messages" python3 -c '
import json, sys
replayed = json.load(open(sys.argv[1]))
cycles, posts = int(sys.argv[2]), int(sys.argv[3])
assert replayed["complete"] and replayed["messages"] == posts > 300
assert abs(replayed["run_time"] / cycles - 1) < 0.02, replayed["run_time"]
' "$work/out" "$cycles" "$posts"
done
status 0 $jm run --quiet --mesh 4x4x1 --trace "$work/records" "$work/tour.s"
bad "$work/records:34:5: error: node 15 is none of 15" \
    $net trace --records "$work/records" --nodes 15
records() { # PLACE TEXT LINE...
    place=$1 text=$2
    shift 2
    printf '%s\n' "$@" >"$work/records"
    bad "$work/records:$place: error: $text" $net trace --records "$work/records"
}
records 1:1 "no record" 'what is this'
records 1:1 "no record" '99999999999999 0 b suspend'
records 1:4 "node 64 is none of 64" ' 5 64 b suspend'
records 1:1 "a message arrives that no record has sent" '5 0 b arrive - - p0 #3'
records 1:17 "a priority and" '5 0 b send - -  p2 #3 INT:0 2'
records 1:19 "a message's number" '5 0 b send - - p0 #4194305 INT:0 2'
records 1:28 "a number of words" '5 0 b send - - p0 #3 INT:0 3'
send='5 0 b send - - p0 #3 INT:00000000 2'
records 2:19 "another node is sending" "$send" '6 1 b send - - p0 #3 INT:0 2'
records 2:1 "no message goes" "$send" '6 0 b arrive - - p0 #3'
records 1:1 "no message goes" ''
printf '%s\n' "$send" '6 0 b send - - p0 #3 INT:00000000 1' >"$work/records"
bad "$work/records:2:19: error: the message is too long" \
    $net trace --records "$work/records" --bytes 1048576
# Each priority has a queue of its own: of either the first that has arrived is
# dispatched, or the next that arrives. A number is free again when its message has
# arrived.
printf '%s\n' "$send" '6 2 b send - - p1 #4 INT:0 2' '7 2 b send - - p1 #4 INT:0 1' \
    '9 1 b arrive - - p0 #3' '9 1 b arrive - - p1 #4' '10 1 1 dispatch 00106 x MSG:0' \
    '20 1 0 dispatch 00106 x MSG:0' '30 1 0 send - - p0 #3 INT:0 2' \
    '31 0 b send - - p0 #5 INT:0 2' '32 2 b send - - p1 #6 INT:0 2' \
    '33 1 1 dispatch 00106 x MSG:0' '34 1 b arrive - - p0 #5' \
    '35 2 b arrive - - p0 #3' \
    '36 2 0 dispatch 00106 x MSG:0' '37 1 b arrive - - p1 #6' \
    '39 1 0 dispatch 00106 x MSG:0' >"$work/records"
status 0 $net trace --records "$work/records" --nodes 3
cat >"$work/expected" <<'END'
programs 1
nodes 3
node 0
  compute 5
  post 1 4
  compute 26
  post 1 4
node 1
  receive 2
  compute 1
  receive 0
  compute 10
  compute 10
  post 2 4
  receive 2
  receive 0
  compute 2
node 2
  compute 7
  post 1 8
  compute 25
  post 1 4
  receive 1
  compute 1
END
check "messages of both priorities" diff "$work/expected" "$work/out"
# What a node computes for longer than an operation can takes two; time does not go
# back.
printf '%s\n' "$send" '9 1 b arrive - - p0 #3' '9 1 0 dispatch 00106 x MSG:0' \
    '2 1 0 send - - p0 #4 INT:0 2' '1000000020 1 0 send - - p0 #5 INT:0 2' \
    '1000000025 0 b arrive - - p0 #4' '1000000026 0 b arrive - - p0 #5' \
    >"$work/records"
status 0 $net trace --records "$work/records" --nodes 2
cat >"$work/expected" <<'END'
programs 1
nodes 2
node 0
  compute 5
  post 1 4
node 1
  receive 0
  post 0 4
  compute 1000000000
  compute 11
  post 0 4
END
check "two computations in a row" cmp "$work/expected" "$work/out"
finish

# jm net trace and jm net run --workload trace=FILE: programs of a paper, programs that
# wait for ever, and what a run of the machine has recorded.
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

# ---- recordings of a run -------------------------------------------------------------
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
send='5 0 b send - - p0 #3 INT:00000000 2'
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

# How jm run ends before its program does: what the nodes are at, and the reports that
# the kernels of several nodes make.
. tests/cli/check.sh
cd "$work" || exit 1

# By rank: 0 and 1 work in two places of one routine, 2 rests, 3 has a task in the
# kernel's idle loop, 4 sends without an end, 5 stops, 6 and 7 rest.
cat >ends.s <<'END'
        .include "kernel.inc"
        .global main, work, task, sender
main:   load    kernel_rank,r0
        bz      r0,^work
        equal   r0,1,r1
        bt      r1,^work.second
        equal   r0,3,r1
        bt      r1,^.post
        equal   r0,4,r1
        bt      r1,^sender
        equal   r0,5,r1
        bt      r1,^.stop
        goto    kernel_idle
.stop:  suspend
.post:  readr   nnr,r2
        .msg    task,1
        send    r2,0
        sende   r0,0
        goto    kernel_idle
work:   add     r1,1,r1
        br      ^work
.second: br     ^.third
.third: br      ^.second
task:   goto    kernel_idle
sender: readr   nnr,r2
        .msg    task,3
        send    r2,0
        send    r0,0
.open:  br      ^.more
.more:  br      ^.open
END
at() { # REGEX: one row of what the nodes are at
    rows 1 err "^  $1\$"
}
seen() {
    at 'nodes 0-1: background in work, I = 1'
    at 'nodes 2,6-7: idle, background at .* kernel_idle.*, the kernel.s idle loop'
    at 'node 3 \(3,0,0\): priority 0 at .* kernel_idle.*: a task that never ends.*'
    at 'node 4 \(0,1,0\): background .* sender.*, in the middle of a send.*'
    at 'node 5 \(1,1,0\): stopped in .*'
}
run="$jm run --keep-going --mesh 4x2x1"
# Cycles of which both nodes that work are in one place are rare.
status 126 $run --cycles 5001 ends.s
says err "cycle limit reached after 5001 cycles"
seen
status 126 $run --quiet --cycles 5001 ends.s
rows 0 err '^  '
for seconds in $patience; do
    status 130 timeout --preserve-status -s INT "$seconds" $run ends.s
    ! grep -q "interrupted after" err || break
done
at 'node 3 \(3,0,0\): priority 0 at .* kernel_idle.*: a task that never ends.*'
at 'nodes 2,6-7: idle, background at .* kernel_idle.*, the kernel.s idle loop'

# A bare program has no kernel.
status 126 "$jm" run --bare --cycles 50 --mesh 3x1x1 "$programs/loop.s"
at 'nodes 0-2: background (at|in) .*'

# Each node's report of a fault is whole, in one piece, and ends its last line, also
# where the run ends in the middle of one.
cat >fault.s <<'END'
        .include "kernel.inc"
        .global main
main:   load    kernel_rank,r0
        add     r0,1,r0
.wait:  sub     r0,1,r0
        bnz     r0,^.wait
        move    nil,r1
        add     r1,1,r1
        goto    kernel_idle
END
for going in "" --keep-going; do
    # shellcheck disable=SC2086
    "$jm" run --mesh 2x2x2 $going fault.s >out 2>err
    check "reports with '$going'" python3 - <<'END'
import re
text = open('out').read()
assert text.endswith('\n')
nodes = []
for line in text.splitlines():
    node, rest = re.fullmatch(r'node (\d+): (.*)', line).groups()
    if rest.startswith('kernel: fault TYPE'):
        assert rest.endswith(f'on node {node}, background'), line
        nodes.append(node)
        parts = ['FIP', 'FIR', 'FOP0', 'FOP1']
    else:
        assert node == nodes[-1], line
        assert re.fullmatch(rf'  {parts.pop(0)} +\w+:[0-9A-F]{{8}}', rest), line
assert sorted(nodes) == [str(n) for n in range(8)], nodes
END
done
finish

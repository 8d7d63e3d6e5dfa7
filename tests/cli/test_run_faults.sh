# What is said of a program that goes wrong: what happened first, and where.
. tests/cli/check.sh

cat >"$work/bad.s" <<'EOF'
        .include "kernel.inc"
        .global main
main:   readr   nnr,r2
        send    r2,0            ; to myself
        .msg    work,3
        send    r0,0
        send    r2,0
        sende   nil,0
        goto    kernel_idle
work:   move    [1,a3],r0
        move    [2,a3],r1
        add     r0,r1,r2        ; INT + SYM
        suspend
EOF
status 127 "$jm" run "$work/bad.s"
says out "kernel: fault TYPE on node 0"
says err "node 0 (0,0,0): fault TYPE in cycle "
says err "work+1 ($work/bad.s:12)"
says err "12 | add     r0,r1,r2        ; INT + SYM"
says err "add r0,r1,r2: operand SYM:00000000, r0 INT:00000000"
says err "3 words: MSG:"
says err "it was sent by node 0 (0,0,0)"
rows 0 "$work/err" 'kernel/fault.s|ILGINST|CATASTROPHE'
status 127 "$jm" run --fault-chain "$work/bad.s"
says err "12 | add"
says err "-> ILGINST in its handler"
says err "kernel/fault.s"

# The first instruction of a word is not taken for the one after it.
sed 's/^work:.*/work:   add     [2,a3],r0,r0/; s/^        add  .*/        nop/' \
    "$work/bad.s" >"$work/first.s"
sed -i 's/^work:.*/work:   move    [2,a3],r0\n        add     r0,1,r0/' "$work/first.s"
status 127 "$jm" run "$work/first.s"
says err "first.s:11)"
says err "11 | add     r0,1,r0"

# Without the source its place is told all the same.
status 0 "$build/mdpas" -I kernel -I "$build/gen" -o "$work/bad.o" "$work/bad.s"
mv "$work/bad.s" "$work/gone.s"
cp "$work/bad.o" "$work/kept.o"
status 0 "$build/mdpld" -o "$work/bad.elf" "$work/kept.o" "$build/libkernel.a"
status 127 "$jm" run "$work/bad.elf"
says err "work+1 ($work/bad.s:12)"
rows 0 "$work/err" '12 \|'

# A fault on every node is one report.
status 0 "$jm" run --mesh 8x8x2 --keep-going "$work/gone.s"
says err "nodes 0-127: fault TYPE in cycles"
rows 1 "$work/err" 'fault TYPE'
rows 1 "$work/err" ', 3 words: MSG'
check "a few rows" test "$(wc -l <"$work/err")" -lt 12
rows 128 "$work/out" '^node [0-9]+: kernel: fault TYPE on node [0-9]+, priority 0$'

# The run ends when the first node has stopped; the others are told in one row.
status 127 "$jm" run --mesh 8x8x2 "$work/gone.s"
says err "node 0 (0,0,0): fault TYPE in cycle"
says err "  nodes 1-127 took the same fault, and had not stopped yet"
rows 1 "$work/err" 'fault TYPE'

# A task that its header puts in fault mode: every fault in it is a CATASTROPHE, and the
# kernel's end comes long after. What happened first is the task's fault all the same.
sed 's/work,3$/work,3,F/' "$work/gone.s" >"$work/mode.s"
status 127 "$jm" run "$work/mode.s"
says err "node 0 (0,0,0): fault TYPE in cycle "
says err "work+1 ($work/mode.s:12)"
says err "in fault mode (F = 1) this is a CATASTROPHE"
says err "add r0,r1,r2: operand SYM:00000000, r0 INT:00000000"
rows 0 "$work/err" 'kernel/fault.s|ILGINST'
status 127 "$jm" run --fault-chain "$work/mode.s"
says err "12 | add"
says err "-> ILGINST in its handler"
status 127 "$jm" run --save-at "400:$work/saved" --mesh 8x8x2 "$work/mode.s"
cp "$work/err" "$work/whole"
says err "  nodes 1-127 took the same fault, and had not stopped yet"
status 127 "$jm" run --restore "$work/saved"
check "the same after a restore" cmp "$work/err" "$work/whole"

# An overflow that has been handled in an earlier task is not what led there.
cat >"$work/after.s" <<'EOF'
        .include "kernel.inc"
        .global main
main:   load    kernel_rank,r1
        bz      r1,^.rest
        constant 40,r3
.more:  mask    r1
        move    0,r2
        .msg    slow,2
        send2   r2,r0,0
        sende   r3,0
        sub     r3,1,r3
        bnz     r3,^.more
        mask    r1
        .msg    work,2,F
        send2   r2,r0,0
        sende   nil,0
.rest:  goto    kernel_idle
slow:   constant 100,r1
.turn:  sub     r1,1,r1
        bnz     r1,^.turn
        suspend
work:   move    [1,a3],r0
        add     r0,1,r0
        suspend
EOF
status 127 "$jm" run --quiet --mesh 2x1x1 --queue 32 --stats "$work/stats" \
    "$work/after.s"
rows 1 "$work/stats" '^"faults".*"QUEUE":[1-9]'
says err "node 0 (0,0,0): fault TYPE in cycle "
says err "| add     r0,1,r0"
rows 0 "$work/err" 'fault QUEUE'

# A header that promises more words than were sent: the sender is named, and a receiver
# that waits for them stops with both lengths, in a read and in SUSPEND.
cat >"$work/short.s" <<'EOF'
        .include "kernel.inc"
        .global main
main:   readr   nnr,r2
        send    r2,0
        .msg    work,9
        send    r0,0
        send2   1,r2,0
        send2   3,r2,0
        sende   5,0
        goto    kernel_idle
work:   move    [5,a3],r0
        move    [8,a3],r1
        suspend
EOF
status 127 timeout 60 "$jm" run "$work/short.s"
says err "warning: node 0 sent 6 words in cycle "
says err " work at priority 0, and the header says 9 (1 such message)"
says err "; it ends at 00103 main+3 ($work/short.s:9)"
says err "($work/short.s:12)"
says err "the message has come whole, with 6 words, and its header says 9"
status 127 timeout 60 "$jm" run --save-at "250:$work/saved" "$work/short.s"
status 127 timeout 60 "$jm" run --restore "$work/saved"
says err "with 6 words, and its header says 9"
says err "warning: node 0 sent 6 words"
# The place of the last SEND, of messages that a task sends ahead of the machine or not.
cat >"$work/late.s" <<'EOF'
        .include "kernel.inc"
        .global main, work, last
main:   readr   nnr,r2
        send    r2,0
        .msg    work,2
        send2e  r0,r2,0
        goto    kernel_idle
work:   move    [1,a3],r2
        send    r2,0
        .msg    last,4
        add     r2,0,r1
        send    r0,0
        add     r1,1,r1
        sende   r1,0
        suspend
last:   suspend
EOF
for options in "" "--trace $work/trace" "--mesh 8x8x8" "--threads 4 --mesh 8x8x8" \
    "--save-at 251:$work/late"; do
    # shellcheck disable=SC2086
    status 0 timeout 60 "$jm" run $options "$work/late.s"
    says err "; it ends at 00108 work+3 ($work/late.s:14)"
done
status 0 "$jm" run --restore "$work/late"
says err "; it ends at 00108 work+3 ($work/late.s:14)"
status 127 timeout 60 "$jm" run --quiet "$work/short.s"
rows 0 "$work/err" warning
sed 's/^work: .*/work:   nop/; s/^        move    .8,a3.,r1$/        nop/' \
    "$work/short.s" >"$work/suspend.s"
status 127 timeout 60 "$jm" run "$work/suspend.s"
says err "| suspend"
says err "with 6 words, and its header says 9"
sed 's/work,9$/work,6/; s/\[8,a3\]/[4,a3]/' "$work/short.s" >"$work/right.s"
status 0 timeout 60 "$jm" run "$work/right.s"
rows 0 "$work/err" 'warning: node'

# The sender is another node; the file that holds the source may hold anything.
printf '        .include "kernel.inc"\n        .global main\n' >"$work/far.s"
cat >>"$work/far.s" <<'EOF'
main:   .word   INT:HOST_RANK
        move    [r0,a0],r1
        bz      r1,^away
        move    0,r2            ; all but node 0 send to it
        send    r2,0
        .msg    work,2
        send    r0,0
        sende   nil,0
away:   goto    kernel_idle
work:   move    [1,a3],r0
EOF
printf '        add     r0,1,r0 ; \033[31m\001\tred\n        suspend\n' >>"$work/far.s"
status 127 "$jm" run --mesh 2x1x1 "$work/far.s"
says err "it was sent by node 1 (1,0,0)"
says err "13 | add     r0,1,r0 ;  [31m  red"
rows 0 "$work/err" "$(printf '\033')"

# The debugger says the same.
printf 'continue\nwhy stopped\nquit\n' >"$work/commands"
"$jm" run --mesh 2x1x1 "$work/far.s" 2>&1 >/dev/null |
    sed -n '/fault TYPE/s/^ *//p' >"$work/said"
"$jm" debug --quiet --mesh 2x1x1 --no-init "$work/far.s" \
    <"$work/commands" >"$work/out" 2>&1
check "the debugger says the same" test "$(grep -cF -f "$work/said" "$work/out")" -eq 2

finish

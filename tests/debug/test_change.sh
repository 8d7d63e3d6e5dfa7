# Changes: wires and queues blocked, messages in queues edited; every change is repeated
# during replay, and a rejected one changes nothing.
. tests/cli/check.sh

ages() {
    "$jm" debug --quiet --no-init --mesh 4x2x1 --queue "${queue:-64}" \
        tests/debug/programs/ages.s
}
says() { # WHAT TEXT
    check "$1" grep -qF -- "$2" "$work/out"
}

# A blocked wire: SEND faults behind it, a deadlock that names it, and every view of the
# network shows it; unblocked, the program ends normally.
cat >"$work/in" <<'END'
run 235
block wire 1 -X
catch fault SEND on 1
continue
delete
catch deadlock
continue
info blocked
wires 1
channels 1
messages 1
why blocked 3
history 2
picture wires
unblock wires
continue
print [kernel_overflows0]@0
print idle()
END
ages <"$work/in" >"$work/out"
says "a SEND fault" 'catch fault SEND on 1, node 1 (1,0,0): SEND at'
says "a deadlock" 'the machine has ended: deadlock'
says "it names the wire" '1,0,0 -X: this wire is blocked'
says "a list of what is blocked" 'the wire from node 1 (1,0,0) to -X'
says "wires" '-X 0 blocked'
says "channels" '-> 0,0,0 p0 RX, the wire is blocked'
says "messages" 'in 1,0,0 -X -> 0,0,0 p0 RX, the wire is blocked'
says "why blocked" '1,0,0 p0 -X waits at a blocked wire with message 1'
says "a life" 'cycles in 2,0,0 p0 -X: 1,0,0 p0 -X is held by message 1'
says "a picture" '.x..'
says "it ends at last" 'the machine has ended: idle'
check "the chain ends at the wire" test "$(grep -c 'its queue 0 is' "$work/out")" -eq 0

# Replay: the changes are repeated in their cycles, and the output is the same.
looks='where all
messages
statistics all'
cat >"$work/in" <<END
run 235
block wire 1 -X
run 600
unblock wire 1 -X
run 600
echo first
$looks
goto 300
wires 1
goto 900
wires 1
goto 1435
echo second
$looks
END
ages <"$work/in" >"$work/out"
check "blocked in cycle 300, free in cycle 900" \
    test "$(grep -c ' blocked' "$work/out")" -eq 1
sed '1,/^first/d; /^cycle 300:/,$d' "$work/out" >"$work/a"
sed '1,/^second/d' "$work/out" >"$work/b"
check "there is something to compare" test "$(wc -l <"$work/a")" -gt 50
check "changes are made again" diff "$work/a" "$work/b"

# A saved machine keeps its blocked wires.
printf 'run 235\nblock wire 1,0,0 -x\nsave %s\n' "$work/saved" | ages >"$work/out"
printf 'info blocked\nunblock wire 1 -X\ninfo blocked\n' |
    "$jm" debug --quiet --no-init --restore "$work/saved" >"$work/out"
check "saved and freed" test "$(cat "$work/out")" = \
    'the wire from node 1 (1,0,0) to -X
nothing is blocked'

# A blocked queue makes senders wait; unblocked, it takes the messages that have come.
queue=512
cat >"$work/in" <<'END'
run 235
block queue 0 0
run 300
picture queue
picture what
info blocked
why blocked 5
unblock queue 0 0
continue
END
ages <"$work/in" >"$work/out"
says "a picture of queues" 'x...'
sed -n '/, queue 0, y up:/,/^x/p' "$work/out" | tail -2 | tr '\n' '/' >"$work/rows"
check "y points up in it" grep -qx '[.0-9#]*/x[.0-9#]*/' "$work/rows"
says "all wait to send" 'wwww'
says "it is on the list" 'queue 0 of node 0 (0,0,0)'
says "why" 'its queue 0 is disabled: nothing can arrive'
says "it goes on" 'the machine has ended: idle'

# When all have arrived a message can be injected into every queue.
printf 'continue\ninject 0 0 MSG(arrive,2) 7\nqueue 0\n' |
    "$jm" debug --quiet --no-init --mesh 2x1x1 tests/debug/programs/tag.s >"$work/out"
says "room for another" 'arrive, 2 words; age 0, put there by hand'

# Messages are edited: dropped, longer, shorter, other words. They keep their ages.
cat >"$work/in" <<'END'
run 304
inject 0 0 MSG(slow,2) 5
queue 0
edit 0 0 1 drop
edit 0 0 1 length 6
edit 0 0 1 word 5 = 77
edit 0 0 2 word 0 = MSG(slow,2)
queue 0
edit 0 0 1 length 3
history queue 0 0 1
run 100
goto 304
queue 0
edit 0 0 0 drop
edit 0 0 99 drop
edit 0 0 1 length 1000
edit 0 0 1 word 3 = 1
edit 0 0 1 word 1
edit 0 0 1
queue 0
END
ages <"$work/in" >"$work/out"
queues() { # N: the N-th list of queue 0, from its second message on
    awk -v n="$1" '/^node 0 \(0,0,0\)$/ { k++ } k == n && /^ /' "$work/out" |
        sed -n '/^    00C/,/queue 1/p' | tail -n +3
}
queues 1 >"$work/1"
queues 2 >"$work/2"
queues 3 >"$work/3"
queues 4 >"$work/4"
check "there are messages" test "$(wc -l <"$work/1")" -gt 10
says "an injected one" 'slow, 2 words; age 0, put there by hand'
says "a longer one" 'slow, 6 words; age'
says "its new word" 'INT:0000004D'
check "one message less" test "$(grep -c 'slow, ' "$work/2")" -eq \
    $(($(grep -c 'slow, ' "$work/1") - 1))
check "ages go with messages" sh -c "
    grep -o 'age [0-9]*, sent.*' $work/1 | tail -n +2 >$work/a
    grep -o 'age [0-9]*, sent.*' $work/2 >$work/b; diff $work/a $work/b"
check "edited again on the way" diff "$work/3" "$work/4"
says "the running one" 'its task runs: only its words can be changed'
says "none there" 'there is no message 99 in queue 0 of node 0; 0 is the first'
says "no room" 'the queue has no room for that'
says "no such word" 'the word must be in 0..2'
says "no value" "'=' expected"
says "nothing to do" "'word', 'length' or 'drop' expected"

# A message of one word remains one; one without words would not be a message.
printf '%s\n' 'run 304' 'inject 0 0 MSG(slow,2) 5' 'edit 0 0 1 length 1' 'queue 0' \
    'edit 0 0 1 length 0' | ages >"$work/out"
says "as short as can be" 'slow, 1 word;'
says "not shorter" 'the length must be in 1..'

# So many injected messages make an overflow.
queue=32
{
    printf 'run 400\ncatch overflow on 3\n'
    for i in 1 2 3 4 5 6 7 8; do echo "inject 3 0 MSG(slow,3) $i 0"; done
    printf 'inject 3 0 MSG(slow,3) 9 0\ncontinue\ndelete\ncontinue\n'
    printf 'print [kernel_overflows0]@3\n'
} >"$work/in"
ages <"$work/in" >"$work/out"
says "a full queue takes no more" 'has no room for 4 words'
check "and overflows" test "$(tail -1 "$work/out")" != 'INT:00000000  0'

# Every register of every context can be set and read back; background lacks some.
queue=64
{
    echo 'run 235'
    for register in r0 r1 r2 r3 a0 a1 a2 a3 id0 id1 id2 id3 \
        ip fip fir fop0 fop1 qbm qhl; do
        for context in 0 1 b; do
            case $context$register in
            bid? | bfir | bfop? | bq*) continue ;;
            esac
            echo "set \$$register.$context = ADDR(0x123,7)"
            echo "print \$$register.$context"
        done
    done
} >"$work/in"
ages <"$work/in" >"$work/out"
check "registers" test "$(grep -c '^ADDR:00048C07' "$work/out")" -eq 48
{
    echo 'run 235'
    for flag in i q.0 f.b u.b f.0 u.1; do
        printf 'set $%s = 1\nprint $%s\nset $%s = FALSE\n' $flag $flag $flag
    done
    printf 'set $tbm = ADDR(0x700,3)\nprint $tbm\nset $nnr = 5\nprint $nnr\n'
    printf 'set $mar = 77\nprint $mar\nset $f.b = 1\nset $ip.b = main\nprint $ip.b\n'
    printf 'set $p = 1\nprint $p\nset $b = 0\nprint $b\nprint $running\n'
} >"$work/in"
ages <"$work/in" | tail -n +3 >"$work/out"
check "flags" test "$(head -6 "$work/out" | sort -u)" = 'BOOL:00000001  true'
check "registers of the node" test "$(tail -n +7 "$work/out")" = \
    'ADDR:001C0003  00700 length 3
INT:00000005  5
INT:0000004D  77
IP:40040100  00100 main F
BOOL:00000001  true
BOOL:00000000  false
1'
printf 'set $id0.b = NIL\nset $qhl.b = 0\nset $p = 2\nset $i = INT:3\nset $x.0 = 1\n' |
    ages >"$work/out"
check "what cannot be set" test "$(grep -c '^error: ' "$work/out")" -eq 5

# Rejected changes.
cat >"$work/in" <<'END'
block
block wire
block wire 0
block wire 0 X
block wire 0 +
block wire 0 +W
block wire 0 -X
block wire 0 +XX
block wire 99 +X
block wire 0 +X now
unblock
unblock wire 0 +X
unblock wires
unblock wires now
unblock all
info blocked
END
ages <"$work/in" >"$work/out"
check "every one of them" test "$(grep -c '^error: ' "$work/out")" -eq 15
says "a direction" 'a direction expected: +X -X +Y -Y +Z or -Z'
says "the edge" 'the mesh ends there: node 0 (0,0,0) has no such wire'
check "and nothing is blocked" test "$(tail -1 "$work/out")" = 'nothing is blocked'

# Each direction of a wire, and each queue, of a node that has all of them: it is on the
# list, and shown in its place and nowhere else. Unblocked it is as before.
cube() {
    "$jm" debug --quiet --no-init --mesh 3x3x3 tests/debug/programs/prog.s >"$work/out"
}
for wire in +X -X +Y -Y +Z -Z; do
    {
        printf 'block wire 13 %s\ninfo blocked\nwires 13\necho pictures\n' $wire
        for d in X Y Z; do printf 'picture wires %s 13\n' $d; done
        printf 'unblock wire 13 %s\ninfo blocked\n' $wire
    } | cube
    says "$wire is on the list" "the wire from node 13 (1,1,1) to $wire"
    says "$wire among the wires" "$wire 0 blocked"
    check "no other" test "$(grep -o '[0-9] blocked' "$work/out" | wc -l)" -eq 1
    says "$wire is freed" 'nothing is blocked'
    seen=$(sed '1,/^pictures/d' "$work/out" | grep -x '[.x]' | tr -d '\n')
    case $wire in
    ?X) expected=x.. ;;
    ?Y) expected=.x. ;;
    ?Z) expected=..x ;;
    esac
    check "$wire in pictures" test "$seen" = $expected
done
for p in 0 1; do
    other=$((1 - p))
    printf '%s\n' "set \$qbm.$p@13 = ADDR(0x800, 63)" \
        "set \$qbm.$other@13 = ADDR(0xA00, 31)" 'set $qbm.0@2 = ADDR(0xC00, 15)' \
        "block queue 13 $p" 'info blocked' "print \$qbm.$p@13" \
        "unblock queue 13 $p" 'info blocked' "print \$qbm.$p@13" \
        "print \$qbm.$other@13" | cube
    check "queue $p" test "$(tr '\n' '/' <"$work/out")" = "queue $p of node 13 (1,1,1)\
/ADDR:4020003F  00800 length 63 invalid/nothing is blocked/ADDR:0020003F  00800 length\
 63/ADDR:0028001F  00A00 length 31/"
done

# External faults reach the node to which they are posted, with their kind.
for fault in INTERRUPT DRAMERR; do
    for to in 'node 1/post F' 'post F 1'; do
        printf 'run 240\n%s\ncatch fault INTERRUPT,DRAMERR\nregisters 1\ncontinue\n' \
            "$(echo "$to" | sed "s/F/$fault/" | tr / '\n')" |
            "$jm" debug --quiet --no-init --mesh 4x1x1 tests/debug/programs/prog.s \
                >"$work/out"
        says "$to, posted" 'external fault posted'
        rows 1 "$work/out" "stop 1, .*, node 1 .1,0,0.: $fault at "
    done
done

# A place for $ip keeps both flags; a header that says too little or too much is noted.
printf '%s\n' 'run 240' 'set $ip.b = IP:C0000100' 'set $ip.b = main + 1' 'print $ip.b' \
    'inject 1 0 MSG(arrive,2) 1 2' 'inject 1 0 MSG(arrive,4) 1 2' \
    'inject 1 0 MSG(arrive,3), 1, 2' 'inject 2 0 SYM:00000003 1 2' | cube
rows 1 "$work/out" '^IP:C0040500 .* U F$'
rows 3 "$work/out" '^note: the header does not say MSG and 3 words$'
finish

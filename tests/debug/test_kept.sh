# State that a session keeps between commands: variables, displays, aliases, commands of
# stops, the past; and the selected node.
. tests/cli/check.sh

# said OPTIONS PROGRAM LINE...: what the debugger says to the lines goes to $work/out.
said() {
    given=$1 program=$2
    shift 2
    # shellcheck disable=SC2086 # words
    printf '%s\n' "$@" | "$jm" debug --quiet --no-init $given \
        "tests/debug/programs/$program.s" >"$work/out" 2>&1
}
# ends WHAT TEXT: the last line; all WHAT TEXT: all lines, each with a / behind it.
ends() {
    check "$1: $(tail -1 "$work/out" | tr -d '\\')" \
        test "$(tail -1 "$work/out")" = "$2"
}
all() {
    check "$1: $(tr '\n' '/' <"$work/out" | tr -d '\\')" \
        test "$(tr '\n' '/' <"$work/out")" = "$2"
}

# The commands of a stop are those given last, for the named or the most recent stop; a
# run to a condition creates no stop.
said '--mesh 2x1x1' tag 'break main' 'break arrive' 'commands' 'echo one' 'end' \
    'until $cycle >= 50' 'commands' 'echo two' 'echo three' 'end' 'commands 1' \
    'echo main' 'end' 'continue' 'continue'
check "commands" test "$(grep -xE 'one|two|three|main' "$work/out" | tr '\n' ' ')" = \
    'main main two three '

# The past: its extent, and the changes in it.
said '' tag 'run 60' 'goto 20' 'info time' 'set [total] = 7' 'info time'
check "furthest" grep -q '^cycle 20, furthest 60, 0 changes' "$work/out"
check "another future" grep -q '^cycle 20, furthest 20, 1 changes' "$work/out"
said '' tag 'set [total] = 9' 'run 50' 'goto 0' 'goto 30' 'print [total] + $cycle dec'
ends "a change at the beginning" 39
said '' tag 'run 20' 'set [total] = 9' 'run 5' 'option time-travel off' 'goto 10' \
    'option time-travel on' 'run 10' 'set [total + 1] = 4' 'run 15' 'goto 25' \
    'print [total] dec' 'print [total + 1] dec' 'goto 45' 'print [total] dec' \
    'print [total + 1] dec' 'goto 24'
check "changes before and after" test \
    "$(grep -x '[49]\|0' "$work/out" | tr '\n' ' ')" = '9 9 4 '
check "no way back when it is off" grep -q 'time travel is off' "$work/out"
check "nor before it is on again" grep -q 'the past begins with cycle 25' "$work/out"
said '' tag 'run 40' "save $work/saved"
printf 'run 30\ngoto 40\nprint $cycle dec\n' |
    "$jm" debug --no-init --restore "$work/saved" >"$work/out"
ends "back to the beginning of a restored past" 40

# The selected node is that of the first item in the output, the first that stopped, or
# the previous one.
said '--mesh 3x1x1' tag 'node 2' 'break main' 'continue' 'print $node'
first=$(sed -n 's/^cycle.*, node \([0-9]*\) .*/\1/p' "$work/out")
ends "of several hits" "$first"
said '--mesh 3x2x1' corners 'node 0' 'run 400' 'print $node'
ends "of several that stop" 1
said '--mesh 4x2x1' ages 'node 5' 'catch idle' 'continue' 'print $node'
ends "of none" 5
check "an end is at the selected node" grep -q 'catch idle, node 5 ' "$work/out"

# A program that starts again goes the same way, whatever was done before; its past and
# its trace begin anew.
looks='run 700;statistics all;registers all;queue all;channels;messages;info blocked'
looks="$looks;continue;statistics;info faults;goto 650;registers all;statistics all"
corners='--mesh 3x2x2 --queue 32 --queue1 16'
session() { # LINES: separated by ;. What those after `echo =` print goes to $work/out
    echo "$1" | tr ';' '\n' >"$work/in"
    # shellcheck disable=SC2086 # words
    "$jm" debug --quiet --no-init $corners tests/debug/programs/corners.s \
        <"$work/in" | awk 'begun; /^=$/ { begun = 1 }' >"$work/out"
}
session "echo =;$looks"
mv "$work/out" "$work/fresh"
check "there is something to compare" test "$(wc -l <"$work/fresh")" -gt 300
changes='block wire 0 +X;set [total] = 9;set $r1.b@3 = 77;block queue 3 1'
off='option time-travel off' on='option time-travel on'
for before in 'run 900' continue "run 500;$changes;run 100;goto 300;run 50" restart \
    "run 200;$off;run 300;$changes;$on;run 100" "$changes;run 9000;goto 100" \
    "run 90;restart;run 800"; do
    session "$before;restart;echo =;$looks"
    check "after $before" cmp "$work/out" "$work/fresh"
done
session "run 50;trace $work/trace;run 400;goto 100;run 30;restart;run 500;trace off"
# shellcheck disable=SC2086 # words
"$jm" run --quiet $corners --trace "$work/run" --cycles 500 \
    tests/debug/programs/corners.s >"$work/err" 2>&1
{
    awk '$1 >= 50 && $1 < 450' "$work/run"
    cat "$work/run"
} >"$work/a"
check "the trace of both runs" cmp "$work/a" "$work/trace"

# Stops that are saved stop in the same places when they are read again.
stops='break slow on 3-11 if $r0 == 3 after 2;tbreak quick.wait;break corners.s:31'
stops="$stops on 0-1,1,*;commands;print [total];end;break corners.s:37 on (9);disable 4"
stops="$stops;watch total if \$old != 3 after 1;rwatch 0xC00 8 on 3;awatch total + 1 2"
stops="$stops;node 4;watch \$r1 if \$r1 != 5 after 20;watch (queue(0)) after 7;node 1"
stops="$stops;catch fault QUEUE,SEND on *,1,*;catch dispatch quick after 9"
stops="$stops;catch send to 0 on 5;catch send to 2,1,1 on 3-5;catch arrive on 7"
more=$(yes ';continue' | head -60 | tr -d '\n')';info stops'
session "$stops;echo =;save stops $work/stops$more"
mv "$work/out" "$work/first"
session "source $work/stops;echo =$more"
sed 's:on (9):on 9:; s:on \*,1,\*:on 0-2,1-1,0-1:; s:on 0-1,1,\*:on 0-1,1-1,0-1:
    s:to 2,1,1 :to 11 :; s:QUEUE,SEND:QUEUE SEND:' "$work/first" >"$work/a"
check "saved stops" cmp "$work/a" "$work/out"
check "they stop" test "$(grep -c '^cycle .* stop ' "$work/out")" -gt 50

# Back past some stops is back to each of them, also where two are in one cycle.
for count in 2 3 4 5 6 7 8 9; do
    stops='catch send;break main.next;continue 14'
    session "$stops;echo =;reverse-continue $count;continue"
    mv "$work/out" "$work/at-once"
    session "$stops$(yes ';rc' | head -$((count - 1)) | tr -d '\n');echo =;rc;continue"
    check "back $count stops" cmp "$work/out" "$work/at-once"
done
check "it is back there" grep -q '^cycle 2.*: stop ' "$work/out"

# Messages count as delivered when they arrive, even if their numbers have been reused.
options='--mesh 4x2x1 --queue 64'
# shellcheck disable=SC2086 # words
"$jm" run --quiet $options --trace "$work/run" tests/debug/programs/ages.s 2>"$work/err"
for message in 0 1 2 3 5; do
    said "$options" ages 'goto 260' "deliver $message" 'print $cycle dec'
    cycle=$(awk -v n="#$message" \
        '$1 >= 260 && $4 == "arrive" && $8 == n { print $1; exit }' \
        "$work/run")
    check "message $message, which arrives in cycle $cycle" \
        grep -qx "$((cycle + 1))\|$((cycle + 2))" "$work/out"
done

# A task injected into the queue; an interrupted context whose address counts from A0.
said '--mesh 3x2x2' corners 'run 240' 'inject 5 0 MSG(slow,1)' 'break slow on 5' \
    'continue' 'set $a0.b = ADDR(0x100, 64)' 'set $a0.0 = ADDR(0x40, 64)' \
    'set $ip.b = IP:00001400' 'backtrace'
check "by hand" grep -q '^  which was put there by hand in cycle 240$' "$work/out"
check "from A0" grep -q '^#1  background, interrupted before 00105 ' "$work/out"

# The reason why a queue is closed, with each cure, and counts of returned messages.
shuts='brake spilled returned'
for cure in brake_mark=24:brake spill_mark=16:spilled rts=1:returned; do
    for cycle in $(seq 255 4 460); do
        printf 'goto %s\nqueue 0\n' "$cycle"
    done >"$work/in"
    # shellcheck disable=SC2086 # words
    "$jm" debug --quiet --no-init $options --param ${cure%:*} \
        tests/debug/programs/ages.s <"$work/in" >"$work/out"
    for word in $shuts; do
        seen=$(grep -c "its input is shut .*$word" "$work/out")
        [ "$word" = "${cure#*:}" ] || seen=$((!seen))
        check "$cure: $word" test "$seen" -gt 0
    done
done
returned="$options --param rts=1 --param rts_backoff=50"
# shellcheck disable=SC2086 # words
"$jm" run --quiet $returned --cycles 700 --stats "$work/stats" \
    tests/debug/programs/ages.s >"$work/out" 2>&1
said "$returned" ages 'goto 700' 'queue all' 'queue 3' 'queue 5'
sed -nE 's/^    return memory: (.*) words res.*, (.*) me.*, (.*) of .*/\1 \2 \3/p' \
    "$work/out" | tail -2 >"$work/a"
tr '{' '\n' <"$work/stats" | grep -A1 '"rank":[35],' | tr ',' '\n' |
    sed -n 's/^"returns_in":/returns /p; s/^"resent":/resent /p
        s/^"rts_reserved":/reserved /p' |
    awk '$1 == "returns" { n = $2 } $1 == "resent" { m = $2 }
        $1 == "reserved" { print $2, n, m }' >"$work/b"
check "return memory" cmp "$work/a" "$work/b"
check "some came back" grep -q ' [1-9]' "$work/a"

# An empty line repeats commands that move, and nothing else; listings continue where
# they ended.
twice() { # LINE AGAIN: LINE and an empty line are LINE and AGAIN
    start='break arrive/continue/continue/continue/echo begins'
    end='print $cycle/where all'
    for second in '' "$2"; do
        printf '%s\n' "$start" "$1" "$second" "$end" | tr / '\n' | tr '!' / |
            "$jm" debug --quiet --no-init --mesh 4x1x1 tests/debug/programs/prog.s |
            sed '1,/^begins/d' >"$work/${second:+again}.txt"
    done
    check "'$1' and an empty line" cmp "$work/.txt" "$work/again.txt"
    check "'$1' is done" test "$(grep -c '^error' "$work/.txt")" -eq 0
}
for line in step 'step 3' si stepi line 'next 2' ni cycle 'cycle 7' task finish \
    deliver continue c reverse-step 'rs 4' rsi reverse-stepi reverse-line rn \
    reverse-next reverse-continue; do
    twice "$line" "$line"
done
for line in x list disassemble; do
    twice "$line main 3" $line
done
twice 'x!4x main' 'x!4x'
twice '  x!2d main' 'x!2d'
for line in 'run 10' 'goto 250' 'print 5' 'echo a' where 'until $cycle > 900' \
    'break main' 'set $a = 1' 'info stops' 'queue all'; do
    twice "$line" '# nothing'
done
printf '%s\n' step '' | sed 's/step/cycle 3\nprint 1/' |
    "$jm" debug --quiet --no-init tests/debug/programs/prog.s >"$work/out"
ends "nothing behind what does not move" 1

# The user's own file is in XDG_CONFIG_HOME, else below HOME; a relative path is
# ignored. `quit` ends the file, and skips the rest of it.
mkdir -p "$work/home/.config/jm" "$work/xdg/jm"
printf 'print 11\n' >"$work/home/.config/jm/debugrc"
printf 'print 12\n' >"$work/xdg/jm/debugrc"
own() { # XDG_CONFIG_HOME OPTION...
    xdg=$1
    shift
    (cd "$work" && HOME=$work/home XDG_CONFIG_HOME=$xdg "$jm" debug "$@" \
        "$OLDPWD/tests/debug/programs/tag.s") </dev/null >"$work/out"
}
own ''
all "below HOME" '11  0xB/'
own "$work/xdg"
all "elsewhere" '12  0xC/'
own xdg
all "a relative place" '11  0xB/'
own "$work/xdg" --no-init
all "none is wanted" ''
printf 'print 1\nquit 9\nprint 2\n' >"$work/xdg/jm/debugrc"
own "$work/xdg" -ex 'print 3'
check "its status" test $? -eq 9
all "quit ends all" '1/'
finish

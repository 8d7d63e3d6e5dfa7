# Commands that must agree: a program started again, stops that are saved,
# several stops back at once, a delivery and a trace, empty lines and what they repeat.
. tests/cli/check.sh

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
    # shellcheck disable=SC2086 # words
    printf 'goto 260\ndeliver %s\nprint $cycle dec\n' "$message" |
        "$jm" debug --quiet --no-init $options tests/debug/programs/ages.s >"$work/out"
    cycle=$(awk -v n="#$message" \
        '$1 >= 260 && $4 == "arrive" && $8 == n { print $1; exit }' \
        "$work/run")
    check "message $message, which arrives in cycle $cycle" \
        grep -qx "$((cycle + 1))\|$((cycle + 2))" "$work/out"
done

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
finish

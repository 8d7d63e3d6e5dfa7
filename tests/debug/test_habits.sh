# Habits of gdb users: its words and options, source text, displays; and names in a
# program cannot control the terminal.
. tests/cli/check.sh

debug() {
    "$jm" debug --quiet --no-init --mesh 2x1x1 "$@" tests/debug/programs/tag.s
}
line() { # N TEXT: line N of $work/out
    checks=$((checks + 1))
    [ "$(sed -n "$1p" "$work/out")" = "$2" ] ||
        fail "line $1 is '$(sed -n "$1p" "$work/out")', not '$2'"
}

# Commands and files of the command line, in their order, before those of the input.
printf 'print 3\n' >"$work/three.jmd"
printf 'print 6\n' >"$work/six.jmd"
echo 'print 7' | debug -ex 'print 1' -ex 'print 2' -x "$work/three.jmd" -ex 'p 4 + 1' \
    --source "$work/six.jmd" >"$work/out"
check "-ex and -x" test "$(tr '\n' ' ' <"$work/out")" = '1 2 3 5 6 7 '
echo 'print 7' | debug -ex 'quit 5' -ex 'print 2' >"$work/out"
check "-ex quit" test $? -eq 5
check "ends it" test ! -s "$work/out"
debug -ex 'print 1 +' </dev/null >"$work/out"
check "a command that fails" test $? -eq 1
status 2 "$jm" debug -ex
says err '-ex needs a command'
status 2 "$jm" debug tests/debug/programs/tag.s -x
says err '-x needs a file'

# Source text: around a line, a symbol, the next instruction; then on.
printf '%s\n' 'list tag.s:3 3' 'list' 'list 20 2' 'list arrive 1' 'break main' \
    'continue' 'list' '' 'list tag.s:99' 'list none.s:1' | debug >"$work/out"
line 1 '      2  ; cannot be added.'
line 3 '      4          .global main, arrive, answer, total'
line 4 '      5  main:   load    kernel_rank,r1'
line 13 '     14          goto    kernel_idle'
line 14 '     19          .data'
line 16 '     15  arrive: load    total,r1'
line 22 '      2  ; cannot be added.'
line 25 '=>    5  main:   load    kernel_rank,r1'
line 31 '     11          .msg    arrive,2'
check "a file ends" grep -q '^tag.s has 20 lines$' "$work/out"
check "no such file" grep -q 'the program has no such file' "$work/out"
check "lines are marked once" test "$(grep -c '^=>' "$work/out")" -eq 1
printf 'break main\ncontinue\nlist 0 1\n' | debug >"$work/out"
first='      1  ; A planted bug: a wrong tag. Nodes send node 0 a number;'
line 5 "$first node 2 sends a BOOL, which"
cp tests/debug/programs/tag.s "$work/gone.s"
mkfifo "$work/pipe"
"$jm" debug --quiet --no-init "$work/gone.s" <"$work/pipe" >"$work/out" &
{ echo 'print 1' && sleep 1 && rm "$work/gone.s" && echo 'list main 2'; } >"$work/pipe"
wait $!
check "without its source the code" grep -q 'No such file or directory; its code:' \
    "$work/out"
line 4 '  00100  INT:00000110  272                                ; gone.s:5'

# x/FORMAT keeps its format.
printf 'x/2x main\n\nx/1i main + 1\ndisassemble main 1\n' | debug >"$work/out"
line 1 '00100 main               0x100000110'
line 3 '00102 main+2             0xFD341C021'
line 5 '00101 main+1             move [r0,a0],r1          | eq r1,2,r3'
line 6 'main:'

# Displays follow every stop, before the commands of stops.
printf '%s\n' 'display $cycle' 'display/x [total]@0' 'break arrive' 'commands' \
    'echo command' 'end' 'continue' 'step' 'goto 100' 'undisplay 1' 'reverse-step' \
    'info displays' 'undisplay' 'step' 'info displays' | debug >"$work/out"
check "a display at once" grep -q '^1: $cycle = 0$' "$work/out"
check "at a stop, then its commands" sh -c "grep -A1 '^2: ' $work/out | grep -q command"
check "after a step" grep -q '^1: $cycle = 252$' "$work/out"
check "after a journey" grep -q '^1: $cycle = 100$' "$work/out"
check "one is gone" test "$(grep -c '^1: ' "$work/out")" -eq 4
check "the other is left" test 5 -eq \
    "$(grep -c '^2: \[total\]@0 = 0x100000000$' "$work/out")"
check "its row" grep -q '^  2 \[total\]@0, hex$' "$work/out"
check "none" grep -q '^no displays$' "$work/out"
check "no error" test "$(grep -c '^error' "$work/out")" -eq 0
printf '%s\n' 'display 1' 'display 2' 'display 3' 'undisplay 2' 'display' 'undisplay' \
    'echo none' 'display' | debug >"$work/out"
check "by number, then all" test "$(tail -n +4 "$work/out" | tr '\n' ' ')" = \
    '1: 1 = 1 3: 3 = 3 none '

# Two stops of one place: the commands of both, in their order.
printf '%s\n' 'break arrive' 'commands' 'echo first' '  end  ' 'break arrive' \
    'commands' 'echo second' 'end' 'continue' | debug >"$work/out"
check "commands of two stops" test "$(grep -cxE 'first|second' "$work/out")" -eq 2
check "in their order" test "$(grep -xE 'first|second' "$work/out" | head -1)" = first

# gdb's words do the same as the commands that they stand for.
words() { # GDB OURS
    for word in "$1" "$2"; do
        printf 'break arrive\ncontinue\n%s\n\n%s 2\nregisters all\n' "$word" "$word" |
            debug >"$work/$word.txt"
    done
    check "$1 is $2" diff "$work/$1.txt" "$work/$2.txt"
    check "$1 is known" test "$(grep -c '^error: no command' "$work/$1.txt")" -eq 0
}
words finish task
words next line
words stepi step
words reverse-next reverse-line
words si step

# Conditions are listed once, as are nodes and counts, however they are written.
printf '%s\n' 'break arrive if $r0 == 1 on 1 after 3' 'tbreak main on 0' \
    'catch send to 1 if 1 == 2' 'watch total 2 on 0-1 after 7 if 2 == 2' \
    'watch ($cycle)  if 3 == 3' 'info stops' | debug >"$work/out"
line 1 'stop 1: break at 00109 arrive (tag.s:15) on 1 if $r0 == 1 after 3'
line 2 'stop 2: break at 00100 main (tag.s:5) on 0'
line 3 'stop 3: catch send to 1 if 1 == 2'
line 4 'stop 4: watch total 2 on 0-1 if 2 == 2 after 7'
line 5 'stop 5: watch ($cycle) if 3 == 3'
row='break at 00109 arrive (tag.s:15) on 1 if $r0 == 1'
line 6 "  1 on  $row, 0 hits, 3 to let pass"
line 8 '  3 on  catch send to 1 if 1 == 2, 0 hits'
line 9 '  4 on  watch total 2 on 0-1 if 2 == 2, 0 hits, 7 to let pass'

# What a node is doing, and why.
printf 'break arrive\ncontinue\nbacktrace\nrun 30\nbacktrace all\nregisters all\n' |
    debug >"$work/out"
grep -v '^#\|^  ' "$work/out" >"$work/a"
printf 'break arrive\ncontinue\nrun 30\nregisters all\n' | debug |
    grep -v '^  ' >"$work/plain"
check "the task" \
    grep -q '^#0  node 0 (0,0,0) task of priority 0: 00109 arrive' "$work/out"
check "its message" grep -q 'began in cycle .* with MSG:.* arrive, 2 words' "$work/out"
check "its sender" grep -q 'was sent in cycle .* by node . (.,0,0) at .*tag.s:12' \
    "$work/out"
check "what it interrupted" \
    grep -q '^#1  background, interrupted before .*kernel_idle' "$work/out"
check "but not itself" test "$(grep -c '^#1  the task' "$work/out")" -eq 0
printf 'break arrive\ncontinue\nbacktrace\n' | debug >"$work/b"
rows 1 "$work/b" '^#1  background.*\(boot\.s:[0-9]+\)$'
check "looking changes nothing" diff "$work/a" "$work/plain"

# Lines forward and back: `reverse-line` returns to where `line` started.
{
    echo 'break main' && echo 'continue' && echo 'delete'
    for _ in 1 2 3 4 5 6; do echo 'line' && echo 'print $cycle'; done
    echo 'echo back'
    for _ in 1 2 3 4; do echo 'reverse-line' && echo 'line' && echo 'reverse-line'; done
    echo 'reverse-line 2' && echo 'line 5' && echo 'line' && echo 'print $cycle'
    echo 'reverse-line 100000'
} | "$jm" debug --quiet --no-init --mesh 2x1x1 tests/debug/programs/prog.s >"$work/out"
sed '/^back/,$d; /^node.*prog.s:/!d' "$work/out" | tail -7 >"$work/forth"
sed '1,/^back/d; /^node.*prog.s:/!d' "$work/out" >"$work/back"
f() { sed -n "$1p" "$work/forth"; }
for n in 6 7 6 5 6 5 4 5 4 3 4 3; do f "$n"; done >"$work/expected"
head -12 "$work/back" >"$work/a"
check "there and back by lines" diff "$work/expected" "$work/a"
check "there are lines" test "$(sort -u "$work/forth" | wc -l)" -ge 5
check "not before the beginning" \
    grep -q 'error: node 0 has not done so much' "$work/out"

# A symbol's name with control characters is shown with \xHH, also in a trace.
"$build/mdpas" -I kernel -I "$build/gen" -o "$work/tag.o" tests/debug/programs/tag.s
"$build/mdpld" -o "$work/tag.elf" "$work/tag.o" "$build/kernel/kernel.a" 2>/dev/null ||
    "$build/mdpld" -o "$work/tag.elf" "$work/tag.o" "$build"/*kernel*.a
LC_ALL=C sed 's/arrive/a\x1b[\nv\x07/g' "$work/tag.elf" >"$work/bad.elf"
printf '%s\n' 'catch dispatch' "trace $work/trace" 'continue' 'registers' 'queue' \
    'symbols v' 'x 0x109' 'disassemble 0x109' 'bt' 'echo end' 'trace off' |
    "$jm" debug --quiet --no-init --mesh 2x1x1 "$work/bad.elf" >"$work/out" 2>&1
check "it has run" grep -q '^end$' "$work/out"
check "the name is there" grep -qF '00109 a\x1B[\x0Av\x07' "$work/out"
check "no control character" test 0 -eq \
    "$(LC_ALL=C tr -d '\n\t -~' <"$work/out" | wc -c)"
check "no line is broken" test "$(grep -c '^v' "$work/out")" -eq 0
check "nor in a trace" grep -qF 'dispatch 00109 a\x1B[\x0Av\x07' "$work/trace"

# The debugger's output begins on a new line, even after an unfinished line of the
# program: with lines from a pipe, in scripts, character by character, and at an error.
noline() {
    "$jm" debug --quiet --no-init --bare "$@" tests/debug/programs/noline.s
}
# texts FILE WORD...: the lines of FILE that begin with "h", "i", "cycle" or "error".
texts() {
    checks=$((checks + 1))
    file=$1
    shift
    said=$(sed -nE 's/^(hi?|i|cycle [0-9]+|error)($|:.*)/\1/p' "$file" | tr '\n' ' ')
    [ "$said" = "$* " ] || fail "$file has '$said', not '$*'"
}
printf 'run 100\ncycle 5\nprint\n' | noline >"$work/out"
texts "$work/out" hi cycle 22 cycle 22 error
printf 'run 100\ncycle 5\nprint\n' >"$work/run.jmd"
noline -x "$work/run.jmd" </dev/null >"$work/out"
texts "$work/out" hi cycle 22 cycle 22 error error
noline -ex 'run 100' </dev/null >"$work/out"
texts "$work/out" hi cycle 22
printf 'run 12\nrun 9\nprint\n' | noline --raw-output >"$work/out"
texts "$work/out" h cycle 12 i cycle 21 error
check "no empty line" test "$(grep -c '^$' "$work/out")" -eq 0

# Symbols and sections are those that mdpobjdump shows.
elf=$work/tag.elf
"$build/mdpobjdump" -t "$elf" | awk '$2 == "local" || $2 == "global" {
    absolute = $3 == "*absolute*"
    print (absolute ? sprintf("%05X", $1) : $1), $4 (absolute ? " absolute" : "") \
        ($2 == "local" ? " local" : ""), $NF }' | sed 's|[^ ]*/||' | sort >"$work/a"
echo symbols | "$jm" debug --quiet --no-init "$elf" | tr -s ' ' | sort >"$work/b"
check "symbols" diff "$work/a" "$work/b"
check "of all kinds" test "$(sed 's/^[^ ]* [^ ]*//; s/ [^ ]*$//' "$work/b" |
    sort -u | wc -l)" -ge 3
"$build/mdpobjdump" -h "$elf" | sed '1,/^ *address/d' |
    awk 'NF { print $7, $2, $3, "words" ($6 == "code" ? ", code" : "") }' >"$work/a"
echo 'info program' | "$jm" debug --quiet --no-init "$elf" | sed '/^  from/,$d' |
    sed 's/^ *//' | tr -s ' ' >"$work/b"
check "sections" diff "$work/a" "$work/b"
check "there are sections" test "$(wc -l <"$work/b")" -gt 5

# The requested number of lines around the current one, then the next; at the end none
# is repeated.
for count in 1 2 3 4 5 6 7; do
    printf 'list tag.s:5 %s\nlist\n' $count | debug >"$work/out"
    check "$count lines" test "$(awk '{ print $1 }' "$work/out" | tr '\n' ' ')" = \
        "$(seq -s ' ' $((5 - count / 2)) $((4 - count / 2 + count + 10))) "
done
printf 'list tag.s:19 6\necho then\nlist\n' | debug >"$work/out"
check "not again" test "$(sed '1,/^then/d' "$work/out" | grep -c '^ ')" -eq 0

# Output is of the selected node, in every format; the selected context changes only $.
printf '%s\n' 'set [main]@1 = [main + 3]@0' 'set [main + 1]@1 = NIL' 'node 1' \
    'x main 2 code' 'disassemble main 2' 'print [main]@0 code' >"$work/in"
debug <"$work/in" >"$work/out"
check "code of node 1" test "$(grep -c 'store\|NIL' "$work/out")" -ge 2
check "not of node 0" test "$(grep -c 'INT:00000110' "$work/out")" -eq 1
for context in running 0 1 background; do
    printf 'break arrive\ncontinue\ncontext %s\ninfo faults\nwhere *\nqueue\n' \
        $context |
        debug >"$work/$context.out"
    check "context $context" cmp "$work/running.out" "$work/$context.out"
done
printf 'where all\necho\nwhere *\n' | debug >"$work/out"
check "* is all" test "$(sort "$work/out" | uniq -c | awk '$1 == 2' | wc -l)" -eq 2

# The last words of memory; skipping one hit is reported, too; resetting a count.
printf '%s\n' 'watch 0xFFFFE 2' 'watch 0xFFFFF' 'break main after 1' 'ignore 3 5' \
    'ignore 3 2' 'info stops' 'watch 0xFFFFE 3' | debug >"$work/out"
line 1 'stop 1: watch 0xFFFFE 2'
line 2 'stop 2: watch 0xFFFFF'
line 3 'stop 3: break at 00100 main (tag.s:5) after 1'
check "a count" grep -q '^  3 .*, 2 to let pass$' "$work/out"
check "too many" grep -q 'the count of words must be in 1..2' "$work/out"
finish

# Habits of gdb users: its words and options, lines forward and back; and names in a
# program cannot control the terminal.
. tests/cli/check.sh

debug() {
    "$jm" debug --quiet --no-init --mesh 2x1x1 "$@" tests/debug/programs/tag.s
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

# Without its source a line is shown by its code.
cp tests/debug/programs/tag.s "$work/gone.s"
mkfifo "$work/pipe"
rm "$work/out"
"$jm" debug --quiet --no-init "$work/gone.s" <"$work/pipe" >"$work/out" &
{
    echo 'print 1'
    until [ -s "$work/out" ] || ! kill -0 $!; do
        sleep 0.02
    done
    rm "$work/gone.s"
    echo 'list main 2'
} >"$work/pipe"
wait $!
check "without its source the code" grep -q 'No such file or directory; its code:' \
    "$work/out"

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
words ni nexti
words stepi step
words reverse-next reverse-line
words si step

# `next` stands at the lines that the program's comments number, in their context;
# `nexti` passes the same calls; a stop in a call ends both.
calls=tests/debug/programs/calls.s
line_of() { grep -n "$1" $calls | cut -d: -f1; }
nexts() { # PLACE NODE FIRST LAST CONTEXT [COMMAND]
    grep -n '; next ' $calls | sed -n 's/^\([0-9]*\):.*; next \([0-9]*\)$/\2 \1/p' |
        sort -n | awk -v first="$3" -v last="$4" -v context="$5" \
        '$1 >= first && $1 <= last { print context, $2 }' >"$work/numbered"
    {
        echo "tbreak $1 on $2" && echo 'continue'
        for _ in $(seq $(($4 - $3))); do echo "${6-echo}" && echo next; done
    } | "$jm" debug --quiet --no-init --mesh 3x1x1 $calls >"$work/out"
    sed -n "s/^node $2 (.,0,0) \(.*\): .*(calls.s:\([0-9]*\)).*/\1 \2/p" "$work/out" |
        sed 's/^sending/in background/' >"$work/stood"
    check "lines of $1" diff "$work/numbered" "$work/stood"
}
nexts "calls.s:$(line_of 'next 1$')" 0 1 12 'in background'
nexts early 0 20 23 'task of priority 0' 'inject 0 1 MSG(urgent,1)'
nexts "calls.s:$(line_of 'next 30$')" 2 30 33 'in background' 'post INTERRUPT 2'
places() { sed -n 's/^node 0 .*(calls.s:\([0-9]*\)).*/\1/p' "$work/out" | tr '\n' ' '; }
{
    echo "break calls.s:$(line_of 'next 3$') on 0" && echo 'continue' && echo 'delete'
    echo 'break inner' && echo 'next' && echo 'next' && echo 'delete' && echo 'next 2'
    echo 'break shared' && echo 'continue' && echo 'delete'
    yes nexti | head -5
    echo 'print $context' && echo 'next 9'
} | "$jm" debug --quiet --no-init --mesh 1x1x1 $calls >"$work/out"
{
    echo "break calls.s:$(line_of 'next 3$') on 0" && echo continue
    echo "break calls.s:$(line_of 'next 4$')" && echo next
} | "$jm" debug --quiet --no-init --mesh 1x1x1 $calls >"$work/back"
check "a stop behind a call" grep -q '^cycle [0-9]*: stop 2, .* node 0 (0,0,0)$' \
    "$work/back"
printf 'break kernel_idle on 2\ncontinue\ncycle 20\nnext\n' |
    "$jm" debug --quiet --no-init --mesh 3x1x1 $calls >"$work/idle"
check "what wakes a node is no interruption" grep -q 'task of priority 0' "$work/idle"
inner=$(line_of '^inner:')
outer=$(line_of '^outer:')
shared=$(line_of '^shared:')
check "stops in calls" test "$(places)" = "$(line_of 'next 3$') $((inner + 1)) \
$((inner + 2)) $((outer + 4)) $(for i in 1 1 1 1 1 2; do
    echo $((shared + i))
done | tr '\n' ' ')"

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
finish

# Names and lines that have several places: a stop at each, or an error that lists them,
# and FILE:SYMBOL to choose; lines whose code begins in the low half of a word.
. tests/cli/check.sh

include='        .include "kernel.inc"'
mkdir "$work/a" "$work/b"
cat >"$work/a/first.s" <<END
$include
        .global main
        .extern other
main:   move    1,r1
same:   add     r1,1,r1
        bnz     r1,^.go
.go:    goto    other
        .data
word:   .word   INT:1
END
cat >"$work/b/second.s" <<END
$include
        .global other
other:  move    5,r1
same:   add     r1,1,r1
        store   r1,word
        goto    kernel_idle
        .data
word:   .word   INT:2
END
cp "$work/a/first.s" "$work/a/x.s"
cp "$work/b/second.s" "$work/b/x.s"
printf '        .align 1\n        add r1,2,r1\n        nop\n' >"$work/body.inc"
cat >"$work/rounds.s" <<'END'
        .include "kernel.inc"
        .global main
main:   move    0,r1
        br      ^go
        .irp    n, a, b
\n:     add     r1,1,r1
        br      ^done
        .endr
go:     br      ^b
done:   move    7,r2
        .rept   3
        add     r2,1,r2
        .endr
        .include "body.inc"
        .include "body.inc"
        .macro two
        move    1,r3
        move    r3,r3
        .endm
        nop
        two
        nop
        goto    kernel_idle
END
link() { # IMAGE OBJECTS...
    image=$1
    shift
    "$build/mdpld" -o "$work/$image" "$@" "$build/libkernel.a"
}
build_all() {
    for f in a/first b/second a/x b/x; do
        "$build/mdpas" -I kernel -I "$build/gen" -o "$work/$f.o" "$work/$f.s" ||
            return 1
    done
    link names.elf "$work/a/first.o" "$work/b/second.o" &&
        link files.elf "$work/a/x.o" "$work/b/x.o"
}
check "they assemble" build_all

# debug PROGRAM LINES: what the debugger says goes to $work/out.
debug() {
    printf '%b' "$2" | "$jm" debug --quiet --no-init "$work/$1" >"$work/out" 2>&1
}

# stops PROGRAM WHERE COUNT REGISTER VALUES: `break WHERE` stops COUNT times, with those
# values.
stops() {
    lines=$(yes 'continue' | head -n "$3" | sed "s/\$/\\\\nprint \$$4 dec/")
    debug "$1" "break $2\n$(echo "$lines" | sed 's/$/\\n/' | tr -d '\n')continue\n"
    check "$2 of $1: $3 stops" test "$(grep -c ' stop 1, ' "$work/out")" -eq "$3"
    found=$(grep '^-*[0-9]*$' "$work/out" | tr '\n' ' ')
    check "$2 of $1: where" test "$found" = "$5 "
}
stops names.elf same 2 r1 '1 5'
stops names.elf first.s:same 1 r1 1
stops names.elf second.s:same 1 r1 5
stops names.elf b/second.s:same 1 r1 5
stops files.elf x.s:5 2 r1 '1 6'
stops files.elf a/x.s:5 1 r1 1
stops files.elf same 2 r1 '1 5'
stops rounds.s rounds.s:6 1 r1 0
stops rounds.s rounds.s:12 3 r2 '7 8 9'
stops rounds.s body.inc:2 2 r1 '1 3'
stops rounds.s rounds.s:21 1 r2 10
stops rounds.s 'rounds.s:12 if $r2 == 9' 1 r2 9
stops rounds.s 'rounds.s:12 if $r2 >= 8 after 1' 1 r2 9

# lists PROGRAM LINE PLACES...: the command is refused, and names all places.
lists() {
    debug "$1" "$2\nquit\n"
    check "$2: refused" grep -q '^error: .*several' "$work/out"
    line=$2
    shift 2
    for place; do check "$line: $place" grep -q "^error: .*$place" "$work/out"; done
}
for line in 'print same' 'x same' 'list same' 'disassemble same' 'watch word' \
    'rwatch word 2' 'catch dispatch same' 'until [word] == 3' 'who wrote word' \
    'display [word]' 'set [word] = 3' 'break same + 1' 'break main if [word] == 1' \
    'inject 0 0 MSG(same,1)'; do
    lists names.elf "$line" 'first.s:[0-9]' 'second.s:[0-9]'
done
lists files.elf 'list x.s:5' 'a/x.s' 'b/x.s'
lists rounds.s 'x rounds.s:12' '(rounds.s:12), .*(rounds.s:12)'
debug names.elf 'print [first.s:word] + [second.s:word] * 10\nx second.s:word 1\n'
check "each by its file" grep -q '^21 ' "$work/out"
check "a word of a file" grep -q 'INT:00000002' "$work/out"
debug names.elf 'list b/second.s:4 1\n'
check "a line of a file" grep -q 'same:   add     r1,1,r1' "$work/out"
debug names.elf 'watch second.s:word\ncontinue\n'
check "a watch by file" grep -q 'wrote INT:00000006' "$work/out"
debug names.elf 'print 12/first.s:word*0\n'
check "a division is none of a file" grep -q '^0' "$work/out"

dump() { "$jm" run --quiet "$@" "$work/names.elf" >"$work/out" 2>&1; }
dump --dump 0:word
check "dump: refused" test $? -eq 2
check "dump: the places" grep -q 'first.s:9.*second.s:8' "$work/out"
dump --dump 0:second.s:word --dump 0:first.s:word:1 --dump 0:a/first.s:word+0
check "dump by file" test "$(cut -d' ' -f3 "$work/out" | tr '\n' ' ')" = \
    '100000006 100000001 100000001 '
dump --set word=9
check "set: refused" grep -q -- '--set.*first.s:9.*second.s:8' "$work/out"
dump --set first.s:word=9 --dump 0:first.s:word
check "set by file" grep -q ' 100000009$' "$work/out"

# A line in the low half: conditions, commands and displays see the effects of the
# word's first half, however execution gets there.
printf '%s\n' "$include" '        .global main' 'main:   move    1,r1' '        nop' \
    'turn:   add     r1,1,r1' '        move    r1,r2' '        sub     r1,9,r3' \
    '        bnz     r3,^turn' '        goto    kernel_idle' >"$work/low.s"
for ahead in '' 'watch 0x900\n' 'watch $r3 if 0\n' 'watch ($cycle) if 0\n'; do
    break='break low.s:6 if $r1 == $r2 + 1 && $r1 > 4\ncommands\nprint $r1 * 100\nend\n'
    debug low.s "$ahead${break}display \$r1 + 1000\ncontinue\ncontinue\n"
    check "low half${ahead:+ with $ahead}: condition and commands" \
        test "$(grep -c '^[56]00 ' "$work/out")" -eq 2
    check "low half${ahead:+ with $ahead}: display" grep -q '= 1006' "$work/out"
done
twice='break low.s:6\nbreak turn\ncontinue\ncontinue\n'
debug low.s "${twice}reverse-continue\nprint \$r1\nreverse-step\n"
check "back to the word's other half" grep -q '(low.s:5)  add' "$work/out"
debug low.s 'break low.s:6\nbreak turn\ncontinue\n'
check "each half has its own" test "$(grep -c ' stop [12], ' "$work/out")" -eq 1
debug low.s 'break low.s:6 after 2\ncontinue\nprint $r1\nline\n'
check "counted once a turn" grep -q '^INT:00000004' "$work/out"
check "and on to the next line" grep -q '(low.s:7)  sub' "$work/out"

finish

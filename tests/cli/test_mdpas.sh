# mdpas: options, outputs, exit statuses, leftover files.
. tests/cli/check.sh
as=$build/mdpas
kernel=$PWD/kernel
cd "$work" || exit 1

printf 'a:  move VALUE,r0\n    .include "b.inc"\n' >good.s
mkdir -p dir && echo '    suspend' >dir/b.inc
printf '    move [64,a0],r0\n    frob\n' >bad.s

status 0 "$as" -I dir -D VALUE=5 -o out.o good.s
check "the object is there" test -s out.o
check "readelf reads it" readelf -aW out.o
status 0 "$as" --include=dir --define=VALUE --listing=out.lst good.s
check "in.s makes in.o" test -s good.o
rows 1 out.lst '^00000\.0  C10438000 +1 +1  a:  move VALUE,r0$'
rows 1 out.lst '^00000\.1 +2 +3 +1\+ +suspend$'
status 0 "$as" -I dir -D VALUE -l - -o out.o good.s
says out "move VALUE,r0"

rm -f ./*.o
status 1 "$as" -o out.o -l bad.lst bad.s
says err "bad.s:1:11: error: memory offset 64 is not in 0 .. 63"
says err "bad.s:2:5: error: unknown instruction or macro 'frob'"
check "no object after errors" test ! -e out.o
check "no listing after errors" test ! -e bad.lst
status 1 "$as" -D VALUE -o out.o good.s
says err "good.s:2:14: error: cannot find the file 'b.inc'"
status 1 "$as" -o out.o missing.s
says err "missing.s: error: cannot open 'missing.s'"
status 1 "$as" -o no/such/dir/out.o dir/b.inc
says err "no/such/dir/out.o"
check "nothing beside it" test ! -e no

echo ' nop' >in.s
status 0 sh -c "'$as' - -o out.o <in.s"
check "standard input" test -s out.o
status 0 "$as" -o /dev/null in.s
check "a device stays one" test -c /dev/null
status 0 "$as" -h
says out "usage: mdpas"
status 0 "$as" --version
says out "mdpas"
status 2 "$as"
status 2 "$as" --wrong in.s
says err "'--wrong'"
status 2 "$as" in.s --define
says err "--define needs"
status 2 "$as" in.s good.s
status 2 "$as" -o in.s in.s
status 1 sh -c "'$as' -o out.o - <."
says err "<stdin>: error: cannot read: Is a directory"
status 1 sh -c "'$as' -l - -o full.o in.s >/dev/full"
says err "standard output: error: cannot write: No space left on device"
check "no object without its listing" test ! -e full.o
for define in 5 '' =1 'x y=1' 'x:=1' "x=1
nop"; do
    status 2 "$as" -D "$define" -o out.o in.s
done
rows 1 in.s '^ nop$'

# Rules for make, of files that make reads back under their names.
mkdir -p 'of $x#'
printf '    .include "b c.inc"\n    .include "b c.inc"\n' >'main s.s'
printf '    suspend\n' >'of $x#/b c.inc'
in='of $x#'
status 0 "$as" -M -I "$in" 'main s.s'
says out 'main\ s.o: main\ s.s of\ $$x\#/b\ c.inc'
rows 1 out .
check "-M writes no object" test ! -e 'main s.o'
status 0 "$as" -MD -MP -I "$in" -o made.o 'main s.s'
check "-MD writes the object" test -s made.o
printf 'include made.d\nmade.o:\n\t@echo made anew\n' >rules.mk
check "nothing to do" sh -c 'make -f rules.mk made.o | grep -q "up to date"'
touch -d '+1 minute' "$in/b c.inc"
check "an included file is newer" \
    sh -c 'make -f rules.mk made.o 2>/dev/null | grep -qx "made anew"'
rm "$in/b c.inc"
check "an included file is gone" \
    sh -c 'make -f rules.mk made.o 2>/dev/null | grep -qx "made anew"'
printf '    suspend\n' >"$in/b c.inc"
status 0 "$as" -MD -MFone.mk -MT 'a b' -MT c --include="$in" -o made.o 'main s.s'
rows 1 one.mk '^a b c: main'
status 0 sh -c "'$as' -M -MT x -I '$in' - <'main s.s'"
rows 1 out '^x: of'
status 1 "$as" -MD -o no.o bad.s
check "no rule after errors" test ! -e no.d
for wrong in -MFx.mk -MP; do
    status 2 "$as" $wrong in.s
    says err "need -M or -MD"
done
status 2 "$as" -MD -MF made.o -o made.o in.s
says err "another file: made.o"

status 2 "$as" -M -MT '' in.s
status 0 "$as" -MD -o - in.s
rows 1 in.d '^in\.o: in\.s$'
check "standard output has no rule beside it" test ! -e ./-.d

# Warnings by name.
printf '    .word INT:1\n    .word INT:2\n    .warning "look"\n    suspend\n' >warn.s
status 0 "$as" -o warn.o warn.s
rows 1 err 'warning: .*\[-Wunread-constant\]$'
rows 1 err 'warning: look \[-Wdirective\]$'
status 0 "$as" -Wno-unread-constant -o warn.o warn.s
rows 1 err ' (warning|note): '
status 0 "$as" -Wno-directive -Wdirective -W no-unread-constant -o warn.o warn.s
rows 1 err ' (warning|note): '
rm warn.o
status 1 "$as" -Werror -Wno-directive -o warn.o warn.s
rows 1 err 'error: .*\[-Werror=unread-constant\]$'
rows 0 err look
check "no object" test ! -e warn.o
status 0 "$as" -Werror -Wno-error -o warn.o warn.s
status 2 "$as" -Wno-such warn.s
status 2 "$as" -Wunred-constant warn.s
says err "'unread-constant'"

# The cross-reference of the kernel: each line that it names has the name, and each line
# of a source that has a name is there, but for text, comments and bodies of macros.
for source in boot overflow node future; do
    status 0 "$as" -I "$kernel" -I "$build/gen" --cross-reference cross.txt -o c.o \
        "$kernel/$source.s"
    check "the cross-reference of $source" python3 - "$kernel/$source.s" <<'END2'
import re, sys
lines = {}
def line(place):
    file, number = place.rsplit(':', 1)
    if file not in lines:
        lines[file] = open(file).read().splitlines()
    return lines[file][int(number) - 1]
named = {}
for row in open('cross.txt'):
    if row.startswith(';'):
        continue
    name, kind, value, defined, used = re.split('  +', row.rstrip())
    for places in (defined, used):
        for place in places.split() if places != '-' else ():
            last = '.' + name.split('.', 1)[1] if '.' in name else name
            made = '\\' in line(place) # a name put together in a macro
            assert made or last.lower() in line(place).lower(), (row, line(place))
            named.setdefault(name.split('.')[0], set()).add(place)
    assert used != '-' or sys.argv[1] in defined, row
body = False
found = 0
for number, text in enumerate(open(sys.argv[1]), 1):
    text = re.sub(r'"[^"]*"', '', text.split(';')[0])
    body = (body or '.macro' in text) and '.endm' not in text
    if body or re.search(r'\.(global|extern|endm|include|if)', text):
        continue
    for word in re.findall(r"(?<![\w.'])[A-Za-z_]\w*", text):
        if word in named:
            found += 1
            assert f'{sys.argv[1]}:{number}' in named[word], (word, number)
assert found > 20, found
END2
done

finish

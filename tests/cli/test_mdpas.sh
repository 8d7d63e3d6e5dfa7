# mdpas: rules for make, as make reads them, and the cross-reference.
. tests/cli/check.sh
as=$build/mdpas
kernel=$PWD/kernel
cd "$work" || exit 1

printf '    frob\n' >bad.s
echo ' nop' >in.s
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

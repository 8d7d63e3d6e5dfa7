# The exact output of mdpobjdump; how mdpas and mdpld parse their command lines.
. tests/cli/check.sh
mdpas=$build/mdpas
mdpld=$build/mdpld
mdpobjdump=$build/mdpobjdump
cd "$work" || exit 1

cat >main.s <<'END'
        .extern double
        .global start
LIMIT = -5
        .rom
start:  br      ^work
work:   move    21,r0
        br      ^start
        .data
handler: .msg   double,2
        .word   INT:1,INT:2,INT:3,INT:4
        .word   double+3
END
cat >double.s <<'END'
        .global double
double: add     r0,r0,r0
        suspend
        .section buffer,external,fill
        .space  100
END
check "assembles" "$mdpas" -o main.o main.s
check "assembles" "$mdpas" -o double.o double.s
check "links" "$mdpld" -o prog.elf main.o double.o

# ---- every part, of an object and of an image ----------------------------------------
cat >wanted <<'END'
; main.o: object

Sections

     address     words  align  place     kind  name
  0  -               2      1  rom       code  .rom
  1  -               6      1  onchip    data  .data

Symbols

value                 scope   section       name
-5                    local   *absolute*    LIMIT  ; main.s:3
00001                 local   .rom          work  ; main.s:6
00000                 local   .data         handler  ; main.s:9
00000                 global  .rom          start  ; main.s:5
-                     global  *undefined*   double  ; main.s:1

Relocations

offset   type      section, value
00000    FIELD20   .data, double  ; main.s:9
00005    DATA32    .data, double+3  ; main.s:11

Contents of .rom

00000  F80400000 C106BC63E

Contents of .data

00000  500000002 100000001 100000002 100000003
00004  100000004 100000000

Lines

from      section, source
00000     .rom, main.s:5
00001     .rom, main.s:6
00001 low .rom, main.s:7
00000     .data, main.s:9
00001     .data, main.s:10
00005     .data, main.s:11

; prog.elf: image

Sections

     address     words  align  place     kind  name
  0  00100           1      1  onchip    code  .text
  1  00101           6      1  onchip    data  .data
  2  01000           2      1  rom       code  .rom
  3  02000         100      1  external  fill  buffer

Symbols

value                 scope   section       name
-5                    local   *absolute*    LIMIT  ; main.s:3
01001                 local   .rom          work  ; main.s:6
00101                 local   .data         handler  ; main.s:9
01000                 global  .rom          start  ; main.s:5
00100                 global  .text         double  ; double.s:2

Relocations

offset   type      section, value

Contents of .text

00100  CB0018000

Contents of .data

00101  500040002 100000001 100000002 100000003
00105  100000004 100000103

Contents of .rom

01000  F80400000 C106BC63E

Contents of buffer

02000  100 words NIL

Lines

from      section, source
00100     .text, not known
00100     .text, double.s:2
00100 low .text, double.s:3
00101     .data, not known
00101     .data, main.s:9
00102     .data, main.s:10
00106     .data, main.s:11
01000     .rom, not known
01000     .rom, main.s:5
01001     .rom, main.s:6
01001 low .rom, main.s:7
02000     buffer, not known
02000     buffer, double.s:5

END
status 0 "$mdpobjdump" -h -t -r -s -l main.o prog.elf
check "every part of an object and of an image" diff wanted out
status 0 "$mdpobjdump" -ltr -hs main.o prog.elf
check "joined letters, in any order" diff wanted out
for part in h:Sections t:Symbols r:Relocations s:Contents l:Lines; do
    status 0 "$mdpobjdump" "-${part%:*}" main.o
    awk -v title="${part#*:}" 'NR <= 2 { print } /^; prog/ { exit }
        /^[A-Z]/ { on = $1 == title } NR > 2 && on { print }' wanted >one
    check "${part#*:} alone" diff one out
done
status 0 "$mdpobjdump" main.o
cp out alone
status 0 "$mdpobjdump" -d main.o
check "-d if nothing is said" cmp alone out
status 0 "$mdpobjdump" -t -d main.o
cp out both
status 0 "$mdpobjdump" -t main.o
cat out >parts
sed 1,2d alone >>parts
check "the disassembly is last" diff parts both

printf ' .extern far\n .word far-7, far+0x100000\nend: .word end-2\n' >less.s
check "assembles" "$mdpas" -o less.o less.s
status 0 "$mdpobjdump" -r less.o
rows 1 out '^00000 .*, far-7  ; less.s:2$'
rows 1 out '^00001 .*, far[+]1048576  ; less.s:2$'
rows 1 out '^00002 .*, end-2  ; less.s:3$'
# Local symbols stand behind the name of their file, as nm and debuggers want it.
if command -v readelf >/dev/null; then
    for name in one two; do
        printf 'l_%s: nop\nm_%s: nop\n' $name $name >$name.s
        check "assembles" "$mdpas" -o $name.o $name.s
    done
    check "links" "$mdpld" -o files.elf one.o two.o
    readelf -sW files.elf | awk '$4 == "FILE" || $8 ~ /^[lm]_/ { print $8 }' >symbols
    check "symbols by file: $(cat symbols)" test "$(tr '\n' ' ' <symbols)" = \
        'one.s l_one m_one two.s l_two m_two '
fi
# nm shows what mdpobjdump -t does, with addresses in bytes, 8 to a word.
for file in main.o "$build/kernel/future.o" "$build/programs/hello.elf"; do
    nm "$file" >nm.txt
    status 0 "$mdpobjdump" -t "$file"
    check "nm $file" python3 - <<'END2'
shown = set()
for line in open('nm.txt'):
    value, kind, name = [''] * (len(line.split()) < 3) + line.split()
    shown.add((name, int(value or '0', 16), kind.isupper(), kind.upper()))
own = set()
for line in open('out'):
    fields = line.split(';')[0].split()
    if len(fields) == 4 and fields[1] in ('local', 'global'):
        value, scope, section, name = fields
        absolute, undefined = section == '*absolute*', section == '*undefined*'
        number = int(value, 10 if absolute else 16) if not undefined else 0
        kind = 'A' if absolute else 'U' if undefined else '.'
        number = number * (1 if absolute else 8) % 2**64
        own.add((name, number, scope == 'global', kind))
shown = {(n, v, g, k if k in 'AU' else '.') for n, v, g, k in shown}
assert shown == own and len(own) > 1, shown ^ own
END2
done
# The same as JSON; what a run executes stands there, with its lines.
json=$OLDPWD/tests/cli/objdump_json.py
printf ' .global a\n .extern b\na: .word b+1, b-7\n br ^a\n%s\n' \
    ' .assert b - a < 5 && b > 7, "x, y"' >json.s
check "assembles" "$mdpas" -o json.o json.s
for file in json.o main.o "$build/kernel/boot.o" "$build/kernel/future.o" \
    "$build/programs/hello.elf" "$build/programs/random.elf"; do
    rm -rf parts.d && mkdir parts.d
    for part in t:symbols r:relocs s:words l:lines; do
        "$mdpobjdump" -${part%:*} "$file" >parts.d/${part#*:}
    done
    [ "${file##*.}" = o ] || "$build/jm" run --quiet --mesh 2x1x1 --cycles 5000 \
        --trace parts.d/trace --trace-kinds instruction "$file" >run.out 2>&1
    status 0 "$mdpobjdump" --format json "$file"
    cp out o.json
    check "JSON of $file" python3 "$json" o.json parts.d
done
status 0 "$mdpobjdump" --format=json -t main.o json.o
check "parts of files" python3 -c '
import json
files = json.load(open("out"))
assert [f["name"] for f in files] == ["main.o", "json.o"], files
assert all(set(f) == {"name", "kind", "symbols"} for f in files), files'
ar rcsD json.a json.o main.o
status 1 "$mdpobjdump" --format json -h json.a none.o json.s
check "an archive, and what cannot be read" python3 -c '
import json
files = json.load(open("out"))
assert [f["name"] for f in files] == ["json.a(json.o)", "json.a(main.o)"], files
assert files[0]["sections"][0]["place"] == "onchip"'
status 2 "$mdpobjdump" --format jsn json.o
# Sources give the same archive again, however often and whenever.
for time in 2001-01-01 2020-02-02; do
    check "assembles" "$mdpas" -o main.o main.s
    touch -d $time main.o double.o
    ar rcsD $time.a main.o double.o
done
check "archives are deterministic" cmp 2001-01-01.a 2020-02-02.a

# ---- archives and files that cannot be read ------------------------------------------
ar rc lib.a main.o double.o
status 0 "$mdpobjdump" -h lib.a
rows 1 out '^; lib.a\(main.o\): object$'
rows 1 out '^; lib.a\(double.o\): object$'
echo nothing >odd.o
ar rc part.a main.o odd.o double.o
status 1 "$mdpobjdump" -h part.a
rows 1 err '^part.a\(odd.o\): .*error: '
rows 1 out '^; part.a\(double.o\): object$'
head -c "$(($(wc -c <lib.a) - 100))" lib.a >cut.a
status 1 "$mdpobjdump" -h cut.a main.o
rows 1 err '^cut.a: .*error: '
rows 1 out '^; main.o: object$'
status 0 "$mdpobjdump" -h
says out "usage: mdpobjdump"
status 2 "$mdpobjdump" -t
says err "no input files"

# Source lines of two files in turn; the last line of one has no newline.
printf ' nop\n\tnop\t; \ttabs\r\n\n nop' >part.inc
printf ' .include "part.inc"\n move 1,r0\n .include "part.inc"\n move 2,r0\n' >turn.s
check "assembles" "$mdpas" -o turn.o turn.s
status 0 "$mdpobjdump" -S turn.o
grep '^; [a-z.]*:' out | sed 1d >lines
sed 's/|$//' >wanted <<'END'
; part.inc:1  nop
; part.inc:2         nop     ;       tabs
; part.inc:3 |
; part.inc:4  nop
; turn.s:1  .include "part.inc"
; turn.s:2  move 1,r0
; part.inc:1  nop
; part.inc:2         nop     ;       tabs
; part.inc:4  nop
; turn.s:3  .include "part.inc"
; turn.s:4  move 2,r0
END
check "source lines" diff wanted lines
awk 'BEGIN { for (i = 1; i <= 200; i++) print " move", i % 60 ",r0 ; line", i }' >long.s
check "assembles" "$mdpas" -o long.o long.s
status 0 "$mdpobjdump" -S long.o
awk '/^; long.s:[0-9]/ { n++; if ($2 != "long.s:" n || $NF != n) exit 1 }
    END { exit n != 200 }' out
check "source lines of a long file" test $? -eq 0

# ---- mdpas: names of outputs, definitions --------------------------------------------
mkdir -p a.b
for pair in in.s:in.o noend:noend.o a.b/in.s:a.b/in.o a.b/noend:a.b/noend.o \
    .s:.s.o a.b/.s:a.b/.s.o two.dots.s:two.dots.o; do
    printf ' nop\n' >"${pair%:*}"
    rm -f "${pair#*:}"
    status 0 "$mdpas" "${pair%:*}"
    check "${pair%:*} makes ${pair#*:}" test -s "${pair#*:}"
done
check "standard input makes a.o" sh -c "'$mdpas' - <in.s && test -s a.o"
printf ' move _a.b$9,r0\n move VALUE,r0\n' >defined.s
printf ' .include "1.inc"\n .include "2.inc"\n' >>defined.s
mkdir first second
printf ' move 5,r1\n' >first/1.inc
printf ' move 6,r1\n' >second/2.inc
printf ' move 7,r1\n' >second/1.inc
status 0 "$mdpas" -D '_a.b$9=3' -I first -D VALUE -I second -l - -o defined.o defined.s
rows 1 out ' move _a.b\$9,r0$'
status 0 "$mdpobjdump" -d defined.o
awk '$1 == "move" { printf "%s %s;", $1, $2 }' out >moves
check "definitions and folders in order" \
    grep -qx 'move 3,r0;move 1,r0;move 5,r1;move 6,r1;' moves
for define in '9a' '.a' '$' 'a b' 'a-'; do
    status 2 "$mdpas" -D "$define" -o bad.o in.s
    rows 1 err '^mdpas: error: -D takes name or name=value: '
done
status 2 "$mdpas" -o in.s in.s
says err "an output has the name of another file: in.s"
status 2 "$mdpas" -l in.s -o bad.o in.s
status 2 "$mdpas" -l same -o same in.s
status 2 "$mdpas" in.s noend
says err "more than one input file: noend"
check "nothing was written" test ! -e bad.o -a ! -e same
printf ' frob\n' | "$mdpas" -o bad.o - 2>said
check "errors in standard input" test $? -eq 1
rows 1 said "^<stdin>:1:2: error: unknown instruction or macro 'frob'"

# ---- mdpld: places, libraries, outputs -----------------------------------------------
place() { # WANTED PLACE...: the address of .data
    row=$1
    shift
    status 0 "$mdpld" "$@" -o placed.elf main.o double.o
    status 0 "$mdpobjdump" -h placed.elf
    rows 1 out "$row .* \\.data\$"
}
place 03000 -T .data=3000
place 03000 -T .data=0x3000
place 0ABCD -T .data=aBcD
place 0FEFF -T .data=feff
place FFE00 -T .data=FFE00
place 00200 -T .data=200 -T buffer=4000
rows 1 out '04000 .* buffer$'
place 00300 -T buffer=5000 -T .rom=1800 -T .data=300
rows 1 out '05000 .* buffer$'
rows 1 out '01800 .* \.rom$'
for place in =100 .data= .data=-1 '.data= 1' '.data=1 ' .data=+1 .data=g .data=0x \
    .data=1g .data=100000 .data=FFFFFFFFFFFFFFFFFF .data=10000000000000100; do
    status 2 "$mdpld" -T "$place" -o bad.elf main.o double.o
    rows 1 err '^mdpld: error: -T takes section=address, .*: '
done
sed 's/\.section buffer/.section "bu=f"/' double.s >equals.s
if "$mdpas" -o equals.o equals.s 2>/dev/null; then
    status 0 "$mdpld" -T bu=f=4000 -o placed.elf main.o equals.o
    status 0 "$mdpobjdump" -h placed.elf
    rows 1 out '04000 .* bu=f$'
fi

rm -f a.out
status 0 "$mdpld" -- main.o double.o
check "a.out, operands behind --" cmp a.out prog.elf
ar rc first/libdouble.a double.o
sed 's/add /sub /' double.s >other.s
check "assembles" "$mdpas" -o other.o other.s
ar rc second/libdouble.a other.o
status 0 "$mdpld" -o found.elf main.o -L a.b -L first -L second -ldouble
check "the first folder with the library" cmp found.elf prog.elf
status 0 "$mdpld" -o found.elf main.o -L second -L first -ldouble
check "the other folder first" sh -c '! cmp -s found.elf prog.elf'
echo nothing >a.b/libdouble.a
status 1 "$mdpld" -o bad.elf main.o -L a.b -L first -ldouble
rows 1 err '^a.b/libdouble.a: .*error: '
status 2 "$mdpld" -L first
says err "no input files"
status 2 "$mdpld" -o first/libdouble.a main.o first/libdouble.a
status 0 "$mdpld" -o double main.o -Lfirst -ldouble
status 0 "$mdpld" -M - -o mapped.elf main.o double.o
rows 1 out '^00100    global    double$'
cp mapped.elf kept.elf
status 1 "$mdpld" -M /dev/full -o mapped.elf main.o other.o
says err "/dev/full: error: cannot write: No space left on device"
check "no image without its map" cmp kept.elf mapped.elf
finish

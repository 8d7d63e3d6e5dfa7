# mdpas, mdpld and mdpobjdump together: a disassembly assembles to the same words, nm
# and readelf read the symbols, JSON says what the text does, archives come out alike.
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

check "places a section" "$mdpld" -T .data=3000 -T.rom=0x1800 -o placed.elf \
    main.o double.o
for file in prog.elf placed.elf; do
    for option in -d -S; do
        status 0 "$mdpobjdump" $option "$file"
        cp out again.s
        check "assembles its disassembly" "$mdpas" -o again.o again.s
        check "links its disassembly" "$mdpld" -o again.elf again.o
        "$mdpobjdump" -s "$file" | sed 1d >one
        "$mdpobjdump" -s again.elf | sed 1d >two
        check "gives the same words" cmp one two
    done
done
for part in h:Sections t:Symbols r:Relocations s:Contents l:Lines; do
    status 0 "$mdpobjdump" -htrsl prog.elf
    cp out whole
    status 0 "$mdpobjdump" "-${part%:*}" prog.elf
    awk -v title="${part#*:}" 'NR <= 2 { print }
        /^[A-Z]/ { on = $1 == title } NR > 2 && on { print }' whole >one
    check "${part#*:} alone" diff one out
done
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

awk 'BEGIN { for (i = 1; i <= 200; i++) print " move", i % 60 ",r0 ; line", i }' >long.s
check "assembles" "$mdpas" -o long.o long.s
status 0 "$mdpobjdump" -S long.o
awk '/^; long.s:[0-9]/ { n++; if ($2 != "long.s:" n || $NF != n) exit 1 }
    END { exit n != 200 }' out
passed $? "source lines of a long file"

# The first folder with a library is taken.
mkdir first second
ar rc first/libdouble.a double.o
sed 's/add /sub /' double.s >other.s
check "assembles" "$mdpas" -o other.o other.s
ar rc second/libdouble.a other.o
status 0 "$mdpld" -o found.elf main.o -L a.b -L first -L second -ldouble
check "the first folder with the library" cmp found.elf prog.elf
status 0 "$mdpld" -o found.elf main.o -L second -L first -ldouble
check "the other folder first" sh -c '! cmp -s found.elf prog.elf'
finish

# mdpas, mdpld and mdpobjdump together: from sources to an image and back.
. tests/cli/check.sh
mdpas=$build/mdpas
mdpld=$build/mdpld
mdpobjdump=$build/mdpobjdump
cd "$work" || exit 1

# absent FILE: nothing was left behind.
absent() {
    checks=$((checks + 1))
    [ ! -e "$1" ] || fail "$1 was left behind"
}

cat >main.s <<'END'
        .extern double
        .global start
        .rom
start:  br      ^work
work:   move    21,r0
        br      ^start
        .data
handler: .msg   double,2
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
ar rc libdouble.a double.o

check "links" "$mdpld" -o prog.elf -M prog.map main.o double.o
rows 1 prog.map '^00100    global    double$'
rows 1 prog.map '^01000    global    start$'
rows 1 prog.map '^02000         100  buffer$'
check "links an archive" "$mdpld" -o lib.elf main.o libdouble.a
check "is the same image" cmp prog.elf lib.elf
check "links a library" "$mdpld" -o lib.elf main.o -L . -l double
check "is the same image" cmp prog.elf lib.elf
check "places a section" "$mdpld" -T .data=3000 -T.rom=0x1800 -o placed.elf \
    main.o double.o
status 0 "$mdpobjdump" -h placed.elf
rows 1 out '03000 +1 .* \.data$'
rows 1 out '01800 +2 .* \.rom$'

for file in prog.elf placed.elf; do
    status 0 "$mdpobjdump" -d "$file"
    cp out again.s
    check "assembles its disassembly" "$mdpas" -o again.o again.s
    check "links its disassembly" "$mdpld" -o again.elf again.o
    "$mdpobjdump" -s "$file" | sed 1d >one
    "$mdpobjdump" -s again.elf | sed 1d >two
    check "gives the same words" cmp one two
done

status 0 "$mdpobjdump" -d -t -h -r -s -l main.o
says out "FIELD20"
says out "main.s:8"
status 0 "$mdpobjdump" libdouble.a prog.elf
says out "libdouble.a(double.o): object"
says out "prog.elf: image"

# Errors: status 1, a message with its place, no output.
rm -f bad.elf bad.map
status 1 "$mdpld" -o bad.elf -M bad.map main.o
says err "main.s:8: error: undefined symbol 'double', used in main.o"
absent bad.elf
absent bad.map
status 1 "$mdpld" -o bad.elf main.o double.o double.o
says err "symbol 'double' is defined in double.o (double.s:2) and in double.o"
status 1 "$mdpld" -o bad.elf -T .data=100 -T .text=100 main.o double.o
rows 1 err "overlap by 1 word$"
status 1 "$mdpld" -o bad.elf nowhere.o main.s prog.elf .
says err "nowhere.o: error: cannot read"
says err "main.s: offset 0x0: error: not an ELF file"
says err "prog.elf: error: is linked already"
says err ".: error: cannot read: Is a directory"
status 1 "$mdpld" -o bad.elf main.o -L. -lnowhere
says err "libnowhere.a"
absent bad.elf
status 1 "$mdpld" -o nowhere/bad.elf main.o double.o
says err "nowhere/bad.elf: error: cannot write"
: >empty.o
head -c 1000 prog.elf >cut.elf
status 1 "$mdpobjdump" empty.o cut.elf main.o
says err "empty.o: offset 0x0: error: the file is empty"
says err "cut.elf: offset 0x"
says out "main.o: object"

# Usage: status 2.
status 2 "$mdpld"
status 2 "$mdpld" -T .data main.o
status 2 "$mdpld" -T .data=xyz main.o
status 2 "$mdpld" -T .data=100000 main.o
status 2 "$mdpld" --wrong main.o
cp main.o kept.o
status 2 "$mdpld" -o main.o main.o double.o
says err "an output has the name of another file: main.o"
status 2 "$mdpld" -o bad.elf -M ./main.o main.o double.o
says err "an output has the name of another file: ./main.o"
status 2 "$mdpld" -o bad.elf -M bad.elf main.o double.o
check "inputs stay as they are" cmp main.o kept.o
absent bad.elf
status 2 "$mdpobjdump"
status 2 "$mdpobjdump" --wrong main.o
for tool in "$mdpld" "$mdpobjdump"; do
    status 0 "$tool" --help
    says out "usage:"
    status 0 "$tool" --version
done
finish

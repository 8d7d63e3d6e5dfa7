# mdpas, mdpld and mdpobjdump together: from sources to an image and back.
. tests/cli/check.sh
mdpas=$build/mdpas
mdpld=$build/mdpld
mdpobjdump=$build/mdpobjdump
top=$PWD
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

# Source text, from the line table; a missing source is reported once.
status 0 "$mdpobjdump" -S prog.elf
rows 1 out '^; main.s:4 start:  br      \^work$'
rows 1 out '^; double.s:3         suspend$'
silent err
check "assembles with its source" "$mdpas" -o again.o out
check "links" "$mdpld" -o again.elf again.o
"$mdpobjdump" -s prog.elf | sed 1d >one
"$mdpobjdump" -s again.elf | sed 1d >two
check "gives the same words" cmp one two
mv double.s away.s
status 0 "$mdpobjdump" --source prog.elf prog.elf
rows 1 err '^mdpobjdump: warning: no source text of double.s: .*No such file'
rows 0 out 'double.s'
rows 2 out '^double:$'
mkfifo double.s
status 0 "$mdpobjdump" -S prog.elf
rows 1 err 'double.s: cannot read: not a regular file$|double.s: .*not a regular file$'
rm double.s
mv away.s double.s
printf 'tab:\t.word\t1 ; \033[31m\r\n' >tabs.s
check "assembles" "$mdpas" -o tabs.o tabs.s
status 0 "$mdpobjdump" -S tabs.o
rows 1 out '^; tabs.s:1 tab:    .word   1 ; \\x1B\[31m$'

# The first screen of an image is code, however many constants it has.
printf 'CONSTANT = 5\n        .vectors\n        .space 99\n' | cat - double.s >first.s
check "assembles" "$mdpas" -o first.o first.s
check "links" "$mdpld" -o first.elf first.o
status 0 "$mdpobjdump" -d first.elf
check "code comes first" sh -c "head -9 out | grep -q 'add *r0,r0,r0'"
rows 0 out CONSTANT
status 0 "$mdpobjdump" -d --special-syms first.elf
rows 1 out '^        .equ    CONSTANT,5$'

# Names out of a file cannot write to the terminal.
sed 's/double/dou\x01le/g' double.o >odd.o
for option in -d -t -r -h -S; do
    status 0 "$mdpobjdump" $option odd.o
    rows 0 out "$(printf '\001')"
done
status 0 "$mdpobjdump" -t odd.o
rows 1 out 'dou\\x01le'
status 0 "$mdpld" -M odd.map -o odd.elf odd.o
rows 0 odd.map "$(printf '\001')"
status 1 "$mdpld" -o bad.elf odd.o odd.o
rows 1 err "^link: error: symbol 'dou.x01le' is defined in odd.o"
printf '        .error "\033[31m"\n' >esc.s
status 1 "$mdpas" -o bad.o esc.s
rows 0 err "$(printf '\033')"

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
says err "'--wrong'"
status 2 "$mdpld" --wrong main.o
says err "'--wrong'"
status 2 "$mdpld" -o
says err "-o needs"
status 2 "$mdpobjdump" --lines=4 main.o
status 0 "$mdpobjdump" --help
{
    sed -n 's/^OPTION([A-Z_]*, "\([^"]*\)".*/\1/p' "$top/tools/mdpobjdump/options.def"
    echo 'Exit status'
} >wanted
sed -e '1,2d; s/^  .*--\([a-z-]*\) .*/\1/; s/^\([^ ].*\): .*/\1/' "$work/out" >listed
check "its options are listed, and no more" diff wanted listed
status 0 "$mdpobjdump" --section-headers main.o
cp "$work/out" "$work/headers"
status 0 "$mdpobjdump" -h main.o
check "two names of an option" cmp "$work/headers" "$work/out"
for tool in "$mdpld" "$mdpobjdump"; do
    status 0 "$tool" --help
    says out "usage:"
    status 0 "$tool" --version
done

# No code where execution starts: the linker and the debugger warn, and nothing is run,
# though the loaded words can be dumped. The kernel's boot code, or a word there, is
# enough.
printf '        .global main\nmain:   move    1,r1\n        ldip    r3\n' >noboot.s
printf '        .data\n        .extern kernel_boot\n        .word   kernel_boot\n' |
    cat noboot.s - >boot.s
printf '        .rom\n        .word   NIL\nl:      br      ^l\n' >bare.s
for name in noboot boot bare; do
    status 0 "$mdpas" -o $name.o $name.s
    status 0 "$mdpld" -o $name.elf $name.o "$build/libkernel.a"
    [ $name != noboot ] || cp "$work/err" "$work/warned"
    [ $name = noboot ] || silent err
done
rows 1 "$work/warned" '^mdpld: warning: .*01000'
printf '* 00100 100000005\n' >noboot.txt
for program in noboot.elf noboot.txt "--bare noboot.s"; do
    # shellcheck disable=SC2086 # an option and a file
    status 2 "$jm" run --quiet --mesh 2x1x1 --dump 1:100 $program
    rows 1 "$work/err" '01000'
    rows 1 "$work/out" '^1 00100 .*[1-9]'
    # shellcheck disable=SC2086
    status 0 "$jm" debug --no-init --mesh 2x1x1 -ex 'print [0x100]' $program
    rows 1 "$work/err" '^jm debug: warning: .*01000'
done
printf '1 01000 F8C7E0000\n' >one.txt
for program in boot.elf bare.elf noboot.s "--mesh 2x1x1 one.txt"; do
    # shellcheck disable=SC2086 # options and a file
    status 0 "$jm" run --quiet $program
done
finish

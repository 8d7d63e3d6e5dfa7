# Names of symbols and files that are not text: no byte of them acts on a terminal,
# breaks a line, or makes invalid JSON.
. tests/cli/check.sh
cd "$work" || exit 1
escape=$(printf '\033')
is_json() {
    python3 -c 'import json, sys
json.load(open(sys.argv[1], encoding="utf-8"))' "$1"
}

# A program whose symbols and source have names as no assembler takes them: patched
# where they stand in the image, each by as many bytes.
cat >source_file_name.s <<'END2'
        .include "kernel.inc"
        .global main, handler_of_messages, word_in_memory
        .data
word_in_memory: .word INT:5, kernel_boot
        .text
main:   nop
handler_of_messages:
        .word   NIL
        add     r0,1,r1
        suspend
END2
inc="-I $OLDPWD/kernel -I $build/gen"
# shellcheck disable=SC2086
check "assembles" "$build/mdpas" $inc -o good.o source_file_name.s
check "links" "$build/mdpld" -o good.elf good.o "$build/libkernel.a"
python3 - "$build/programs/pingpong.elf" <<'END2'
import sys
image = open('good.elf', 'rb').read()
for old, new in ((b'handler_of_messages', b'\x1b[31mh \n\xff"\\\xe2\x82\xac,er\t'),
                 (b'word_in_memory', b'w\x1b[1m\n\xfe\xc2\x9b \x7f"'),
                 (b'source_file_name.s', b'\x1b[5m\xfd\nsource_fil.s')):
    new = new.ljust(len(old), b'x')
    assert len(new) == len(old) and old in image, old
    image = image.replace(old, new)
open('bad.elf', 'wb').write(image)
image = open(sys.argv[1], 'rb').read()
open('ping.elf', 'wb').write(image.replace(b'measure', b'\x1b[1 \n\xff"'))
END2
odd=$(printf 'odd\377\033[1m\n.elf')
cp bad.elf "$odd"

# clean FILE...: no control character but newlines, no byte that is not UTF-8.
clean() {
    for file in "$@"; do
        check "$file is text" python3 -c '
import sys
text = open(sys.argv[1], encoding="utf-8", newline="").read()
bad = [c for c in text if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160]
sys.exit(f"{bad[0]!r}" if bad else not text)' "$file"
    done
}

"$jm" run --quiet --stats s.json "$odd" >out 2>err
check "the fault is at the odd name" grep -q 'x1B' err
clean err
for trace in t.txt t.json; do
    "$jm" run --quiet --mesh 2x1x1 --cycles 3000 --trace $trace ping.elf >out 2>err
done
clean t.txt
for file in s.json t.json; do
    check "$file is JSON" is_json $file
done
check "the program's name" python3 - <<'END2'
import json
run = json.load(open('s.json'))
assert run['program'] == 'odd\ufffd\x1b[1m\n.elf', run['program']
names = [name for name in run['words'] if name.startswith('w\x1b[1m\n\ufffd')]
assert names and run['words'][names[0]] == 5, run['words']
END2
check "rows of a trace have their fields" awk 'NF < 6 || $1 !~ /^[0-9]+$/ { exit 1 }' \
    t.txt
rows 3 t.txt ' [0-9A-F]{5} .x1B.1.x20.x0A.xFF"([+]7)?( |$)'
"$jm" report s.json >report 2>err
clean report
"$build/mdpobjdump" -htrsld bad.elf >dump 2>err
clean dump
"$build/mdpld" -M map -o again.elf bad.elf 2>err
"$build/mdpld" -o again.elf "$odd" 2>err
clean err
"$build/mdpld" -o again.elf good.o good.o 2>err
clean err
printf '%s\n' symbols 'info symbols' 'break main' run backtrace list 'why stopped' \
    'info node' >commands
"$jm" debug --no-init "$odd" <commands >session 2>&1
clean session
for command in "run --restore" "run" "report" "debug --no-init"; do
    # shellcheck disable=SC2086
    "$jm" $command "$(printf 'none\033\n\377')" </dev/null >out 2>err
    clean err
    rows 1 err '^none.x1B.x0A.xFF: error'
done
"$jm" "$(printf 'no\033\ncommand')" 2>err
clean err
"$jm" run "--param=$(printf 'no\033\nname')=1" good.elf 2>err
clean err
for name in mdpas mdpld mdpobjdump; do
    status 2 "$build/$name" "$(printf -- '--no\033\noption\377')"
    clean err
    says err '--no\x1B\x0Aoption\xFF'
done
# Files and folders with odd names lose no result, and what is written is JSON and text.
dir=$(printf 'dir\377\033[1m')
mkdir "$dir" && cp good.elf "$dir/p.elf"
"$jm" net trace --program ping-pong --nodes 16 --output "$dir/p" >out 2>err
net="$jm net run --topology torus=4x4,lanes=2 --quiet"
status 0 $net --workload "trace=$dir/p,setup=3" --stats "$dir/n.json"
status 0 $net --workload "trace=$dir/p,setup=3" --json
cp out n2.json
check "the odd name" grep -q "$(printf 'trace=dir\357\277\275.u001B')" n2.json
status 0 "$jm" exp run fig5-10 --quick --out "$dir"
clean out
status 126 "$jm" run --cycles 200 --save-at 900:"$dir/none" --stats "$dir/s.json" \
    "$build/programs/hello.elf"
clean err
for file in "$dir"/*.json n2.json; do
    check "$file is JSON" is_json "$file"
done
# A source whose name is odd, with more errors than are told.
for _ in $(seq 50); do echo '        wrong'; done >"$(printf 'many\033\377.s')"
"$build/mdpas" "$(printf 'many\033\377.s')" 2>err
clean err
rows 1 err '^many.x1B.xFF[.]s: error: too many errors'
# Lines of a source that are quoted: control characters of two bytes too, and a caret
# that stands under its character.
odd_bytes=$(printf '\033[1m \377 \302\233 \303\251')
printf 'x: %s\n' "$odd_bytes" >quoted.s
status 1 "$build/mdpas" quoted.s
clean err
rows 1 err "^x: [?]\[1m [?] [?]{2} $(printf '\303\251')\$"
printf '%s\n' '        .include "kernel.inc"' '        .global main' \
    "main:   suspend ; $odd_bytes" >quoted.s
status 127 "$jm" run quoted.s
clean err
rows 1 err " 3 [|] main:.*1m.*$(printf '\303\251')\$"
echo 'list main' | "$jm" debug --no-init -ex "list $odd_bytes" quoted.s >out
clean out
rows 2 out "x1B\[1m .xFF .xC2.x9B $(printf '\303\251')\$"
finish

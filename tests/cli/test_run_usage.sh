# Bad usage and bad input: status 2, one clear message, nothing written.
. tests/cli/check.sh

# refused MESSAGE ARGUMENT...
refused() {
    message=$1
    shift
    rm -f "$work/stats.json"
    status 2 "$jm" run --bare --stats "$work/stats.json" "$@"
    says err "$message"
    silent out
    checks=$((checks + 1))
    [ ! -e "$work/stats.json" ] || fail "statistics written: $*"
}

exit=$programs/exit.s
refused "no program"
refused "second one" "$exit" "$exit"
refused "did you mean '--mesh'" --mseh 2x2x2 "$exit"
refused "needs an argument" "$exit" --mesh
for mesh in 0x1x1 1x0x1 33x1x1 1x33x1 1x1x65 2x2 2x2x2x2 x x1x1 2x2x 2,2,2 -1x1x1 '' \
    ' 1x1x1' 99999999999999999999x1x1; do
    refused "--mesh" --mesh "$mesh" "$exit"
done
for words in 0 7 9 100 2048 -8 eight '' 8.0; do
    refused "--queue" --queue "$words" "$exit"
    refused "--queue1" --queue1 "$words" "$exit"
done
refused "kernel_queue0" --queue 64 "$exit"
refused "kernel_queue1" --queue1 64 "$exit"
refused "--router" --router maybe "$exit"
refused "--engine" --engine fast "$exit"
for number in '' -1 x 1x 18446744073709551616 1.5; do
    refused "--seed" --seed "$number" "$exit"
    refused "--cycles" --cycles "$number" "$exit"
done
refused "--threads" --threads 0 "$exit"
refused "--threads" --threads many "$exit"
refused "did you mean 'value'" --set valeu=1 "$exit"
for set in value =1 value= value=x value=4294967296 value=-2147483649 value=INT: \
    value=XYZ:1 value=INT:100000000 value=0x; do
    refused "--set" --set $set "$exit"
done
refused "did you mean 'external'" --param extrenal=1 "$exit"
for param in external external= external=x external=1000000 =3 header_flits=4 \
    channel_capacity=0; do
    refused "jm run: error: --param" --param $param "$exit"
done
refused "--param dispatch=99999999: 99999999 is not in 0..1000" \
    --param dispatch=99999999 "$exit"
refused "the value is a whole number" --param dispatch=1.5 "$exit"
status 2 "$jm" debug --bare --param dispatch=99999999 "$exit"
says err "jm debug: error: --param dispatch=99999999: "
for dump in '' 0 0: :0 0:xyz 0:0: 0:0:0 0:0:x 0:100000 0:FFFFF:2 -1:0 1:0 0:0:1:1; do
    refused "--dump" --dump "$dump" "$exit"
done
for sample in '' 0:f x:f 10: 10 :f; do
    refused "--sample" --sample "$sample" "$exit"
done
refused "no word named 'nothing'" --dump 0:nothing "$exit"
refused "did you mean 'value'" --dump 0:valeu "$exit"
refused "expected NODE:HEXADDR" --dump 0:value+ "$exit"
refused "expected NODE:HEXADDR" --dump 0:value+x "$exit"
refused "expected NODE:HEXADDR" --dump 0:+1 "$exit"
refused "addresses go from 0 to FFFFF" --dump 0:value+0xFFFFF "$exit"
refused "addresses go from 0 to FFFFF" --dump 0:100000 "$exit"
refused "ranks go from 0 to 3" --mesh 2x2x1 --dump 4:0 "$exit"
refused "from 0 to 18446744073709551615" --seed -1 "$exit"
refused "from 0 to 18446744073709551615" --cycles -1 "$exit"
refused "from 1 to 4294967295" --threads 0 "$exit"
refused "did you mean '--param external=VALUE'" --external 3 "$exit"
refused "--expect-exit with --no-host" --no-host --expect-exit "$exit"

# --set is for words of data.
cat >"$work/set.s" <<'END'
        .global main, fixed, code, data, there
        .equ    fixed,5
        .rom
        .org    0x1000
main:   br      ^main
there:  .word   INT:1
        .text
code:   nop
        .macro  constant value
        .word   INT:\value
        move    r0,r1
        .endm
loads:  constant 7
alone:  .word   INT:1
        nop
        .data
data:   .word   INT:1
END
refused "'main' lies in ROM, at 01000" --set main=5 "$work/set.s"
refused "'there' lies in ROM" --set there=5 "$work/set.s"
refused "'code' is code, not data" --set code=5 "$work/set.s"
refused "'loads' is code, not data" --set loads=5 "$work/set.s"
status 0 "$jm" run --bare --quiet --set alone=5 --dump 0:alone "$work/set.s"
says out " 100000005"
refused "'fixed' is a number (5)" --set fixed=5 "$work/set.s"
status 0 "$jm" run --bare --quiet --set data=5 --dump 0:data "$work/set.s"
says out " 100000005"

# Words of the command line: each form, at its ends and one beyond.
while read -r word held; do
    status 0 "$jm" run --bare --quiet --set "data=$word" --dump 0:data "$work/set.s"
    rows 1 "$work/out" "^0 [0-9A-F]* $held\$"
done <<'END'
0 100000000
1 100000001
-1 1FFFFFFFF
-0 100000000
007 100000007
0x7fffffff 17FFFFFFF
0XAbC 100000ABC
4294967295 1FFFFFFFF
0xFFFFFFFF 1FFFFFFFF
-2147483648 180000000
-2147483647 180000001
-0x80000000 180000000
INT:ffffffff 1FFFFFFFF
INT:0x10 100000010
INT:0X10 100000010
SYM:5 000000005
BOOL:1 200000001
int:9 100000009
INT:0 100000000
TAG9:12345678 912345678
END
for word in -2147483649 -0x80000001 -4294967295 4294967296 0x100000000 --1 - -+1 +1 1- \
    -INT:1 INT:-1 INT:+1 INT:100000000 INT:0x INT:0x100000000 INT:1g INT:x INT \
    :1 INT:1:2 INTE:1 IN:1 0x 0xg 0x-1 x1 1e3 99999999999999999999 \
    -99999999999999999999; do
    refused "--set" --set "data=$word" "$work/set.s"
done

# Help and version, of every program and command.
for command in mdpas mdpld mdpobjdump jm; do
    for option in -h --help; do
        status 0 "$build/$command" $option
        checks=$((checks + 1))
        grep -qi "^usage: $command" "$work/out" || fail "$command $option"
    done
    for option in -V --version; do
        status 0 "$build/$command" $option
        rows 1 "$work/out" "^$command .*[0-9]+\.[0-9]+\.[0-9]+$"
    done
done
for command in $("$jm" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    status 0 "$jm" "$command" --help
    cp "$work/out" "$work/help"
    rows 1 "$work/help" "^Usage: jm $command"
    for other in "$command -h" "help $command"; do
        # shellcheck disable=SC2086 # two words
        status 0 "$jm" $other
        check "jm $other" cmp "$work/out" "$work/help"
    done
    for option in -V --version; do
        status 0 "$jm" "$command" $option
        rows 1 "$work/out" '^jm [0-9.]+$'
    done
done
# What jm run writes the debugger has commands for; what prepares a program it takes.
for option in "--cycles 5" "--stats s.json" "--trace t.txt" "--sample 9:s.csv" \
    "--dump 0:100" "--save-at 9:saved"; do
    # shellcheck disable=SC2086 # an option and its value
    status 2 "$jm" debug $option "$exit" </dev/null
    says err "jm debug: error: ${option%% *} is of \`jm run\`"
done
status 0 "$jm" debug --no-init --source /dev/null -x /dev/null -ex "echo one" --seed 7 \
    --param dispatch=9 -ex "info parameters dispatch" "$exit" </dev/null
says out "one"
says out "9"
status 1 "$jm" debug "$exit" -x . </dev/null
says out "error: .: Is a directory"
status 2 "$jm" debug "$exit" -ex </dev/null
says err "-ex needs a command"
status 2 "$jm" debug "$exit" --source </dev/null
says err "--source needs a file"
status 0 "$jm" run "$exit" -h
status 2 "$jm" help rnu
says err "did you mean 'run'"
# Help of a command's command, and ranges and names of a network's parameters.
status 0 "$jm" net run --help
cp "$work/out" "$work/help"
status 0 "$jm" help net run
check "help of jm net run" cmp "$work/out" "$work/help"
net="$jm net run --topology torus=4x4 --workload memory --cycles 4000"
for value in 0 9 99999999999 2x; do
    # shellcheck disable=SC2086
    status 2 $net --param start_words=$value
    says err "--param start_words=$value: it takes a whole number from 1 to 8"
done
# shellcheck disable=SC2086
status 2 $net --param strat_words=2
says err "did you mean 'start_words'?"
# The kernel's overflow handler takes queues of 16 to 512 words.
for option in --queue --queue1; do
    for words in 8:1 16:0 512:0 1024:1; do
        "$jm" run $option "${words%:*}" "$build/programs/greet.elf" \
            >/dev/null 2>"$work/err"
        rows "${words#*:}" "$work/err" \
            "the overflow handler cannot work with a queue of ${words%:*} words"
    done
    "$jm" run --quiet $option 8 "$build/programs/greet.elf" >/dev/null 2>"$work/err"
    rows 0 "$work/err" "overflow handler"
done
refused "--trace-nodes without --trace" --trace-nodes 0 "$exit"
refused "--trace-kinds without --trace" --trace-kinds send "$exit"
refused "--trace-cycles without --trace" --trace-cycles 0-9 "$exit"
refused "--raw-output with --no-host" --no-host --raw-output "$exit"
refused "none/stats" --trace "$work/none/stats" "$exit"
refused "none/a.csv" --sample "10:$work/none/a.csv" "$exit"

# Programs that are none.
refused "missing" "$work/missing"
refused "missing.s" "$work/missing.s"
refused "$work" "$work"
printf 'nonsense\n' >"$work/bad.txt"
refused "bad.txt:1" "$work/bad.txt"
printf '0 01000 FFFFFFFFFF\n' >"$work/bad.txt"
refused "bad.txt:1" "$work/bad.txt"
printf '# fine\n0 01000 1\n9 01000 1\n' >"$work/bad.txt"
refused "bad.txt:3" "$work/bad.txt"
printf '\177ELF' >"$work/short.elf"
refused "short.elf" "$work/short.elf"
printf '        add r0,r1\n        frobnicate\n' >"$work/bad.s"
refused "bad.s:2" "$work/bad.s"
says err "^"
printf '        .global far\n        .text\n        .ip far\n' >"$work/undefined.s"
refused "far" "$work/undefined.s"

# Assembled but not linked: the message names the remedy.
status 0 "$build/mdpas" -I "$build/gen" -o "$work/exit.o" "$exit"
refused "mdpld" "$work/exit.o"

status 2 "$jm" report
status 2 "$jm" report "$work/missing"
printf '{"mesh":[1,1,1]}' >"$work/not.json"
status 2 "$jm" report "$work/not.json"
says err "not the statistics"
printf '{"mesh":' >"$work/not.json"
status 2 "$jm" report "$work/not.json"
says err "not.json:1"

# Nothing may be left behind, in particular no temporary file.
ls "$work" >"$work/listing"
rows 0 "$work/listing" '\.(json|csv)\.|^(stats|a\.csv)'
# An unknown letter names itself, wherever it stands in a group.
for command in "$build/mdpas" "$build/mdpld" "$build/mdpobjdump" "$jm run" "$jm debug" \
    "$jm exp run" "$jm exp report"; do
    for group in -Y -YZ; do
        # shellcheck disable=SC2086
        status 2 $command $group
        rows 1 "$work/err" "(option|argument) '?-Y('|;|$)"
    done
done
status 2 "$build/mdpobjdump" -dY x.o
says err "'-Y'"
finish

# What has no end, and memory that does not suffice: one clear message, never a crash.
. tests/cli/check.sh
cd "$work" || exit 1
as=$build/mdpas ld=$build/mdpld dump=$build/mdpobjdump
printf '        .include "/dev/zero"\n' >include.s
"$jm" run --quiet --mesh 8x8x4 --cycles 2000 --stats big.json --save-at 1000:saved \
    "$build/programs/random.elf" >out 2>&1

# Files without an end, and large ones: read up to a limit, or refused at once.
truncate -s 2G huge.elf
endless() { # STATUS FILE COMMAND...
    wanted=$1 name=$2
    shift 2
    status "$wanted" timeout 60 "$@" "$name"
    rows 1 err "$name"
    rows 1 err .
    check "$name is told" grep -qE \
        'larger than [0-9]+ bytes|regular file|expected|not a saved machine' err
}
for name in /dev/zero huge.elf; do
    endless 1 $name "$as" -o x.o
    endless 1 $name "$dump"
    endless 1 $name "$ld" -o x
    endless 2 $name "$jm" run
    endless 2 $name "$jm" run --restore
    endless 2 $name "$jm" report
done
status 1 "$as" -o x.o include.s
says err "not a regular file"
(yes '' | timeout 60 "$jm" report /dev/stdin) >out 2>err
[ $? -eq 2 ] || fail "status of statistics without an end"
says err "larger than"
tr '\0' a </dev/zero | timeout 60 "$jm" debug --no-init --bare "$programs/loop.s" \
    >out 2>err
[ $? -eq 1 ] || fail "status of a line without an end"
rows 1 err 'longer than [0-9]+ bytes'
printf 'step\nstep' >script
for name in /dev/zero script; do
    status $([ $name = script ] && echo 0 || echo 1) timeout 60 \
        "$jm" debug --no-init --bare --source $name "$programs/loop.s" </dev/null
done
printf '%05000d\n' 0 >script
status 1 "$jm" debug --no-init --bare --source script "$programs/loop.s" </dev/null
says out "a line is longer than"
mkdir folder
ln -s /dev/zero folder/experiments.json
status 1 timeout 60 "$jm" exp report --out folder
rows 1 err 'experiments.json'
ln -s /dev/zero folder/runs.jsonl
status 2 timeout 60 "$jm" exp run figure-4-4 --resume --out folder
rows 1 err 'regular file|no experiment'

loads() { # PROGRAM: whether it can be loaded under the limit of memory
    (ulimit -v $kilobytes && exec "$1" --version) >version.out 2>&1
    [ $? -lt 125 ]
}

# scarce STATUS COMMAND...: under every limit of memory the command does its work, ends
# with STATUS or 125 and one line, or cannot even be loaded.
scarce() {
    failure=$1 seen=
    shift
    kilobytes=2500
    while [ $kilobytes -lt 30000 ]; do
        (ulimit -v $kilobytes && exec "$@") >scarce.out 2>scarce.err
        got=$?
        checks=$((checks + 1))
        if [ $got -ge 127 ] && ! loads "$1"; then
            : # there is no room for the program or its libraries
        elif [ $got -eq 125 ] || grep -q memory scarce.err; then
            seen=$seen$got,
            [ "$(grep -c memory scarce.err)$(wc -l <scarce.err)" = 11 ] ||
                fail "not one line about memory, $kilobytes KB: $*"
            case $got in "$failure" | 1 | 125) ;; *) fail "status $got: $*" ;; esac
            [ ! -e scarce.json ] || fail "statistics without memory, $kilobytes KB: $*"
        else
            cmp -s scarce.out whole.out || fail "status $got, $kilobytes KB: $*"
            rm -f scarce.json
        fi
        kilobytes=$((kilobytes + kilobytes / 16))
    done
    check "memory was scarce: $*" test -n "$seen"
}
whole() { # COMMAND...: what it prints with memory enough
    "$@" >whole.out 2>whole.err
    rm -f scarce.json
}
if (ulimit -v 40000 && "$jm" --version) >out 2>&1; then
    echo 'help' >script
    set -- "$jm" run --quiet --mesh 8x8x8 --cycles 2000 --stats scarce.json \
        "$build/programs/random.elf"
    whole "$@"
    scarce 2 "$@"
    case $seen in 2,*125,) ;; *) fail "before and in a run: status $seen" ;; esac
    set -- "$jm" run --quiet --restore saved --cycles 1500 --stats scarce.json
    whole "$@"
    scarce 2 "$@"
    random=$build/programs/random.elf
    for command in "$jm report big.json" "$as -o x.o $programs/output.s -I $build/gen" \
        "$ld -o x $build/programs/random/random.o $build/libkernel.a" \
        "$dump -dt $build/programs/random.elf" \
        "$jm debug --no-init --mesh 8x8x4 --source script $random"; do
        # shellcheck disable=SC2086
        whole $command
        # shellcheck disable=SC2086
        scarce 2 $command
    done
    check "nothing is left" test "$(ls | grep -c '\.tmp')" -eq 0
else
    echo "memory is not limited here: $(tail -1 out)"
fi
finish

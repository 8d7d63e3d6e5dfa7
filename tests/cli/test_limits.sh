# Unbounded inputs and too little memory: one clear message, never a crash.
. tests/cli/check.sh
can_fail=
! preload "requests for memory that fail" || can_fail=yes
cd "$work" || exit 1
as=$build/mdpas ld=$build/mdpld dump=$build/mdpobjdump
printf '        .include "/dev/zero"\n' >include.s
"$jm" run --quiet --mesh 2x2x1 --cycles 900 --stats some.json --save-at 500:saved \
    "$build/programs/random.elf" >out 2>&1

# Unbounded and large files: read up to a limit, or rejected at once.
truncate -s 2G huge.elf
endless() { # STATUS FILE COMMAND...
    wanted=$1 name=$2
    shift 2
    status "$wanted" timeout 600 "$@" "$name"
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
(yes '' | timeout 600 "$jm" report /dev/stdin) >out 2>err
[ $? -eq 2 ] || fail "status of statistics without an end"
says err "larger than"
# Standard input has the same bounds as the same pipe or file by name. A source has its
# own bound.
bound() { # BYTES STATUS COMMAND...: a pipe without an end is refused with this bound
    bytes=$1 wanted=$2
    shift 2
    (yes '' | timeout 600 "$@") >out 2>err
    got=$?
    [ $got -eq "$wanted" ] || fail "status $got, not $wanted: $*"
    rows 1 err "larger than $bytes bytes"
}
bound $((128 << 20)) 2 "$jm" run -
bound $((128 << 20)) 2 "$jm" run /dev/stdin
bound $((64 << 20)) 1 "$as" -o x.o -
bound $((64 << 20)) 1 "$as" -o x.o /dev/stdin
(timeout 600 "$jm" run - <huge.elf) >out 2>err
rows 1 err "larger than $((1 << 30)) bytes"
(yes '' | head -c 68M | timeout 600 "$jm" run -) >out 2>err
rows 1 err "larger than $((64 << 20)) bytes"
tr '\0' a </dev/zero | timeout 600 "$jm" debug --no-init --bare "$programs/loop.s" \
    >out 2>err
[ $? -eq 1 ] || fail "status of a line without an end"
rows 1 err 'longer than [0-9]+ bytes'
printf 'step\nstep' >script
for name in /dev/zero script; do
    status $([ $name = script ] && echo 0 || echo 1) timeout 600 \
        "$jm" debug --no-init --bare --source $name "$programs/loop.s" </dev/null
done
printf '%05000d\n' 0 >script
status 1 "$jm" debug --no-init --bare --source script "$programs/loop.s" </dev/null
says out "a line is longer than"
mkdir folder
ln -s /dev/zero folder/experiments.json
status 1 timeout 600 "$jm" exp report --out folder
rows 1 err 'experiments.json'
ln -s /dev/zero folder/runs.jsonl
status 2 timeout 600 "$jm" exp run figure-4-4 --resume --out folder
rows 1 err 'regular file|no experiment'

# Memory requests fail in turn, of late ones some: the program behaves as usual, or
# reports that it is out of memory.
late=64 # requests up to this one fail each
each_fails() { # STATUS COMMAND...: the status otherwise
    failure=$1 failing=0 short=0 same=0 before=0 within=0
    shift
    status "$failure" "$@"
    cat out err >whole.out
    rm -f x.json
    while [ $failing -lt 3000 ]; do
        failing=$((failing + 1 + failing / late))
        FAIL_AT=$failing LD_PRELOAD=$work/preload.so "$@" >scarce.out 2>scarce.err
        got=$?
        cat scarce.err >>scarce.out
        if cmp -s scarce.out whole.out; then
            check "status $got, request $failing: $*" test $got -eq "$failure"
            # Requests whose failure does no harm, such as those for buffers, come in
            # between.
            same=$((same + 1))
            rm -f x.json
            [ $same -lt 40 ] || break
        else
            same=0 short=$((short + 1))
            cat scarce.out >>short.out
            case $got in
            1 | 2) before=$((before + 1)) ;;
            125) within=$((within + 1)) ;;
            *) fail "status $got, request $failing: $*" ;;
            esac
            check "memory is short, request $failing: $*" test \
                "$(grep -cE 'out of memory|no memory|Cannot allocate' scarce.err)" -eq 1
            check "no results, request $failing: $*" test ! -e x.json
            check "it is said who is short, request $failing: $*" \
                test "$(grep -c '^:' scarce.out)" -eq 0
        fi
    done
    check "memory was short: $*" test $short -gt 10
}
printf '        frob\n' >bad.s
printf '        .extern far\n        .text\n        .ip far\n' >far.s
printf '        .global far\n        .data\nfar:    .word INT:1\n' >near.s
if [ "$can_fail" ]; then
    check "assembles" "$as" -o far.o far.s
    each_fails 1 "$as" -o x.o bad.s
    each_fails 1 "$ld" -o x.elf far.o
    each_fails 2 "$jm" run --quiet bad.s
    check "none of these has begun to run" test $within -eq 0
    # libelf's requests are among these.
    check "assembles" "$as" -o near.o near.s
    each_fails 0 "$as" -o x.o far.s
    check "with the last of them the object is whole" cmp x.o far.o
    each_fails 0 "$ld" -o x.elf far.o near.o
    each_fails 0 "$dump" -dt far.o
    late=4
    each_fails 126 "$jm" run --quiet --restore saved --cycles 800 --stats x.json
    each_fails 0 "$jm" report some.json
    echo help >script
    each_fails 0 "$jm" debug --no-init --source script "$build/programs/random.elf"
    late=3000 # each of them, the results' own too
    each_fails 3 "$jm" net run --topology torus=4x4,lanes=1 --cycles 5000 \
        --workload pattern=uniform,rate=0.05 --param circles=1
    check "status before a run and in it" test $before -gt 10 -a $within -gt 10
    # A simulation whose network is made, and then has no memory for a message.
    failing=0 step=16
    while [ $failing -lt 3000 ] && ! grep -q 'no memory for messages' err; do
        failing=$((failing + step))
        rm -rf sim
        FAIL_AT=$failing LD_PRELOAD=$work/preload.so "$jm" exp run fig5-8 --quiet \
            --jobs 1 --set mesh=2x1x1 --set cycles=1000 --set fair=1 --out sim 2>err
        got=$?
        ! grep -q 'no memory for a network' err || step=1
    done
    check "there is no memory for messages" test $failing -lt 3000 -a $got -eq 2
    check "there is no result" test ! -s sim/runs.jsonl
fi
finish

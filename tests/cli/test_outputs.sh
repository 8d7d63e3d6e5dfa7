# Outputs of every program: which files are replaced, written through or left behind,
# and the messages if one cannot be written (recorded/outputs, too).
. tests/cli/check.sh
can_fail=
! preload "standard output that cannot be closed" || can_fail=yes
cd "$work" || exit 1
as=$build/mdpas ld=$build/mdpld
cp "$programs"/*.s .
printf '        .text\nstart:  br      ^start\n' >in.s
run() { "$jm" run --bare --quiet "$@"; }
save() { run --cycles 50 --save-at 20:"$1" loop.s; }
is_json() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"; }

# writers NAME: every way to write a file called NAME, one word each.
writers="stats sample trace save object image map listing"
write_by() { # WRITER NAME: quiet unless it fails
    case $1 in
    stats) run --stats "$2" exit.s ;;
    sample) run --sample 10:"$2" exit.s ;;
    trace) run --mesh 2x1x1 --trace "$2" output.s ;;
    save) save "$2" ;;
    object) "$as" -o "$2" in.s ;;
    image) "$ld" -o "$2" good.o ;;
    map) "$ld" -M "$2" -o good.elf good.o ;;
    listing) "$as" -l "$2" -o good.o in.s ;;
    esac >written.out 2>&1
    case $? in 0 | 7 | 126) ;; *) return 1 ;; esac
}
"$as" -o good.o in.s || exit 1
mkdir real

for writer in $writers; do
    # What is in the place of NAME.
    rm -rf real/* link
    ln -s real/one link
    check "$writer makes a link's target" write_by $writer link
    check "$writer keeps the link" test -L link -a -s real/one -a ! -L real/one
    chmod 662 real/one
    ln -s "$work/link" real/chain
    cp real/one first
    echo old >real/one
    check "$writer through two links" write_by $writer real/chain
    check "$writer: the same again" cmp real/one first
    check "$writer keeps the links" test -L link -a -L real/chain
    check "$writer keeps the mode" test "$(stat -c %a real/one)" = 662
    if [ "$(id -u)" -eq 0 ]; then
        chown 1234:2345 real/one
        check "$writer for another owner" write_by $writer real/one
        check "$writer keeps owner and mode" test "$(stat -c %u:%g:%a real/one)" = \
            1234:2345:662
    fi
    (umask 027 && write_by $writer real/new)
    check "$writer: mode of a new file" test "$(stat -c %a real/new)" = 640
    # Names that a temporary file could have are taken by files and a folder.
    for i in 1 2 3; do echo "$i" >"real/new.tmp$i"; done
    mkdir real/new.tmp4
    check "$writer beside old temporary files" write_by $writer real/new
    check "$writer leaves them alone" test "$(cat real/new.tmp?  2>&1 | head -3 |
        tr -d '\n')" = 123 -a "$(ls real)" = "chain
new
new.tmp1
new.tmp2
new.tmp3
new.tmp4
one"
    rm -rf real/new*
    # Names as long as a file system takes.
    long=real/$(printf '%0255d' 0)
    check "$writer: a long name" write_by $writer "$long"
    check "$writer: a long name is there" test -s "$long"
    rm -f "$long"
    # Anything but a regular file is written through.
    mkfifo real/pipe
    cat real/pipe >got &
    check "$writer into a pipe" write_by $writer real/pipe
    wait $!
    check "$writer: all through the pipe" cmp got first
    check "$writer keeps the pipe" test -p real/pipe
    if [ -e /dev/fd/0 ]; then
        exec 3>got
        echo head >&3
        check "$writer to a descriptor" write_by $writer /dev/fd/3
        echo tail >&3
        exec 3>&-
        (echo head && cat first && echo tail) >wanted
        check "$writer between others" cmp got wanted
    fi
    # Unwritable outputs.
    ln -s loop real/loop
    for name in real/none/x real real/loop /dev/fd/99; do
        write_by $writer $name && fail "$writer wrote to $name"
        check "$writer says so of $name" grep -q 'cannot write' written.out
        check "$writer says so once" test "$(wc -l <written.out)" -eq 1
    done
    if [ -w /dev/full ]; then
        write_by $writer /dev/full && fail "$writer wrote to a full disk"
        check "$writer says why" grep -q 'No space left on device' written.out
        check "/dev/full is there" test -c /dev/full
    fi
    if [ "$(id -u)" -ne 0 ]; then
        chmod 400 real/one
        write_by $writer real/one && fail "$writer wrote to a protected file"
        check "$writer left it" cmp real/one first
    fi
done
# The debugger's record and trace.
rm -rf real/*
for command in record trace; do
    ln -s file.$command real/$command
    mkfifo real/pipe.$command
    cat real/pipe.$command >got &
    for name in $command pipe.$command; do
        printf '%s real/%s\nstep\n%s off\n' $command $name $command |
            "$jm" debug --no-init --mesh 2x1x1 "$build/programs/pingpong.elf" >out 2>&1
    done
    wait $!
    check "the debugger's $command keeps the link" test -L real/$command
    check "the debugger's $command through a pipe" cmp got real/file.$command
    echo old >real/killed.$command
    printf '%s real/killed.%s\nstep\nstep\n' $command $command |
        (trap '' PIPE && "$jm" debug --no-init --bare loop.s) >out 2>&1
    check "a $command ends with the session" sh -c "! grep -q old real/killed.$command"
    for end in "$command off" "$command real/other" quit; do
        printf '%s /dev/full\nrun 3000\n%s\n' $command "$end" >script
        status 1 sh -c "'$jm' debug --no-init --mesh 2x1x1 \
            '$build/programs/pingpong.elf' <script"
        says out "No space left on device"
    done
done
check "the record" test "$(cat real/file.record)" = step
# A trace that cannot be written ends the run, and no limit did.
if [ -w /dev/full ]; then
    status 2 "$jm" run --mesh 8x8x8 --trace /dev/full "$build/programs/greet.elf"
    says err "because the trace cannot be written"
    rows 0 err "cycle limit"
fi
check "nothing is left" test "$(ls | grep -c '\.tmp')" -eq 0

# Standard output and error as files, by name and by the files they lead to.
run --stats stats.json output.s >plain 2>&1
for name in /dev/stdout - /dev/fd/1 all; do
    case $name in /dev/*) [ -e $name ] || continue ;; esac
    (
        echo head
        run --stats $name output.s
        echo tail
    ) >all 2>err
    (echo head && cat plain stats.json && echo tail) >wanted
    check "nothing is lost behind $name" cmp all wanted
done
run --mesh 8x8x2 --dump 0:0:300 --stats large.json output.s >plain 2>&1
run --mesh 8x8x2 --dump 0:0:300 --stats /dev/stdout output.s >all
(cat plain large.json) >wanted
check "all in order" cmp all wanted
run --stats stats.json output.s >plain 2>&1
(echo head && cat plain stats.json && echo tail) >wanted
(echo head && run --stats /dev/stdout output.s | cat && echo tail) >all
check "through a pipe" cmp all wanted
(echo head && cat stats.json && echo tail) >wanted
for name in /dev/stderr /dev/fd/2 all; do
    case $name in /dev/*) [ -e $name ] || continue ;; esac
    (echo head >&2 && run --stats $name output.s >out && echo tail >&2) 2>all
    check "standard error as $name" cmp all wanted
done
status 0 "$as" -o - in.s
check "an object on standard output" cmp out good.o

"$ld" -o whole.elf good.o || exit 1

# Closed descriptors are not places for files.
run --mesh 2x1x1 --stats talk.json output.s >talk
check "something is said" test -s talk
for closed in '>&-' '2>&-' '<&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    rm -f s.json t.csv
    eval "run --mesh 2x1x1 --stats s.json --sample 5:t.csv output.s $closed"
    check "statistics with $closed" cmp s.json talk.json
    check "sample with $closed" sh -c '! grep -v "^[a-z0-9_,]*$" t.csv'
    eval "\"$as\" -o x.o in.s $closed"
    check "object with $closed" cmp x.o good.o
    eval "\"$as\" -l - -o x.o in.s $closed" >/dev/null
    check "object with $closed, listing on standard output" cmp x.o good.o
    eval "\"$ld\" -M - -o x.elf good.o $closed" >/dev/null
    check "image with $closed, map on standard output" cmp x.elf whole.elf
done

# Beside the standard descriptors, given or not, no other is open.
if [ -e /dev/fd/0 ]; then
    for closed in '' '<&-' '>&-' '2>&-' '<&- >&-'; do
        for number in 3 4 5 6; do
            eval "run --stats /dev/fd/$number output.s $closed 3>&- 4>&- 5>&- 6>&-" \
                >any 2>&1
            check "descriptor $number with $closed" test $? -eq 2
        done
    done
fi

# Signals end a long run in order; whatever ends it, no temporary file is left.
for pair in HUP:1 INT:2 QUIT:3 TERM:15 XCPU:24; do
    name=${pair%:*}
    cut_short "$name" "grep -q interrupted err && [ \$(wc -l <$name.csv) -gt 2 ]" \
        "$jm" run --bare --stats "$name.json" --trace "$name.trace" \
        --sample 10000:"$name.csv" --save-at 99:"$name.saved" loop.s
    check "SIG$name: status $got" test "$got" -eq $((128 + ${pair#*:}))
    says err "interrupted"
    check "statistics after SIG$name" grep -q '"stop":"limit"' "$name.json"
    check "sample after SIG$name" test "$(wc -l <"$name.csv")" -gt 2
    check "trace after SIG$name" test -e "$name.trace"
    status 126 "$jm" run --restore "$name.saved" --cycles 200
done
keeps_ignoring "$jm" run --bare loop.s
# A program that waits for a reader can be ended too.
mkfifo nobody
status 143 timeout --preserve-status -s TERM 0.3 "$jm" run --bare --stats x.json \
    --trace nobody loop.s
timeout -s KILL 0.3 "$jm" run --bare --stats k.json --trace k.trace loop.s
check "nothing is left" test "$(ls | grep -cE '\.tmp|^[kx]\.(json|trace)')" -eq 0

# A pipe whose reader has gone is an error of writing, and ends no program.
mkfifo gone
head -c 10 gone >head.out &
status 2 "$jm" run --quiet --mesh 2x2x1 --cycles 20000 --trace gone --stats g.json \
    "$build/programs/random.elf"
wait $!
says err "gone: error: cannot write: Broken pipe"
check "the other results are there" is_json g.json

# Output that is lost only when standard output is closed is reported too, and by the
# status unless that reports something else.
if [ "$can_fail" ]; then
    for row in 2:output.s 7:exit.s; do
        NO_CLOSE=1 LD_PRELOAD=$work/preload.so "$jm" run --bare --quiet "${row#*:}" \
            >out 2>err
        check "standard output that cannot be closed: $row" test $? -eq "${row%:*}"
        says err "jm: error: standard output: cannot write: Input/output error"
    done
    NO_CLOSE=1 LD_PRELOAD=$work/preload.so "$as" --version >out 2>err
    check "mdpas: standard output that cannot be closed" test $? -eq 1
    says err "mdpas: error: standard output: cannot write: Input/output error"
fi
finish

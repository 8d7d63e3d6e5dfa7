# Sessions through a pipe: a planted bug of each kind is found in under ten commands;
# bad input gives a message. tests/recorded/debug-sessions.cases has all their output.
. tests/cli/check.sh

# session NAME: the commands of sessions/NAME.jmd on programs/NAME.s; its first line has
# the options of the machine.
session() {
    options=$(sed -n '1s/^# \([^:]*\):.*/\1/p' "tests/debug/sessions/$1.jmd")
    # shellcheck disable=SC2086
    { echo 'option echo on' && cat "tests/debug/sessions/$1.jmd"; } |
        "$jm" debug --quiet --no-init $options "tests/debug/programs/$1.s" \
            >"$work/$1.txt" 2>&1
}

for file in tests/debug/sessions/*.jmd; do
    name=$(basename "$file" .jmd)
    session "$name"
    check "$name is found in under ten commands" \
        test "$(grep -vc '^#' "$file")" -lt 10
done

# Findings that each session must show.
while read -r name text; do
    check "$name: $text" grep -qF -- "$text" "$work/$name.txt"
done <tests/debug/sessions/found.txt

debug() {
    "$jm" debug --quiet --no-init --mesh 2x1x1 "$@" tests/debug/programs/tag.s
}

# A script that fails ends there, with its place; so does the debugger's status.
printf 'print 1\nprint 1 +\nprint 3\n' >"$work/bad.jmd"
echo "source $work/bad.jmd" | debug >"$work/out" 2>&1
check "status of a failed script" test $? -eq 1
check "the script's place" grep -q 'bad.jmd:2: the script ends here' "$work/out"
check "the rest is not done" test "$(grep -c '^3$' "$work/out")" -eq 0
echo 'quit 7' | debug >"$work/out"
check "status of quit" test $? -eq 7
printf 'commands\n' | debug >"$work/out"
check "commands of no stop" test $? -eq 1
status 2 "$jm" debug
status 2 "$jm" debug --no-such-option x
status 2 "$jm" debug "$work/none.elf"

# A replayed record repeats the session; a trace is complete.
printf 'record %s\nbreak arrive\ncontinue\nrecord off\nquit\n' "$work/record.jmd" |
    debug >"$work/first"
echo quit | debug --source "$work/record.jmd" >"$work/second"
grep -v '^(jm' "$work/first" >"$work/a"
check "a record is a script" diff "$work/a" "$work/second"
printf 'trace %s kinds send,dispatch on 0\ncontinue\ngoto 0\ncontinue\ntrace off\n' \
    "$work/trace" | debug >"$work/out"
check "a trace" grep -q '^[0-9]* 0 [01b] dispatch' "$work/trace"
check "nothing twice" test "$(sort "$work/trace" | uniq -d | wc -l)" -eq 0
check "only node 0" test "$(awk '$2 != 0' "$work/trace" | wc -l)" -eq 0

# Forward, back and forward again: the same state.
cat >"$work/in" <<'END'
goto 200
registers all
queue all
statistics all
goto 50
goto 260
goto 200
registers all
queue all
statistics all
END
debug <"$work/in" | sed '1,2d' >"$work/out"
lines=$(wc -l <"$work/out")
half=$(grep -n '^cycle 50' "$work/out" | cut -d: -f1)
head -n $((half - 1)) "$work/out" | grep -v ran >"$work/a"
tail -n $((half - 1)) "$work/out" | grep -v ran >"$work/b"
check "there is something to compare" test "$lines" -gt 100
check "bit-identical after a journey" diff "$work/a" "$work/b"

# A saved machine continues in the debugger, and one saved there continues without it.
printf 'goto 150\nsave %s\ncontinue\n' "$work/saved" | debug >"$work/out"
check "a machine is saved" test -s "$work/saved"
printf 'continue\n' | "$jm" debug --no-init --restore "$work/saved" >"$work/b"
tail -n +3 "$work/out" >"$work/a"
check "it goes on as it would have" diff "$work/a" "$work/b"
printf 'goto 100\n' | "$jm" debug --no-init --restore "$work/saved" >"$work/out"
check "no past before it" grep -q 'the past begins with cycle 150' "$work/out"
echo 'save /nowhere/x' | debug >"$work/out"
check "a file that cannot be written" grep -q '^error: ' "$work/out"

# Stops that never trigger change nothing, whatever the machine does.
cat >"$work/stops" <<'END'
break kernel_idle if 0 == 1
break main on 0 if $r0 == INT:7FFFFFFF
awatch snakes_hops 2 if [snakes_m]@0 == 99
watch 0x200 64 if 0 == 1
catch send if 0 == 1
catch dispatch if 0 == 1
catch fault if 0 == 1
catch overflow if 0 == 1
END
printf 'continue\nstatistics all\nqueue all\nregisters all\n' >"$work/looks"
snakes() {
    "$jm" debug --quiet --no-init --mesh 3x2x2 --queue 32 --set snakes_l=15 \
        --set snakes_m=4 programs/snakes/snakes.s
}
snakes <"$work/looks" >"$work/a"
cat "$work/stops" "$work/looks" | snakes | grep -v '^stop [0-9]*:' >"$work/b"
check "the snakes have run" grep -q 'dispatched; queue up to' "$work/a"
check "no stop was refused" test "$(grep -c '^error' "$work/b")" -eq 0
check "stops that do not count change nothing" diff "$work/a" "$work/b"

# Invalid scripts: missing, recursive, truncated, or with lines that are not text.
printf 'source %s\n' "$work/self.jmd" >"$work/self.jmd"
printf 'print 1\0 2\nprint 3\n' >"$work/zero.jmd"
printf 'break main\ncommands\nprint 1\n' >"$work/open.jmd"
for script in "$work" "$work/self.jmd" "$work/zero.jmd" "$work/open.jmd"; do
    printf 'source %s\necho still here\n' "$script" | debug >"$work/out" 2>&1
    check "a status for $script" test $? -eq 1
    check "a message for $script" grep -q '^error: ' "$work/out"
    check "and it goes on" test "$(tail -1 "$work/out")" = 'still here'
done
printf 'pri\0nt 1\n' | debug >"$work/out"
check "a line that is not text" grep -q "no command 'pri?nt'; did you mean 'print'?" \
    "$work/out"

# A start-up file; one that fails says so, and the session goes on.
mkdir -p "$work/config/jm"
printf 'alias two print 2\nwrong\n' >"$work/config/jm/debugrc"
echo two | XDG_CONFIG_HOME=$work/config "$jm" debug --quiet --mesh 2x1x1 \
    tests/debug/programs/tag.s >"$work/out"
check "the status tells" test $? -eq 1
check "its place" grep -q 'debugrc:2: the script ends here' "$work/out"
check "its alias" test "$(tail -1 "$work/out")" = 2

# Stop commands that continue the run form a loop of any length.
printf 'break serve\ncommands\nprint $cycle\ncontinue\nprint 0\nend\ncontinue\n' |
    "$jm" debug --quiet --no-init --mesh 32x1x1 tests/debug/programs/lost.s >"$work/out"
check "a loop of commands" test "$(grep -c '^[0-9]*  0x' "$work/out")" -eq 32
check "what follows a loop is left out" test "$(grep -c '^0$' "$work/out")" -eq 1

# A reader that closes the pipe, lines of any length, no newline at the end.
debug <"$work/in" | head -1 >/dev/null
head -c 1000000 /dev/zero | tr '\0' 'x' | debug >"$work/out"
check "a long line" grep -q 'no command' "$work/out"
{ printf 'print ' && head -c 1000000 /dev/zero | tr '\0' '('; } | debug >"$work/out"
check "a long expression" grep -q 'nested too deeply' "$work/out"
check "is not repeated at length" test "$(wc -c <"$work/out")" -lt 300
{ printf 'print 0' && yes '+1' | head -100000 | tr -d '\n'; } | debug >"$work/out"
check "a long sum" grep -q '^100000 ' "$work/out"
finish

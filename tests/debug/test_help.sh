# The help is true: every example of every command works, the abbreviations are the
# stated ones, and lists fit a terminal of 80 columns.
. tests/cli/check.sh

debug() {
    (cd "$work" && "$jm" debug --quiet --no-init --mesh 4x2x3 --queue 32 \
        "$OLDPWD/tests/debug/programs/prog.s")
}

echo help | debug >"$work/help"
awk '/^  [a-z]/ { print $1 }' "$work/help" >"$work/names"
check "all commands are listed" test "$(wc -l <"$work/names")" -ge 55
check "the list fits" test "$(awk 'length > 79' "$work/help" | wc -l)" -eq 0
check "no text is cut" test "$(grep -c '^  .*[ ,]$' "$work/help")" -eq 0

# State that examples need: messages in flight, in queues, moved by overflows; two
# stops, a file, a blocked wire.
prepare() { # NAME
    case $1 in
    edit) echo 'run 280' ;;
    *) echo 'run 1500' ;;
    esac
    case $1 in
    condition | ignore | enable | disable | delete)
        printf 'break main\nwatch total\n'
        ;;
    commands) echo 'tbreak arrive' ;;
    unblock) printf 'block wire 0 +X\nblock wire 1 +Y\n' ;;
    source) echo 'print 1' >"$work/session.jmd" ;;
    esac
}

while read -r name; do
    echo "help $name" | debug >"$work/$name.help"
    sed -n 's/^    //p' "$work/$name.help" >"$work/$name.examples"
    check "$name has examples" test -s "$work/$name.examples"
    check "help of $name fits" test \
        "$(tail -n +2 "$work/$name.help" | awk 'length > 79' | wc -l)" -eq 0
    prepare "$name" >"$work/in"
    cat "$work/$name.examples" >>"$work/in"
    debug <"$work/in" >"$work/out" 2>&1
    passed $? "examples of $name"
    grep -A2 '^error:' "$work/out"
    short=$(sed -n '2s/^  (\([a-z0-9]*\))$/\1/p' "$work/$name.help")
    [ -z "$short" ] || echo "help $short" | debug >"$work/out"
    [ -z "$short" ] || check "$short is $name" diff "$work/$name.help" "$work/out"
done <"$work/names"

check "save has saved" test -s "$work/before.jms"
check "record has recorded" test -f "$work/session.jmd"
check "trace has traced" test -f "$work/run.txt"

# The manual says the same of every command.
sed 's/\\f.//g; s/\\-/-/g; s/\\&//g; s/^\([a-z-]*\) ([a-z0-9]*) /\1 /; /^\./d' \
    "$build/man/jm-debug.1" | tr -s ' \n' ' ' >"$work/manual"
while read -r name; do
    sed '/^    /d; /^  ([a-z0-9]*)$/d; /^  [a-z]*   *[a-z]/d' "$work/$name.help" |
        tr -d '`' | tr -s ' \n' ' ' | sed 's/ $//' >"$work/said"
    check "the manual of $name" grep -qF -f "$work/said" "$work/manual"
done <"$work/names"

# Prefixes, wrong names, none.
printf 'help regi\nhelp re\nhelp hlp\nhelp xyzzyxyzzy\nhelp help me\n' |
    debug >"$work/out"
check "a beginning" grep -q '^registers ' "$work/out"
check "one that is not enough" grep -q "'re' could be:" "$work/out"
check "a near one" grep -q "no command 'hlp'; did you mean 'help'?" "$work/out"
check "none" grep -q "no command 'xyzzyxyzzy'; \`help\` lists them" "$work/out"
check "too much" grep -q 'this is too much' "$work/out"
finish

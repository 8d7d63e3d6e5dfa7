# Habits of gdb users: its words, and `next`, which passes calls.
. tests/cli/check.sh

debug() {
    "$jm" debug --quiet --no-init --mesh 2x1x1 "$@" tests/debug/programs/tag.s
}

# gdb's words do the same as the commands that they stand for.
words() { # GDB OURS
    for word in "$1" "$2"; do
        printf 'break arrive\ncontinue\n%s\n\n%s 2\nregisters all\n' "$word" "$word" |
            debug >"$work/$word.txt"
    done
    check "$1 is $2" diff "$work/$1.txt" "$work/$2.txt"
    check "$1 is known" test "$(grep -c '^error: no command' "$work/$1.txt")" -eq 0
}
words finish task
words ni nexti
words stepi step
words reverse-next reverse-line
words si step

# `next` stands at the lines that the program's comments number, in their context.
calls=tests/debug/programs/calls.s
line_of() { grep -n "$1" $calls | cut -d: -f1; }
nexts() { # PLACE NODE FIRST LAST CONTEXT [COMMAND]
    grep -n '; next ' $calls | sed -n 's/^\([0-9]*\):.*; next \([0-9]*\)$/\2 \1/p' |
        sort -n | awk -v first="$3" -v last="$4" -v context="$5" \
        '$1 >= first && $1 <= last { print context, $2 }' >"$work/numbered"
    {
        echo "tbreak $1 on $2" && echo 'continue'
        for _ in $(seq $(($4 - $3))); do echo "${6-echo}" && echo next; done
    } | "$jm" debug --quiet --no-init --mesh 3x1x1 $calls >"$work/out"
    sed -n "s/^node $2 (.,0,0) \(.*\): .*(calls.s:\([0-9]*\)).*/\1 \2/p" "$work/out" |
        sed 's/^sending/in background/' >"$work/stood"
    check "lines of $1" diff "$work/numbered" "$work/stood"
}
nexts "calls.s:$(line_of 'next 1$')" 0 1 12 'in background'
nexts early 0 20 23 'task of priority 0' 'inject 0 1 MSG(urgent,1)'
nexts "calls.s:$(line_of 'next 30$')" 2 30 33 'in background' 'post INTERRUPT 2'
finish

# Completion: bash, driven as the shell drives it, offers all that helps list.
# tests/recorded/tools.cases has its other completions, and those of zsh.
. tests/cli/check.sh

! command -v zsh >/dev/null || check "syntax of zsh" zsh -n "$build/completion/_jm"
bash=$(command -v bash) || {
    echo "bash is not there: its completion is not tested"
    finish
    exit
}
completion=$build/completion/jm
check "syntax of bash" "$bash" -n "$completion"
# complete WORD...: the completions of the last word, sorted.
complete() {
    "$bash" -c '
        . "$0"
        COMP_WORDS=("$@")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        registered=$(complete -p "${1##*/}") || exit 1
        [[ $registered == "complete -F _jm ${1##*/}" ]] || exit 1
        _jm
        printf "%s\n" "${COMPREPLY[@]}" | LC_ALL=C sort' "$completion" "$@"
}
# offers LIST WORD...: the words are completed to the lines that the function LIST
# prints.
offers() {
    eval "$1" | LC_ALL=C sort >"$work/wanted"
    shift
    complete "$@" >"$work/offered"
    check "there is something for $*" test "$(wc -l <"$work/wanted")" -gt 1
    check "completions of $*" diff "$work/wanted" "$work/offered"
}
options() { # COMMAND
    # shellcheck disable=SC2086 # words
    "$jm" $1 | sed -nE 's/^  (-[a-zA-Z], )?(--[a-z0-9-]*).*/\2/p'
}
commands() {
    "$jm" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'
    echo help
}
parameters() {
    "$jm" run --help=parameters |
        sed -n 's/^  \([a-z_0-9]*\) *[0-9]*  [0-9]*\.\.[0-9]*$/\1=/p'
}
experiments() {
    "$jm" exp list | sed -n 's/^\([a-z0-9-]*\) .*[0-9] runs* .*/\1/p'
    printf "all\npapers\n"
}
offers commands jm ''
offers "options 'run --help=options'" jm run --
for command in "exp run" "exp report" "model amva" "model pipelined" "model chapter3" \
    "model servers" "net model" "net run" "net sweep" "net check" "net trace"; do
    # shellcheck disable=SC2086 # words
    offers "options '$command --help'" jm $command --
done
offers parameters jm run --param ''
offers experiments jm exp run --quick ''
finish

# Completion: of bash, driven as the shell drives it; of zsh, with its helpers replaced.
. tests/cli/check.sh

bash=$(command -v bash) || {
    echo "bash is not there: its completion is not tested"
    finish
    exit
}
completion=$build/completion/jm
check "syntax of bash" "$bash" -n "$completion"
# complete WORD...: the completions of the last word, sorted. Like the shell, splits =
# and : in a line into words of their own.
complete() {
    "$bash" -c '
        . "$0"
        COMP_WORDS=()
        for word in "$@"; do
            if [[ $word == *=* ]]; then
                COMP_WORDS+=("${word%%=*}" =)
                [[ ${word#*=} ]] && COMP_WORDS+=("${word#*=}")
            else
                COMP_WORDS+=("$word")
            fi
        done
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        registered=$(complete -p "${1##*/}") || exit 1
        [[ $registered == "complete -F _jm ${1##*/}" ]] || exit 1
        _jm
        printf "%s\n" "${COMPREPLY[@]}" | LC_ALL=C sort' "$completion" "$@"
}

# tests/recorded/tools.cases has the completions; this test checks that they are
# complete.
("$jm" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' && echo help) |
    LC_ALL=C sort >"$work/wanted"
complete jm '' >"$work/offered"
check "all commands" diff "$work/wanted" "$work/offered"

for table in "run:tools/jm/options/options.def" "exp run:tools/exp/options.def" \
    "exp report:tools/report/options.def"; do
    awk -F '"' '/^OPTION\(/ { print "--" $2 }' "${table#*:}" |
        LC_ALL=C sort >"$work/wanted"
    # shellcheck disable=SC2086 # words
    complete jm ${table%%:*} -- >"$work/offered"
    check "options of ${table%%:*}" diff "$work/wanted" "$work/offered"
done
for command in "model amva" "model pipelined" "model chapter3" "model servers" \
    "net model" "net run" "net sweep" "net check" "net trace"; do
    # shellcheck disable=SC2086 # words
    "$jm" $command --help | sed -n 's/^  \(--[^ ]*\).*/\1/p' |
        LC_ALL=C sort >"$work/wanted"
    # shellcheck disable=SC2086
    complete jm $command -- >"$work/offered"
    check "options of $command" diff "$work/wanted" "$work/offered"
done

"$jm" run --help=parameters |
    sed -n 's/^  \([a-z_0-9]*\) *[0-9]*  [0-9]*\.\.[0-9]*$/\1=/p' |
    LC_ALL=C sort >"$work/wanted"
check "there are parameters" test -s "$work/wanted"
complete jm run --param '' >"$work/offered"
check "all parameters" diff "$work/wanted" "$work/offered"
("$jm" exp list | sed -n 's/^\([a-z0-9-]*\) .*[0-9] runs* .*/\1/p' &&
    printf "all\npapers\n") |
    LC_ALL=C sort >"$work/wanted"
complete jm exp run --quick '' >"$work/offered"
check "all experiments" diff "$work/wanted" "$work/offered"

# zsh: the requests to its helpers.
if command -v zsh >/dev/null; then
    check "syntax of zsh" zsh -n "$build/completion/_jm"
    # asks TEXT WORD...: the helpers are asked for something that holds TEXT.
    asks() {
        checks=$((checks + 1))
        wanted=$1
        shift
        zsh -fc '
            compadd _arguments _files() { print -r -- $0 "$@" }
            _describe() { print -rl -- $1 ${(P)2} }
            file=$1 service=${2##*/} words=("${@[2,-1]}") CURRENT=$(($# - 1))
            set --
            source $file' zsh "$build/completion/_jm" "$@" >"$work/asked" 2>&1
        grep -qF -- "$wanted" "$work/asked" || {
            fail "$*: no '$wanted' in"
            head -5 "$work/asked"
        }
    }
    asks "run:runs a program on a machine" jm ''
    asks "settings:lists the settings that --set takes" jm exp ''
    asks "*--mesh=[size of the machine, up to 32x32x64]:XxYxZ: " jm run ''
    asks "*--router=[arbitration]:unfair|fair:(unfair fair)" jm run x --seed 1
    asks "parameter]:PARAMETER=VALUE:_jm_assign PARAMETER" jm run ''
    asks ":SETTING=VALUE[,VALUE...]:_jm_assign SETTING" jm exp run ''
    asks "*--sample=[writes a row of CSV every EVERY cycles]:EVERY\\:FILE: " jm run ''
    asks "*-o[the object file]:FILE:_files" mdpas ''
    asks "*--out=[folder for the files]:DIR:_files -/" jm exp run fig4-4 ''
    asks '*:name:_jm_offer "jm exp run"' jm exp run ''
    asks "*-x[executes the commands of a file first]:FILE:_files" jm-mpi debug ''
    asks "compadd -- run report exp debug dap model net" jm help ''
    asks "_files" jm report ''
else
    echo "zsh is not there: its completion is not looked at"
fi
finish

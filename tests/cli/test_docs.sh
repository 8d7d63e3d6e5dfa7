# Documentation agrees with the programs: man pages, reference pages, help.
. tests/cli/check.sh

for page in tools/man/*.1; do
    checks=$((checks + 1))
    if command -v groff >/dev/null; then
        warnings=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
        [ -z "$warnings" ] || fail "$page: $warnings"
    fi
done

# Every option is in the man page, in --help and on the reference page.
"$jm" run --help >"$work/help"
sed 's/\\-/-/g' tools/man/jm.1 >"$work/man"
options=$(sed -n 's/^OPTION([A-Z0-9_]*, *"\([a-z0-9-]*\)".*/\1/p' tools/jm/options/options.def)
for option in $options; do
    for text in help man; do
        check "--$option in $text" grep -q -- "--$option" "$work/$text"
    done
    check "--$option on the page" grep -q -- "--$option" "$build/docs/jm-run.md"
done

# Every command of the debugger is in its man page.
sed 's/\\-/-/g' tools/man/jm-debug.1 >"$work/man"
for command in $(sed -n 's/^COMMAND("\([a-z-]*\)".*/\1/p' emu/debug/commands.def); do
    check "$command in the manual" grep -qw -- "$command" "$work/man"
done

# Every key that is written is on the page of statistics.
"$jm" run --bare --stats "$work/s.json" "$programs/idle.s"
for key in $(grep -o '"[a-z0-9_]*":' "$work/s.json" | tr -d '":' | sort -u); do
    case $key in
    # Keys inside values: the page's text of the outer key, or the page of parameters.
    x | y | z | count | min | mean | p50 | p90 | p99 | max) ;;
    *)
        check "key $key" grep -qrw -- "$key" "$build/docs/statistics.md" \
            "$build/docs/parameters.md"
        ;;
    esac
done
for page in instructions assembler objects jm-run jm-debug parameters statistics; do
    check "page $page" test -s "$build/docs/$page.md"
done
sed -n '/^## Opcodes/,/^Every/p' "$build/docs/instructions.md" >"$work/opcodes"
rows "$(grep -c '^OP(' emu/isa/ops.def)" "$work/opcodes" '^\| [0-9A-F]{2} \|'
finish

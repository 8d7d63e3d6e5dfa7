# The extension for VS Code: its files, its attributes, and its language client, which
# runs in Node with a stand-in for the editor.
. tests/cli/check.sh

code=$build/editors/vscode
for file in package.json language-configuration.json snippets.json; do
    check "$file is JSON" jq -e . "$code/$file"
done
# shellcheck disable=SC2016 # jq's variables
jq -r '.. | .path? // empty | ltrimstr("./")' "$code/package.json" >"$work/paths"
check "files that it names" test "$(wc -l <"$work/paths")" -eq 2
while read -r file; do
    check "$file is there" test -s "$code/$file"
done <"$work/paths"

# Every option of `jm debug` that prepares a machine is an attribute of launch.
attributes='.contributes.debuggers[0].configurationAttributes.launch.properties'
jq -r "$attributes | keys[]" "$code/package.json" | sort >"$work/attributes"
{
    echo program
    echo cwd
    echo stopOnEntry
    sed -n '/ OF(OUTPUT,/d; s/^OPTION("\([^"]*\)".*/\1/p' \
        tools/jm/options/options.def | grep -vx 'help\|version' |
        sed 's/-\(.\)/\u\1/g'
} | sort >"$work/options"
check "attributes are the options" diff "$work/options" "$work/attributes"
check "a type for each" test "$(jq "$attributes | map(select(.type)) | length" \
    "$code/package.json")" -eq "$(wc -l <"$work/options")"

if command -v node >/dev/null; then
    check "the language client" timeout -s KILL 600 node tests/cli/extension.js "$build"
else
    echo "skipped: language client: there is no node here"
fi
finish

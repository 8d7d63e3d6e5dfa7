# The commands of the README work as printed, in order, from the top of a built tree.
. tests/cli/check.sh

sed -n '/^```sh$/,/^```$/p' README.md | grep -v '^```' >"$work/tour.sh"
mkdir "$work/tree"
for item in kernel programs tests; do
    ln -s "$PWD/$item" "$work/tree/$item"
done
ln -s "$build" "$work/tree/build"
cd "$work/tree" || exit 1
status 0 sh -eux "$work/tour.sh"
says out " 10001FF00"
rows 4 "$work/out" '^130816$'
rows 1 "$work/out" '^9128$'
says out "main:"
for key in overflows cycles; do
    grep "^\"$key\":[0-9]*,\$" "$work/out" >"$work/$key"
    rows 3 "$work/$key" .
    check "what if: $key differ" test "$(sort -u "$work/$key" | wc -l)" -eq 3
done
rows 0 "$work/err" '^jm run: warning: idle'
says out "plane z=7"
says out "arrive"
finish

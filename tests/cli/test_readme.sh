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
says out "plane z=7"
says out "arrive"
finish

# A byte order mark at the start of a text changes nothing: every reader skips it, and
# positions in messages do not count it.
. tests/cli/check.sh
cp "$programs/exit.s" "$work/plain.s"
cd "$work" || exit 1
as="$build/mdpas -I $build/gen -I ."

# marked FILE: the file gets a mark.
marked() {
    cp -p "$1" "$1.plain"
    (printf '\357\273\277' && cat "$1.plain") >"$1"
    touch -r "$1.plain" "$1"
}

# alike FILE COMMAND...: output and status are the same with a mark in FILE as without.
alike() {
    file=$1
    shift
    "$@" <"$file" >plain.out 2>plain.err
    echo $? >>plain.out
    marked "$file"
    "$@" <"$file" >marked.out 2>marked.err
    echo $? >>marked.out
    mv "$file.plain" "$file"
    check "output with a mark in $file: $*" cmp plain.out marked.out
    check "messages with a mark in $file: $*" cmp plain.err marked.err
    check "something came of $*" test -s plain.out
}

printf '        .include "plain.s"\n' >outer.s
printf 'wrong first\n        add r0\n' >bad.s
alike plain.s $as -o - plain.s
alike plain.s $as -o - outer.s
alike bad.s $as -o - bad.s
alike plain.s "$jm" run --bare --stats - plain.s
alike plain.s "$jm" run --bare --stats - -
printf '* 1000 C00000000\n' >a.image
printf '0 1000 wrong\n' >bad.image
for file in a.image bad.image; do
    alike $file "$jm" run --cycles 20 --stats - $file
    alike $file "$jm" run --cycles 20 --stats - -
done
printf 'print 1\nstep\nwrong\n' >script
alike script "$jm" debug --no-init --bare -x script plain.s
alike script "$jm" debug --no-init --bare plain.s
"$jm" net trace --program ping-pong --nodes 16 --output programs 2>err
alike programs "$jm" net run --quiet --topology torus=4x4,lanes=2 --json \
    --workload trace=programs,setup=3
"$jm" run --quiet --mesh 2x1x1 --trace records "$build/programs/pingpong.elf" >out
alike records "$jm" net trace --records records --nodes 2
"$jm" run --bare --quiet --stats stats.json plain.s
alike stats.json "$jm" report stats.json

# The first line, where it is quoted.
printf 'first:  suspend\n' >one.s
printf '        .rom\n        .org    0x1000\n        .include "one.s"\n' >quote.s
$as -o quote.o quote.s && "$build/mdpld" -o quote.elf quote.o || exit 1
alike one.s "$jm" run quote.elf
grep -q 'one.s:1' plain.err || fail "the line is not quoted"
alike one.s "$build/mdpobjdump" -S quote.elf
printf 'list 0x1000\n' >script
alike one.s "$jm" debug --no-init -x script quote.elf
finish

# Sources and images: jm run of a source does what the tools do one by one.
. tests/cli/check.sh
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"

as() {
    "$build/mdpas" -I kernel -I "$build/gen" "$@"
}

# The same machine from a source and from the image made of it.
for name in hello greet; do
    source=programs/$name/$name.s
    check "assemble" as -o "$work/$name.o" "$source"
    check "link" "$build/mdpld" -o "$work/$name.elf" "$work/$name.o" \
        "$build/libkernel.a"
    for program in "$source" "$work/$name.elf"; do
        status 0 "$jm" run --mesh 2x2x2 --stats "$work/stats" "$program"
        mv "$work/out" "$work/$(basename "$program").out"
        grep -v '^"program"' "$work/stats" >"$work/$(basename "$program").json"
    done
    check "$name: output" cmp "$work/$name.s.out" "$work/$name.elf.out"
    check "$name: statistics" cmp "$work/$name.s.json" "$work/$name.elf.json"
done

# A run leaves nothing behind, and needs no folder for its work.
check "no temporary folder left" rmdir "$TMPDIR"
status 7 "$jm" run "$programs/exit.s"
finish

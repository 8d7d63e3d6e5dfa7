# The digest in the version depends on the sources that results depend on, and not on
# where they lie, when they were written, which other files exist, or how often make
# runs.
. tests/cli/check.sh

mkdir -p "$work/a/emu" "$work/a/rooms/below"
cp emu/jm.h "$work/a/emu"
cp tools/version.sh "$work/a"
echo 'int one;' >"$work/a/rooms/one.c"
echo 'ROW(two)' >"$work/a/rooms/below/two.def"
cp -r "$work/a" "$work/b"
touch "$work/b/rooms/one.c"
echo "diary" >"$work/b/rooms/README.md"
echo "half" >"$work/b/rooms/.#one.c"

text() { # FOLDER: what is generated there
    (cd "$1" && ./version.sh rooms)
}
text "$work/a" >"$work/first"
check "it has the release and a digest" \
    grep -qE 'version_text\[\] = "[0-9.]+\+[0-9a-f]{12}"' "$work/first"
text "$work/b" | cmp -s - "$work/first"
passed $? "it is the same elsewhere"
differs() { # WHAT: the digest of b is another now
    text "$work/b" >"$work/other"
    check "it is another: $1" [ "$(cmp "$work/first" "$work/other" | wc -l)" -eq 1 ]
    rm -r "$work/b"
    cp -r "$work/a" "$work/b"
}
echo 'int two;' >"$work/b/rooms/one.c"
differs "another content"
mv "$work/b/rooms/one.c" "$work/b/rooms/other.c"
differs "another name"
rm "$work/b/rooms/below/two.def"
differs "a file less"

# jm prints the version that its build has computed.
status 0 "$jm" --version
digest=$(sed -n 's/^sources //p' "$work/out")
check "jm --version has it: $digest" \
    grep -q "+$digest\"" "$build/gen/version.c"
finish

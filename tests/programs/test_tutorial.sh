# The tutorial is followed to the letter in an empty folder, with only the programs of
# this build: every output is as printed there. The page about faults
# shows the same stop.
. tests/programs/common.sh
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$BUILD" && pwd)

mkdir "$folder/fresh"
ln -s "$PWD/programs" "$folder/fresh/programs"
PATH="$bin:/usr/bin:/bin" python3 "$here/sessions.py" tools/docs/tutorial.md \
    "$folder/fresh" >"$folder/said"
passed $? "the tutorial: $(cat "$folder/said")"

# Statements of the text outside the sessions.
tr -s ' \n' ' ' <tools/docs/tutorial.md >"$folder/text"
grep -qF "should be 28, \`INT:0000001C\`" "$folder/text"
passed $? "the sum on eight nodes is told"
grep -q '^    INT:0000001C$' tools/docs/tutorial.md
passed $? "and reached in the end"

awk '/^    node 3 /{ on = 1 } /^$/ { on = 0 } on' tools/docs/faults.md | sed 's/^ *//' \
    >"$folder/shown"
[ "$(wc -l <"$folder/shown")" -eq 5 ]
passed $? "the page about faults shows five lines of a stop"
while read -r line; do
    grep -qF -- "$line" tools/docs/tutorial.md
    passed $? "the stop says: $line"
done <"$folder/shown"

# A session whose answer differs, or has none, is found.
for line in 'INT:00000006' 'INT:00000006 and more' ''; do
    printf '    $ echo INT:00000006\n%s\n\n' "${line:+    $line}" >"$folder/manual.md"
    python3 "$here/sessions.py" "$folder/manual.md" "$folder" >"$folder/said"
    [ $? -eq "$([ "$line" = INT:00000006 ]; echo $?)" ]
    passed $? "a session that answers '$line': $(cat "$folder/said")"
done
finish

#!/bin/sh
# jm exp report on a folder from somebody else: whatever its texts and numbers are, no
# command runs, the page keeps its elements, and what cannot be shown is refused with
# one message.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/programs/common.sh
. "$(dirname "$0")/../programs/common.sh"
jm=$(cd "$BUILD" && pwd)/jm
hostile=$(cd "$BUILD" && pwd)/hostile
seeds=20

"$jm" exp run fig3-1 fig4-6 fig4-11 fig4-14 jam view calibration --set mesh=2x2x2 \
    --set L=20 --set header_flits=0,2 --set servers=8 --set time=20 --set warm_up=0 \
    --runs 1 --quiet --out "$folder/base" 2>/dev/null
"$jm" exp report --out "$folder/base" --site '../web"><b>' >/dev/null
grep -qF 'href="../web&quot;&gt;&lt;b&gt;/index.html#story=2"' \
    "$folder/base/report.html"
check "links to the machine in a browser" $?
"$hostile" skeleton "$folder/base/report.html" >"$folder/skeleton"
check "the page is well-formed: $(tail -1 "$folder/skeleton")" $?
printf '<p><b></p></b>' >"$folder/bad.html"
"$hostile" skeleton "$folder/bad.html" >/dev/null
[ $? -eq 1 ]
check "a page that is not well-formed is seen" $?

# report WHAT NUMBER: the report of a changed copy, made in its folder; its status.
report() {
    rm -rf "$folder/copy"
    mkdir "$folder/copy"
    "$hostile" "$1" "$folder/base" "$folder/copy" "$2"
    (cd "$folder/copy" && exec "$jm" exp report --out . >../output 2>../messages)
    status=$?
    [ -z "$(find "$folder" . -maxdepth 2 -name PWNED)" ]
    check "$1 $2: a command was run" $?
}

# Every text the same: the page of each string has the elements of the harmless one's.
report all 0
"$hostile" skeleton "$folder/copy/report.html" >"$folder/skeleton"
grep -q 'harmless' "$folder/copy/report.html" &&
    grep -q 'harmless' "$folder/copy/fig4-14.svg"
check "texts are in the page and in the pictures" $?
number=1
while [ $number -lt "$("$hostile" strings)" ]; do
    report all $number
    [ $status -eq 0 ]
    check "string $number: status $status: $(cat "$folder/messages")" $?
    "$hostile" skeleton "$folder/copy/report.html" >"$folder/other"
    cmp -s "$folder/skeleton" "$folder/other"
    check "string $number changes the page: $(tail -1 "$folder/other")" $?
    python3 - "$folder"/copy/*.svg 2>"$folder/messages" <<'END'
import sys, xml.etree.ElementTree as ET
for path in sys.argv[1:]:
    ET.parse(path)
END
    check "string $number breaks a picture: $(tail -1 "$folder/messages")" $?
    number=$((number + 1))
done

# Some values of any kind instead of others.
good=0
seed=1
while [ $seed -le $seeds ]; do
    report some $seed
    [ $status -le 1 ] && [ "$(wc -l <"$folder/messages")" -eq $status ]
    check "seed $seed: status $status: $(head -3 "$folder/messages")" $?
    if [ $status -eq 0 ]; then
        good=$((good + 1))
        "$hostile" skeleton "$folder/copy/report.html" >"$folder/other"
        check "seed $seed: $(tail -1 "$folder/other")" $?
    fi
    seed=$((seed + 1))
done
[ $good -ge $((seeds / 4)) ]
check "only $good of $seeds changed folders could be shown" $?

# What is no text, or no table as gnuplot reads it.
refused() { # MESSAGE TEXT
    cp "$folder/base/fig4-14.points.csv" "$folder/base/kept"
    # shellcheck disable=SC2059
    printf "$2" >"$folder/base/fig4-14.points.csv"
    "$jm" exp report --out "$folder/base" >/dev/null 2>"$folder/messages"
    [ $? -eq 1 ] && grep -qF "fig4-14.points.csv:$1" "$folder/messages"
    check "$1: $(cat "$folder/messages")" $?
    mv "$folder/base/kept" "$folder/base/fig4-14.points.csv"
}
refused '2: error: this is no text in UTF-8' 'a,b\n1,\377\n'
refused '3: error: this is no text in UTF-8' 'a,b\n1,2\n1,\0003\n'
refused '2: error: a quote is not closed' 'a,b\n1,"2\n3"\n'

# Counts that add up to more than there are numbers.
sed 's/"\(in part\|not\|hold\)": [0-9]*/"\1": 9223372036854775807/' \
    "$folder/base/claims.json" >"$folder/claims"
cp "$folder/claims" "$folder/base/claims.json"
"$jm" exp report --out "$folder/base" >/dev/null 2>"$folder/messages"
check "counts that nothing adds up to: $(cat "$folder/messages")" $?
! grep -q '922337203685477580' "$folder/base/report.html"
check "they are not shown" $?
finish

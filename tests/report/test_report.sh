# jm exp report: the figures and the page of a tiny sweep, what is refused, and the page
# in headless Chromium. What the page says is recorded (tests/recorded/report-parts,
# exp-thesis, exp-papers).
. tests/cli/check.sh
data=$work/data

# A stand-in for gnuplot, for pages whose pictures have been drawn: keeps them.
mkdir "$work/keep"
cat >"$work/keep/gnuplot" <<'END'
#!/bin/sh
for end in svg png; do
    cp "${4%.gp}.$end" "${4%.gp}.$end.part"
done
END
chmod +x "$work/keep/gnuplot"
with_pictures=$work/keep:$PATH

# ---- a whole report ------------------------------------------------------------------
# Runs with no result are drawn too.
status 0 sh tests/report/made.sh "$data" all --quick --set mesh=2x2x2 --set L=20 \
    --set servers=8 --set time=20 --set warm_up=0 --runs 1
status 0 "$jm" exp report --out "$data"
check "it tells where the page is" test "$(cat "$work/out")" = "$data/report.html"
status 0 python3 tests/report/pictures.py "$data"
check "pictures as their tables: $(cat "$work/out")" \
    test "$(sed 's/ .*//' "$work/err")" -gt 60
for svg in "$data"/fig*.svg; do
    grep -q '</svg>' "$svg" && [ "$(head -c 4 "${svg%svg}png" | tail -c 3)" = PNG ]
    passed $? "$svg and its PNG are whole"
done
# A picture is as large in both forms, in PNG of twice as many points.
for name in fig3-1 fig4-4 fig4-11 fig5-5; do
    png=$(od -An -tu1 -j16 -N8 "$data/$name.png" |
        awk '{ print ($3 * 256 + $4) / 2, ($7 * 256 + $8) / 2 }')
    check "$name is $png points large" grep -F "viewBox=\"0 0 $png\"" "$data/$name.svg"
done
cp "$data/fig4-4.svg" "$work/before.svg"
(cd "$data" && gnuplot fig4-4.gp 2>/dev/null)
check "a figure's script draws the same by itself" \
    cmp "$work/before.svg" "$data/fig4-4.svg"

# Every experiment of the thesis has its place in the report.
of_all=$("$jm" exp list | sed -n -e '/^all:/q' -e 's/^\([a-z0-9-]*\) .*runs* .*/\1/p')
for name in $of_all; do
    [ "$name" = calibration ] || [ "$name" = view ] ||
        check "$name is in the report" \
            grep "<article class=\"figure\" id=\"$name\"" "$data/report.html"
done
rows 0 "$data/report.html" 'not in these data|\[TC-'
# The counts at the head are of the claims, checks and bars in the table, each once.
counted=$(sed -n '/<ul class="counts"/,/<\/ul>/p' "$data/report.html" |
    grep -o '<b>[0-9]*' | awk -F'>' '{ sum += $2 } END { print sum }')
rows "$counted" "$data/report.html" '^<tr data-verdict'
check "all are counted, $counted" test "$counted" -gt 100

# The page for data that were not changed, with verdicts made up one after the other.
awk '/"verdict": "not judged"/ {
        split("reproduced,in part,not", name, ",")
        sub("not judged", name[n++ % 3 + 1]) }
    /^  "in part": 0/ && !totals++ { sub("0", "14") }
    { print }' "$data/claims.json" >"$work/claims.json"
mv "$work/claims.json" "$data"
sed -i '/"changed_settings": \[/,/\]/c\ "changed_settings": [],' \
    "$data/experiments.json"
PATH=$with_pictures status 0 "$jm" exp report --out "$data"
rows 0 "$data/report.html" 'id="changed"'
for verdict in reproduced:yes 'in part:part' not:no 'not measured:open'; do
    jq -r '.claims[] | select(.check | not).verdict' "$data/claims.json" \
        >"$work/verdicts"
    wanted=$(grep -cx "${verdict%:*}" "$work/verdicts")
    rows "$wanted" "$data/report.html" "<tr data-verdict=\"${verdict#*:}\""
    check "some are ${verdict%:*}" test "$wanted" -gt 0
done
rows 0 "$data/report.html" '(src|href)="?(https?:)?//|@import|url\('
cp "$data/report.html" "$work/before.html"
PATH=$with_pictures status 0 "$jm" exp report "--out=$data"
check "the same data give the same page" cmp "$work/before.html" "$data/report.html"
check "no half files are left" test -z "$(find "$data" -name '*.part')"

# ---- part of a report ----------------------------------------------------------------
# Runs that all fail leave a figure without numbers; the page has the rest and says so.
status 0 "$jm" exp run arbitration --set mesh=2x2x2 --set L=20 --runs 1 --quiet \
    --out "$work/single"
awk -F, -v OFS=, 'NR > 1 { $9 = "" } { print }' "$work/single/arbitration.map.csv" \
    >"$work/empty.csv"
mv "$work/empty.csv" "$work/single/arbitration.map.csv"
status 0 "$jm" exp report --out "$work/single"
rows 1 "$work/single/report.html" 'Not drawn: these runs gave no data'
rows 0 "$data/report.html" 'Not drawn: these runs gave no data'

# A table shows all of its columns, however many these are.
grep '^TABLE("ring-runs"' tools/report/figures_chapter6.def | cut -d'"' -f6 |
    tr ',' '\n' >"$work/columns"
check "the table of ring-runs is a long one" test "$(wc -l <"$work/columns")" -gt 20
sed -n '/ring-runs.bars.csv/,/<\/table>/p' "$data/report.html" |
    grep -o '<th scope[^>]*>[^<]*' | sed 's/.*>//' |
    head -"$(wc -l <"$work/columns")" >"$work/shown"
check "columns of the table of ring-runs" cmp "$work/columns" "$work/shown"

# The picture at the top is the next best, and no claim is listed for a place without a
# figure: the queues over time are a page of their own kind.
status 0 "$jm" exp run fig1-7 view --set mesh=2x2x2 --set L=20 --runs 1 --quiet \
    --out "$work/two"
status 0 "$jm" exp report --out "$work/two"
grep -A1 '<figure id="key">' "$work/two/report.html" >"$work/key"
check "without figure 4-4 figure 1-7 is at the top" grep '^<svg' "$work/key"
grep -o 'href="#[^"]*"' "$work/two/report.html" | sed 's/.*#//; s/"//' | sort -u \
    >"$work/links"
check "claims are linked to their figures" grep -x fig1-7 "$work/links"
while read -r id; do
    check "#$id is a place of the page" grep "id=\"$id\"" "$work/two/report.html"
done <"$work/links"

# ---- what is refused -----------------------------------------------------------------
rm "$work/two/fig1-7.points.csv"
status 1 "$jm" exp report --out "$work/two"
says err "fig1-7.points.csv: error: cannot read"
printf 'a,b\n1\n' >"$work/two/fig1-7.points.csv"
status 1 "$jm" exp report --out "$work/two"
says err "fig1-7.points.csv:2: error: 1 fields instead of 2"
# A disk that is full: first for a picture, then for the page.
full_disk() { # BLOCKS PATH
    trap '' XFSZ
    # shellcheck disable=SC3045
    ulimit -f "$1"
    PATH=$2 "$jm" exp report --out "$work/full" >/dev/null 2>"$work/err"
}
for blocks in 20 600; do
    cp -r "$data" "$work/full"
    [ "$blocks" = 20 ] && path=$PATH || path=$with_pictures
    (full_disk $blocks "$path")
    check "a full disk is a failure, $blocks blocks" test $? -eq 1
    rows 1 "$work/err" ''
    rows 1 "$work/err" 'not whole|cannot write'
    check "the page is as it was" cmp "$work/before.html" "$work/full/report.html"
    for file in "$work/full"/*.svg; do
        tail -c 20 "$file" >"$work/end"
        check "$file is whole" grep '</svg>' "$work/end"
    done
    rm -r "$work/full"
done
mkdir "$work/path"
# shellcheck disable=SC2123
PATH=$work/path "$jm" exp report --out "$data" >/dev/null 2>"$work/err"
says err "gnuplot: error: not found"

# ---- in a browser --------------------------------------------------------------------
for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
if [ -z "$browser" ]; then
    # The last line is what make test shows.
    output=$(finish)
    status=$?
    echo "$output; no Chromium here: the page was not tried in a browser"
    exit $status
fi
python3 tests/report/browse.py "$browser" "$work/profile" "$data/report.html" \
    tests/report/page.steps >"$work/out" 2>&1
passed $? "the page in a browser: $(cat "$work/out")"
check "screenshots" test -s "$work/phone.png"
finish

#!/bin/sh
# jm exp report: the figures and the page of a tiny sweep, what is refused, and the page
# in headless Chromium.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/programs/common.sh
. "$(dirname "$0")/../programs/common.sh"
jm=$(cd "$BUILD" && pwd)/jm
here=$(cd "$(dirname "$0")" && pwd)
data=$folder/data

# report STATUS ARGUMENT...: jm exp report ARGUMENT... ends with STATUS.
report() {
    wanted=$1
    shift
    "$jm" exp report "$@" >"$folder/output" 2>"$folder/messages"
    status=$?
    [ "$status" -eq "$wanted" ]
    check "report $*: status $status, not $wanted: $(cat "$folder/messages")" $?
}

# says TEXT: the last command's one message.
says() {
    grep -qF -- "$1" "$folder/messages" && [ "$(wc -l <"$folder/messages")" -eq 1 ]
    check "'$1' in: $(cat "$folder/messages")" $?
}

# A stand-in for gnuplot, for pages whose pictures have been drawn: keeps them.
mkdir "$folder/keep"
cat >"$folder/keep/gnuplot" <<'END'
#!/bin/sh
for end in svg png; do
    cp "${4%.gp}.$end" "${4%.gp}.$end.part"
done
END
chmod +x "$folder/keep/gnuplot"
with_pictures=$folder/keep:$PATH

# ---- a whole report ------------------------------------------------------------------
# Runs with no result are drawn too.
"$here/made.sh" "$data" all --quick --set mesh=2x2x2 --set L=20 --set servers=8 \
    --set time=20 --set warm_up=0 --runs 1
check "made-up results" $?
report 0 --out "$data"
[ "$(cat "$folder/output")" = "$data/report.html" ]
check "the command tells where the page is" $?
# Every experiment of the thesis has its place in the report.
of_all=$("$jm" exp list | sed -n -e '/^all:/q' -e 's/^\([a-z0-9-]*\) .*runs* .*/\1/p')
for name in $of_all; do
    [ "$name" = calibration ] || [ "$name" = view ] ||
        grep -q "<article class=\"figure\" id=\"$name\"" "$data/report.html"
    check "$name is in the report" $?
done
# The counts at the head are of the claims, checks and bars in the table, each once.
counted=$(sed -n '/<ul class="counts"/,/<\/ul>/p' "$data/report.html" |
    grep -o '<b>[0-9]*' | awk -F'>' '{ sum += $2 } END { print sum }')
rows=$(sed -n '/<table class="claims"/,/<\/table>/p' "$data/report.html" |
    grep -c '^<tr data-verdict')
[ "$counted" -gt 100 ] && [ "$counted" -eq "$rows" ]
check "all are counted, $counted of $rows" $?
for name in fig1-7 fig1-8 fig3-1 fig3-2 fig3-3 fig3-4 fig3-5 fig3-6 fig3-7 fig4-4 \
    fig4-5 fig4-6a fig4-6b fig4-7 fig4-8 fig4-9 fig4-10 fig4-11 fig4-12 \
    fig4-13 fig4-14 fig4-15a fig4-15b; do
    grep -q '</svg>' "$data/$name.svg" &&
        [ "$(head -c 4 "$data/$name.png" | tail -c 3)" = PNG ]
    check "$name.svg and $name.png" $?
done
python3 "$here/pictures.py" "$data" >"$folder/faults" 2>"$folder/count"
[ $? -eq 0 ] && [ "$(sed 's/ .*//' "$folder/count")" -gt 60 ]
check "$(cat "$folder/count") as their tables: $(cat "$folder/faults")" $?
# A picture is as large in both forms, in PNG of twice as many points.
for name in fig3-1 fig4-4 fig4-11 fig5-5; do
    png=$(od -An -tu1 -j16 -N8 "$data/$name.png" |
        awk '{ print ($3 * 256 + $4) / 2, ($7 * 256 + $8) / 2 }')
    grep -qF "viewBox=\"0 0 $png\"" "$data/$name.svg"
    check "$name is $png points large" $?
done
# rows DATA-VERDICT: so many claims of the page's table have it.
rows() {
    grep -c "<tr data-verdict=\"$1\"" "$data/report.html"
}
# in_data CHECK VERDICT: so many claims of claims.json have it.
in_data() {
    awk -v check="$1" -v verdict="$2" '/^   "check":/ { is = $2 ~ check }
        /^   "verdict":/ && is && index($0, ": \"" verdict "\"") { n++ }
        END { print n + 0 }' "$data/claims.json"
}
# With other settings there is no verdict, and the page says so first of all.
[ "$(in_data false 'not judged')" -gt 10 ] &&
    [ "$(rows unjudged)" -eq "$(in_data false 'not judged')" ] &&
    [ "$(rows yes)$(rows part)$(rows no)" = 000 ]
check "changed settings: no verdicts" $?
grep -A1 'id="changed"' "$data/report.html" |
    grep -q '<code>mesh=2x2x2</code> <code>L=20</code>'
check "changed settings are told" $?
sizes='mesh = 2x2x2 instead of 8x8x8; L = 20 instead of 1000; 1 run instead of 4820'
grep -q "<dd>$sizes.</dd>" "$data/report.html"
check "sizes are those of the runs" $?
"$jm" exp run arbitration --set mesh=2x2x2 --set L=20 --runs 1 --quiet \
    --out "$folder/single" 2>/dev/null
"$jm" exp report --out "$folder/single" >/dev/null
grep -q '^<div class="kicker"><p>.*; 1 run</p>' "$folder/single/report.html" &&
    grep -qE '^<div class="kicker"><p>.*; [0-9]+ runs</p>' "$data/report.html"
check "runs are counted, one is one" $?
# Runs that all fail leave a figure without numbers; the page has the rest and says so.
awk -F, -v OFS=, 'NR > 1 { $9 = "" } { print }' "$folder/single/arbitration.map.csv" \
    >"$folder/empty.csv"
mv "$folder/empty.csv" "$folder/single/arbitration.map.csv"
report 0 --out "$folder/single"
grep -q 'Not drawn: these runs gave no data' "$folder/single/report.html" &&
    ! grep -q 'Not drawn: these runs gave no data' "$data/report.html"
check "a figure without numbers" $?

# The page for data that were not changed, with verdicts made up one after the other.
awk '/"verdict": "not judged"/ {
        split("reproduced,in part,not", name, ",")
        sub("not judged", name[n++ % 3 + 1]) }
    /^  "in part": 0/ && !totals++ { sub("0", "14") }
    { print }' "$data/claims.json" >"$folder/claims.json"
mv "$folder/claims.json" "$data"
sed -i '/"changed_settings": \[/,/\]/c\ "changed_settings": [],' \
    "$data/experiments.json"
PATH=$with_pictures report 0 --out "$data"
! grep -q 'id="changed"' "$data/report.html"
check "nothing was changed" $?
for verdict in reproduced:yes 'in part:part' not:no 'not measured:open'; do
    wanted=$(in_data false "${verdict%:*}")
    [ "$wanted" -gt 0 ] && [ "$(rows "${verdict#*:}")" -eq "$wanted" ]
    check "$wanted claims are ${verdict%:*}, $(rows "${verdict#*:}") in the report" $?
done
[ "$(rows check)" -eq "$(grep -c '^   "check": true' "$data/claims.json")" ] &&
    [ "$(rows check)" -gt 10 ]
check "checks of consistency are rows of their own" $?
[ -z "$(grep '^   "id": ' "$data/claims.json" | sort | uniq -d)" ]
check "no claim is there twice" $?
# chapter ID: what the page says in this chapter, up to its first figure.
chapter() {
    awk -v id="<section id=\"$1\"" 'index($0, id) { is = 1 }
        is && /<article/ { exit } is' "$data/report.html"
}
# measured ID: what was measured for a claim, as the page writes it.
measured() {
    awk -v id="\"id\": \"$1\"" 'index($0, id) { is = 1 }
        is && /^   "measured":/ {
            print $2 == "null," ? "\342\200\223" : sprintf("%.4g", $2)
            exit }' "$data/claims.json"
}
# Two chapters tell of models; every claim that they name is there, with its value.
for id in chapter-3:TC-066 chapter-3:TC-066m chapter-5:TC-128 chapter-5:TC-137b; do
    chapter "${id%:*}" | grep -qF ">${id#*:}</a>: <b>$(measured "${id#*:}")</b>"
    check "${id%:*} has ${id#*:} as it was measured, $(measured "${id#*:}")" $?
    [ "$(chapter "${id%:*}" | grep -c '<li><span class="verdict ')" -gt 3 ]
    check "${id%:*} lists what is not reproduced" $?
done
! grep -qE 'not in these data|\[TC-' "$data/report.html"
check "chapters name claims that there are" $?
for name in fig3-1:chapter-3 placements:chapter-3 fig4-4:chapter-4 fig5-5:chapter-5 \
    model-8x8x16:chapter-5 fig6-1:chapter-6 cures:chapter-6; do
    awk -v figure="<article class=\"figure\" id=\"${name%:*}\"" \
        -v chapter="<section id=\"${name#*:}\"" '
        /<section id="/ { is = index($0, chapter) }
        index($0, figure) { exit !is }' "$data/report.html"
    check "${name%:*} stands in ${name#*:}" $?
done
cp "$data/fig4-4.svg" "$folder/before.svg"
(cd "$data" && gnuplot fig4-4.gp 2>/dev/null)
cmp -s "$folder/before.svg" "$data/fig4-4.svg"
check "a figure's script draws the same by itself" $?
grep -qE '(src|href)="?(https?:)?//|@import|url\(' "$data/report.html"
[ $? -eq 1 ]
check "the page needs nothing from outside" $?
cp "$data/report.html" "$folder/before.html"
PATH=$with_pictures report 0 "--out=$data"
cmp -s "$folder/before.html" "$data/report.html"
check "the same data give the same page" $?
# shellcheck disable=SC2012
[ "$(ls "$data" | grep -c '\.part')" -eq 0 ]
check "no half files are left" $?

# ---- part of a report ----------------------------------------------------------------
"$jm" exp run fig4-3 --quiet --out "$folder/one"
report 0 --out "$folder/one"
grep -q 'id="fig4-3"' "$folder/one/report.html" &&
    ! grep -q 'id="fig4-4"' "$folder/one/report.html"
check "a report of one experiment" $?
grep -q 'id="missing"' "$folder/one/report.html" &&
    grep -q '<code>fig4-4</code>' "$folder/one/report.html" &&
    ! grep -q 'id="missing"' "$data/report.html"
check "what is missing is told" $?

# A table shows all of its columns, however many these are.
grep '^TABLE("ring-runs"' tools/report/figures_chapter6.def | cut -d'"' -f6 |
    tr ',' '\n' >"$folder/columns"
[ "$(wc -l <"$folder/columns")" -gt 20 ]
check "the table of ring-runs is a long one" $?
sed -n '/ring-runs.bars.csv/,/<\/table>/p' "$data/report.html" |
    grep -o '<th scope[^>]*>[^<]*' | sed 's/.*>//' |
    head -"$(wc -l <"$folder/columns")" | cmp -s - "$folder/columns"
check "columns of the table of ring-runs" $?

# The picture at the top is the next best, and no claim is said to stand where no figure
# is: the queues in time are a page of their own kind.
"$jm" exp run fig1-7 view --set mesh=2x2x2 --set L=20 --runs 1 --quiet \
    --out "$folder/two" 2>/dev/null
report 0 --out "$folder/two"
grep -A1 '<figure id="key">' "$folder/two/report.html" | grep -q '^<svg'
check "without figure 4-4 figure 1-7 is at the top" $?
grep -o 'href="#[^"]*"' "$folder/two/report.html" | sed 's/.*#//; s/"//' | sort -u \
    >"$folder/links"
grep -qx fig1-7 "$folder/links"
check "claims are linked to their figures" $?
while read -r id; do
    grep -q "id=\"$id\"" "$folder/two/report.html"
    check "#$id is a place of the page" $?
done <"$folder/links"

# ---- what is refused -----------------------------------------------------------------
report 1 --out "$folder/nothing"
says "nothing/experiments.json: error: cannot read"
report 2 --out
says "--out needs an argument"
report 2 frobnicate
says "'frobnicate'"
rm "$folder/one/fig4-3.csv"
report 1 --out "$folder/one"
says "fig4-3.csv: error: cannot read"
printf 'a,b\n1\n' >"$folder/one/fig4-3.csv"
report 1 --out "$folder/one"
says "fig4-3.csv:2: error: 1 fields instead of 2"
printf 'a,b\n1,"2\n' >"$folder/one/fig4-3.csv"
report 1 --out "$folder/one"
says "fig4-3.csv:2: error: a quote is not closed"
echo '{' >"$folder/one/claims.json"
report 1 --out "$folder/one"
says "claims.json:2"
echo '{}' >"$folder/one/claims.json"
report 1 --out "$folder/one"
says "is not what jm exp run writes"
# A disk that is full: first for a picture, then for the page.
for blocks in 20 600; do
    cp -r "$data" "$folder/full"
    [ "$blocks" = 20 ] && path=$PATH || path=$with_pictures
    # shellcheck disable=SC3045
    (
        trap '' XFSZ
        ulimit -f $blocks
        PATH=$path "$jm" exp report --out "$folder/full" >/dev/null 2>"$folder/messages"
    )
    [ $? -eq 1 ]
    check "a full disk is a failure, $blocks blocks" $?
    grep -qE 'not whole|cannot write' "$folder/messages" &&
        [ "$(wc -l <"$folder/messages")" -eq 1 ]
    check "one message: $(cat "$folder/messages")" $?
    cmp -s "$folder/before.html" "$folder/full/report.html"
    check "the page is as it was" $?
    for file in "$folder/full"/*.svg; do
        tail -c 20 "$file" | grep -q '</svg>'
        check "$file is whole" $?
    done
    rm -r "$folder/full"
done
mkdir "$folder/path"
# shellcheck disable=SC2123
PATH=$folder/path "$jm" exp report --out "$data" >/dev/null 2>"$folder/messages"
says "gnuplot: error: not found"

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
python3 tests/report/browse.py "$browser" "$folder/profile" "$data/report.html" \
    "$here/page.steps" >"$folder/output" 2>&1
check "the page in a browser: $(cat "$folder/output")" $?
[ -s "$folder/phone.png" ]
check "screenshots" $?
finish

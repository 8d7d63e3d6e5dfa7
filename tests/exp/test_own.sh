# Experiments from files: they run, resume and are reported as those of the tables are.
. tests/cli/check.sh
page=$PWD/tools/docs/experiments.md
cd "$work" || exit 1

# The files in the manual.
sed -n '/cat >short.exp/,/^    EOF/p' "$page" | sed '1d; $d; s/^    //' >short.exp
sed -n '/^    claim:/,/^    in_part:/s/^    //p' "$page" >>short.exp
status 0 "$jm" exp list short.exp
check "the runs that it speaks of" grep -q '^short  *36 runs  Short handlers$' out
sed -n '/^    title:  The machine/,/^    series:/s/^    //p' "$page" >two.exp
status 0 "$jm" exp list two.exp
check "both models" grep -q '^two  *24 runs' out
sed -n '/^    title:  Sorting/,/^    series:/s/^    //p' "$page" >sorting.exp
status 0 "$jm" exp run sorting.exp --set set.radix_keys=300 --quiet --out sorting
check "speedups of a program" test "$(wc -l <sorting/sorting.scaling.csv)" -eq 6
rm -r sorting

# A row of the tables, printed, gives the same runs and tables under another name.
for row in "fig4-3 L=9" "placements time=300" "fig4-11 mesh=2x2x2 L=9" \
    "jam mesh=2x2x1 L=9" "av-distance k=4"; do
    name=${row%% *}
    sets=$(echo "${row#* }" | sed 's/[^ ]*=/--set &/g')
    status 0 "$jm" exp show $name
    cp out mine.exp
    # shellcheck disable=SC2086 # several words
    status 0 "$jm" exp run $name --runs 2 $sets --quiet --out its
    # shellcheck disable=SC2086
    status 0 "$jm" exp run mine.exp --runs 2 $sets --quiet --out own
    sort its/runs.jsonl >its.runs
    sort own/runs.jsonl | cmp - its.runs || fail "$name: other runs"
    for table in its/$name.*; do
        sed "s/^$name,/mine,/" "$table" >wanted
        check "$name: ${table#its/}" cmp wanted "own/mine.${table#its/$name.}"
    done
    checks=$((checks + 1))
    [ "$(ls own | grep -c '^mine\.')" -eq "$(ls its | grep -c "^$name\.")" ] ||
        fail "$name: other files"
    rm -rf its own
done

# A program in a file: it runs, also in a resumed sweep, as its file is then. Its
# makespan is from the first mark to the last.
cat >tiny.s <<'X'
        .include "kernel.inc"
        .global main, tiny_turns, tiny_status
        .macro  mark number
        move    \number,r1
        .align  4
        store   r1,HOST_MARK
        .endm
main:   load    tiny_turns,r2
        mask    r0
        mark    1
        mark    2
turn:   sub     r2,1,r2
        bnz     r2,^turn
        mark    3
        load    tiny_status,r1
        store   r1,HOST_EXIT
        goto    kernel_idle
        .data
tiny_turns:  .word INT:1
tiny_status: .word INT:0
X
cat >tiny.exp <<'X'
title:  A program of one's own
sweep:  program=./tiny.s set.tiny_status=0;
        mesh=1x1x1,2x2x1 set.tiny_turns=10,110
x:      set.tiny_turns
y:      T_cycles_mean
series: program mesh
X
status 0 "$jm" exp run tiny.exp --quiet --jobs 2 --out tiny
# column NAME: the values of a column of all runs.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        NR > 1 { printf "%s ", $at }' tiny/tiny.csv
}
set -- $(column T_cycles)
check "a turn takes the same time everywhere: $*" \
    test $# -eq 4 -a $(($2 - $1)) -eq 300 -a $(($4 - $3)) -eq 300
check "its name stands in its tables" \
    test "$(column program)" = "./tiny.s ./tiny.s ./tiny.s ./tiny.s "
status 0 "$jm" exp report --out tiny
check "curves have its name" grep -q "program = ./tiny.s, mesh = 2x2x1" tiny/tiny.gp
sed -i 's/^turn:/turn:   nop\n/' tiny.s
status 0 "$jm" exp run tiny.exp --quiet --jobs 1 --resume --out tiny
check "a changed program runs again" test "$(column T_cycles)" != "$1 $2 $3 $4 "
# A program that finds its own result wrong has none.
status 1 "$jm" exp run tiny.exp --set mesh=1x1x1 --quiet --out wrong \
    --set set.tiny_turns=5 --set set.tiny_status=3
says err "set.tiny_status=3 set.tiny_turns=5 seed=1: exit, status 3"
status 2 "$jm" exp run tiny.exp --set set.other=3 --quiet --out other
says err "only points that set this word"
rm -rf wrong other

# Axes that the report of a row makes logarithmic are so in its file.
for row in "fig3-2 y" "sc-fig4a x" "fig4-4 "; do
    status 0 "$jm" exp show "${row% *}"
    check "${row% *}" test "$(sed -n 's/^log: *//p' out)" = "${row#* }"
done

cat >short.exp <<'X'
# Two meshes, a choice that has no column of its own, and an expectation; a claim has
# the name of one of the thesis's, which has explanations.
title:    Short <handlers>
figure:   4-4
sweep:    L=8 m=2 h=60..64/2;
          mesh=2x2x1 header_flits=0,3; mesh=3x2x1
runs:     2
x:        h
y:        T_ms_mean
error:    T_ms_ci95
series:   mesh header_flits
log:      y
claim:      above
statement:  a bound that holds & is told
measure:    max T_ms of this where header_flits=3
reproduced: 0..1
claim:      TC-081
statement:  one that does not
measure:    max T_ms of this where header_flits=3
reproduced: 5..
in_part:    1..
expected:   much
unit:       ms
X

status 0 "$jm" exp list short.exp fig4-3
check "listed" grep -q '^short  *18 runs  figure 4-4: Short <handlers>$' out
check "beside a row" grep -q '^fig4-3 .* runs  figure 4-3' out
check "and no other" test "$(wc -l <out)" -eq 2
status 0 "$jm" exp run short.exp --out r
says out "above    reproduced"
says out "own 0..1"
says out "TC-081   not"
says out "own much ms: one that does not"
check "totals" grep -qE '^claims +1 +0 +1 +0 +0$' out
checks=$((checks + 1))
! grep -i "thesis\|explain\|checks" out || fail "it speaks of the thesis"
check "a column" grep -q "^experiment,point,.*,other,header_flits,n," r/short.points.csv
check "its values" test \
    "$(cut -d, -f11 r/short.points.csv | uniq | tr '\n' ' ')" = \
    "header_flits 0 3 0 3 0 3  "

# The report draws it by its kind, and speaks of nothing else.
if command -v gnuplot >/dev/null; then
    status 0 "$jm" exp report --out r
    for line in "data = 'short.points.csv'" "series = 'mesh header_flits'" \
        "xrange = '\[\*:\*\]'" "yrange = '\[\*:\*\]; set logscale y'" \
        "error_column = 'T_ms_ci95'"; do
        check "drawn with $line" grep -qx "$line" r/short.gp
    done
    for text in "<h1>Own experiments</h1>" "<span>short</span> Short &lt;handlers&gt;" \
        "holds &amp; is told: expected 0..1, measured" ">header_flits<"; do
        check "it has $text" grep -q "$text" r/report.html
    done
    checks=$((checks + 1))
    sed '/<style>/,/<\/style>/d; /<script>/,$d; /id="method"/,/<\/section>/d' \
        r/report.html >page
    ! grep -i "thesis\|calibration\|not in this report" page || fail "more than its own"
    # A folder from somebody else cannot name files elsewhere.
    cp -r r evil
    sed -i 's|"name": "short"|"name": "../short"|' evil/experiments.json
    status 0 "$jm" exp report --out evil
    check "nothing elsewhere" test "$(find . -maxdepth 1 -name 'short.*')" = ./short.exp
    # A drawing is left out if no run has a value for it.
    cp -r r empty
    awk -F, -v OFS=, 'NR > 1 { for (i = 13; i <= NF; i++) $i = "" } 1' \
        r/short.points.csv >empty/short.points.csv
    status 0 "$jm" exp report --out empty
    check "no drawing" grep -q '<p class="caption">' empty/report.html
else
    echo "gnuplot is not there: no report is made"
fi

# A mark for each run, on a curve for each mesh.
sed 's/^kind:.*//; s/_mean$//; s/_ci95$//; /^error/d; /^claim/,$d' short.exp >marks.exp
echo 'kind: scatter' >>marks.exp
status 0 "$jm" exp run marks.exp --quiet --out marks
check "settings of a run" grep -q "^exp.*,other,header_flits,seed," marks/marks.csv
status 0 "$jm" exp report --out marks
check "its curves" grep -q "^array values.3. = " marks/marks.gp

# Set over it; a list beside its axes.
status 0 "$jm" exp run short.exp --set h=60 --set m=3,4 --runs 1 --out set
says out "above    not judged"
says out "so no claim is judged"
check "swept" grep -q '^short,5,3x2x1,4,8' set/short.points.csv

# No explanation of a row's claim of the same name is one of its own.
status 0 "$jm" exp run short.exp fig4-3 --runs 1 --quiet --out beside
check "no row explains its claims" test 0 -eq "$(jq \
    '[.claims[] | select(.source == "own").explained_by[]] | length' \
    beside/claims.json)"

# Continued, and the same whatever the number of processes.
cp -r r again
sed -i '2,5d' again/runs.jsonl
status 0 "$jm" exp run short.exp --resume --jobs 3 --quiet --out again
for file in r/*.csv r/*.json; do
    check "resumed: $file" cmp "$file" "again/${file#r/}"
done

# Stopped: the report plans it again from what experiments.json has, without the file.
mkdir "it's here"
mv short.exp "it's here/short.exp"
status 0 "$jm" exp run "it's here/short.exp" --quiet --out stopped
cp -r stopped whole
sed -i '$d' stopped/runs.jsonl
sed -i 's/"done": 18/"done": 17/' stopped/experiments.json
rm stopped/*.csv "it's here/short.exp"
PATH=/none "$jm" exp report --out stopped >out 2>err
check "17 runs in the tables" test "$(wc -l <stopped/short.csv)" -eq 19
checks=$((checks + 2))
[ "$(grep -cxFf whole/short.csv stopped/short.csv)" -eq 18 ] || fail "other runs"
[ "$(grep -cxFf whole/short.points.csv stopped/short.points.csv)" -eq 9 ] ||
    fail "other points"

# Of two files each has a text of its own.
for h in 60 80; do
    printf '%s\n' 'title: a' "sweep: mesh=2x1x1 L=8 h=$h m=1,2" 'x: m' \
        'y: T_ms_mean' >h$h.exp
done
status 0 "$jm" exp run h60.exp h80.exp --runs 1 --quiet --out both
mkdir kept
mv both/h*.csv kept
sed -i 's/"done": 4/"done": 3/' both/experiments.json
rm h60.exp h80.exp
PATH=/none "$jm" exp report --out both >out 2>err
for file in kept/*.csv; do
    check "again: $file" cmp "$file" "both/${file#kept/}"
done

# A command that can be used again, blanks and quotes and all.
check "quoted" grep -qF \
    "jm exp run 'it'\\\\''s here/short.exp' --quick" whole/experiments.json

finish

# The Mesh of Clos under message-passing programs: cells, claims, chapter.
. tests/cli/check.sh

out=$work/pm
cells=$out/pm-tables.cells.csv

status 0 $jm exp run pm-tables --set bytes=128 --jobs 2 --quiet --out "$out"
check "the head of the cells" \
    grep -qx 'table,params,quantity,origin,value,unit' "$cells"
rows 324 "$cells" ',simulation,[0-9]+(\.[0-9]+)?,(cycles|ratio|us)$'
cut -d, -f2-3 "$cells" | LC_ALL=C sort | uniq -d >"$work/twice"
rows 0 "$work/twice" ''
rows 54 "$cells" '^Figure 8,bench=.*;network=clos_3_2;layer=fixed,'
rows 216 "$cells" \
    '^Figure 14,.*;network=clos_3_1;layer=(Random|RoundRobin|IdleFixed|IdleRnd),'
# One flit is what speedups are over.
rows 18 "$cells" ';buffers=1;.*,speedup,simulation,1,ratio$'
status 0 $jm exp run pm-tables --set bytes=128 --jobs 1 --quiet --out "$work/again"
check "runs of one job and of two are the same" cmp -s "$cells" \
    "$work/again/pm-tables.cells.csv"

status 0 $jm exp run pm-fig5 pm-fig11 --quiet --out "$work/more"
claim() { # ID VERDICT
    check "$1 is $2" grep -qzE "\"id\": \"$1\",[^}]*\"verdict\": \"$2\"" \
        "$work/more/claims.json"
}
# Section 4.2 prints 2, 44 and 61 us of blocking, which no latency of a node explains.
claim PM-039 reproduced
claim PM-040 reproduced
claim PM-041 reproduced
claim PM-019 reproduced

status 0 $jm exp report --out "$work/more"
check "the chapter" grep -q "Pimentel and Hertzberger" "$work/more/report.html"
finish

#!/bin/sh
# Every picture against its table by position (pictures.py): with made-up numbers, in
# which what could be mixed up differs, and with settings that --set sweeps.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/programs/common.sh
. "$(dirname "$0")/../programs/common.sh"
jm=$(cd "$BUILD" && pwd)/jm
pictures=$(cd "$(dirname "$0")" && pwd)/pictures.py

if ! command -v gnuplot >/dev/null; then
    echo "skipped: nothing draws here (gnuplot-nox)"
    exit 0
fi

# experiments FOLDER NAMES OPTION...: runs them.
experiments() {
    data=$folder/$1
    names=$2
    shift 2
    # shellcheck disable=SC2086 # several names
    timeout 900 "$jm" exp run $names "$@" --quiet --jobs 1 --out "$data" \
        >"$folder/output" 2>"$folder/messages"
    check "jm exp run $names: $(head -3 "$folder/messages")" $?
}

# drawn NUMBER: the report of the data has so many pictures, and they are as the tables.
drawn() {
    "$jm" exp report --out "$data" >/dev/null 2>"$folder/messages"
    check "a report: $(cat "$folder/messages")" $?
    python3 "$pictures" "$data" >"$folder/faults" 2>"$folder/count"
    [ $? -eq 0 ] && [ "$(cat "$folder/count")" = "$1 pictures" ]
    check "$(cat "$folder/count"), not $1: $(cat "$folder/faults")" $?
}

# column NAME FILE: which it is.
column() {
    head -1 "$2" | tr ',' '\n' | grep -nx "$1" | cut -d: -f1
}

# ---- made-up numbers -----------------------------------------------------------------
experiments made "fig4-7 fig4-11 arbitration jam" --set mesh=6x4x5 --set L=20 --runs 2
# Nodes that all differ, some with nothing, in two sizes: not every row has its tic.
# map FILE COLUMN X Y: a table of 5 planes.
map() {
    awk -v name="$2" -v x="$3" -v y="$4" 'BEGIN {
        print "x,y,z," name
        for (k = 0; k < 5; k++) for (j = 0; j < y; j++) for (i = 0; i < x; i++) {
            value = 7.25 * i + 3 * j * j + 11 * k
            print i "," j "," k "," ((i + 2 * j) % 5 ? value : 0)
        }
    }' >"$data/$1.map.csv"
}
map fig4-11 overflows 6 4
map arbitration queue_mean_words 12 14
# Three runs of a jam, whose windows lie a little beside the grid.
awk 'BEGIN {
    print "run,node,time_us,cycles,messages,z_column,y_plane,x_towards,others"
    for (run = 0; run < 3; run++)
        for (t = -200; t <= 600; t += 10) {
            line = run ",5," t + run - 1.2 ",100"
            for (i = 1; i <= 5; i++) {
                after = 3 + (t + 170 * i * (run + 1)) % 80
                line = line "," (t < 0 ? 10 * i + 5 * run : after)
            }
            print line
        }
}' >"$data/jam.jam.csv"
drawn 4

# ---- settings that are swept beside the axes -----------------------------------------
experiments swept "fig4-4 fig4-6 fig4-7 fig4-8 fig4-10 fig4-11 fig5-5 jam slow-growth" \
    --set mesh=3x2x5 --set L=20 --set m=2,6 --set header_flits=0,2 --set Q=64 \
    --set h=60,200 --set servers=8 --set time=20 --set fair=1 --runs 2
drawn 10
# Each is a column of its own in every table; the last ones.
for table in fig4-4.points fig4-4 fig4-7.times fig4-6.cdf fig4-6.histogram \
    fig4-11.map jam.jam; do
    [ -n "$(column m "$data/$table.csv")" ] &&
        [ -n "$(column header_flits "$data/$table.csv")" ]
    check "$table.csv has columns of what is swept" $?
done
at=$(column header_flits "$data/fig4-4.points.csv")
values=$(cut -d, -f"$at" "$data/fig4-4.points.csv" | sort -u | tr '\n' ' ')
[ "$values" = "0 2 header_flits " ]
check "with its values" $?
sed -n '/Numbers: fig4-4.points.csv/,/<tbody>/p' "$data/report.html" |
    grep -q '<th scope="col">m</th><th scope="col">header_flits</th>'
check "and in the tables of the page" $?
# A handler's time is the axis of figure 4-4, and it is swept where a run is a mark.
swept() {
    python3 - "$data/experiments.json" "$1" <<'END'
import json, sys
for e in json.load(open(sys.argv[1]))["experiments"]:
    if e["name"] == sys.argv[2]:
        print(" ".join(e["swept"]))
END
}
[ "$(swept fig4-4) $(swept fig4-6)" = "m header_flits m header_flits h" ]
check "what is swept: $(swept fig4-4), $(swept fig4-6)" $?
# A figure over several values is none.
python3 - "$data/claims.json" <<'END'
import json, sys
claims = json.load(open(sys.argv[1]))["claims"]
of_runs = [c for c in claims if " of fig4-" in c["measure"]]
wrong = [c["id"] for c in of_runs if c["measured"] is not None]
unjudged = sum(c["verdict"] == "not judged" for c in of_runs)
sys.exit(f"{wrong} are measured" if wrong or unjudged < 10 else 0)
END
check "no claim is measured over several values" $?

# Machines of which two sides are equal, or all three; values below the usual axis, none
# above.
experiments shapes "fig4-4 fig4-13" --set mesh=4x4x2,2x4x4,2x2x2 --set L=20 --set m=2 \
    --set h=100,120 --runs 1
sed 's/,3,100,512,/,3,30,512,/' "$data/fig4-4.points.csv" >"$folder/points"
! cmp -s "$folder/points" "$data/fig4-4.points.csv"
check "a value below the axis" $?
mv "$folder/points" "$data/fig4-4.points.csv"
drawn 2

# Indistinguishable curves are not drawn, and the key says so: with one value
# more than there are curves.
for last in 64 65; do
    many=$folder/$last
    "$jm" exp run fig4-4 --set mesh=2x2x2 --set L=3 --set h=100 --runs 1 --quiet \
        --set "dispatch=$(seq -s, 1 "$last")" --out "$many" &&
        "$jm" exp report --out "$many" >/dev/null
    check "$last curves" $?
    [ "$(grep -c 'not drawn' "$many/fig4-4.svg")" -eq $((2 * (last > 64))) ]
    check "$last curves: what is left out is told" $?
done
finish

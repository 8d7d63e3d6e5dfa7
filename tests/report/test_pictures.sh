# Every picture against its table by position (pictures.py): with made-up numbers, in
# which what could be mixed up differs, and with settings that --set sweeps.
. tests/cli/check.sh

if ! command -v gnuplot >/dev/null; then
    echo "skipped: nothing draws here (gnuplot-nox)"
    exit 0
fi

# experiments FOLDER NAMES OPTION...: runs them.
experiments() {
    data=$work/$1
    names=$2
    shift 2
    # shellcheck disable=SC2086 # several names
    status 0 timeout 900 "$jm" exp run $names "$@" --quiet --jobs 1 --out "$data"
}

# drawn NUMBER: the report of the data has so many pictures, and they are as the tables.
drawn() {
    status 0 "$jm" exp report --out "$data"
    status 0 python3 tests/report/pictures.py "$data"
    check "$(cat "$work/err"), not $1: $(cat "$work/out")" \
        test "$(cat "$work/err")" = "$1 pictures"
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
# A figure over several values is none.
jq -r '.claims[] | select(.measure | contains(" of fig4-")) |
    "\(.measured) \(.verdict)"' "$data/claims.json" | sort -u >"$work/judged"
check "no claim is measured over several values: $(cat "$work/judged")" \
    test "$(grep -v ' not measured' "$work/judged")" = "null not judged"

# Machines of which two sides are equal, or all three; values below the usual axis, none
# above.
experiments shapes "fig4-4 fig4-13" --set mesh=4x4x2,2x4x4,2x2x2 --set L=20 --set m=2 \
    --set h=100,120 --runs 1
sed -i 's/,3,100,512,/,3,30,512,/' "$data/fig4-4.points.csv"
check "a value below the axis" grep ',3,30,512,' "$data/fig4-4.points.csv"
drawn 2

# Indistinguishable curves are not drawn, and the key says so: with one value
# more than there are curves.
for last in 64 65; do
    experiments $last fig4-4 --set mesh=2x2x2 --set L=3 --set h=100 --runs 1 \
        --set "dispatch=$(seq -s, 1 "$last")"
    status 0 "$jm" exp report --out "$data"
    rows $((2 * (last > 64))) "$data/fig4-4.svg" 'not drawn'
done
finish

#!/bin/sh
# What a run of an experiment can be told besides the thesis's parameters: every choice
# is calibrated at every load, and the settings reach the machine.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/programs/common.sh
. "$(dirname "$0")/../programs/common.sh"
jm=$(cd "$BUILD" && pwd)/jm

# exp ARGUMENT...: jm exp run ARGUMENT... ends well.
exp() {
    timeout 600 "$jm" exp run "$@" >"$folder/output" 2>"$folder/messages"
    check "jm exp run $*: $(head -3 "$folder/messages")" $?
}

# value DIR KEY: that figure of all runs of a journal, by settings.
value() {
    sed 's/.*"key":"\([^"]*\)".*"'"$2"'":\([0-9]*\).*/\1 \2/' "$1/runs.jsonl" | sort
}

# ---- every row of choices.def at every row of loads.def ------------------------------
exp calibration --set mesh=2x2x2 --set L=20 --out "$folder/all"
sed -n 's/^CHOICE("\([^"]*\)".*/\1/p' tools/exp/plan/choices.def >"$folder/choices"
tail -n +2 "$folder/all/calibration-effects.csv" | cut -d, -f1 | uniq >"$folder/found"
cmp -s "$folder/choices" "$folder/found"
check "the choices: $(diff "$folder/choices" "$folder/found" | head -3)" $?
effects=$(grep -c '^EFFECT(' tools/exp/judge/effects.def)
[ "$(tail -n +2 "$folder/all/calibration-effects.csv" | wc -l)" -eq \
    $(($(wc -l <"$folder/choices") * effects)) ]
check "every effect of every choice" $?
# The same records as those of runs without --set, of 512 nodes, most without an event:
# what is judged.
mkdir "$folder/unset"
python3 - "$folder/all/runs.jsonl" >"$folder/unset/runs.jsonl" <<'END'
import json, re, sys
with open("tools/exp/plan/loads.def", encoding="utf-8") as file:
    loads = re.findall(r'LOAD\(choice, \w+, *"([^"]*)", (\d+),',
                       file.read().split("READINGS_LOADS")[0])
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    words = record["key"].split()
    load = max(loads, key=lambda row: sum(word in words for word in row[0].split()))
    words[words.index("mesh=2x2x2")] = "mesh=8x8x8"
    words[words.index("L=20")] = "L=" + load[1]
    record["key"] = " ".join(words)
    for counts in record.values():
        if isinstance(counts, list) and len(counts) == 8:
            counts += [0] * 504
    record["cuts"] *= 7
    record["links"] *= 7
    print(json.dumps(record, separators=(",", ":")))
END
exp calibration --resume --out "$folder/unset"
# The figures are those of the runs, beside those of the first choice, the default.
cat >"$folder/effects.py" <<'END'
import csv, re, sys
def rows_of(name):
    with open(f"{sys.argv[1]}/{name}", encoding="utf-8") as file:
        return list(csv.DictReader(file))
def table(name, pattern):
    with open(name, encoding="utf-8") as file:
        return re.findall(pattern, file.read(), re.M)
effects = table("tools/exp/judge/effects.def",
                r'^EFFECT\("([^"]*)", "[^"]*", \w+, "(\w+)", (\w+),')
loads = table("tools/exp/plan/loads.def", r"^    LOAD\(choice, (\w+),")[:-3]
runs, found = rows_of("calibration.csv"), rows_of("calibration-effects.csv")
default = {row["effect"]: row["measured"] for row in found[:len(effects)]}
for place, row in enumerate(found):
    name, column, load = effects[place % len(effects)]
    point = place // len(effects) * len(loads) + loads.index(load)
    values = [run[column] for run in runs if int(run["point"]) == point]
    low, high = (float(row[key] or "inf") for key in ("low", "high"))
    within = "not judged" if row["measured"] else "not measured"
    if row["measured"] and sys.argv[2] == "judged":
        within = "within" if low <= float(row["measured"]) <= high else "outside"
    if (row["effect"] != name or row["default_measured"] != default[name] or
            [row["measured"]] != values or row["verdict"] != within):
        print(row, values)
END
for case in "all not" "unset judged"; do
    # shellcheck disable=SC2086 # two words
    set -- $case
    python3 "$folder/effects.py" "$folder/$1" "$2" >"$folder/faults"
    check "$case effects: $(head -2 "$folder/faults")" $?
    [ ! -s "$folder/faults" ]
    check "$case figures of effects: $(head -2 "$folder/faults")" $?
done
for verdict in within outside; do
    grep -q ",$verdict," "$folder/unset/calibration-effects.csv"
    check "some effect is $verdict" $?
done
loads=$(sed '/READINGS_LOADS/,$d' tools/exp/plan/loads.def | grep -c "^    LOAD(")
[ "$(wc -l <"$folder/all/runs.jsonl")" -eq \
    $(($(wc -l <"$folder/choices") * loads)) ]
check "a run for each choice and load" $?

# ---- every row of readings.def by every row of criteria.def --------------------------
exp readings --set mesh=2x2x2 --set L=20 --set m=6 --set Q=64 --runs 3 \
    --out "$folder/readings"
table=$folder/readings/readings-criteria.csv
{
    echo reading
    echo thesis
    sed -n 's/^READING("\([^"]*\)".*/\1/p' tools/exp/plan/readings.def |
        sed 's/^$/default/'
} >"$folder/wanted"
cut -d, -f1 "$table" | cmp -s "$folder/wanted" -
check "the readings: $(cut -d, -f1 "$table" | diff "$folder/wanted" - | head -3)" $?
head -1 "$table" | tr , '\n' | sed -n '/^limit_ms$/,/^T_h65_ms$/p' >"$folder/found"
sed -n 's/^CRITERION(\([^,]*\),.*/\1/p' tools/exp/judge/criteria.def >"$folder/wanted"
cmp -s "$folder/wanted" "$folder/found"
check "the criteria: $(diff "$folder/wanted" "$folder/found" | head -3)" $?
# Six messages a node fill queues of 64 words at times. A setting has three
# points: that of the limit, that of overflows, that of the queue.
awk -F, 'FNR == 1 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
    FNR == NR && $at["run"] == 0 { point++ }
    FNR == NR { time[point] += $at["T_scaled_ms"] / 3
        clean[point] += ! $at["overflows"]
        if ($at["overflows"] > most[point]) most[point] = $at["overflows"]; next }
    FNR > 2 { row = 3 * (FNR - 3); all++
        if (($at["limit_ms"] - time[row + 1]) ^ 2 > 1e-9 ||
            ($at["T_h65_ms"] - time[row + 3]) ^ 2 > 1e-9 ||
            ($at["none_percent"] - clean[row + 2] * 100 / 3) ^ 2 > 1e-9 ||
            $at["most_overflows"] != most[row + 2]) bad++
        sum = $at["none_percent"] + $at["one_percent"] + $at["more_percent"]
        if ((sum - 100) ^ 2 > 1e-9) bad++ }
    END { exit bad || ! all || point != 3 * all }' \
    "$folder/readings/readings.csv" "$table"
check "the figures: $(cat "$table")" $?

# ---- the settings change what they should --------------------------------------------
# h_more lengthens the handler; figures computed from h use h alone.
exp fig4-4 --set mesh=2x2x2 --set L=20 --set h=45,60 --runs 1 --out "$folder/plain"
exp fig4-4 --set mesh=2x2x2 --set L=20 --set h=45,60 --set h_more=7 --runs 1 \
    --out "$folder/more"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { if ($at["h_got"] != $at["h"] + 7 ||
          ($at["stretch"] - $at["T_cycles"] / (5 * 20 * $at["h"])) ^ 2 > 1e-12)
          bad = 1 }
    END { exit bad || NR != 3 }' "$folder/more/fig4-4.csv"
check "h_more" $?
exp fig4-4 --set mesh=2x2x2 --set L=20 --set h=52,67 --runs 1 --out "$folder/long"
[ "$(value "$folder/more" T | awk '{ print $NF }')" = \
    "$(value "$folder/long" T | awk '{ print $NF }')" ]
check "h = 45 and 7 is h = 52" $?

# Each changes the makespan of a network in contention.
for setting in start_words=1 yield=3 fault=40 fault=60; do
    exp fig4-4 --set mesh=4x4x4 --set L=20 --set h=45 --set "$setting" --runs 1 \
        --out "$folder/$setting"
done
exp fig4-4 --set mesh=4x4x4 --set L=20 --set h=45 --set yield=3 --set yield_dims=2 \
    --runs 1 --out "$folder/yield_dims"
exp fig4-4 --set mesh=4x4x4 --set L=20 --set h=45 --runs 1 --out "$folder/default"
times=$(for setting in default start_words=1 yield=3 yield_dims fault=40 \
    fault=60; do value "$folder/$setting" T | awk '{ print $NF }'; done)
[ "$(echo "$times" | sort -u | wc -l)" -eq 6 ]
check "six makespans: $(echo $times)" $?
finish

#!/bin/sh
# jm exp: folders that it refuses, a tiny sweep, the same files for any number of jobs
# and ranks, a sweep that is killed and continued, verdicts that follow from the data.
set -u
: "${BUILD:=build}"
# shellcheck source=tests/programs/common.sh
. "$(dirname "$0")/../programs/common.sh"
# shellcheck source=tests/exp/killed.sh
. "$(dirname "$0")/killed.sh"
jm=$(cd "$BUILD" && pwd)/jm
tiny='--set mesh=2x2x2 --set L=20'

# exp STATUS ARGUMENT...: jm exp ARGUMENT... ends with STATUS.
exp() {
    wanted=$1
    shift
    timeout 600 "$jm" exp "$@" >"$folder/output" 2>"$folder/messages"
    status=$?
    [ "$status" -eq "$wanted" ]
    check "jm exp $*: status $status, not $wanted: $(head -3 "$folder/messages")" $?
}

# says TEXT: a line of the last command's messages.
says() {
    grep -qF -- "$1" "$folder/messages"
    check "'$1' in: $(cat "$folder/messages")" $?
}

# same TEXT DIR DIR: all files are the same; the journals' lines, in any order.
same() {
    diff -r -x runs.jsonl "$2" "$3" >"$folder/difference"
    check "$1: $(head -5 "$folder/difference")" $?
    sort "$2/runs.jsonl" >"$folder/first"
    sort "$3/runs.jsonl" | cmp -s "$folder/first" -
    check "$1: journals" $?
}

# ---- refusals ------------------------------------------------------------------------
refused() { # MESSAGE ARGUMENT...
    text=$1
    shift
    exp 2 "$@"
    says "$text"
    [ "$(wc -l <"$folder/messages")" -eq 1 ]
    check "jm exp $*: one line" $?
}
refused "header_flits=9: expected a number from 0 to 3" \
    run fig4-4 --set header_flits=9 --out "$folder/no"
[ ! -e "$folder/no" ]
check "refused commands leave nothing" $?
refused "cannot make this folder" run fig4-3 --out "$folder/no/where"
touch "$folder/file"
refused "cannot open" run fig4-3 --out "$folder/file"
# A table that cannot be written, as its name is taken.
mkdir -p "$folder/taken/fig4-3.csv/in"
refused "fig4-3.csv: error: cannot" run fig4-3 --quiet --out "$folder/taken"
[ "$(find "$folder/taken" -name '*.tmp*' -o -name '*.part' | wc -l)" -eq 0 ]
check "no half table is left" $?

# ---- a tiny sweep, in one process and in three ---------------------------------------
# shellcheck disable=SC2086 # options are several words
for jobs in 1 3; do
    exp 0 run fig4-4 fig4-6 fig4-7 view $tiny --set h=45,60 --runs 3 --jobs $jobs \
        --out "$folder/jobs$jobs"
done
same "one job and three" "$folder/jobs1" "$folder/jobs3"
[ "$(wc -l <"$folder/jobs1/runs.jsonl")" -eq 12 ]
check "runs that experiments share are done once" $?
[ "$(sed 1d "$folder/jobs1/fig4-4.csv" | wc -l)" -eq 6 ]
check "a row for each run" $?
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { if ($at["seed"] != (NR - 2) % 3 + 1 || $at["h_got"] != $at["h"] ||
          $at["hops"] != 800 || $at["version"] == "") exit 1 }' \
    "$folder/jobs1/fig4-4.csv"
check "rows in order, with parameters, seed and version" $?
# Mean, deviation and interval of three runs, by another program.
awk -F, 'FNR == 1 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
    FILENAME ~ /points/ { mean = $at["T_ms_mean"]; sd = $at["T_ms_sd"]
        ci = $at["T_ms_ci95"]; n = $at["n"]; exit }
    $at["point"] == 0 { sum += $at["T_ms"]; square += $at["T_ms"] ^ 2 }
    END { m = sum / 3; d = sqrt((square - 3 * m * m) / 2)
        exit !(n == 3 && (mean - m) ^ 2 < 1e-12 && (sd - d) ^ 2 < 1e-8 &&
            (ci - 4.302653 * d / sqrt(3)) ^ 2 < 1e-6) }' \
    "$folder/jobs1/fig4-4.csv" "$folder/jobs1/fig4-4.points.csv"
check "statistics" $?
awk -F, 'FNR > 1 { runs[$1] += $4; bins[$1]++ }
    END { exit !(runs[0] == 3 && runs[1] == 3 && bins[0] == 20) }' \
    "$folder/jobs1/fig4-4.histogram.csv"
check "histogram" $?
exp 2 run fig4-4 --out "$folder/jobs1"
says "continue it with --resume"

# ---- models and the machine together -------------------------------------------------
# shellcheck disable=SC2086
for jobs in 1 3; do
    exp 0 run fig3-1 $tiny --set servers=8 --set time=9 --set m=2,1 --jobs $jobs \
        --out "$folder/models$jobs"
done
same "models, one job and three" "$folder/models1" "$folder/models3"
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { count[$at["program"] " " $at["state"]]++
      if (($at["program"] == "closed") != ($at["line"] != "")) bad = 1
      if (($at["program"] != "closed") != ($at["mark"] != "")) bad = 1
      if ($at["line"] != "" && $at["line"] == last && $at["per_node"] <= x) bad = 1
      last = $at["line"]; x = $at["per_node"] }
    END { exit !(!bad && count["closed solved"] == 8 && count["snakes exit"] == 6 &&
          count["servers solved"] == 4) }' "$folder/models1/fig3-1.curves.csv"
check "curves of models" $?
# Queues that are watched: 16 messages are never too many at one of 8 nodes, four are.
# shellcheck disable=SC2086
exp 0 run fig3-1 $tiny --set servers=8 --set time=9 --set m=2 \
    --set overflow_above=4,16 --out "$folder/watched"
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["program"] != "snakes" { next }
    { p = $at["p_no_overflow"]; rate = $at["overflow_rate"] }
    $at["overflow_above"] == 16 { if (p != 1 || rate != 0) exit 1; rows++ }
    $at["overflow_above"] == 4 {
        if (p <= 0 || p >= 1 || rate <= 0 || rate > 1) exit 1
        rows++
    }
    END { exit rows < 2 }' "$folder/watched/fig3-1.curves.csv"
check "queues that are watched" $?
refused "--set tau=3: nothing here takes it" \
    run fig3-1 --set tau=3 --out "$folder/no"

# ---- runs that fail ------------------------------------------------------------------
# They say why, and are no data: in no table, and in no claim, which says so.
# shellcheck disable=SC2086
exp 1 run fig4-6 $tiny --set Q=64,100 --set h=45 --runs 2 --out "$folder/failed"
says "Q=100 return=0 seed=1: stopped, status -1"
says "stopped after"
says "kernel: a message queue has a power of two of words"
grep -q '"stop":"stopped".*"why":\["stopped after' "$folder/failed/runs.jsonl"
check "the reason is in the record" $?
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { for (i = at["cycles"]; i <= NF; i++) figures[$at["Q"]] += $i != "" }
    END { exit !(figures[64] > 20 && figures[100] == 0) }' "$folder/failed/fig4-6.csv"
check "failed runs have no figures: $(cat "$folder/failed/fig4-6.csv")" $?
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n[$at["Q"]] = $at["n"]; mean[$at["Q"]] = $at["T_ms_mean"] }
    END { exit !(n[64] == 2 && n[100] == 0 && mean[64] > 0 && mean[100] == "") }' \
    "$folder/failed/fig4-6.points.csv"
check "points of failed runs have none" $?
! grep -q '^1,' "$folder/failed/fig4-6.cdf.csv" &&
    ! grep -q '^1,' "$folder/failed/fig4-6.times.csv"
check "nor have distributions and times" $?
grep -A1 '^TC-082 *not measured  *- ' "$folder/output" |
    grep -q 'because 2 of 4 runs of fig4-6 did not end as planned (stopped)'
check "a claim over failed runs says why: $(grep -A1 TC-082 "$folder/output")" $?
# With more nodes the last whole lines are reported, those that differ only in the node
# once.
exp 1 run fig4-6 --set mesh=8x4x4 --set L=20 --set Q=100 --set h=45 --runs 1 --jobs 1 \
    --out "$folder/many"
[ "$(grep -c 'power of two' "$folder/messages")" -eq 1 ] &&
    ! grep -v '^  node [0-9]*: kernel: a message queue' "$folder/messages" |
    grep -q 'power of two'
check "what many nodes say: $(cat "$folder/messages")" $?
# A handler that is too short is told by the program.
# shellcheck disable=SC2086
exp 1 run fig4-6 $tiny --set h=3 --runs 1 --out "$folder/short"
says "HOST_EXIT with status 2"
says "snakes_h is too small"

# ---- killed and continued ------------------------------------------------------------
kill_options="fig4-4 --set mesh=4x4x2 --set L=150 --set h=45,90 --runs 4"
# shellcheck disable=SC2086
exp 0 run $kill_options --jobs 2 --out "$folder/whole"
# shellcheck disable=SC2086
killed "$folder/killed" 2 8 $kill_options --jobs 2 --quiet
[ "$done_before" -ge 2 ] && [ "$done_before" -lt 8 ]
check "killed in the middle, after $done_before runs" $?
[ "$workers_left" -eq 0 ]
check "workers end with a sweep that is killed" $?
[ ! -e "$folder/killed/fig4-4.csv" ]
check "no table of a sweep that was killed" $?
# A report can be made of the finished runs, and leaves the journal alone.
cp -r "$folder/killed" "$folder/part"
exp 0 report --out "$folder/part"
grep -q "$done_before of 8 runs" "$folder/part/report.html"
check "the report says how much there is" $?
[ "$(awk -F, 'NR > 1 && $17 != ""' "$folder/part/fig4-4.csv" | wc -l)" -eq \
    "$done_before" ] && cmp -s "$folder/part/runs.jsonl" "$folder/killed/runs.jsonl"
check "the table has what is done" $?
! grep -qE '"verdict": "(reproduced|in part|not)"' "$folder/part/claims.json" &&
    grep -q 'runs of fig4-4 were not done' "$folder/part/claims.json"
check "claims over part of the runs are not measured" $?
# A line that was being written does not count.
head -c 100 "$folder/whole/runs.jsonl" >>"$folder/killed/runs.jsonl"
# shellcheck disable=SC2086
exp 0 run $kill_options --jobs 2 --resume --out "$folder/killed"
same "killed and continued" "$folder/whole" "$folder/killed"
# shellcheck disable=SC2086
exp 0 run $kill_options --resume --out "$folder/killed"
[ "$(wc -l <"$folder/killed/runs.jsonl")" -eq 8 ]
check "nothing is run again" $?
# A run that is there twice, and with another result, counts once: as it was first.
sed -n '3s/"T":[0-9]*/"T":1/p' "$folder/killed/runs.jsonl" >"$folder/again"
cat "$folder/again" >>"$folder/killed/runs.jsonl"
# shellcheck disable=SC2086
exp 0 run $kill_options --resume --out "$folder/killed"
cmp -s "$folder/whole/fig4-4.csv" "$folder/killed/fig4-4.csv"
check "a run counts once" $?
# Of another jm it does not count at all, but stays.
mkdir "$folder/version"
sed 's/"version":"[^"]*"/"version":"0"/; s/"T":[0-9]*/"T":1/' \
    "$folder/whole/runs.jsonl" >"$folder/version/runs.jsonl"
# shellcheck disable=SC2086
exp 0 run $kill_options --jobs 2 --resume --out "$folder/version"
cmp -s "$folder/whole/fig4-4.csv" "$folder/version/fig4-4.csv"
check "runs of another jm do not count" $?
says "8 records of another jm"
[ "$(grep -c '"version":"0"' "$folder/version/runs.jsonl")" -eq 8 ]
check "they are kept" $?
# A result that no run can have had is refused, with its line.
sed '3s/"T":[0-9]*/"T":-5/' "$folder/whole/runs.jsonl" >"$folder/killed/runs.jsonl"
# shellcheck disable=SC2086
exp 2 run $kill_options --resume --out "$folder/killed"
says "runs.jsonl:3: error: no run can have this result: T is -5"
# Damage in the middle.
for damage in 'no record' '{"key": "m=5"}' '42' '{"key":'; do
    sed "4s/.*/$damage/" "$folder/whole/runs.jsonl" >"$folder/killed/runs.jsonl"
    exp 2 run fig4-4 --resume --out "$folder/killed"
    says "runs.jsonl:4: error: this is no record of a run"
done

# ---- a disk that is full -------------------------------------------------------------
# 2 KiB are not enough; what had been written counts when there is room again.
# shellcheck disable=SC2086
(
    trap '' XFSZ
    ulimit -f 4
    "$jm" exp run $kill_options --jobs 2 --quiet --out "$folder/it's full" \
        2>"$folder/messages"
)
[ $? -eq 2 ]
check "a full disk is a failure" $?
says "runs.jsonl: error: cannot write"
[ ! -e "$folder/it's full/fig4-4.csv" ]
check "no table then" $?
# The printed command continues it.
eval "exp 0 $(sed -n 's/.*; to go on: jm exp //p' "$folder/messages")"
same "full and continued" "$folder/whole" "$folder/it's full"

# ---- verdicts ------------------------------------------------------------------------
# The fields of a claim in claims.json: id, verdict and measured value.
verdict() { # FOLDER CLAIM
    jq -r --arg id "$2" '.claims[] | select(.id == $id) |
        "\(.id) \(.verdict) \(.measured)"' "$1/claims.json"
}
exp 0 run fig4-3 --out "$folder/handler"
verdict "$folder/handler" TC-072 | grep -q ' reproduced 25$'
check "figure 4-3 takes 25 cycles" $?
! grep -q '^TC-072 ' "$folder/output"
check "what is reproduced has no line" $?
# On a machine with dearer reads it takes more, which is nothing about the thesis's.
exp 0 run fig4-3 --set read_onchip=3 --set h=60 --out "$folder/dear"
grep -q '^TC-072 .*not judged  *[34][0-9] ' "$folder/output"
check "more if reads cost more: $(grep '^TC-072' "$folder/output")" $?
grep -q 'settings were changed with --set' "$folder/output" &&
    grep -q '"changed_settings": \[' "$folder/dear/experiments.json" &&
    ! grep -qE '"verdict": "(reproduced|in part|not)"' "$folder/dear/claims.json"
check "changed settings give no verdict: $(tail -2 "$folder/output")" $?
! grep -qE '"outcome": "(holds|does not hold)"' "$folder/dear/claims.json"
check "and no explanation" $?
# Several values are no one figure, which the claim says.
exp 0 run fig4-3 --set read_onchip=3,4 --set h=60 --out "$folder/dearer"
grep '^TC-072 ' "$folder/output" |
    grep -q 'because the runs of fig4-3 have several values of read_onchip (--set)'
check "several values: $(grep '^TC-072' "$folder/output")" $?

# A journal made up so that the handler takes a cycle more or less, or as many more as
# the claim bears no longer.
claim() { # CYCLES VERDICT: figure 4-3 from a run of so many cycles
    sed -i "s/\"h_min\":2[0-9]/\"h_min\":$1/" "$folder/handler/runs.jsonl"
    exp 0 run fig4-3 --resume --out "$folder/handler"
    [ "$(verdict "$folder/handler" TC-072)" = "TC-072 $2 $(($1 - 1))" ]
    check "$1 cycles are $2: $(verdict "$folder/handler" TC-072)" $?
    lines=$(grep -c "^TC-072  *$2  *$(($1 - 1)) " "$folder/output")
    [ "$lines" -eq "$([ "$2" = reproduced ]; echo $?)" ]
    check "a line if it is not: $(cat "$folder/output")" $?
    # Each in its own place of the totals: claims, then checks.
    grep -A4 '"totals"' "$folder/handler/claims.json" | grep -q "\"$2\": [12],"
    check "totals: $(grep -A6 '"totals"' "$folder/handler/claims.json")" $?
}
claim 26 reproduced
claim 27 'in part'
claim 28 not
claim 25 'in part'
# Defaults that are repeated are no claims.
grep -qE '^claims +1 +1 +0 +0 +0$' "$folder/output" &&
    grep -qE '^checks of consistency +3 +0 +0 +0 +0$' "$folder/output"
check "claims and checks are counted apart: $(tail -4 "$folder/output")" $?

# The knee: a journal made up so that T/(m L h) is 1 to the right of h = 200, 2 to the
# left. On the line from 240 to 160 it is 1.15 at h = 228, 1.425 times 160.
# shellcheck disable=SC2086
exp 0 run fig4-13 $tiny --runs 1 --out "$folder/knee"
awk '{ match($0, / h=[0-9]+/); h = substr($0, RSTART + 3, RLENGTH - 3)
    sub(/"T":[0-9]+/, "\"T\":" 2 * 20 * h * (h > 200 ? 1 : 2)); print }' \
    "$folder/knee/runs.jsonl" >"$folder/again"
cp "$folder/again" "$folder/knee/runs.jsonl"
# shellcheck disable=SC2086
exp 0 run fig4-13 $tiny --runs 1 --resume --out "$folder/knee"
grep -q '^EQ-4.10b  *not judged  *1.425 ' "$folder/output"
check "knee: $(grep '^EQ-4.10b ' "$folder/output")" $?

# What is not reproduced says what explains it, what does not, and which experiment
# would tell; none of that is counted as a claim. A journal made up of runs of a small
# machine: a makespan of 91429 cycles is a utilisation of 0.35 and 45.7 ms for 1000
# hops, 75000 are 0.427 and 37.5 ms.
exp 0 run network-limit throughput --set mesh=2x2x2 --runs 1 --out "$folder/explained"
nodes=$(printf '0,%.0s' $(seq 512))
cuts=$(printf '0,%.0s' $(seq 7))
sed -i 's/mesh=2x2x2/mesh=8x8x8/; s/"cycles":[0-9]*/"cycles":100000/
    s/"T":[0-9]*/"T":91429/
    /header_flits=0/s/"T":[0-9]*/"T":75000/
    s/"\(send\|depth\|deepest\)":\[[^]]*\]/"\1":['"${nodes%,}"']/g
    s/"cuts":\[[^]]*\]/"cuts":['"${cuts%,}"']/' "$folder/explained/runs.jsonl"
exp 0 run network-limit throughput --runs 1 --resume --out "$folder/explained"
grep -q '^TC-081  *in part  *45.715 .*; throughput explains it: ' "$folder/output"
check "made up to be in part: $(grep '^TC-081' "$folder/output")" $?
jq -r '.claims[] | select(.id == "TC-081").explained_by[] |
    "\(.experiment) \(.outcome) \(.measured) \(.statement)"' \
    "$folder/explained/claims.json" >"$folder/lines"
[ "$(grep -c '^throughput ' "$folder/lines")" -eq 3 ] &&
    grep -q ' holds 37.5 without header flits the limit ' "$folder/lines" &&
    [ "$(grep -c ' does not hold 0.349998 .*channels of four' "$folder/lines")" -eq 1 ]
check "explanations: $(cat "$folder/lines")" $?
exp 0 run network-limit --runs 1 --resume --out "$folder/explained"
grep -q '^TC-081 .*; throughput would tell$' "$folder/output"
check "an experiment that was not run" $?
grep -q '"outcome": "not run"' "$folder/explained/claims.json"
check "explanations in claims.json" $?
claims=$(jq "[.claims[] | select(.check | not)] | length" \
    "$folder/explained/claims.json")
totals=$(awk '/^claims / { print $2 + $3 + $4 + $5 + $6 }' "$folder/output")
[ "$claims" -eq "$totals" ]
check "explanations are not counted: $totals of $claims" $?

# Chapter 3: figures of the models, to be had from exact numbers, under their claims.
near() { # CLAIM VALUE: its figure, to a thousandth.
    awk -v id="$1" -v want="$2" '{ sub(/not judged/, "-") }
        $1 == id { got = $3; found = 1 }
        END { exit !(found && (got / want - 1) ^ 2 < 1e-6) }' "$folder/output"
    check "$1: $(grep "^$1 " "$folder/output")" $?
}
exp 0 run fig3-1 fig3-2 --set L=1 --set mesh=1x1x1 \
    --set overflow_above=64,128 --set time=1 --set warm_up=0 --runs 1 \
    --out "$folder/chapter3"
near TC-024 422.4606
near TC-042 0.03874
near TC-044 3.929e-9
near TC-045 6.627e-4
exp 0 run fig3-4 fig3-6 queue-needed --set time=1 --set warm_up=0 --runs 1 \
    --out "$folder/queues"
near TC-036 59.04
near TC-049 4.098
near TC-050 24.49
near TC-058 9.112

# Runs that block, or end as they should not, are no evidence of order.
exp 0 run order --out "$folder/order"
for claim in TC-012 TC-023; do
    verdict "$folder/order" $claim | grep -q ' reproduced '
    check "order: $(verdict "$folder/order" $claim)" $?
done
sed -i '1s/"stop":"exit","status":0/"stop":"stopped","status":-1/' \
    "$folder/order/runs.jsonl"
exp 1 run order --resume --out "$folder/order"
says "stopped, status -1"
grep -q '^TC-012 .*not measured' "$folder/output" &&
    grep -q '^TC-023 .*not measured' "$folder/output"
check "a run that blocks is seen: $(grep '^TC-0[12]' "$folder/output")" $?

# What a wire does, and that separate wires for the directions are seen.
exp 0 run alone streams --out "$folder/wire"
for claim in TC-007 TC-007b TC-007c TC-008 TC-008b TC-008c TC-008d; do
    verdict "$folder/wire" $claim | grep -q ' reproduced '
    check "$claim: $(verdict "$folder/wire" $claim)" $?
done
exp 0 run streams --set shared_wires=0 --out "$folder/separate"
grep -q '^TC-008d  *not judged  *1 ' "$folder/output"
check "two wires are not shared: $(grep '^TC-008d' "$folder/output")" $?

# Around the first overflow: each window has its messages, and they their flits, of
# which a message of three words has eleven on each of one to five wires.
exp 0 run jam --set mesh=2x2x4 --set L=50 --set Q=32 --runs 1 --out "$folder/jam"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { messages += $column["messages"]; busy += $column["messages"] > 0 }
    { for (i = column["z_column"]; i <= column["others"]; i++) flits += $i }
    $column["time_us"] <= 0 { before++ }
    END { exit !(messages * 11 < flits && flits < messages * 55 && before > 2 &&
        busy > (NR - 1) / 2) }' "$folder/jam/jam.jam.csv"
check "windows around an overflow: $(head -3 "$folder/jam/jam.jam.csv")" $?
# The map of the same run has all of its overflows, and its faults, each at its node.
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) column[FILENAME, $i] = i; next }
    function of(name) { return $column[FILENAME, name] }
    FILENAME ~ /map/ { overflows += of("overflows"); nodes += of("overflows") > 0
        firsts += of("first_overflows"); faults += of("send_faults"); next }
    { good = overflows == of("overflows") && nodes == of("overflow_nodes") &&
        nodes > 1 && firsts == 1 && faults == of("sends_faulted") }
    END { exit !good }' "$folder/jam/jam.map.csv" "$folder/jam/jam.csv"
check "nodes that overflowed: $(cut -d, -f 4,6-8 "$folder/jam/jam.map.csv")" $?

# ---- MPI -----------------------------------------------------------------------------
# shellcheck source=tests/exp/ranks.sh
. "$(dirname "$0")/ranks.sh"
two_ranks() {
    ranks 2 "$jm" exp run "$@" --out "$folder/ranks" >"$folder/output" 2>&1
}
if has_ranks; then
    # shellcheck disable=SC2086
    two_ranks fig4-4 fig4-6 fig4-7 view $tiny --set h=45,60 --runs 3
    check "mpirun: $(head -3 "$folder/output")" $?
    same "two ranks" "$folder/jobs1" "$folder/ranks"
    # shellcheck disable=SC2086
    ! two_ranks fig4-4 $tiny
    check "mpirun: a bad folder ends all ranks" $?
else
    echo "skipped: ranks: no jm-mpi, or no mpirun"
fi
# Runs that are foreseen to have no end are results, not failures; others are failures.
# shellcheck disable=SC2086 # several options
exp 0 run rts-backoff $tiny --runs 1 --set cut=3000 --out "$folder/cut"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["cycles"] >= 3000 && $column["ended"] == 0 && $column["makespan"] == "" {
        n++
    }
    END { exit !(n == 6 && NR == 7) }' "$folder/cut/rts-backoff.csv"
check "runs are cut: $(cut -d, -f 2,15-18 "$folder/cut/rts-backoff.csv")" $?
# shellcheck disable=SC2086
exp 0 run rts-backoff $tiny --runs 1 --out "$folder/uncut"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["ended"] == 1 && $column["deadlock"] == 0 && $column["makespan"] > 0 { n++ }
    END { exit !(n == 6 && NR == 7) }' "$folder/uncut/rts-backoff.csv"
check "short runs end: $(cut -d, -f 2,15-18 "$folder/uncut/rts-backoff.csv")" $?

finish

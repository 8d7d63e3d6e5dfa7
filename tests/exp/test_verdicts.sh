# Verdicts, totals, numbers of runs and distances of readings, recomputed from the
# journal by verdicts.py: of whole experiments, with other settings, with runs that
# fail, and of a sweep that was stopped.
. tests/cli/check.sh

judged() { # FOLDER LEAST: no fault, and at least so many figures recomputed
    python3 tests/exp/verdicts.py "$work/$1" >"$work/faults"
    passed $? "$1: $(head -5 "$work/faults")"
    figures=$(sed -n 's/^\([0-9]*\) figures$/\1/p' "$work/faults")
    check "$1: $figures figures" [ "${figures:-0}" -ge "$2" ]
}
run() { # STATUS FOLDER ARGUMENT...
    wanted=$1
    out=$work/$2
    shift 2
    status "$wanted" "$jm" exp run "$@" --quiet --out "$out"
}

run 0 whole fig4-3 alone streams queue-needed sc-tables
judged whole 12
tiny='--set mesh=2x2x2 --set L=20'
# shellcheck disable=SC2086 # of several words
run 0 set fig4-4 fig4-13 fig6-2 $tiny --set h=75,90 --runs 2
judged set 8
# shellcheck disable=SC2086
run 1 failed fig4-4 fig4-6 fig4-13 $tiny --set Q=64,100 --set h=45,60 --runs 2
judged failed 15
# shellcheck disable=SC2086
run 0 readings readings $tiny
judged readings 0
finish

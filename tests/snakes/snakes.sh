# shellcheck shell=sh
# Shared by the scripts of this folder: runs of the Snakes and figures of their reports.
. tests/programs/common.sh
image=$BUILD/programs/snakes.elf

# snakes STATUS OPTION...: a run; NAME=VALUE sets the word snakes_NAME, options with two
# dashes are jm's. Statistics go to $folder/stats, their report to $folder/report.
snakes() {
    wanted=$1
    shift
    options=
    for option in "$@"; do
        case $option in
        --*=*) options="$options ${option%%=*} ${option#*=}" ;;
        *) options="$options --set snakes_$option" ;;
        esac
    done
    # shellcheck disable=SC2086 # options are several words
    run "$wanted" --quiet --stats "$folder/stats" $options "$image"
    "$BUILD/jm" report "$folder/stats" >"$folder/report"
}

# says TEXT PATTERN: a line of the last run's output matches the extended expression.
says() {
    grep -qE "$2" "$folder/output"
    passed $? "$1: /$2/ in the output"
}

# value PATTERN: what the one group of the basic expression matches in the last report.
value() {
    sed -n "s/.*$1.*/\1/p" "$folder/report" | head -1
}

# holds TEXT CONDITION: an arithmetic condition, for awk.
holds() {
    awk "BEGIN { exit !($2) }"
    passed $? "$1: $2"
}

stretch() { # T / (m L h)
    value 'ms = \([0-9.]*\) m L h'
}

overflows() {
    awk '/^Queue overflows: none/ { print 0 } /^Queue overflows: [0-9]/ { print $3 }' \
        "$folder/report"
}

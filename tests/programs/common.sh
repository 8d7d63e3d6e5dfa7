# shellcheck shell=sh
# Shared by scripts that check by a status: counting checks, running programs. Sourced
# from the top of the tree; the scratch folder is $folder.
. tests/cli/check.sh
set -u
folder=$work

# run STATUS ARGUMENT...: jm run ARGUMENT... must end with STATUS. Its output goes to
# $folder/output, its messages to $folder/messages.
run() {
    wanted=$1
    shift
    timeout 900 "$BUILD/jm" run "$@" >"$folder/output" 2>"$folder/messages"
    status=$?
    [ "$status" -eq "$wanted" ]
    passed $? "jm run $*: status $status instead of $wanted"
    [ "$status" -eq "$wanted" ] || head -20 "$folder/output" "$folder/messages"
}

# same_output TEXT FILE: the output of the last run is the file.
same_output() {
    diff -u "$2" "$folder/output"
    passed $? "$1: its output"
}

# most KEY, total KEY: the largest value of a node in the statistics of a run in
# $folder/stats, and the sum over all nodes.
most() {
    grep -o "\"$1\":[0-9]*" "$folder/stats" | cut -d: -f2 | sort -n | tail -1
}
total() {
    grep -o "\"$1\":[0-9]*" "$folder/stats" | awk -F: '{ n += $2 } END { print n + 0 }'
}

# words: the rows of an mdpobjdump -s that hold words, without the file's name.
words() {
    sed -n '/^[[:space:]]*[0-9A-Fa-f]\{5\}[[:space:]]/p'
}

# same_words NAME IMAGE: the disassembly of an image makes the same words again.
same_words() {
    "$BUILD/mdpobjdump" -d "$2" >"$folder/again.s" &&
        "$BUILD/mdpas" -o "$folder/again.o" "$folder/again.s" &&
        "$BUILD/mdpld" -o "$folder/again.elf" "$folder/again.o" &&
        "$BUILD/mdpobjdump" -s "$2" | words >"$folder/first" &&
        "$BUILD/mdpobjdump" -s "$folder/again.elf" | words >"$folder/second" &&
        [ -s "$folder/first" ] && cmp -s "$folder/first" "$folder/second"
    passed $? "$1: assembling its disassembly gives its words"
}

# Functions of awk for what the number `state` decides, the same on every host: an LCG
# (Park and Miller), not awk's own generator. Used by stress.sh of two folders.
# shellcheck disable=SC2034
draws='
    function draw(n) {
        state = (state * 16807) % 2147483647
        return int(state / 65536) % n
    }
    function one_of(list, items) { return items[1 + draw(split(list, items))] }'

# Shared by the scripts of this folder: counting checks, running programs.
# Needs BUILD; makes the scratch folder $folder.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
checks=0
failures=0

# check TEXT STATUS: counts a check; says so if it failed.
check() {
    checks=$((checks + 1))
    [ "$2" -eq 0 ] && return
    failures=$((failures + 1))
    echo "FAIL $1"
}

# run STATUS ARGUMENT...: jm run ARGUMENT... must end with STATUS. Its output goes to
# $folder/output, its messages to $folder/messages.
run() {
    wanted=$1
    shift
    timeout 300 "$BUILD/jm" run "$@" >"$folder/output" 2>"$folder/messages"
    status=$?
    [ "$status" -eq "$wanted" ]
    check "jm run $*: status $status instead of $wanted" $?
    [ "$status" -eq "$wanted" ] || head -20 "$folder/output" "$folder/messages"
}

# same_output TEXT FILE: the output of the last run is the file.
same_output() {
    diff -u "$2" "$folder/output"
    check "$1: its output" $?
}

# words: the rows of an mdpobjdump -s that hold words, without the file's name.
words() {
    sed -n '/^[[:space:]]*[0-9A-Fa-f]\{5\}[[:space:]]/p'
}

finish() {
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
    exit
}

# Properties of the debug adapter: back is as forward, requests while the machine runs,
# journeys, memory, many nodes. What it answers is recorded in recorded/dap.
. tests/cli/check.sh

! preload "requests while senders are sought" || export PRELOAD="$work/preload.so"
checks=$((checks + 1))
found=$(build="$build" PYTHONPATH=tests/debug timeout -s KILL 900 \
    python3 tests/debug/dap_checks.py "$work" 2>&1)
case $found in
*FAILED* | *Traceback*) fail "$found" ;;
*checks) checks=$((checks + ${found% checks})) ;;
*) fail "no count: $found" ;;
esac
finish

# The debugger on a pseudo-terminal, driven as by a person.
. tests/cli/check.sh
has_terminals "the debugger on a terminal" || exit 0
check "terminal" python3 tests/debug/terminal.py "$jm" "$work"
finish

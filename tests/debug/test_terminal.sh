# The debugger on a pseudo-terminal, driven as by a person.
. tests/cli/check.sh
check "terminal" python3 tests/debug/terminal.py "$jm" "$work"
finish

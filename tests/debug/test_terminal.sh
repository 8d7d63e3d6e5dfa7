# The debugger on a pseudo-terminal, driven as by a person.
. tests/cli/check.sh
# A host without /dev/pts, such as a bare chroot, has no pseudo-terminals.
if ! python3 -c 'import pty; pty.openpty()' 2>"$work/err"; then
    echo "no pseudo-terminal here, the debugger was not tried on one:" \
        "$(tail -1 "$work/err")"
    exit 0
fi
check "terminal" python3 tests/debug/terminal.py "$jm" "$work"
finish

#!/bin/sh
# The language server in a real editor: a session of Neovim without a screen.
# `make test-editors` installs it first.
set -u
. tests/cli/check.sh

if ! command -v nvim >/dev/null; then
    echo "skipped: editors: there is no nvim here; make test-editors installs it"
    finish
fi
here=$PWD
mkdir "$work/session"
cd "$work/session" || exit 1
cat >first.s <<'END'
 .include "second.inc"
 .global begin ; the first
begin: move FOUR,r0 ; one
.loop: sub r0,1,r0
 twice r0,1
 bnz r0,^.lop
 br ^begin
END
cat >second.inc <<'END'
        .macro  twice value
        add     \value,\value,r1
        .endm
        .equ    FOUR, 4
END
PATH=$build:$PATH HOME=$work timeout -s KILL 600 nvim --headless -u NONE -i NONE -n \
    -c "luafile $here/tools/editors/neovim.lua" \
    -c "luafile $here/tests/cli/neovim_session.lua" -c 'cquit 3' >"$work/seen" 2>&1
status=$?
cat >"$work/expected" <<'END'
4:1-6 1 macro 'twice' takes at most 1 argument
5:9-13 1 undefined symbol 'begin.lop'; did you mean 'begin.loop'?
definition second.inc 1:16
left undefined symbol 'begin.lop'; did you mean 'begin.loop'?
renamed  .global start ; the first  br ^start
hover Cycles: 1; 2 with an operand in memory; 6 in external memory
typed unknown instruction or macro 'mvoe'; did you mean 'move'?
corrected start: move FOUR,r0 ; one
renamed start: move COUNT,r0 ; one
        .include "second.inc"
        .global start                   ; the first
start:  move    COUNT,r0                ; one
.loop:  sub     r0,1,r0
        twice   r0,1
        bnz     r0,^.lop
        br      ^start
END
check "the session ends well" [ "$status" -eq 0 ]
check "what it sees" diff -u "$work/expected" "$work/seen"
[ "$failures" -eq 0 ] || cat "$work/seen"
cd "$here" || exit 1
finish

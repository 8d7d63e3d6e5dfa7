#!/bin/sh
# size.sh: prints the lines of what git keeps of the sources, a room in a row, and two
# sums: outside tests, and of tests without the corpus.
set -eu
cd "$(dirname "$0")/.."

git ls-files emu net asm kernel programs tools tests |
    grep -E '\.(c|h|def|inc|s|js|gp|css|html|sh|py)$' | grep -v '^tests/fuzz/corpus/' |
    xargs wc -l | awk '
    $2 == "total" { next }
    {
        depth = split($2, part, "/")
        room = depth > 2 ? part[1] "/" part[2] : part[1]
        if (!(room in lines))
            order[++rooms] = room
        lines[room] += $1
        if (part[1] == "tests")
            tests += $1
        else if (part[1] != "programs")
            sources += $1
    }
    END {
        for (i = 1; i <= rooms; i++)
            printf "%7d %s\n", lines[order[i]], order[i]
        printf "%7d emu net asm kernel tools\n%7d tests\n", sources, tests
    }'

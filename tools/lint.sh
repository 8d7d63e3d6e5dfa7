#!/bin/sh
# lint.sh: the house rules that a machine can check. Prints every breach with its place;
# non-zero status if there is one. Needs a finished build in $BUILD.
set -u
: "${BUILD:=build}"
found=$(mktemp) || exit 1
trap 'rm -f "$found"' EXIT

# Build folders in the tree whose names git does not ignore: they hold no sources.
builds=$(git ls-files --others --exclude-standard -- '*/libraries-found' |
    sed 's|[^/]*$||; s|^|--exclude=/|')
sources() { # PATTERN...: files of the project, also those not yet committed
    # shellcheck disable=SC2086
    git ls-files --cached --others --exclude-standard $builds -- "$@"
}

breach() { # TITLE: reports standard input as breaches of one rule
    sed "s|^|$1: |" >>"$found"
}

# ---- layers: what each folder may include --------------------------------------------

layer() { # FOLDER ALLOWED-REGEX
    sources "$1/*.c" "$1/*.h" | xargs -r grep -nE '^#include "' /dev/null |
        grep -vE "#include \"($2)" | breach "layer"
}
layer emu/core 'emu/core/'
layer emu/isa 'emu/(core|isa)/'
layer net 'emu/core/|net/'
# The rooms of net: topologies, messages, engines and models stand on the graph. Engines
# and models are siblings: none includes another.
base='emu/core/|net/(net\.h|params\.def)|net/graph/'
layer net/graph "$base"
layer net/topology "$base|net/topology/"
layer net/messages "$base|net/circle\.h|net/messages/"
layer net/wormhole "$base|net/messages/|net/wormhole/"
layer net/plane "$base|net/messages/|net/topology/mesh\.h|net/plane/"
layer net/flow "$base|net/messages/|net/flow/"
layer net/create "$base|net/(messages|topology|create)/"
traffic='emu/core/|net/(net|circle)\.h|net/graph/(graph|loads|options)\.h|net/traffic/'
layer net/traffic "$traffic"
layer net/programs "$base|net/topology/topology\.h|net/programs/"
layer net/model "$base|net/model/"
sources '*.[ch]' | grep -vE '^(net/model|tools/exp|tools/net)/' |
    xargs grep -nE '#include <gsl/' /dev/null | breach "only models use GSL"
layer asm/objects 'emu/(core|isa)/|asm/objects/'
for room in assembler linker disassembler; do
    layer asm/$room "emu/(core|isa)/|asm/(objects|$room)/"
done
layer emu/node 'emu/(core|isa|node)/'
layer emu/machine \
    'emu/(core|isa|node|machine)/|emu/jm\.h|net/|asm/objects/(object|bytes)\.h'
# The rooms of the machine, each on those before it.
below='emu/(core|isa|node)/|emu/jm\.h|net/(net\.h|params\.def)'
below="$below|emu/machine/[a-z_]*\.(h|def)"
for room in link stop run load; do
    below="$below|emu/machine/$room/"
    layer emu/machine/$room "$below|asm/objects/(object|bytes)\.h"
done
# The rooms of the debugger, each on those before it; look and change are siblings.
below='emu/(core|isa|node|machine)/|emu/jm\.h|net/net\.h|asm/objects/object\.h'
below="$below|emu/debug/((debug|inspect)\.h|commands\.(h|def))"
for room in talk values stops past; do
    below="$below|emu/debug/$room/"
    layer emu/debug/$room "$below"
done
for room in look change session; do
    layer emu/debug/$room "$below|emu/debug/$room/"
done
public='emu/(core|isa)/|emu/jm\.h|emu/debug/(debug|inspect)\.h|net/net\.h'
public="$public|asm/asm\.h|asm/objects/(object|archive|bytes)\.h"
tables='net/params\.def|emu/node/interface\.def|asm/[a-z]*/[a-z]*\.def'
tables="$tables|emu/machine/hostpage\.def|emu/debug/commands\.def"
models='graph/(graph|loads|options|walk)|topology/(mesh|topology)'
models="$models|model/(amva|interval|queueing|servers)"
models="$models|traffic/(customers|pattern|processors|traffic|window|load)"
models="$models|programs/(programs|replay)"
models="$models|model/(pipelined/(pipelined|node)|shared/shared|adaptive/adaptive)"
models="net/circle\.h|net/($models)\.h"
stand_ins='emu/(debug/talk/files|machine/team)\.h'
layer tools "$public|$tables|tools/|$models|$stand_ins"
sources 'tools/*.[ch]' | grep -v '^tools/web/wasm/' |
    xargs grep -nE "#include \"($stand_ins)" /dev/null |
    breach "only tools/web/wasm stands in for parts of libjm"
sources 'tools/*.[ch]' | grep -vE '^tools/(exp/models|model|net)/' |
    xargs grep -nE '#include "net/(graph|topology|model|programs|traffic)/' /dev/null |
    grep -v -e '"net/model/interval.h"' -e '^tools/exp/plan/setting_rows\.c:' |
    breach "only tools/model, tools/net and tools/exp/models include the models"
layer tools/host "$public|$tables|tools/host/"
for room in trace stats summary; do
    layer tools/jm/$room "$public|$tables|tools/(host|jm/$room)/"
done
layer tools/mdpas/lsp "$public|$tables|tools/(host|mdpas/lsp)/"
layer tools/mdpas/answers "$public|$tables|tools/(host|mdpas/(lsp|answers))/"
jm="tools/jm/(commands|setup|version|stats/stats)\.h"
layer tools/jm/dap "$public|$tables|tools/(host|jm/options|jm/dap)/|$jm"
jm="tools/jm/(setup\.h|options/options\.(h|def)|stats/stats\.h)"
layer tools/front "$public|$tables|tools/(host|front)/|$jm"
layer tools/jm/options "$public|$tables|tools/(host|jm/trace|jm/options)/"
jm="tools/jm/(embedded|version|commands|program)\.h"
below="$public|$tables|tools/host/|$jm"
layer tools/exp/result "$below|tools/exp/result/"
results="$below|tools/exp/result/"
layer tools/exp/plan "$results|$models|tools/exp/plan/"
layer tools/exp/models "$results|$models|tools/exp/(plan|models)/"
layer tools/exp/measure "$results|net/model/interval\.h|tools/exp/(plan|measure)/"
layer tools/exp/run "$results|tools/exp/(plan|models|run)/"
layer tools/exp/tables "$results|tools/exp/(plan|measure|tables)/"
layer tools/exp/judge "$results|tools/exp/(plan|measure|tables|judge)/"
layer tools/report "$below|tools/report/|tools/exp/measure/verdicts\.h"
layer tools/report/files "$below|tools/report/files/"
layer tools/report/draw "$below|tools/report/(draw|files)/"
# Arrows between folders run one way: no folder includes another that includes it, be it
# through others.
sources '*.c' '*.h' '*.def' | xargs grep -E '^#include "' /dev/null |
    sed -nE 's|^(.*)/[^/]*:#include "(.*)/[^/]*"|\1 \2|p' | awk '$1 != $2' | sort -u |
    tsort 2>&1 >/dev/null | sed 's/^tsort: //' |
    breach "folders include each other"
# Few files of the machine know the other half of the house.
sources 'emu/machine/*.[ch]' | grep -v '^emu/machine/link/' |
    xargs grep -nE '#include "net/[a-z_/]*\.h"' /dev/null |
    breach "only emu/machine/link includes net"
sources 'emu/machine/*.[ch]' | grep -v '/loader\.c$' |
    xargs grep -nE '#include "asm/' /dev/null |
    grep -v '/savefile\.c:.*asm/objects/bytes\.h' |
    breach "only loader.c includes asm, and savefile.c whole files of bytes"

# ---- text ----------------------------------------------------------------------------

sources '*.c' '*.h' '*.s' '*.inc' '*.sh' |
    xargs awk 'length($0) > 88 { print FILENAME ":" FNR ": " length($0) " columns" }' |
    breach "line over 88"
every_text() {
    sources '*.c' '*.h' '*.def' '*.s' '*.inc' '*.sh' '*.md' Makefile '*.in' |
        grep -v 'lint\.sh$'
}
every_text | xargs grep -nEw 'TODO|FIXME|XXX|HACK' /dev/null | breach "unfinished"
every_text | xargs grep -nE '(^|[^A-Za-z0-9_.])/(work|home|root)/' /dev/null |
    breach "host path"
sources '*.c' '*.h' '*.s' '*.sh' '*.md' Makefile |
    xargs grep -nE '[[:blank:]]+$' /dev/null | breach "blank at end of line"
blank='[])[:alnum:]_]( +-> *[a-z]|-> +[a-z]| (\+\+|--)([;)]|$))'
sources '*.c' '*.h' | xargs grep -nE "$blank" /dev/null |
    grep -vE ':[0-9]+: *\*|/\*' | breach "blank at -> ++ or --"
sources '*.c' '*.h' | xargs wc -l |
    awk '$2 != "total" && $1 > 1000 { print $2 ": " $1 " lines" }' |
    breach "file over 1000 lines"
sources emu net asm kernel tools | sed 's|/[^/]*$||' | sort | uniq -c |
    awk '$1 > 30 { print $2 ": " $1 " files" }' | breach "folder over 30 files"
# A function starts at a line in column 0 that ends in ") {" and ends at "}".
sources '*.c' '*.h' | xargs awk '
    FNR == 1 { start = 0 }
    /^[a-zA-Z].*\) \{$/ || (/^[ \t].*\) \{$/ && head) { start = FNR; name = $0 }
    { head = /^[a-zA-Z][^;{]*[(,]$/ || (head && !/[;{}]/) }
    /^}/ && start {
        if (FNR - start + 1 > 60) print FILENAME ":" start ": " FNR - start + 1 " lines"
        start = 0
    }' | breach "function over 60 lines"
type='[a-zA-Z_][a-zA-Z_0-9 ]*'
variable="^(static )?$type[ *][a-z_0-9]+(\[.*\])?( = .*)?;$"
sources '*.c' '*.h' | xargs grep -nE "$variable" /dev/null |
    grep -vE ':(typedef|extern|return|struct|enum|static const|const)|const |\(' |
    breach "mutable file-scope variable"

# Text and numbers enter JSON through one function each, which cannot fail for what they
# hold: a number that is not finite, or a byte that is no UTF-8, loses no result.
json_sources() {
    sources 'tools/*.c' 'tools/*.def' | grep -vE '^tools/(host/values|web/)'
}
json_sources | xargs grep -nE '\bjson_(string|stringn|sprintf|real)\(' /dev/null |
    breach "JSON without tools/host/values.h"
json_sources | xargs grep -nE '"[[{]([^"%]*[^"a-zA-Z%])?[sf][%+*?#]?[],}]' /dev/null |
    breach "JSON without tools/host/values.h"

# ---- compilers and formats -----------------------------------------------------------

FLAGS="-std=c11 -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Werror
    -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -I. -I$BUILD/gen -fsyntax-only"
# clang-check reads all files in one process; clang starts a process for each.
clang_reads() { # FILE...
    # shellcheck disable=SC2086
    if command -v clang-check >/dev/null; then
        clang-check "$@" -- $FLAGS
    else
        clang $FLAGS "$@"
    fi
}
# The tests are built by the compiler of the build, whose warnings fail it; the other
# compiler reads what is installed here.
# shellcheck disable=SC2046
clang_reads $(sources '*.c' | grep -v '^tests/') 2>&1 |
    grep -E 'error|warning' | breach "clang"
# The build compiles a header alone if it stands first in a file.
# emu/node/body_*_inline.h are parts of exec.c, not headers.
sources '*.c' | xargs awk '/^#include "/ { print substr($2, 2, length($2) - 2) }
    /^#include/ { nextfile }' | sort -u >"$found.first"
# shellcheck disable=SC2086
sources '*.h' | grep -v '/body_[a-z]*_inline\.h$' | grep -vxF -f "$found.first" |
    xargs gcc $FLAGS -Wno-unused-function -Wno-unused-const-variable -x c 2>&1 |
    grep 'error' | breach "header alone"
rm -f "$found.first"
sources '*.c' '*.h' | xargs clang-format --dry-run -Werror 2>&1 |
    sed -n 's/:.*code should be.*//p' | sort -u | breach "clang-format"
for script in $(sources '*.sh') .ci/run; do
    shell=$(sed -n '1s|^#!/bin/\(ba\)*sh.*|\1|p' "$script")sh
    "$shell" -n "$script" 2>&1 | breach "shell"
done
# What stands behind `finish` is no test.
sources '*.sh' | xargs awk 'FNR == 1 { ended = 0 } ended { print FILENAME; nextfile }
    /^finish$/ { ended = 1 }' | breach "code behind finish"

# ---- the library has no state --------------------------------------------------------

objdump -t "$BUILD/inside/libjm.a" |
    awk '/file format/ { member = $1 }
         / \.(t?data|t?bss)(\.[^ \t]*)?\t/ && !/\.data\.rel\.ro/ && $NF !~ /^\./ {
             print member " " $NF
         }' | breach "mutable global in libjm.a"

# ---- no circle of calls between files ------------------------------------------------

# Pairs "caller callee" of objects; tsort names those in a circle.
sources 'emu/*.c' 'net/*.c' 'asm/*.c' 'tools/*.c' | grep -v '^tools/web/' |
    sed "s|\.c\$|.o|; s|^|$BUILD/obj/|" |
    while read -r object; do [ ! -e "$object" ] || echo "$object"; done |
    xargs nm -A | sed 's/:[0-9a-f ]* \([A-Za-z]\) / \1 /' |
    awk '$2 ~ /[TDRBC]/ && $3 != "main" { home[$3] = $1 }
         $2 == "U" { wanted[++n] = $3; by[n] = $1 }
         END { for (i = 1; i <= n; i++)
                   if (wanted[i] in home && home[wanted[i]] != by[i])
                       print by[i], home[wanted[i]] }' | sort -u |
    tsort 2>&1 >/dev/null | sed "s|^tsort: ||; s|$BUILD/obj/||" |
    breach "files call each other"

# ---- names that the libraries take from those who link them --------------------------

prefixes='^(jm|net|asm)_'
names() { # NM-OPTIONS FILE...: names alone
    nm "$@" |
        awk 'NF >= 2 && $NF !~ /:$/ { print $NF }' | sort -u
}
for library in libjm libjnet libjasm libjmodel; do
    names -g --defined-only "$BUILD/$library.a" | grep -vE "$prefixes" |
        breach "name without a prefix in $library.a"
done
names -g --defined-only "$BUILD"/inside/*.a | grep -vE "$prefixes" >"$found.inner"
find "$BUILD/obj/tools" -name '*.o' ! -path '*/gen/*' | xargs nm -u |
    awk '$1 == "U" { print $2 }' | sort -u |
    grep -xF -f "$found.inner" | breach "a program calls the inside of a library"
rm -f "$found.inner"

if [ -s "$found" ]; then
    cat "$found"
    echo "lint: $(wc -l <"$found") breaches"
    exit 1
fi
echo "lint: clean"

#!/bin/sh
# mdpas --lsp on the sources of this tree: formatting leaves their objects as they are;
# after random edits its messages are those of mdpas; it answers malformed and overlong
# requests.
set -u
. tests/cli/check.sh

texts() { # WHAT ARGUMENT...
    what=$1
    shift
    build="$BUILD" python3 tests/cli/lsp_texts.py "$@" >"$work/texts" 2>&1
    status=$?
    cat "$work/texts"
    check "$what" [ "$status" -eq 0 ]
}
texts "sources that are formatted" format kernel/*.s kernel/*.inc programs/*/*.s \
    programs/*/*.inc tests/*/*.s
texts "texts that are edited" edit 1 40 programs/bench/bench.s kernel/overflow.s \
    kernel/fault.s tests/bench/compute.s programs/lib/app.inc
texts "parameters of any kind" nonsense 1 600
texts "a document that is too long" long
finish

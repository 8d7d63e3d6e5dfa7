#!/bin/sh
# seeds_saved.sh JM FOLDER [CHANGES]: fills FOLDER with what fuzz_saved starts from:
# machines that JM (build/jm) saves now, so that they are always of its format. Of each
# NAME.saved, the file, and NAME, its contents unpacked; and CHANGES (0) copies of the
# contents with some bytes changed, the same ones every time.
set -eu
jm=$1
folder=$2
changes=${3:-0}
mkdir -p "$folder"

# save NAME CYCLE OPTION-OR-PROGRAM...: the run may end in any way, but must save, and
# the file must be accepted.
save() {
    name=$1
    cycle=$2
    shift 2
    "$jm" run --quiet --cycles "$cycle" --save-at "$cycle:$folder/$name.saved" "$@" \
        >"$folder/log" 2>&1 || [ $? -ge 126 ] || cat "$folder/log" >&2
    "$jm" run --quiet --restore "$folder/$name.saved" --cycles $((cycle + 10)) \
        >"$folder/log" 2>&1 || [ $? -ge 126 ]
    rm -f "$folder/log"
}
programs=$(dirname "$jm")/programs
save bare 30 --bare tests/cli/programs/loop.s
save empty 0 --bare tests/cli/programs/loop.s
save nodes 3000 --mesh 2x1x1 "$programs/random.elf"
save overflow 900 --mesh 3x1x1 --queue 32 "$programs/hotspot.elf"
save fair 2500 --mesh 2x2x1 --router fair --engine graph "$programs/random.elf"
save talk 5000 --mesh 2x1x1 "$programs/pingpong.elf"

python3 - "$folder" "$changes" <<'END'
import glob, random, sys, zlib
folder, changes = sys.argv[1], int(sys.argv[2])
numbers = random.Random(1)
for path in sorted(glob.glob(folder + "/*.saved")):
    contents = zlib.decompress(open(path, "rb").read()[32:])
    name = path[:-len(".saved")]
    open(name, "wb").write(contents)
    for i in range(changes):
        changed = bytearray(contents)
        for _ in range(1 + i % 3):
            at = numbers.randrange(len(changed))
            changed[at] = numbers.choice((0, 1, 0x7F, 0x80, 0xFF, changed[at] ^ 1,
                                          numbers.randrange(256)))
        open("%s-changed-%d" % (name, i), "wb").write(changed)
END

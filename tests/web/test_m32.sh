# The machine with 32-bit pointers, and with the stand-ins of tools/web/bare: programs
# print what they print elsewhere, byte for byte, and saved machines are exchanged.
. tests/programs/common.sh

if ! [ -x "$BUILD/run32" ]; then
    echo "skipped: this compiler makes no programs with 32-bit pointers (gcc-multilib)"
    exit 0
fi

# Some hosts make such programs and do not run them; an emulator does.
run32=$BUILD/run32
if ! "$run32" --version >/dev/null 2>&1; then
    run32="$(command -v qemu-i386) $run32"
    $run32 --version >/dev/null 2>&1 || {
        echo "skipped: this host runs no 32-bit programs (qemu-user would)"
        exit 0
    }
fi

# same OPTION...: both give the same output, statistics and status.
same() {
    "$BUILD/jm" run --quiet --stats - "$@" >"$folder/wanted" 2>"$folder/messages"
    wanted=$?
    $run32 --quiet --stats - "$@" >"$folder/got" 2>"$folder/messages32"
    [ "$?" -eq "$wanted" ] && cmp -s "$folder/wanted" "$folder/got"
    passed $? "run32 $*: output, statistics, status"
    sed 's/^run32/jm/' "$folder/messages32" | cmp -s "$folder/messages" -
    passed $? "run32 $*: messages"
}
for source in programs/*/*.s; do
    # shellcheck disable=SC2046 # options are several words
    same $(sed -n '/^; run: /{s///; s/8x8x8/4x4x4/; p}' "$source") "$source"
done
same --mesh 8x8x8 --set snakes_h=45 --cycles 60000 programs/snakes/snakes.s
same --mesh 4x4x4 --engine graph --cycles 3000 programs/hotspot/hotspot.s
same --mesh 2x2x2 --threads 2 programs/greet/greet.s
printf 'main: nonsense r0\n' >"$folder/wrong.s"
same "$folder/wrong.s"
printf ' .extern nowhere\nmain: .word INT:nowhere\n' >"$folder/unlinked.s"
same "$folder/unlinked.s"

# A machine saved here continues here as if it had not been; zlib reads the contents.
run 0 --quiet --mesh 2x2x2 --dump 0:greet_count programs/greet/greet.s
cp "$folder/output" "$folder/whole"
$run32 --quiet --mesh 2x2x2 --cycles 300 --save-at 300:"$folder/saved" \
    programs/greet/greet.s >/dev/null
$run32 --quiet --restore "$folder/saved" --dump 0:greet_count >"$folder/rest"
[ -s "$folder/rest" ] && cmp -s "$folder/whole" "$folder/rest"
passed $? "it goes on where it was saved"
python3 - "$folder/saved" <<'END'
import struct, sys, zlib
file = open(sys.argv[1], "rb").read()
size, packed = struct.unpack("<QQ", file[16:32])
assert len(zlib.decompress(file[32:])) == size and len(file) == 32 + packed
assert struct.unpack("<I", file[12:16])[0] == zlib.crc32(file[16:])
END
passed $? "zlib reads the saved machine"

# The run ends at the target of a branch to the page before: its IP must have its tag.
cat >"$folder/back.s" <<'END'
        .include "kernel.inc"
        .global main
        .align  64
        .space  62, NIL
main:   move    1,r0
        move    2,r1
        move    3,r2
        move    4,r3
        br      ^main
END
$run32 --quiet --mesh 1x1x1 --cycles 1000 --save-at 1000:"$folder/back" \
    "$folder/back.s" 2>"$folder/messages"
$run32 --quiet --restore "$folder/back" --cycles 20 2>"$folder/messages"
passed $(($? != 126)) \
    "a machine whose run ended in an earlier page can be restored: status 126"

cut=$(($(wc -c <"$folder/saved") / 2))
head -c $cut "$folder/saved" >"$folder/cut"
$run32 --restore "$folder/cut" >"$folder/output" 2>"$folder/messages"
[ $? -eq 2 ] && grep -q 'cut off' "$folder/messages"
passed $? "one that is cut off is refused"
finish

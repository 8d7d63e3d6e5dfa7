# Saved machines beyond one gibibyte, the size limit of other files. Tests that need
# much memory and time run only with BIG=1.
. tests/cli/check.sh

# A file that large, with a good header: its sum is wrong, its size is not.
python3 - "$work/large.saved" "$(sed -n 's/.*CHECKPOINT_VERSION = \([0-9]*\).*/\1/p' \
    emu/machine/checkpoint.h)" <<'END'
import struct, sys
packed = (1 << 30) + 4096
with open(sys.argv[1], "wb") as file:
    file.write(b"\x8aJMS\r\n\x1a\n")
    file.write(struct.pack("<IIQQ", int(sys.argv[2]), 0, packed, packed))
    file.truncate(32 + packed)
END
status 2 "$jm" run --restore "$work/large.saved"
says err "wrong checksum"
rm "$work/large.saved"

if [ -z "${BIG:-}" ]; then
    output=$(finish)
    status=$?
    echo "$output; no machine of 1.1 GB was saved: 3.3 GB of memory, a minute (BIG=1)"
    exit $status
fi

# 192 nodes fill 1.1 GB. They are saved, restored and saved again: the same bytes.
cycle=7464453
status 0 "$jm" run --quiet --bare --mesh 8x8x3 --save-at $cycle:"$work/big.saved" \
    --cycles $cycle "$programs/fill.s"
contents=$(od -A n -t u8 -j 16 -N 8 "$work/big.saved" | tr -d ' ')
check "contents beyond a gibibyte: $contents" test "$contents" -gt $((1 << 30))
status 0 "$jm" run --quiet --restore "$work/big.saved" --cycles $((cycle + 10)) \
    --save-at $cycle:"$work/again.saved" --dump 191:FEFFF --dump 0:10000
says out "191 FEFFF F00000001"
says out "0 10000 F00000001"
check "saved again" cmp "$work/big.saved" "$work/again.saved"
finish

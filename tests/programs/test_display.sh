# The programs that draw: the display words of all nodes are the picture that a few
# lines of Python make.
. tests/programs/common.sh

# dumps NODES WORDS: options that print the display of every node.
dumps() {
    node=0
    while [ "$node" -lt "$1" ]; do
        printf -- '--dump %d:display:%d ' "$node" "$2"
        node=$((node + 1))
    done
}

# picture NAME: the output of the last run, its rows of memory as `rank number`, is what
# the Python on standard input prints.
picture() {
    grep -E '^[0-9]+ [0-9A-F]{5} ' "$folder/output" |
        awk '{ print $1, substr($3, 2) }' >"$folder/drawn"
    python3 - >"$folder/wanted"
    cmp -s "$folder/wanted" "$folder/drawn" && [ -s "$folder/drawn" ]
    passed $? "$1: its picture"
}

# shellcheck disable=SC2046 # options are several words
run 0 --mesh 2x3x1 $(dumps 6 64) programs/fractal/fractal.s
picture fractal <<'END'
def turns(x, y):
    cr, ci, zr, zi, n = -8192 + 384 * x, -6144 + 384 * y, 0, 0, 0
    while n < 31 and (zr * zr >> 12) + (zi * zi >> 12) <= 16384:
        zr, zi = (zr * zr >> 12) - (zi * zi >> 12) + cr, (zr * zi >> 11) + ci
        n += 1
    return n
for rank in range(6):
    for row in range(8):
        for column in range(8):
            n = turns(rank % 2 * 8 + column, rank // 2 * 8 + 7 - row)
            print(rank, "%08X" % (0 if n == 31 else n * 0x080402))
END

# shellcheck disable=SC2046
run 0 --mesh 6x7x1 --set life_generations=13 $(dumps 42 1) programs/life/life.s
picture life <<'END'
live = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
near = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
for _ in range(13):
    count = {}
    for x, y in live:
        for a, b in near:
            cell = (x + a) % 6, (y + b) % 7
            count[cell] = count.get(cell, 0) + 1
    live = {c for c, n in count.items() if n == 3 or n == 2 and c in live}
for rank in range(42):
    print(rank, "00%06X" % (0x60D060 if (rank % 6, rank // 6) in live else 0x202830))
END
run 2 programs/life/life.s
finish

# The Snakes account for every hop on any machine; through queue overflows nothing is
# lost, doubled or overtaken; a program that does lose, double or reorder is found out.
. tests/snakes/snakes.sh

# Any mesh, any destination rule.
for mesh in 1x1x1 2x1x1 1x1x3 5x1x1 3x4x2 7x5x3 16x2x1 32x1x2; do
    snakes 0 --mesh=$mesh l=20 h=100
    snakes 0 --mesh=$mesh l=20 m=3 p=7 generator=1 checking=1
    [ $mesh = 1x1x1 ] || snakes 0 --mesh=$mesh l=20 self=0 imbalance=200 return=2
done

# The numbers of the checking build begin again after 32,768 messages to one node.
snakes 0 --mesh=1x1x1 l=33000 checking=1

# spread LEAST MOST: the messages that came to each node, against their mean.
spread() {
    awk -v least="$1" -v most="$2" '
        /^{"rank"/ {
            sub(/.*"messages_in":/, ""); sub(/,.*/, "")
            came[n++] = $0; all += $0
        }
        END {
            for (i = 0; i < n; i++) {
                share = came[i] * n / all
                if (share < least || share > most) { print i, share; exit 1 }
            }
        }' "$folder/stats"
    passed $? "messages of every node from $1 to $2 times the mean"
}
# 2,000 messages to a node: four standard deviations are 9 percent.
for rule in --mesh=4x4x2 '--mesh=4x4x2 generator=1' '--mesh=3x3x3 generator=1' \
    --mesh=3x5x2 '--mesh=3x3x3 generator=1 self=0'; do
    # shellcheck disable=SC2086 # a rule may be several words
    snakes 0 $rule l=400 h=120
    spread 0.91 1.09
done

# The hot spot of thesis 6.1.2: node 1 gets 1.35 times what any other does.
snakes 0 --mesh=4x4x4 l=400 h=120 imbalance=135 hot=1
awk '/^{"rank"/ {
        rank = $0; sub(/.*"rank":/, "", rank); sub(/,.*/, "", rank)
        sub(/.*"messages_in":/, ""); sub(/,.*/, "")
        if (rank == 1) hot = $0; else rest += $0
    }
    END { ratio = hot * 63 / rest; exit ratio < 1.25 || ratio > 1.45 }' \
    "$folder/stats"
passed $? "imbalance 1.35"

# Mark 1 stands before the timed part and mark 2 behind it; each snake of each node is
# ticked off as home, in its own word and no other.
snakes 0 --mesh=2x2x1 l=5 m=3 --dump=0:came_home:4 --dump=3:came_home:4
marks=$(tr , '\n' <"$folder/stats" | sed -n 's/^"value":\([0-9]*\).*/\1/p')
[ "$marks" = "1
2" ]
passed $? "marks 1 and 2"
ticks=$(grep -E '^[03] [0-9A-F]+ [0-9A-F]+$' "$folder/output" | cut -d' ' -f1,3)
[ "$ticks" = "$(for node in 0 3; do
    for word in 200000001 200000001 200000001 000000000; do echo "$node $word"; done
done)" ]
passed $? "snakes ticked off"

# Never to oneself: with two nodes every hop crosses the wire between them, 4 words of
# two flits and the X flit among three header flits each.
snakes 0 --mesh=2x1x1 l=500 self=0
flits=$(sed -n 's/^"network":{"flits":{"x":\([0-9]*\),.*/\1/p' "$folder/stats")
holds "every hop crosses" "$flits >= 5000 * 9"
snakes 0 --mesh=2x1x1 l=500
flits=$(sed -n 's/^"network":{"flits":{"x":\([0-9]*\),.*/\1/p' "$folder/stats")
holds "else about half of them do" "$flits > 2500 * 8 && $flits < 2500 * 12"

# Every second or fourth hop goes home, the others go anywhere: what goes home crosses
# the machine like any other, for it comes from anywhere.
snakes 0 --mesh=4x4x2 l=100 h=120
anywhere=$(sed -n 's/^"network":{"flits":{"x":\([0-9]*\),.*/\1/p' "$folder/stats")
for every in 2 4; do
    snakes 0 --mesh=4x4x2 l=100 h=120 return=$every
    flits=$(sed -n 's/^"network":{"flits":{"x":\([0-9]*\),.*/\1/p' "$folder/stats")
    holds "return=$every crosses as much" \
        "$flits > 0.9 * $anywhere && $flits < 1.1 * $anywhere"
done

# Increments: different everywhere, or one for all (footnote 5 of chapter 4). The first
# word of snakes_data.
data=$((0x$(nm "$image" | sed -n 's/ . snakes_data$//p') / 8))
dumps=$(awk -v a="$data" 'BEGIN { for (i = 0; i < 512; i++)
    printf " --dump %d:%X", i, a }')
increments() { # OPTION...: how many there are, and how many even ones
    # shellcheck disable=SC2086
    run 0 --mesh 8x8x8 --set snakes_l=1 $dumps "$@" "$image"
    sed -n 's/^[0-9]* [0-9A-F]* 1//p' "$folder/output" | sort -u >"$folder/increments"
    wc -l <"$folder/increments"
    grep -c '[02468ACE]$' "$folder/increments"
}
span() { # from the least of them to the largest
    sed 's/.*[^0-9A-F]/0x/; t; s/^/0x/' "$folder/increments" | while read -r number; do
        echo $((number))
    done | sort -n | sed -n '1p;$p' | paste -sd' ' | awk '{ print $2 - $1 }'
}
[ "$(increments)" = "512
0" ]
passed $? "512 nodes, 512 odd increments"
cp "$folder/increments" "$folder/before"
sed -n 's/^0 [0-9A-F]* 1//p' "$folder/output" >"$folder/node0"
[ "$(increments --set snakes_common=1)" = "1
0" ]
passed $? "one common increment"
cmp -s "$folder/increments" "$folder/node0"
passed $? "which is that of node 0"
[ "$(increments --set snakes_common=2 | head -1)" = 512 ]
passed $? "512 different increments, even ones too"
even=$(grep -c '[02468ACE]$' "$folder/increments")
holds "about half of them are even" "$even > 220 && $even < 292"
holds "which are far apart" "$(span) > 16384"
[ "$(increments --set snakes_common=3)" = "512
256" ]
passed $? "512 increments of either kind"
[ "$(span)" -eq 511 ]
passed $? "which follow each other"
increments --seed 2 >/dev/null
! cmp -s "$folder/increments" "$folder/before"
passed $? "other seeds, other increments"

# Thousands of overflows: messages of 4 to 60 words, queues of 16 words and more, few
# messages and many; every message is checked.
while read -r mesh queue p m l most; do
    snakes 0 --mesh="$mesh" --queue="$queue" p="$p" m="$m" l="$l" checking=1
    count=$(sed -n 's/ queue overflows handled$//p' "$folder/output")
    holds "$mesh Q=$queue p=$p m=$m: overflows" "${count:-0} > $most"
done <<'ROWS'
4x4x2 16 3 20 50 10000
4x4x2 16 7 8 50 10000
3x3x3 16 3 10 50 3000
2x2x2 32 3 40 100 2000
4x4x4 128 60 8 10 3000
1x1x1 16 3 40 50 500
8x8x2 64 5 24 20 500
ROWS

# Most snakes wait for one node, in its overflow memory: node 0 sees none for a very
# long time, but none is lost.
snakes 0 --mesh=4x4x4 --queue=128 --seed=2 p=60 l=8 imbalance=10000 hot=21 checking=1

# Programs that go wrong, made from this one: [name] sed-expression of which file, what
# the run says.
mutant() {
    name=$1 file=$2 expression=$3 pattern=$4
    shift 4
    cp -r programs/snakes "$folder/$name"
    sed "$expression" "programs/snakes/$file" >"$folder/$name/$file"
    ! cmp -s "programs/snakes/$file" "$folder/$name/$file"
    passed $? "$name: differs"
    run 1 --mesh 2x2x2 --set snakes_l=50 --set snakes_h=100 "$@" \
        "$folder/$name/snakes.s"
    grep -qE "$pattern" "$folder/output"
    passed $? "$name: $pattern"
}
# Snakes vanish at their last hop; their homes wait.
mutant lost snakes.s '/^snake_last:/,/^\.measured/{/invoke  emit/d;}' \
    'no snake has come for a long time: snakes are lost'
# A snake that has ended is sent home twice.
mutant doubled snakes.s '/and     r1,0xFFFF,r1/,/suspend/s/        invoke  emit/&\n&/' \
    'a snake came home twice'
# A hop is counted twice, or not at all.
mutant miscounted snakes.s \
    '/^snake_last:/,/suspend/s/add     r1,1,r1/add     r1,2,r1/' \
    'hops are missing or too many'
# The checking build notices a repeated number, a changed word.
mutant repeated check.inc 's/and     r2,r0,r0/and     r2,7,r0/' \
    'lost, doubled or overtaken' --set snakes_checking=1
# Two messages of one number, one after the other, as if one had been doubled.
mutant twice check.inc 's/sub     r2,1,r2/and     r2,-2,r2/' \
    'lost, doubled or overtaken' --set snakes_checking=1
mutant changed snakes.s 's/xor     r1,\[IDENTITY,a1\],r2/xor     r1,7,r2/' \
    'payload has changed' --set snakes_checking=1 --set snakes_p=5
finish

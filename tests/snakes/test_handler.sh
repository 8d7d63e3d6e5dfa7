# The Snakes' handler lasts snakes_h cycles, exactly.
. tests/snakes/snakes.sh

# minimum OPTION...: the bare handler's time, as a refusal names it.
minimum() {
    snakes 2 h=0 "$@"
    sed -n 's/^.* is too small: the bare handler takes \([0-9]*\) cycles$/\1/p' \
        "$folder/output"
}

# period H OPTION...: one node keeps five snakes to itself, so its tasks follow upon
# each other, without faults: every dispatch comes H cycles after the one before. Seen
# in the trace, not by the program. The last hops are others (L is 12; 9 are looked at).
period() {
    h=$1
    shift
    snakes 0 "h=$h" l=12 "--trace=$folder/trace" "$@"
    says "h=$h $*" "^handler: $h cycles as measured"
    awk -v h="$h" '
        $4 == "dispatch" && $5 > "00100" && /snake_code/ { times[++n] = $1 }
        END {
            for (i = n - 50; i < n - 10; i++) wrong += times[i] - times[i - 1] != h
            exit n < 60 || wrong
        }' "$folder/trace"
    passed $? "h=$h $*: the trace agrees"
}

# Figure 4-3 is p = 2: 25 cycles, 4 of dispatch, 3 rows of instructions.
bare=$(minimum p=2)
holds "figure 4-3 with dispatch and fetches" "$bare == 32"
for p in 2 3 4 5 8 11 15 16 33 60; do
    bare=$(minimum p=$p)
    for more in 0 1 2 3 4 5 6 7 8 50 101; do
        period $((bare + more)) p=$p
    done
done
for rule in return=2 return=4 generator=1 late=1 'late=1 p=4' \
    'generator=1 return=4 p=7'; do
    # shellcheck disable=SC2086 # a rule may be several words
    bare=$(minimum $rule)
    for more in 0 1 2 3 10; do
        # shellcheck disable=SC2086
        period $((bare + more)) $rule
    done
done

# Where nothing is drawn twice: rejection costs more than h, which says so.
for rule in imbalance=135 self=0 'generator=1 self=0 imbalance=135 return=2'; do
    # shellcheck disable=SC2086
    snakes 0 --mesh=3x2x2 h=100 l=10 $rule
    says "$rule" '^handler: 100 cycles as measured'
done

# The measurement follows the machine: other timings, the same h.
for timing in jump=1 jump=4 fault=1 dispatch=9 row_onchip=0 row_onchip=20; do
    snakes 0 --param=$timing h=120 l=12 m=1
    says "$timing" '^handler: 120 cycles as measured'
done

# The mark in software costs five cycles and a row now and then, at the low path.
for p in 2 3 4 7 15 60; do
    plain=$(minimum p=$p)
    bare=$(minimum p=$p hwm=1000)
    price=$((bare - plain))
    holds "p=$p: the mark's price" "$price >= 5 && $price <= 8"
    for more in 0 1 2 3 50; do
        period $((bare + more)) p=$p hwm=1000
    done
done

# Marks of the network's interface cost nothing, and send no part of the measurement
# another way: neither what fills the queue nor the handler's own message.
for p in 3 7 15 60; do
    for late in 0 1; do
        plain=$(minimum p=$p late=$late)
        for mark in 1 4 8 12 16 64; do
            bare=$(minimum p=$p late=$late --param=hwm_mark=$mark)
            holds "p=$p late=$late hwm_mark=$mark: least h" "$bare == $plain"
        done
        bare=$(minimum p=$p late=$late --param=escape_mark=4)
        holds "p=$p late=$late escape_mark: least h" "$bare == $plain"
        bare=$(minimum p=$p late=$late --param=rts=1 --param=rts_window=4)
        holds "p=$p late=$late rts_window=4: least h" "$bare == $plain"
    done
done
snakes 0 --mesh=2x1x1 h=150 l=50 --param=hwm_mark=1
says "hwm_mark=1" '^500 hops of 500 done in 3[0-9]{4} cycles'

# Above the mark messages go out at priority 1, below it none does; every hop is done,
# in order at each priority, by tasks of both contexts.
sent_high() {
    sed -n 's/.*"messages_opened":\[[0-9]*,\([0-9]*\)\].*/\1/p' "$folder/stats"
}
for p in 3 4 7 8; do
    snakes 0 --mesh=2x2x2 h=300 l=20 m=8 p=$p hwm=8 checking=1
    says "p=$p hwm=8" "messages checked of"
    holds "p=$p: some at priority 1" "$(sent_high) > 500"
done
snakes 0 --mesh=4x4x2 h=45 l=50 hwm=8
holds "figure 4-3's handler with a mark" "$(sent_high) > 500"
snakes 0 --mesh=2x2x2 h=90 l=20 hwm=1000
holds "a mark that nobody reaches" "$(sent_high) < 20"

# by_mark MARK: every snake of the last trace, of four words, went out at priority 1 if
# more words than the mark were in queue 0 of its node, else at priority 0, from tasks
# of either priority. The queue is recomputed up from arrivals and SUSPENDs; snakes are
# left out that begin within 60 cycles of its last change, as the mark comes before.
by_mark() {
    awk -v mark="$1" '
        function change(node, words) { length0[node] += words; changed[node] = $1 }
        $4 == "send" {
            number = $8
            if (!words[number]) {
                sure[number] = $1 - changed[$2] > 60
                high[number] = length0[$2] > mark
                from[number] = $3
            }
            words[number] += $NF
        }
        $4 == "arrive" {
            number = $8; p = substr($7, 2)
            if (words[number] == 5 && sure[number]) { # with its routing word
                seen[from[number], high[number]]++
                wrong += high[number] != p
            }
            rows = 4 * int((words[number] + 2) / 4)
            queue[$2, p, ++tail[$2, p]] = rows
            if (p == 0) change($2, rows)
            words[number] = 0
        }
        $4 == "suspend" {
            head[$2, $3]++
            if ($3 == 0) change($2, -queue[$2, 0, head[$2, 0]])
        }
        END {
            for (context = 0; context < 2; context++)
                for (to = 0; to < 2; to++)
                    wrong += seen[context, to] < 20
            exit wrong > 0
        }' "$folder/trace"
    passed $? "snakes go by a mark of $1"
}
snakes 0 --mesh=2x2x2 h=400 l=3 m=20 hwm=8 "--trace=$folder/trace"
by_mark 8
snakes 0 --mesh=2x2x2 h=400 l=3 m=20 hwm=20 checking=1 "--trace=$folder/trace"
by_mark 20

# Drawn service times: exponential above the least h, with snakes_h as the mean.
snakes 0 h=150 l=2000 m=5 random=1 "--trace=$folder/trace"
bare=$(minimum random=1)
awk -v h=150 -v bare="$bare" '
    $4 == "dispatch" && $5 > "00100" && /snake_code/ { times[++n] = $1 }
    END {
        for (i = 100; i < n - 10; i++) {
            x = times[i + 1] - times[i]
            sum += x; squares += x * x; above += x > h; count++
        }
        mean = sum / count
        deviation = sqrt(squares / count - mean * mean)
        share = above / count
        exit !(mean > h - 3 && mean < h + 3 && share > 0.34 && share < 0.39 &&
               deviation > 0.95 * (h - bare) && deviation < 1.05 * (h - bare))
    }' "$folder/trace"
passed $? "the drawn times have mean, deviation and median of an exponential"

# tasks: how long the hops of the last trace took, from dispatch to SUSPEND, in order.
tasks() {
    awk '
        $4 == "dispatch" { since[$2] = $1; hop[$2] = /snake_code/ }
        $4 == "suspend" && hop[$2] { print $1 - since[$2] }' "$folder/trace" | sort -nu
}

# Times are drawn in units of the mean over 1024: the shortest have 16, 49, 83 and 119
# of them, by how -ln(1 - v/2) grows over the first sixteenths of v (1024 * 1/64 = 16 in
# the middle of the first, and so on). Units are made of turns of three cycles (the last
# has two), rounded down, and one turn more is done. Some of h lies outside, before and
# after a task's events in the trace. A draw costs 38 cycles, and one turn is part
# of the bare handler.
snakes 0 --mesh=2x1x1 h=200 l=12 m=4 "--trace=$folder/trace"
outside=$((200 - $(tasks | tail -1)))
bare=$(minimum random=1)
holds "a draw and one turn" "$bare - $(minimum) == 41"
snakes 0 --mesh=2x1x1 h=20000 l=150 m=4 random=1 "--trace=$folder/trace"
tasks | awk -v bare="$((bare - outside))" '
    $1 > 200 { time[++n] = $1 }
    END {
        unit = 20000 / 1024
        for (i = 1; i <= 3; i++) {
            apart = (time[i + 1] - time[i]) / unit
            wrong += apart < 32.6 + (i == 2) + 3 * (i == 3)
            wrong += apart > 33.4 + (i == 2) + 3 * (i == 3)
        }
        turns = int((20000 - bare) / 3 * 16 / 1024) + 1
        exit n < 50 || wrong || time[1] != bare + 3 * turns - 1
    }'
passed $? "the shortest drawn times"

# A long message is sent on when all of it has come: no word is waited for behind a
# SEND.
snakes 0 --mesh=2x2x1 l=4 m=1 p=60 h=158 "--trace=$folder/trace"
awk '
    $4 == "dispatch" { sent[$2] = 0; hop[$2] = /snake_code/ }
    $4 == "send" { sent[$2] = 1 }
    $4 == "fault" && /EARLY/ && hop[$2] { waits++; late += sent[$2] }
    END { exit waits < 5 || late }' "$folder/trace"
passed $? "no word is waited for while channels are held"
finish

#!/bin/sh
# stress.sh FIRST LAST: the checking build of the Snakes on 4x4x4 nodes with queues of
# 16 to 64 words and a cure for their overflow, under configurations FIRST to LAST,
# drawn at random from their numbers. A line for each that loses, doubles, changes or
# overtakes a message (returned ones may be overtaken), or does not end; at the end a
# summary of what the cures did.
. tests/snakes/snakes.sh

# configuration NUMBER: the options of a run. Marks leave room for messages of eight
# words; small patience lets the kernel end what a brake alone would block forever.
configuration() {
    awk -v state="$(($1 * 7919 + 1))" "$draws"'
        function mark() { return 4 + 4 * draw(q / 4 - 1) }
        function stop() { return 12 + 4 * draw(q / 4 - 3) }
        BEGIN {
            for (i = 0; i < 5; i++) draw(2)
            q = one_of("16 32 64")
            cure = one_of("none hwm hwm escape brake ring spill spill all rts rts")
            if (cure ~ /hwm|brake|all/) printf "--param=hwm_mark=%d ", mark()
            if (cure ~ /escape|brake|ring|all/) printf "--param=escape_mark=%d ", mark()
            if (cure ~ /brake|all/)
                printf "--param=brake_mark=%d --param=brake_patience=%d ", stop(),
                    one_of("1 300 3000")
            if (cure ~ /spill|all/)
                printf "--param=spill_mark=%d --param=spill_cycles=%d ", stop(),
                    one_of("0 1 5 40")
            if (cure == "ring")
                printf "--param=spill_mark=%d --param=brake_mark=%d " \
                    "--param=brake_ring=1 --param=brake_patience=%d " \
                    "--param=open_words=%d ", stop(), 64 + 4 * draw(32),
                    one_of("1 300 3000 100000"), draw(5)
            # In shorter queues, or sooner sent again, messages bounce.
            if (cure == "rts") {
                q = 64
                printf "--param=rts=1 --param=rts_window=%d --param=rts_ack_words=%d " \
                    "--param=rts_backoff=%d ", one_of("8 32 256"), 1 + draw(4),
                    one_of("3000 10000 30000")
            }
            print "--mesh=4x4x4", "--queue=" q, "--queue1=" one_of("16 32 64"),
                "--seed=" 1 + draw(1000), "--router=" one_of("unfair fair"),
                "--param=send_faults=" draw(2),
                "--param=channel_capacity=" one_of("1 2 2 4"),
                "--param=buffer_words=" one_of("4 8 8 16"),
                "--param=deadlock_cycles=100000",
                "checking=" (cure == "rts" ? 2 : 1), "m=" 1 + draw(6),
                "l=" 5 + draw(20), "h=" 150 + draw(150),
                "random=" draw(2), "imbalance=" one_of("100 135 300")
        }'
}

# settles: what the last run sent back has been sent again, and no room is reserved.
settles() {
    returned=$(total returns_out)
    [ "$returned" -eq "$(total returns_in)" ] &&
        [ "$returned" -eq "$(total resent)" ] &&
        [ "$(total acks_out)" -eq "$(total acks_in)" ] &&
        [ "$(total rts_reserved)" -eq 0 ]
    passed $? "configuration $number: returns and acknowledgements have come in"
}

number=$1 returned=0 returns=0 redirected=0 braked=0 spilled=0 full=0
while [ "$number" -le "$2" ]; do
    # shellcheck disable=SC2046 # several options
    snakes 0 $(configuration "$number")
    redirected=$((redirected + $(total marked_out) + $(total escaped_out)))
    braked=$((braked + $(total brake_cycles)))
    spilled=$((spilled + $(total spilled)))
    full=$((full + $(total queue_overflows)))
    settles
    returns=$((returns + returned))
    number=$((number + 1))
done
echo "$redirected messages redirected, $braked cycles braked, $spilled words spilled," \
    "$full overflows, $returns messages returned"
for count in "$redirected" "$braked" "$spilled" "$full" "$returns"; do
    [ "$count" -gt 0 ]
    passed $? "every cure has had something to do"
done
finish

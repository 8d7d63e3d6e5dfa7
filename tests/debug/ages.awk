# Reads what `queue` says of programs/ages.s on 4x2x1: every message of `slow` must be
# known to come from the node that it says it comes from. Prints how many there were,
# and what is wrong.
# While the kernel copies messages one may be half in a place and half in another.
/ queue 0:/ { copying = /disabled/ }
!copying && / slow, 3 words/ { expected = 1; sender = "" }
expected && /sent [0-9]+ ago by node/ {
    sender = $0
    sub(/.*by node /, "", sender)
    sub(/,.*/, "", sender)
}
expected && /^ +INT:/ {
    split($1, word, ":")
    node = substr(word[2], 8, 1) + 4 * (substr(word[2], 7, 1) / 2)
    if (sender == "" || node != sender)
        print "message of node " node ", known as of node " sender ", line " NR
    expected = 0
    messages++
}
END { print messages + 0 " messages" }

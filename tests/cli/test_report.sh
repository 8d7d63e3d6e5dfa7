# jm report: the picture of a run, figure by figure, on a machine small enough to check
# by hand.
. tests/cli/check.sh

# Three nodes in a row; 1 and 2 send node 0 a two-word message each, so that the wire
# 0-1 carries both messages and the wire 1-2 one.
status 0 "$jm" run --bare --mesh 3x1x1 --stats "$work/s.json" "$programs/output.s"
status 0 "$jm" report "$work/s.json"
says out "on 3x1x1 nodes: exit after"
says out "2 messages, 0 queue overflows"
says out "Busiest node: 0, 2 messages in. Busiest wire: from 0 up in x, "
says out "2@o+o"

# No picture is wider than a terminal, and no row ends in blanks.
for mesh in 8x8x8 16x4x2 32x2x1 1x1x1 1x8x3; do
    status 0 "$jm" run --bare --mesh $mesh --stats "$work/s.json" "$programs/output.s"
    status 0 "$jm" report "$work/s.json"
    check "columns of $mesh" sh -c "! grep -E '.{81}' '$work/out'"
    check "blanks of $mesh" sh -c "! grep -E ' \$' '$work/out'"
done
status 0 "$jm" report --help
finish

# A plane of nodes as a heat map with its numbers, one for each swept value side by side;
# nodes are counted from 1 as in the thesis. Nodes with nothing stay empty.
unset key
unset colorbox
unset grid
set border 0
set xtics nomirror scale 0 ('' -9)
set ytics nomirror scale 0 ('' -9)
set size ratio -1
set autoscale
stats data using (column('z') == plane ? column(y_column) : NaN) nooutput
most = exists('STATS_max') && STATS_max > 0 ? STATS_max : 1
set cbrange [0:most]
stats data using 'x' nooutput
nodes_x = int(STATS_max) + 1
stats data using 'y' nooutput
nodes_y = int(STATS_max) + 1
across = |values| < 3 ? |values| : 3
down = (|values| + across - 1) / across
left(k) = ((k - 1) % across) * (nodes_x + 1)
under(k) = (down - 1 - (k - 1) / across) * (nodes_y + 1.5)
set xrange [0.5:left(across) + nodes_x + 0.5]
set yrange [0.5:under(1) + nodes_y + 0.5]
do for [k=1:|values|] {
    do for [v=1:nodes_x] { if (v % step(nodes_x) == 0) { set xtics add (sprintf('%d', v) left(k) + v) } }
    do for [v=1:nodes_y] { if (v % step(nodes_y) == 0) { set ytics add (sprintf('%d', v) under(k) + v) } }
    set label k name(k) at left(k) + 0.5, under(k) + nodes_y + 0.9 noenhanced
}
set palette defined (0 '#f7d9a8', 0.5 '#e8843c', 1 '#9e1b32')
here(k, value) = column('z') == plane && keep(k) ? value : NaN
text(value) = nodes_x > 20 || nodes_y > 20 ? '' : \
    value == 0 || value >= 10 ? sprintf('%.0f', value) : sprintf('%.3g', value)
size = nodes_x > 10 || nodes_y > 10 ? ',7' : ',11'
plot for [k=1:|values|] data \
    using (here(k, column(y_column) > 0 ? left(k) + column('x') + 1 : NaN)): \
    (under(k) + column('y') + 1):(0.48):(0.48):(column(y_column)) with boxxyerror lc palette, \
    for [k=1:|values|] data using (here(k, left(k) + column('x') + 1)): \
    (under(k) + column('y') + 1):(text(column(y_column))): \
    (column(y_column) > 0.55 * most ? 0xffffff : column(y_column) > 0 ? 0x1b1b1b : 0x7a7f87) \
    with labels tc rgb variable font size noenhanced

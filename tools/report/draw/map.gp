# A plane of nodes as a heat map with its numbers; nodes are counted from 1 as in the
# thesis. Nodes with nothing stay empty.
unset key
unset colorbox
unset grid
set border 0
set tics scale 0
set xtics 1
set ytics 1
set size ratio -1
set autoscale
stats data using (column('z') == plane ? column(y_column) : NaN) nooutput
most = exists('STATS_max') && STATS_max > 0 ? STATS_max : 1
set cbrange [0:most]
do for [side in 'x y'] {
    stats data using (column(side)) nooutput
    eval sprintf('last_%s = %g', side, STATS_max + 1.5)
}
set xrange [0.5:last_x]
set yrange [0.5:last_y]
set palette defined (0 '#f7d9a8', 0.5 '#e8843c', 1 '#9e1b32')
here(value) = column('z') == plane ? value : NaN
text(value) = value == 0 || value >= 10 ? sprintf('%.0f', value) : sprintf('%.3g', value)
plot data using (here(column(y_column) > 0 ? column('x') + 1 : NaN)):(column('y') + 1): \
    (0.48):(0.48):(column(y_column)) with boxxyerror lc palette, \
    data using (here(column('x') + 1)):(column('y') + 1):(text(column(y_column))): \
    (column(y_column) > 0.55 * most ? 0xffffff : column(y_column) > 0 ? 0x1b1b1b : 0x7a7f87) \
    with labels tc rgb variable font ',11' noenhanced

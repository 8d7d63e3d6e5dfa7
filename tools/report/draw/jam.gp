# Traffic around the first overflow by kind of wire, over that before it.
set key @place
array before[5]
kinds = 'messages z_column y_plane x_towards others'
names = "'messages delivered' 'Z column of the node' 'its Y-Z plane' 'X wires towards it' 'other wires'"
do for [i=1:5] {
    stats data using (column('time_us') < 0 ? column(word(kinds, i)) : NaN) nooutput
    before[i] = exists('STATS_mean') && STATS_mean > 0 ? STATS_mean : 1
}
set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb '#7a7f87' dt 2
# Windows lie within a fraction of a microsecond of one grid.
grid(time) = 10 * floor(time / 10 + 0.5)
plot for [i=1:5] data using (grid(column('time_us'))):(column(word(kinds, i)) / before[i]) \
    smooth unique with lines lt i title word(names, i) @extra @stated

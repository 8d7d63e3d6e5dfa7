# Traffic around the first overflow by kind of wire, over that before it; dashed in one
# way for each swept value.
set datafile missing NaN
set key @place
array before[5 * |values|]
kinds = 'messages z_column y_plane x_towards others'
wires = "'messages delivered' 'Z column of the node' 'its Y-Z plane' 'X wires towards it' 'other wires'"
do for [k=1:|values|] {
    do for [i=1:5] {
        stats data using (keep(k) && column('time_us') < 0 ? column(word(kinds, i)) : NaN) nooutput
        before[5 * (k - 1) + i] = exists('STATS_mean') && STATS_mean > 0 ? STATS_mean : 1
    }
}
set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb '#7a7f87' dt 2
# Windows lie within a fraction of a microsecond of one grid.
grid(time) = 10 * floor(time / 10 + 0.5)
plot for [k=1:|values|] for [i=1:5] data using (keep(k) ? grid(column('time_us')) : NaN): \
    (column(word(kinds, i)) / before[5 * (k - 1) + i]) smooth unique with lines lt i dt k \
    title k == 1 ? word(wires, i) : '', for [k=1:|values|*(series ne '')] \
    keyentry with lines lc rgb '#7a7f87' dt k title name(k) @extra @stated

# The middle plane of Z as heat maps side by side with one scale: of each model the node
# queue and all messages at the node, of the machine and of simulations all messages.
# Nodes are counted from 0, as in the figures of chapter 5 of the thesis.
unset key
unset colorbox
unset grid
set border 0
unset xtics
set ytics nomirror scale 0 ('' -9)
set size ratio -1
set autoscale
stats data using 'x' nooutput
width = STATS_max + 2
stats data using 'y' nooutput
height = STATS_max
stats data using 'z' nooutput
plane = floor(STATS_max / 2)
array name[192]
array side[192]
array shown[192]
panels = 0
do for [i=1:|lines|] {
    do for [which in 'queue queue_all'] {
        if (lines[i] ne 'none') {
            panels = panels + 1
            name[panels] = lines[i]
            side[panels] = 'line'
            shown[panels] = which
        }
    }
}
do for [i=1:|marks|] {
    if (marks[i] ne 'none') {
        panels = panels + 1
        name[panels] = marks[i]
        side[panels] = 'mark'
        shown[panels] = 'queue_all'
    }
}
on(k) = column('z') == plane && strcol(side[k]) eq name[k]
stats data using (column('z') == plane ? column('queue_all') : NaN) nooutput
most = exists('STATS_max') && STATS_max > 0 ? STATS_max : 1
set cbrange [0:most]
across = panels < 3 ? panels : 3
down = (panels + across - 1) / across
left(k) = ((k - 1) % across) * width
under(k) = (down - 1 - (k - 1) / across) * (height + 3)
set xrange [-0.7:width * across - 0.9]
set yrange [-0.7:under(1) + height + 1.6]
set palette defined (0 '#f7d9a8', 0.5 '#e8843c', 1 '#9e1b32')
shade(k) = on(k) ? column(shown[k]) : NaN
here(k) = on(k) ? column('x') + left(k) : NaN
row(k) = column('y') + under(k)
text(v) = v >= 9.95 ? sprintf('%.0f', v) : sprintf('%.2g', v)
do for [k=1:panels] {
    set label k name[k] at left(k) - 0.5, under(k) + height + 1.4 font ',9' noenhanced
    set label 200 + k shown[k] eq 'queue' ? 'node queue' : 'all at the node' \
        at left(k) - 0.5, under(k) + height + 0.85 font ',9' noenhanced
    do for [v=0:int(height)] {
        if (v % step(height) == 0) { set ytics add (sprintf('%d', v) under(k) + v) }
    }
}
plot for [k=1:panels] data using (here(k)):(row(k)):(0.48):(0.48):(shade(k)) \
    with boxxyerror lc palette, \
    for [k=1:panels] data using (here(k)):(row(k)):(text(shade(k))): \
    (shade(k) > 0.55 * most ? 0xffffff : 0x1b1b1b) \
    with labels tc rgb variable font ',7' noenhanced

# Nodes and their wires; a wire's colour is the share of cycles in which it was busy.
set encoding utf8
set datafile separator comma
set datafile columnheaders
set terminal svg size width,height dynamic font 'sans-serif,13'
set title title_text font ',11' noenhanced
unset key
unset border
unset xtics
unset ytics
set size ratio -1
set offsets 0.5, 0.5, 0.5, 0.5
stats $wires using 'busy' nooutput
set cbrange [0:STATS_max > 0 ? STATS_max : 1]
set cblabel 'busy share'
set palette defined (0 '#f7d9a8', 0.5 '#e8843c', 1 '#9e1b32')
plot $nodes using 'x':'y' with points pt 7 ps 0.5 lc rgb '#7a7f87', \
    $wires using 'x':'y':'dx':'dy':'busy' with vectors nohead lw 4 lc palette

# What all drawings share. Colours keep a contrast of 3:1 or more on white and on black.
set encoding utf8
set datafile separator comma
set datafile columnheaders
set border 3 lc rgb 'black' lw 1
set tics out nomirror
set grid ytics lc rgb '#a0808080' lw 0.8
set key noenhanced noopaque horizontal samplen 2 maxrows 3
set offsets 0, 0.5, 0, 0
set style data points
set style fill solid 1.0 noborder
set linetype 1 lc rgb '#2f7fd0' lw 1.8 pt 7  ps 0.7
set linetype 2 lc rgb '#d9731a' lw 1.8 pt 5  ps 0.7
set linetype 3 lc rgb '#1f9463' lw 1.8 pt 9  ps 0.9
set linetype 4 lc rgb '#b45fc2' lw 1.8 pt 11 ps 0.9
set linetype 5 lc rgb '#d64550' lw 1.8 pt 13 ps 0.9
set linetype 6 lc rgb '#8a7a1e' lw 1.8 pt 15 ps 0.9
set linetype 7 lc rgb '#4d8f9e' lw 1.8 pt 6  ps 0.7
set linetype 8 lc rgb '#9c7350' lw 1.8 pt 4  ps 0.7
set linetype 9 lc rgb '#7a7f87' lw 1.8 pt 8  ps 0.9
thin = "with lines lc rgb '#7a7f87' lw 1.2 dt 2"
dotted = "with lines lc rgb '#7a7f87' lw 1.4 dt 3"
# What the thesis states, in the text's own colour: a mark, a bar, a shaded range. The
# column y of a bar without a mark is empty.
stated_marks = "using 'x':'y' with points lc rgb 'black' pt 2 ps 1.1 lw 1.8 title 'thesis, as stated'"
stated_bars = "using (column('high') > column('low') ? column('x') : NaN):'low':(0):(column('high') - column('low')) with vectors heads size graph 0.01,90 lc rgb 'black' lw 1.8 notitle"
stated_spans = "keyentry with boxes fc rgb '#407a7f87' fs solid border lc rgb '#7a7f87' title 'thesis, as stated'"
set xlabel xlabel noenhanced
set ylabel ylabel noenhanced
eval 'set xrange '.xrange
eval 'set yrange '.yrange
# A series of settings has none of them in one of its rows.
keep(value) = series eq '' || strcol(series) eq (value eq 'none' ? '' : value)
name(value) = series eq '' ? '' : value eq 'none' ? 'as built' : \
    series eq 'other' ? value : series.' = '.value

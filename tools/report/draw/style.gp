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
# A row is on a curve if its columns of `series` have the curve's values.
row_of(k) = strcol(word(series, k)).(k < words(series) ? ', '.row_of(k + 1) : '')
keep(i) = series eq '' || row_of(1) eq values[i]
name(i) = series eq '' ? '' : names[i]
# The least of 1, 2, 5, 10, 20, ... that leaves ten tics or fewer up to n.
power(n) = 10.0 ** floor(log10(n / 10.0))
rounded(n, at) = n <= 10 * at ? at : n <= 20 * at ? 2 * at : n <= 50 * at ? 5 * at : 10 * at
step(n) = n <= 10 ? 1 : int(rounded(n, power(n)))
# What always busy processors use of the bisection of a cube, by eq. 4.7, below `most`.
share(p, side, h, most) = (u_ = (1 + p) * side / h, u_ < most ? u_ : NaN)
# Where a slow server keeps all that a balanced network cannot hold: customers there.
beyond(m, servers, slow) = m * (slow - 1) > 1 ? m * servers - (servers - 1) / (slow - 1) : NaN

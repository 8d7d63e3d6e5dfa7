# Latency over the rate of a workload: means with their intervals, percentiles, and where
# the network saturates. Runs that have not settled are hollow.
set terminal svg size 640,440 dynamic font 'sans-serif,13'
set title title_text noenhanced
set datafile missing NaN
unset offsets
set key left top vertical Left reverse maxrows 9
if (exists('triple')) { set arrow 1 from triple, graph 0 to triple, graph 1 nohead dt 2 lc rgb '#7a7f87' lw 1.4 }
if (exists('triple')) { set label 1 ' 3 x zero load' at triple, graph 0.96 rotate by -90 font ',10' noenhanced }
is(state) = state ? strcol('state') eq 'settled' : strcol('state') ne 'settled'
plot $rates using 'rate':'p99' with lines lt 3 title '99th percentile', \
    $rates using 'rate':'p95' with lines lt 2 title '95th percentile', \
    $rates using 'rate':'latency' with lines lt 1 title 'mean', \
    $rates using 'rate':'latency':'half_width' with yerrorbars lt 1 pt -1 lw 1.2 notitle, \
    $rates using (is(1) ? column('rate') : NaN):'latency' with points lt 1 title 'settled', \
    $rates using (is(0) ? column('rate') : NaN):'latency' with points lt 1 pt 6 title 'not settled'

# A mark for each run, of its own kind for each swept value.
set key @place maxrows key_rows
stats data using (column(x_column)) nooutput
set xtics step(exists('STATS_max') ? STATS_max : 0)
plot for [i=1:|values|] data using (keep(i) ? column(x_column) : NaN):(column(y_column)) \
    with points lt i ps 0.8 title name(i) @extra @stated
